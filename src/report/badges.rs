//! The record as badges: an endpoint of shields.io for each family, level and profile.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::text::one_line;
use crate::standing::{GroupRecord, Record, Standing};

/// Badges by name, each what shields.io reads from an endpoint. Families that are not tested have
/// none; `standing` is of everything.
///
/// A record of a selection has no badges: nobody could see what is left out.
pub fn badges(record: &Record) -> BTreeMap<String, Value> {
    let summary = &record.summary;
    let levels = summary.levels.iter().map(|(l, g)| (l.as_str(), g));
    let profiles = summary.profiles.iter().map(|(p, g)| (p.as_str(), g));
    let families = summary.families.iter().map(|(f, g)| (f.as_str(), g));
    let mut all: BTreeMap<String, Value> = levels
        .chain(profiles)
        .chain(families)
        .filter(|(_, group)| group.standing != Standing::Untested)
        .map(|(name, group)| (file_name(name), badge(name, group)))
        .collect();
    let all_cases = &summary.cases;
    let message = format!("{} of {} cases pass", all_cases.pass, all_cases.total());
    let color = match (all_cases.failures(), all_cases.pass) {
        (0, 0) => color(Standing::Untested),
        (0, pass) if pass == all_cases.total() => color(Standing::Meets),
        (0, _) => color(Standing::Partial),
        _ => color(Standing::Fails),
    };
    all.insert(
        "standing".to_owned(),
        endpoint(&record.engine.name, &message, color),
    );
    all
}

fn badge(name: &str, group: &GroupRecord) -> Value {
    let rules = &group.rules;
    let counted = rules.total() - rules.not_applicable;
    let message = match group.standing {
        Standing::Meets => "meets".to_owned(),
        Standing::NotApplicable => "not applicable".to_owned(),
        standing => format!("{standing}: {} of {counted} rules met", rules.meets),
    };
    endpoint(name, &message, color(group.standing))
}

fn endpoint(label: &str, message: &str, color: &str) -> Value {
    json!({
        "schemaVersion": 1,
        "label": one_line(label),
        "message": message,
        "color": color,
    })
}

fn color(standing: Standing) -> &'static str {
    match standing {
        Standing::Meets => "brightgreen",
        Standing::Partial => "yellow",
        Standing::Fails => "red",
        Standing::Unsupported => "orange",
        _ => "lightgrey",
    }
}

/// A name that is one of a file everywhere, and of no other folder.
fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_name_leads_out_of_the_folder() {
        assert_eq!(super::file_name("../RT-SG"), "___RT-SG");
    }
}
