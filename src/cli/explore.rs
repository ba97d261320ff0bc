//! `standing explore`: inputs that no case has.

use std::{
    collections::hash_map::RandomState,
    fmt::Write as _,
    hash::{BuildHasher, Hasher},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde_json::{Value, json};

use super::{
    built_in::built_in,
    connect::ConnectArgs,
    failure::Done,
    interrupt::{self, INTERRUPTED},
    output::{Listing, can_write, print, print_json, write_whole},
    sources::ConfigArgs,
};
use crate::{
    diagnostics::{Code, Diagnostic, plain, printable},
    engine::{Engine, EngineError},
    explore::{
        ALL, Against, Bearing, Drawing, Found, Options, Row, Searched, bearing, case_file, drawing,
        picture, search, table,
    },
    misreadings::{self, Misreading},
    operations::Operations,
    reference,
    report::{count, diff, quoted},
    suite::Suite,
};

#[derive(Debug, Args)]
pub(super) struct ExploreArgs {
    /// What to ask: an operation (loops.resolve) or a conversation (resume). Everything that the
    /// engine does, where none is given.
    #[arg(value_name = "OPERATION")]
    operations: Vec<String>,
    #[command(flatten)]
    connect: ConnectArgs,
    #[command(flatten)]
    config: ConfigArgs,
    /// How many inputs to draw for each operation.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        help_heading = "Exploring"
    )]
    cases: usize,
    /// What decides the inputs: the same seed, the same search [default: another each time].
    #[arg(long, value_name = "N", help_heading = "Exploring")]
    seed: Option<u64>,
    /// How long to look, in all: `60s`, `5m`, or a number of seconds.
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Exploring")]
    time: Option<Duration>,
    /// Compare with this engine instead of the reference.
    #[arg(long, value_name = "ENGINE", help_heading = "Exploring")]
    against: Option<String>,
    /// Compare the engine with itself, asked the same in another way: edges in another order, nodes
    /// renamed, a node added that is in no loop. What is right need not be known.
    #[arg(long, help_heading = "Exploring", conflicts_with_all = ["against", "known"])]
    metamorphic: bool,
    /// A misreading that the engine is known to have: what differs just as it does is counted and
    /// passed over (may be repeated).
    #[arg(long, value_name = "MISREADING", help_heading = "Exploring")]
    known: Vec<String>,
    /// Draw no input that has a member of this name, wherever it would be (may be repeated).
    #[arg(long, value_name = "MEMBER", help_heading = "Exploring")]
    without: Vec<String>,
    /// Write what was found to this file, as a case.
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    save: Option<PathBuf>,
    /// How to write the outcome.
    #[arg(long, value_enum, default_value_t, help_heading = "Reporting")]
    format: Listing,
    /// Print how soon each misreading is found, as docs/explore.md has it.
    #[arg(long, hide = true)]
    table: bool,
}

fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "a time above 0 is expected, `60s`, `5m` or `0.5`".to_owned();
    let (number, unit) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60.0),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    super::connect::limit(number * unit).ok_or_else(wrong)
}

/// Exit status 0 where nothing was found, 1 where something was, 3 where an engine cannot be started.
pub(super) fn explore(args: &ExploreArgs) -> Done {
    if args.table {
        print(&rows(&table(&args.operations)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let config = args.config.read()?;
    let chosen = chosen(&args.operations)?;
    let known = known(&args.known)?;
    if let Some(path) = &args.save {
        can_write(path).map_err(|error| unwritten(path, &error))?;
    }
    let (suite, _) = Suite::embedded();
    let interrupt = interrupt::flag()?;
    let connected = args.connect.connect(&config, &interrupt)?;
    let engine = connected.engine.as_ref();
    let other: Arc<dyn Engine> = match &args.against {
        Some(named) => args.connect.another(named, &config, &interrupt)?.engine,
        None => Arc::new(reference::engine()),
    };
    let against = match args.metamorphic {
        true => Against::Itself,
        false => Against::Engine(other.as_ref()),
    };
    let deadline = args.time.map(|time| Instant::now() + time);
    let mut options = Options {
        seed: args
            .seed
            .unwrap_or_else(|| RandomState::new().build_hasher().finish() % 1_000_000),
        cases: args.cases,
        deadline: None,
        limit: connected.timeout,
        known,
        without: args.without.clone(),
    };
    // What shows that the engine can be had, and what it claims.
    let first = match engine.session() {
        Err(EngineError::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
        session => session?,
    };
    drop(first);
    let about = engine.about();
    let mut told = Vec::new();
    let claimed: Vec<&Drawing> = chosen
        .into_iter()
        .filter(|d| d.operations.iter().all(|o| about.claims_operation(o)))
        .collect();
    for (i, drawing) in claimed.iter().enumerate() {
        // What is left of the time is shared out among what is left to do.
        options.deadline = deadline.map(|end| {
            let now = Instant::now();
            let left = u32::try_from(claimed.len() - i).unwrap_or(u32::MAX);
            now + end.saturating_duration_since(now) / left
        });
        let searched = match search(drawing, engine, against, &options) {
            Err(EngineError::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
            searched => searched?,
        };
        if interrupt.load(Ordering::Relaxed) {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let bearing = match &searched.found {
            Some(found) => {
                let said = Some(&found.actual).filter(|_| !args.metamorphic);
                bearing(&suite, &found.input, said)?
            }
            None => Bearing::default(),
        };
        let again = again(args, &connected.named, drawing, &options);
        told.push(Told {
            searched,
            bearing,
            again,
        });
    }
    if let Some(path) = &args.save {
        save(path, &told)?;
    }
    match args.format {
        Listing::Human => print(&human(&told, &options, &connected.named, args))?,
        Listing::Json => print_json(&json_of(&told, &options, &about.name))?,
    }
    Ok(match told.iter().any(|t| t.searched.found.is_some()) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// What is said of one drawing.
struct Told {
    searched: Searched,
    bearing: Bearing,
    /// The command that repeats the search.
    again: String,
}

fn chosen(names: &[String]) -> Done<Vec<&'static Drawing>> {
    if names.is_empty() {
        return Ok(ALL.iter().collect());
    }
    let mut chosen: Vec<&'static Drawing> = Vec::new();
    for name in names {
        let asks: Vec<&'static Drawing> = match drawing(name) {
            Some(drawing) => vec![drawing],
            None => ALL
                .iter()
                .filter(|d| d.operations.contains(&name.as_str()))
                .collect(),
        };
        if asks.is_empty() {
            let is_known = Operations::standard().get(name).is_some();
            let message = match is_known {
                true => format!("no inputs can be drawn for `{name}`"),
                false => format!("there is no operation `{name}`"),
            };
            let all: Vec<&str> = ALL.iter().map(|d| d.name).collect();
            return Err(Diagnostic::error(Code::BadCall, message)
                .note(format!("there are {}", all.join(", ")))
                .suggest(name, all.iter().copied())
                .into());
        }
        for drawing in asks {
            if !chosen.iter().any(|c| c.name == drawing.name) {
                chosen.push(drawing);
            }
        }
    }
    Ok(chosen)
}

fn known(names: &[String]) -> Done<Vec<&'static Misreading>> {
    let mut known = Vec::new();
    for name in names {
        match misreadings::find(name) {
            Some(misreading) => known.push(misreading),
            // As `--engine` says it.
            None => {
                built_in(&format!("reference:{name}"))
                    .transpose()
                    .map_err(|fault| *fault)?;
            }
        }
    }
    Ok(known)
}

fn unwritten(path: &Path, error: &std::io::Error) -> Diagnostic {
    let message = format!("`{}` cannot be written: {}", path.display(), plain(error));
    Diagnostic::error(Code::BadCall, message)
}

fn again(args: &ExploreArgs, engine: &str, drawing: &Drawing, options: &Options) -> String {
    let mut again = format!(
        "standing explore {} --engine {} --seed {}",
        drawing.name,
        quoted(engine),
        options.seed
    );
    if args.cases != 10_000 {
        let _ = write!(again, " --cases {}", args.cases);
    }
    if let Some(other) = &args.against {
        let _ = write!(again, " --against {}", quoted(other));
    }
    if args.metamorphic {
        again.push_str(" --metamorphic");
    }
    for name in &args.known {
        let _ = write!(again, " --known {}", quoted(name));
    }
    for member in &args.without {
        let _ = write!(again, " --without {}", quoted(member));
    }
    again
}

/// Writes the first difference that can be a case.
fn save(path: &Path, told: &[Told]) -> Done<()> {
    let cases = told.iter().filter_map(|told| {
        let found = told
            .searched
            .found
            .as_ref()
            .filter(|f| f.change.is_none())?;
        let expected = found
            .difference
            .expected
            .clone()
            .or_else(|| expected_of(found));
        case_file(
            &told.bearing,
            &found.input,
            found.difference.question,
            expected.as_ref(),
            &told.again,
        )
    });
    if let Some(text) = cases.into_iter().next() {
        write_whole(path, &text).map_err(|error| unwritten(path, &error))?;
    }
    Ok(())
}

/// What the reference answers where the engine has not answered at all.
fn expected_of(found: &Found) -> Option<Value> {
    use crate::explore::{Asker, Said};
    let reference = reference::engine();
    let mut asker = Asker::start(&reference, Duration::from_secs(60)).ok()?;
    let answers = asker.put(&found.input).ok()?;
    match answers.get(found.difference.question)? {
        Said::Value(value) => Some(value.clone()),
        Said::Refused(refusal) => Some(json!({ "refused": refusal })),
        _ => None,
    }
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();

fn human(told: &[Told], options: &Options, engine: &str, args: &ExploreArgs) -> String {
    let mut out = String::new();
    let mut differences = 0;
    for Told {
        searched,
        bearing,
        again,
    } in told
    {
        let mut what = count(searched.put, "input");
        if searched.declined == searched.put && searched.put > 0 {
            what = "declined".to_owned();
        } else if searched.declined > 0 {
            let _ = write!(what, ", {} declined", searched.declined);
        }
        for (name, times) in &searched.known {
            let _ = write!(what, ", {times} as `{name}`");
        }
        if searched.out_of_time {
            what.push_str(", then the time was up");
        }
        let (word, style) = match &searched.found {
            None => ("same", Style::new()),
            Some(_) => ("differs", RED),
        };
        let word = if what == "declined" { "" } else { word };
        let _ = writeln!(
            out,
            "{style}{word:<8}{style:#}{BOLD}{:<18}{BOLD:#} {DIM}{what}{DIM:#}",
            searched.drawing
        );
        if let Some(found) = &searched.found {
            differences += 1;
            difference(&mut out, found, bearing, engine, again);
        }
    }
    if told.is_empty() {
        out.push_str("the engine does none of what can be drawn\n");
    }
    let inputs: usize = told.iter().map(|t| t.searched.put).sum();
    let held = match (&args.against, args.metamorphic) {
        (_, true) => "itself".to_owned(),
        (Some(other), _) => printable(other),
        _ => "the reference".to_owned(),
    };
    let _ = writeln!(
        out,
        "{}, {}, {} held against {held}, seed {}{}",
        count(differences, "difference"),
        count(inputs, "input"),
        printable(engine),
        options.seed,
        match options.without.as_slice() {
            [] => String::new(),
            members => format!(", without {}", printable(&members.join(", "))),
        }
    );
    out
}

fn difference(out: &mut String, found: &Found, bearing: &Bearing, engine: &str, again: &str) {
    let mut message = found.difference.message.clone();
    if let Some(change) = found.change {
        let _ = write!(message, " {change}");
    }
    let _ = writeln!(out, "        {}", printable(&message));
    if !found.repeats {
        let _ = writeln!(
            out,
            "        once only: asked again, it says something else; the input is as it was drawn"
        );
    }
    let many = found.input.questions.len() > 1;
    for (i, question) in found.input.questions.iter().enumerate() {
        let number = if many {
            format!("{}. ", i + 1)
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "        {DIM}asked{DIM:#} {number}{} {}",
            question.operation,
            printable(&question.params.to_string())
        );
        let graph = question
            .params
            .get("edges")
            .or_else(|| question.params.get("workflow")?.get("edges"));
        for line in graph.map(picture).unwrap_or_default() {
            let _ = writeln!(out, "          {line}");
        }
    }
    if let Some(actual) = &found.difference.actual {
        out.push_str(&diff(found.difference.expected.as_ref(), actual));
    }
    for misreading in &bearing.likewise {
        let _ = writeln!(
            out,
            "        {DIM}as{DIM:#}    {}: {}",
            misreading.name, misreading.says
        );
    }
    let mut rules: Vec<(&str, String)> = Vec::new();
    for (rule, clause) in &bearing.clauses {
        match rules.last_mut().filter(|(last, _)| last == rule) {
            Some((_, clauses)) => {
                let _ = write!(clauses, " ¶{clause}");
            }
            None => rules.push((rule, format!("{rule} ¶{clause}"))),
        }
    }
    let rules: Vec<String> = rules.into_iter().map(|(_, clauses)| clauses).collect();
    let _ = writeln!(out, "        {DIM}bears on{DIM:#} {}", rules.join(", "));
    let _ = writeln!(out, "        {DIM}again{DIM:#} {again}");
    if let ([question], None) = (found.input.questions.as_slice(), found.change) {
        let _ = writeln!(
            out,
            "        {DIM}alone{DIM:#} standing ask {} {} --engine {}",
            question.operation,
            quoted(&question.params.to_string()),
            quoted(engine)
        );
    }
    out.push('\n');
}

fn json_of(told: &[Told], options: &Options, engine: &str) -> Value {
    let searches = told.iter().map(|Told { searched, bearing, again }| {
        let found = searched.found.as_ref().map(|found| {
            json!({
                "after": found.after,
                "steps": found.input.to_json(),
                "step": found.difference.question + 1,
                "message": found.difference.message,
                "change": found.change,
                "expected": found.difference.expected,
                "actual": found.difference.actual,
                "repeats": found.repeats,
                "misreadings": bearing.likewise.iter().map(|m| m.name).collect::<Vec<_>>(),
                "clauses": bearing.clauses.iter().map(|(rule, clause)| json!({ "rule": rule, "clause": clause })).collect::<Vec<_>>(),
                "again": again,
            })
        });
        json!({
            "operation": searched.drawing,
            "inputs": searched.put,
            "declined": searched.declined,
            "known": searched.known,
            "out_of_time": searched.out_of_time,
            "found": found,
        })
    });
    let searches: Vec<Value> = searches.collect();
    json!({ "format": "standing-explore/1", "engine": engine, "seed": options.seed, "searches": searches })
}

/// The table, in Markdown.
fn rows(rows: &[Row]) -> String {
    let mut out = String::from(
        "| misreading | asked | inputs, at most | made as small as |\n| --- | --- | --- | --- |\n",
    );
    for row in rows {
        let _ = match (row.drawing, row.not_drawable) {
            (Some(drawing), _) => writeln!(
                out,
                "| {} | {drawing} | {} | {} |",
                row.misreading, row.inputs, row.size
            ),
            (None, Some(why)) => writeln!(out, "| {} | not drawable | | {why} |", row.misreading),
            (None, None) => writeln!(
                out,
                "| {} | **not found** | from {} of the seeds | |",
                row.misreading, row.seeds
            ),
        };
    }
    out
}
