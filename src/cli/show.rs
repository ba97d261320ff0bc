//! `standing show`: a rule with what bears on each of its clauses, or a case with its steps.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde_json::Value;

use super::{
    failure::Done,
    output::{print, write_whole},
    sources::{ConfigArgs, SourceArgs, select},
};
use crate::{
    corpus::{Example, Rule},
    diagnostics::{Code, Diagnostic, plain, printable},
    report::{count, svg},
    suite::{Bindings, Case, Expectation, Modes, Suite, Template, named_clause},
};

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// A rule (SG-16), a clause (SG-16:2), a case (SG-16/name), a family or a glob.
    #[arg(value_name = "SELECTOR", required = true)]
    selectors: Vec<String>,
    /// Draw the graphs that a case is about to this file, as SVG.
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();

pub(super) fn show(args: &ShowArgs) -> Done {
    let suite = args.sources.suite(&args.config.read()?)?;
    if let Some(path) = &args.draw {
        draw(&suite, &args.selectors, path)?;
    }
    let mut text = String::new();
    for selector in &args.selectors {
        let selection = select(&suite, std::slice::from_ref(selector))?;
        if !text.is_empty() {
            text.push('\n');
        }
        // A case that is named is shown itself; anything else is shown by its rules.
        match suite.case(selector) {
            Some(case) => show_case(&suite, case, &mut text),
            None => {
                for (i, position) in selection.rules().enumerate() {
                    if i > 0 {
                        text.push('\n');
                    }
                    let only = named_clause(&suite, selector).map(|(_, clause)| clause);
                    show_rule(&suite, position, only, &mut text);
                }
            }
        }
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Draws the graphs of the case that is named.
fn draw(suite: &Suite, selectors: &[String], path: &Path) -> Done<()> {
    let wrong = |message: String| Diagnostic::error(Code::BadCall, message);
    let case = match selectors {
        [one] => suite.case(one),
        _ => None,
    };
    let Some(case) = case else {
        // A selector that fits nothing is told first.
        select(suite, selectors)?;
        let fault = wrong("`--draw` draws the graphs of one case".to_owned());
        return Err(fault
            .help("name a case, as `SG-16/two-tails-one-head`")
            .into());
    };
    let Some(svg) = svg(case) else {
        return Err(wrong(format!("`{}` is about no graph", case.name)).into());
    };
    write_whole(path, &svg).map_err(|error| {
        let why = plain(&error);
        wrong(format!(
            "the drawing cannot be written to `{}`: {why}",
            path.display()
        ))
    })?;
    Ok(())
}

/// With `only`, no more than that clause is shown.
fn show_rule(suite: &Suite, position: usize, only: Option<usize>, text: &mut String) {
    let rule = &suite.corpus().rules()[position];
    let cases = &suite.cases()[suite.cases_of(position)];
    let _ = writeln!(
        text,
        "{BOLD}{} — {}{BOLD:#}",
        rule.id,
        printable(&rule.title)
    );
    let profiles: Vec<&str> = rule.profiles.iter().map(|p| p.as_str()).collect();
    let facets = format!(
        "{} · {} · {} · {} · hash {}",
        printable(&rule.family),
        rule.level,
        profiles.join(", "),
        rule.posture,
        printable(&rule.hash)
    );
    let _ = writeln!(text, "{DIM}{facets}{DIM:#}");
    let _ = writeln!(text, "{DIM}{}{DIM:#}", printable(rule.source.path()));
    for clause in rule
        .clauses
        .iter()
        .filter(|c| only.is_none_or(|n| n == c.number))
    {
        let _ = writeln!(text);
        wrapped(
            &format!("¶{}  {}", clause.number, printable(&clause.text)),
            text,
        );
        let bearing: Vec<&Case> = cases
            .iter()
            .filter(|c| c.clauses.contains(&clause.number))
            .collect();
        let untestable = suite
            .untestable(position)
            .iter()
            .find(|u| u.clause == clause.number);
        match untestable {
            Some(untestable) => {
                let _ = writeln!(
                    text,
                    "    {YELLOW}untestable{YELLOW:#} {}",
                    printable(&untestable.reason)
                );
            }
            None if bearing.is_empty() => {
                let _ = writeln!(text, "    {YELLOW}untested{YELLOW:#}");
            }
            None => {}
        }
        for case in bearing {
            let examples = names(rule, &case.examples);
            let _ = writeln!(
                text,
                "    {GREEN}{}{GREEN:#}{DIM}{examples}{DIM:#}",
                case.short_name(rule)
            );
        }
    }
    if only.is_some() {
        return;
    }
    if !rule.examples.is_empty() {
        let _ = writeln!(text, "\n{BOLD}Examples{BOLD:#}");
        for example in &rule.examples {
            show_example(example, cases, text);
        }
    }
    let related = [
        ("Names", &rule.related.names),
        ("Referenced by", &rule.related.referenced_by),
    ];
    for (what, ids) in related.iter().filter(|(_, ids)| !ids.is_empty()) {
        let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
        let _ = write!(text, "\n{DIM}{what} {}{DIM:#}", ids.join(", "));
    }
    let _ = writeln!(text, "\n{DIM}{}{DIM:#}", count(cases.len(), "case"));
}

fn show_example(example: &Example, cases: &[Case], text: &mut String) {
    let verdict = example
        .verdict
        .as_ref()
        .map(|v| format!(" → {}", printable(v)))
        .unwrap_or_default();
    let naming = cases
        .iter()
        .filter(|c| c.examples.contains(&example.number))
        .count();
    let bound = match naming {
        0 => format!("{YELLOW}no case names it{YELLOW:#}"),
        n => format!("{DIM}named by {}{DIM:#}", count(n, "case")),
    };
    let _ = writeln!(
        text,
        "  line {:<4} {}{verdict}  {bound}",
        example.line,
        printable(&example.name())
    );
}

/// The titles of the examples with these numbers, for the end of a line.
fn names(rule: &Rule, numbers: &[usize]) -> String {
    let names: Vec<String> = numbers
        .iter()
        .filter_map(|n| rule.examples.get(n - 1))
        .map(|e| printable(&e.name()))
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("  {}", names.join(", ")),
    }
}

fn show_case(suite: &Suite, case: &Case, text: &mut String) {
    let rule = suite.rule_of(case);
    let _ = writeln!(text, "{BOLD}{}{BOLD:#}", case.name);
    let _ = writeln!(text, "{DIM}{}{DIM:#}", printable(&case.place.to_string()));
    for number in &case.clauses {
        if let Some(clause) = rule.clause(*number) {
            let _ = writeln!(text);
            wrapped(&format!("¶{number}  {}", printable(&clause.text)), text);
        }
    }
    for (i, step) in case.steps.iter().enumerate() {
        let _ = writeln!(text);
        let number = if case.steps.len() > 1 {
            format!("{}. ", i + 1)
        } else {
            String::new()
        };
        let _ = writeln!(text, "{BOLD}{number}{}{BOLD:#}", step.operation);
        let _ = writeln!(text, "{}", shown(&step.given));
        match &step.expectation {
            Expectation::Anything => {
                let _ = writeln!(text, "{DIM}any answer but a refusal{DIM:#}");
            }
            Expectation::Answer(expected) => {
                let modes = matched(&expected.modes);
                let _ = writeln!(
                    text,
                    "{DIM}answers{modes}{DIM:#}\n{}",
                    shown(&expected.template)
                );
            }
            Expectation::Refused(refused) => {
                let naming = match refused.naming.is_empty() {
                    true => String::new(),
                    false => format!(", naming {}", printable(&refused.naming.join(", "))),
                };
                let _ = writeln!(
                    text,
                    "{DIM}is refused with{DIM:#} {}{naming}",
                    printable(&refused.reason)
                );
            }
        }
        for (name, pointer) in &step.bind {
            let _ = writeln!(
                text,
                "{DIM}${} is {} of the answer{DIM:#}",
                printable(name),
                if pointer.is_empty() {
                    "all".to_owned()
                } else {
                    printable(pointer)
                }
            );
        }
    }
}

/// How an answer is matched, where that is not to the letter: `, matched: includes, /loops exact`.
fn matched(modes: &Modes) -> String {
    let words: Vec<String> = modes
        .all()
        .iter()
        .map(|(pointer, mode)| match pointer.as_str() {
            "" => mode.as_str().to_owned(),
            pointer => format!("{} {}", printable(pointer), mode.as_str()),
        })
        .collect();
    match words.is_empty() {
        true => String::new(),
        false => format!(", matched: {}", words.join(", ")),
    }
}

/// A template as JSON; what is not known yet stands as `$name`.
fn shown(template: &Template) -> String {
    let mut names = Bindings::new();
    template.each_bound(&mut |name| {
        names.insert(name.to_owned(), Value::from(format!("${name}")));
    });
    printable(&format!("{:#}", template.fill(&names)))
}

/// A paragraph in lines that fit a terminal, indented below its first line.
fn wrapped(paragraph: &str, text: &mut String) {
    const WIDTH: usize = 96;
    let mut width = 0;
    for word in paragraph.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push_str("\n    ");
            width = 4;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
}
