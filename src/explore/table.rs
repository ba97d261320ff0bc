//! How soon each misreading is found, and how small the input is that shows it.
//!
//! A row a misreading: it is looked for with the drawings that ask what its rule is about, by each of ten
//! seeds. Some cannot be drawn; those say why.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::Value;

use super::{
    ask::Asker,
    compare::difference,
    draw::{ALL, Drawing},
    input::Input,
    search::Draws,
    shrink::shrink,
};
use crate::{
    engine::{Engine, EngineError, RustEngine},
    misreadings::{self, Misreading},
    operations::Operations,
    reference::{self, Reference},
    suite::Shapes,
};

/// The seeds that every misreading is found from.
pub const SEEDS: [u64; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
/// How many inputs of a drawing that may take.
pub const CASES: usize = 2000;

/// What became of one misreading.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The misreading.
    pub misreading: &'static str,
    /// The drawing that found it, from every seed; none where none did.
    pub drawing: Option<&'static str>,
    /// From how many seeds it was found.
    pub seeds: usize,
    /// The most inputs that it took.
    pub inputs: usize,
    /// The size of the largest of the smallest inputs, in words.
    pub size: String,
    /// Why it cannot be drawn, where it cannot.
    pub not_drawable: Option<&'static str>,
}

/// What asks about a rule, first what tells most for least.
fn drawings_of(misreading: &Misreading) -> &'static [&'static str] {
    match misreading.rule {
        "SG-1" => &["state.merge"],
        "SG-3" => &["workflow.run"],
        "SG-4" => &["foreach.run"],
        "SG-5" => &["foreach.run", "workflow.run"],
        "SG-7" => &["loops.reenter", "rounds.restore", "live", "workflow.run"],
        "SG-9" => &[
            "edge.transport",
            "edge.follow",
            "loops.reenter",
            "workflow.run",
        ],
        "SG-10" => &["edge.branch", "edge.follow", "loops.reenter"],
        "SG-12" => &["run.seed"],
        "SG-16" => &["loops.resolve", "loops.reach", "edited"],
        "SG-17" => &[
            "loops.resolve",
            "loops.reach",
            "rounds.restore",
            "rounds.stamp",
            "edited",
            "live",
        ],
        "SG-18" => &["loops.resolve", "rounds.advance", "edited"],
        "SG-19" => &["edge.freshness", "edge.barrier"],
        "SG-8" => &["port.resolve", "workflow.run", "live"],
        rule if rule.starts_with("RESUME") => &["resume"],
        _ => &["workflow.run", "live"],
    }
}

/// Misreadings that no strategy shows, and why.
const NOT_DRAWABLE: &[(&str, &str)] = &[(
    "reported-name-is-made-up",
    "what an engine calls a run is its own affair, and is not compared",
)];

/// One misreading found from one seed.
struct Hit {
    inputs: usize,
    size: (usize, &'static str),
}

/// The misreadings that a drawing finds from a seed.
fn find(
    drawing: &Drawing,
    seed: u64,
    cases: usize,
    sought: &[&'static Misreading],
) -> Result<BTreeMap<&'static str, Hit>, EngineError> {
    const LIMIT: Duration = Duration::from_secs(60);
    let shapes = Shapes::new(Operations::standard());
    let reference = reference::engine();
    let mut by_reference = Asker::start(&reference, LIMIT)?;
    let engines: Vec<RustEngine<Reference>> = sought.iter().map(|m| m.engine()).collect();
    let mut open = Vec::new();
    for (misreading, engine) in sought.iter().zip(&engines) {
        open.push((misreading.name, Asker::start(engine as &dyn Engine, LIMIT)?));
    }
    let mut hits = BTreeMap::new();
    for (number, input) in Draws::new(drawing, seed).take(cases).enumerate() {
        if open.is_empty() {
            break;
        }
        let expected = by_reference.put(&input)?;
        let mut left = Vec::new();
        for (name, mut asker) in open {
            let actual = asker.put(&input)?;
            if difference(&shapes, &input, &expected, &actual).is_none() {
                left.push((name, asker));
                continue;
            }
            let small = shrink(&shapes, &input, |candidate| {
                let expected = by_reference.put(candidate).ok()?;
                let actual = asker.put(candidate).ok()?;
                Some(difference(&shapes, candidate, &expected, &actual).is_some())
            });
            let hit = Hit {
                inputs: number + 1,
                size: size(&small),
            };
            hits.insert(name, hit);
        }
        open = left;
    }
    Ok(hits)
}

/// How large an input is, in what it mostly consists of.
pub fn size(input: &Input) -> (usize, &'static str) {
    fn longest(value: &Value, list: &str) -> Option<usize> {
        match value {
            Value::Object(members) => members
                .iter()
                .filter_map(|(name, member)| match member {
                    Value::Array(items) if name == list => Some(items.len()),
                    other => longest(other, list),
                })
                .max(),
            Value::Array(items) => items.iter().filter_map(|i| longest(i, list)).max(),
            _ => None,
        }
    }
    fn leaves(value: &Value) -> usize {
        match value {
            Value::Object(members) => members.values().map(|m| leaves(m).max(1)).sum(),
            Value::Array(items) => items.iter().map(|i| leaves(i).max(1)).sum(),
            _ => 1,
        }
    }
    for (list, word) in [
        ("edges", "edge"),
        ("executions", "execution"),
        ("steps", "step"),
        ("sources", "source"),
    ] {
        let found: Option<usize> = input
            .questions
            .iter()
            .filter_map(|q| longest(&q.params, list))
            .max();
        if let Some(length) = found {
            return (length, word);
        }
    }
    (
        input.questions.iter().map(|q| leaves(&q.params)).sum(),
        "value",
    )
}

/// Looks for these misreadings, from these seeds.
///
/// # Errors
///
/// None that the engines that are built in are known to have.
pub fn find_all(
    sought: &[&'static Misreading],
    seeds: &[u64],
    cases: usize,
) -> Result<Vec<Row>, EngineError> {
    let mut hits: Hits = BTreeMap::new();
    let mut left: Vec<&'static Misreading> = sought
        .iter()
        .filter(|m| !NOT_DRAWABLE.iter().any(|(name, _)| *name == m.name))
        .copied()
        .collect();
    // What one drawing finds from every seed the next need not look for.
    for rank in 0.. {
        left.retain(|m| rank < drawings_of(m).len() && row(m, seeds, &hits).drawing.is_none());
        if left.is_empty() {
            break;
        }
        let mut work = Vec::new();
        for drawing in ALL {
            let is_next = |m: &&&'static Misreading| drawings_of(m)[rank] == drawing.name;
            let next: Vec<&'static Misreading> = left.iter().filter(is_next).copied().collect();
            if !next.is_empty() {
                work.extend(seeds.iter().map(|seed| (drawing, *seed, next.clone())));
            }
        }
        for (key, found) in carried_out(&work, cases) {
            hits.entry(key).or_default().extend(found?);
        }
    }
    Ok(sought.iter().map(|m| row(m, seeds, &hits)).collect())
}

/// What was found, by drawing and seed.
type Hits = BTreeMap<(&'static str, u64), Hitting>;
type Hitting = BTreeMap<&'static str, Hit>;
type Work = (&'static Drawing, u64, Vec<&'static Misreading>);

/// Does all of this, on as many threads as there are processors.
fn carried_out(
    work: &[Work],
    cases: usize,
) -> BTreeMap<(&'static str, u64), Result<Hitting, EngineError>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    let carry_on = || {
        while let Some((drawing, seed, sought)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let hits = find(drawing, *seed, cases, sought);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.insert((drawing.name, *seed), hits);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(carry_on);
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn row(misreading: &'static Misreading, seeds: &[u64], hits: &Hits) -> Row {
    let mut best = Row {
        misreading: misreading.name,
        drawing: None,
        seeds: 0,
        inputs: 0,
        size: String::new(),
        not_drawable: NOT_DRAWABLE
            .iter()
            .find(|(name, _)| *name == misreading.name)
            .map(|(_, why)| *why),
    };
    for name in drawings_of(misreading) {
        let own: Vec<&Hit> = seeds
            .iter()
            .filter_map(|seed| hits.get(&(*name, *seed))?.get(misreading.name))
            .collect();
        if own.len() > best.seeds {
            let (size, word) = own.iter().map(|h| h.size).max().unwrap_or_default();
            best.seeds = own.len();
            best.inputs = own.iter().map(|h| h.inputs).max().unwrap_or(0);
            best.size = crate::report::count(size, word);
            best.drawing = (own.len() == seeds.len()).then_some(name);
        }
    }
    best
}

/// The table of these misreadings, each named by itself or by its rule, or of all; as docs/explore.md
/// has it.
///
/// # Errors
///
/// None that the engines that are built in are known to have.
pub fn table(names: &[String]) -> Result<Vec<Row>, EngineError> {
    let is_named =
        |m: &&Misreading| names.is_empty() || names.iter().any(|n| n == m.name || n == m.rule);
    let all: Vec<&'static Misreading> = misreadings::ALL.iter().filter(is_named).collect();
    find_all(&all, &SEEDS, CASES)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample of the table: all of it takes a while and is made by `.ci/run`.
    #[test]
    fn misreadings_are_found_and_made_as_small_as_they_are_said_to_be() {
        for (name, most) in [
            ("drop-head-only-loop", (1, "edge")),
            ("restore-highest-round", (3, "execution")),
            ("reach-within-body", (3, "edge")),
            ("loop-per-tail", (1, "edge")),
            ("merge-nested-loops", (4, "edge")),
            ("all-others-start-over", (6, "value")),
            ("behind-on-any-loop", (8, "value")),
            ("replace-data-whole", (2, "value")),
            ("keep-error-on-new-turn", (6, "value")),
            ("items-from-1", (1, "value")),
            ("supplied-names-are-enough", (5, "step")),
        ] {
            let misreading = misreadings::find(name).unwrap();
            let rows = find_all(&[misreading], &SEEDS[..2], CASES).unwrap();
            assert_eq!(rows[0].seeds, 2, "{rows:?}");
            let size: usize = rows[0].size.split(' ').next().unwrap().parse().unwrap();
            assert!(size <= most.0 && rows[0].size.contains(most.1), "{rows:?}");
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_a_misreading_and_says_why() {
        for (name, why) in NOT_DRAWABLE {
            assert!(
                misreadings::find(name).is_some() && !why.is_empty(),
                "{name}"
            );
        }
        assert!(NOT_DRAWABLE.len() * 5 <= misreadings::ALL.len());
    }
}
