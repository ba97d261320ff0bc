//! The documents against the list of all ids ever issued.

use std::collections::{BTreeMap, HashSet};

use super::{index::Index, members};
use crate::{
    corpus::{Head, Posture, Registry, RuleId},
    diagnostics::{Code, Diagnostic, Place},
};

pub(super) fn check(index: &Index<'_>, findings: &mut Vec<Diagnostic>) {
    let registries = index.corpus.registries();
    for registry in registries {
        twice(registry, findings);
        missing(index, registry, findings);
    }
    // Ids that share a last place would be written over one another.
    let mut added: Vec<RuleId> = Vec::new();
    for document in index.documents() {
        let (Some(head), Some(id)) = (&document.head, document.id()) else {
            continue;
        };
        let mut found = registries
            .iter()
            .filter_map(|r| Some((r, r.position(id.as_str())?)));
        match found.next() {
            Some((registry, at)) => against(head, &id, registry, at, findings),
            None => {
                let Some(registry) = registries.last() else {
                    continue;
                };
                // A document of another name is told as that.
                if !members::is_named_for(document, &id) || added.contains(&id) {
                    continue;
                }
                findings.push(unregistered(head, &id, registry));
                added.push(id);
            }
        }
    }
}

fn unregistered(head: &Head, id: &RuleId, registry: &Registry) -> Diagnostic {
    let family = head.text("family").unwrap_or_default();
    let withdrawn = match head.text("posture") == Some(Posture::Withdrawn.as_str()) {
        true => " withdrawn",
        false => "",
    };
    let line = format!("{id} {family}{withdrawn}");
    let fault = Diagnostic::error(Code::Unregistered, format!("`{id}` is not in the registry"))
        .at(head.place_of("id"))
        .note("an id that is not registered may be issued again")
        .help(format!("add the line `{line}` at the end of the registry"));
    let Some(source) = registry.source().filter(|_| !family.is_empty()) else {
        return fault;
    };
    let end = source.text().len();
    let gap = match source.text().is_empty() || source.text().ends_with('\n') {
        true => "",
        false => "\n",
    };
    fault.fix(Place::new(source, end..end), format!("{gap}{line}\n"))
}

fn against(
    head: &Head,
    id: &RuleId,
    registry: &Registry,
    at: usize,
    findings: &mut Vec<Diagnostic>,
) {
    let (registered, Some(line)) = (&registry.ids()[at], registry.place(at)) else {
        return;
    };
    if let Some(family) = head.text("family")
        && family != registered.family
    {
        findings.push(
            Diagnostic::error(
                Code::MovedRule,
                format!(
                    "`{id}` is registered in {}, not in {family}",
                    registered.family
                ),
            )
            .at(head.place_of("family"))
            .see(line.clone(), "registered here")
            .note("an id keeps its family")
            .help(format!(
                "write `family: {}`, or give the rule a new id",
                registered.family
            )),
        );
    }
    let Some(posture) = head.text("posture").and_then(|p| {
        let mut all = Posture::ALL.iter();
        all.find(|known| known.as_str() == p)
    }) else {
        return;
    };
    let is_withdrawn = *posture == Posture::Withdrawn;
    if is_withdrawn == registered.withdrawn {
        return;
    }
    let fault = match is_withdrawn {
        true => {
            let span = line.span();
            let end = Place::new(line.source(), span.end..span.end);
            Diagnostic::error(
                Code::WithdrawnDisagrees,
                format!("`{id}` is withdrawn, and the registry does not say so"),
            )
            .help("write `withdrawn` behind its family in the registry")
            .fix(end, " withdrawn")
        }
        false => Diagnostic::error(
            Code::WithdrawnDisagrees,
            format!("`{id}` is withdrawn in the registry, and here it is {posture}"),
        )
        .help("write `posture: withdrawn`; a rule that comes back gets a new id"),
    };
    findings.push(
        fault
            .at(head.place_of("posture"))
            .see(line, "registered here"),
    );
}

fn twice(registry: &Registry, findings: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    for (at, registered) in registry.ids().iter().enumerate() {
        if seen.insert(&registered.id) {
            continue;
        }
        let first = registry.position(registered.id.as_str()).unwrap_or(at);
        let (Some(place), Some(other)) = (registry.place(at), registry.place(first)) else {
            continue;
        };
        let fault = Diagnostic::error(
            Code::RegisteredTwice,
            format!("`{}` stands in the registry twice", registered.id),
        )
        .at(place.clone())
        .see(other, "first here");
        findings.push(match registry.ids()[first] == *registered {
            true => {
                let span = place.span();
                let text = place.source().text();
                let start = text[..span.start].rfind('\n').map_or(0, |i| i + 1);
                let end = text[span.end..]
                    .find('\n')
                    .map_or(text.len(), |i| span.end + i + 1);
                let line = Place::new(place.source(), start..end);
                fault.help("take this line out").fix(line, "")
            }
            false => fault
                .note("the two lines differ")
                .help("keep the one that is true; an id is never issued again"),
        });
    }
}

/// Ids that no document has. Where no rule of a whole family was read, this is a part of the
/// specification, and that is told once.
fn missing(index: &Index<'_>, registry: &Registry, findings: &mut Vec<Diagnostic>) {
    let present: HashSet<&str> = {
        let heads = index.documents().filter_map(|d| d.head.as_ref());
        heads.filter_map(|head| head.text("family")).collect()
    };
    let mut absent: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, registered) in registry.ids().iter().enumerate() {
        if registered.withdrawn || index.has_document(&registered.id) {
            continue;
        }
        let Some(place) = registry.place(at) else {
            continue;
        };
        if !present.contains(registered.family.as_str()) {
            absent.entry(&registered.family).or_default().push(at);
            continue;
        }
        findings.push(
            Diagnostic::error(
                Code::MissingRule,
                format!("`{}` is registered, and no document has it", registered.id),
            )
            .at(place)
            .note("an id stays for good, also after its rule is withdrawn")
            .help("bring the document back, or write `withdrawn` behind the family"),
        );
    }
    let Some(first) = absent.values().flatten().min() else {
        return;
    };
    let families: Vec<&str> = absent.keys().copied().collect();
    let ids: usize = absent.values().map(Vec::len).sum();
    let ids = crate::report::count(ids, "registered id");
    findings.push(
        Diagnostic::warning(
            Code::MissingRule,
            format!("no rule of {} was read: {ids}", families.join(", ")),
        )
        .at(registry.place(*first))
        .label("the first of them")
        .help("check the whole specification, or bring the documents back"),
    );
}
