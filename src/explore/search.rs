//! The search: inputs are drawn, put to two engines, and what shows a difference is made small.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use proptest::test_runner::TestRng;

use super::{
    ask::{Answers, Asker, BATCH, Said},
    changes::{Change, changes},
    compare::{Difference, difference},
    dice::{Dice, numbers},
    draw::Drawing,
    input::Input,
    shrink::shrink,
};
use crate::{
    engine::{Engine, EngineError, RustEngine},
    misreadings::Misreading,
    operations::Operations,
    reference::Reference,
    suite::Shapes,
};

/// The inputs that a drawing gives for a seed, one after the other. None is on open ground.
pub struct Draws {
    drawing: Drawing,
    numbers: TestRng,
}

impl Draws {
    /// From the beginning.
    ///
    /// ```
    /// use standing::explore::{Draws, drawing};
    ///
    /// let drawing = drawing("rounds.restore").expect("there is one");
    /// let first = |seed| Draws::new(drawing, seed).next();
    /// assert_eq!(first(7), first(7));
    /// ```
    pub fn new(drawing: &Drawing, seed: u64) -> Self {
        Self {
            drawing: *drawing,
            numbers: numbers(seed, drawing.name),
        }
    }
}

impl Iterator for Draws {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        self.drawing.draw_settled(&mut Dice::new(&mut self.numbers))
    }
}

/// What an engine is compared with.
#[derive(Clone, Copy)]
pub enum Against<'e> {
    /// Another engine; the reference, most often.
    Engine(&'e dyn Engine),
    /// Itself, asked the same in another way.
    Itself,
}

/// How a search is made.
#[derive(Clone)]
pub struct Options {
    /// What decides the inputs.
    pub seed: u64,
    /// How many are drawn.
    pub cases: usize,
    /// When the search ends though not all are drawn.
    pub deadline: Option<Instant>,
    /// How long an answer may take.
    pub limit: Duration,
    /// What the engine is known to read wrong: what differs just so is counted and passed over.
    pub known: Vec<&'static Misreading>,
    /// Members that no input may have, wherever it would have them: ground that an engine is known not to
    /// be good for.
    pub without: Vec<String>,
}

/// What a search has come to.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The drawing.
    pub drawing: &'static str,
    /// How many inputs were put.
    pub put: usize,
    /// How many of them the engine declined.
    pub declined: usize,
    /// How many differ as a known misreading does, by its name.
    pub known: BTreeMap<&'static str, usize>,
    /// The difference that ended the search.
    pub found: Option<Found>,
    /// Whether the time was up before all inputs were drawn.
    pub out_of_time: bool,
}

/// A difference, and the smallest input that shows it.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many inputs it took.
    pub after: usize,
    /// The input.
    pub input: Input,
    /// What the engine said to it.
    pub actual: Answers,
    /// Where it differs.
    pub difference: Difference,
    /// The change that should have changed nothing, where the engine was held against itself.
    pub change: Option<&'static str>,
    /// Whether it differs too if it is asked once more. If not, it was not made small.
    pub repeats: bool,
}

/// How long an input may be made smaller, in all.
const SHRINKING: Duration = Duration::from_secs(60);
/// An engine that declines so many inputs and answers none does not do this.
const ENOUGH_DECLINED: usize = 200;

/// Looks for an input on which an engine differs.
///
/// # Errors
///
/// Where an engine cannot be started, or the search was interrupted.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use standing::{explore::{Against, Options, drawing, search}, misreadings, reference};
///
/// let engine = misreadings::find("restore-highest-round").expect("it is one").engine();
/// let reference = reference::engine();
/// let options = Options {
///     seed: 1, cases: 2000, deadline: None, limit: Duration::from_secs(5), known: Vec::new(),
///     without: Vec::new(),
/// };
/// let drawing = drawing("rounds.restore").expect("there is one");
/// let searched = search(drawing, &engine, Against::Engine(&reference), &options)?;
/// let input = searched.found.expect("it differs").input;
/// assert!(input.questions[0].params["executions"].as_array().is_some_and(|e| e.len() <= 3));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
pub fn search(
    drawing: &Drawing,
    engine: &dyn Engine,
    against: Against<'_>,
    options: &Options,
) -> Result<Searched, EngineError> {
    let mut pair = Pair::start(engine, against, options)?;
    let mut searched = Searched {
        drawing: drawing.name,
        put: 0,
        declined: 0,
        known: BTreeMap::new(),
        found: None,
        out_of_time: false,
    };
    let mut draws = Draws::new(drawing, options.seed)
        .take(options.cases)
        .filter(|input| !input.has_member(&options.without));
    // A few at first: most of what differs does so at once.
    let mut batch = 4;
    loop {
        let inputs: Vec<Input> = draws.by_ref().take(batch).collect();
        if inputs.is_empty() {
            return Ok(searched);
        }
        batch = BATCH;
        let judged = pair.judge_all(&inputs)?;
        for (input, judged) in inputs.iter().zip(judged) {
            searched.put += 1;
            match judged {
                Judged::Same => {}
                Judged::Declined => searched.declined += 1,
                Judged::Known(name) => *searched.known.entry(name).or_default() += 1,
                Judged::Differs(differs) => {
                    searched.found = Some(pair.made_small(searched.put, input, *differs)?);
                    return Ok(searched);
                }
            }
        }
        if searched.declined == searched.put && searched.put >= ENOUGH_DECLINED {
            return Ok(searched);
        }
        if options.deadline.is_some_and(|d| Instant::now() >= d) {
            searched.out_of_time = true;
            return Ok(searched);
        }
    }
}

/// What became of one input.
enum Judged {
    Same,
    Declined,
    Known(&'static str),
    Differs(Box<Differs>),
}

struct Differs {
    actual: Answers,
    difference: Difference,
    change: Option<&'static str>,
}

/// An engine and what it is compared with.
struct Pair<'e> {
    shapes: Shapes,
    engine: Asker<'e>,
    other: Option<Asker<'e>>,
    known: Vec<(&'static str, RustEngine<Reference>)>,
    without: Vec<String>,
    limit: Duration,
}

impl<'e> Pair<'e> {
    fn start(
        engine: &'e dyn Engine,
        against: Against<'e>,
        options: &Options,
    ) -> Result<Self, EngineError> {
        Ok(Self {
            shapes: Shapes::new(Operations::standard()),
            engine: Asker::start(engine, options.limit)?,
            other: match against {
                Against::Engine(other) => Some(Asker::start(other, options.limit)?),
                Against::Itself => None,
            },
            known: options.known.iter().map(|m| (m.name, m.engine())).collect(),
            without: options.without.clone(),
            limit: options.limit,
        })
    }

    fn judge_all(&mut self, inputs: &[Input]) -> Result<Vec<Judged>, EngineError> {
        let inputs: Vec<&Input> = inputs.iter().collect();
        let actual = self.engine.put_all(&inputs)?;
        let Some(other) = &mut self.other else {
            let pairs = inputs.iter().zip(actual);
            return pairs
                .map(|(i, said)| self.judge_by_itself(i, said))
                .collect();
        };
        let expected = other.put_all(&inputs)?;
        let all = inputs.iter().zip(expected).zip(actual);
        all.map(|((input, expected), actual)| {
            if actual.contains(&Said::Declined) || expected.contains(&Said::Declined) {
                return Ok(Judged::Declined);
            }
            match difference(&self.shapes, input, &expected, &actual) {
                None => Ok(Judged::Same),
                Some(difference) => self.known_or(input, actual, difference),
            }
        })
        .collect()
    }

    /// Whether a difference is that of a known misreading: its engine says the same.
    fn known_or(
        &self,
        input: &Input,
        actual: Answers,
        difference_: Difference,
    ) -> Result<Judged, EngineError> {
        for (name, engine) in &self.known {
            let misread = Asker::start(engine, self.limit)?.put(input)?;
            if difference(&self.shapes, input, &misread, &actual).is_none() {
                return Ok(Judged::Known(name));
            }
        }
        Ok(Judged::Differs(Box::new(Differs {
            actual,
            difference: difference_,
            change: None,
        })))
    }

    fn judge_by_itself(&mut self, input: &Input, said: Answers) -> Result<Judged, EngineError> {
        if said.contains(&Said::Declined) {
            return Ok(Judged::Declined);
        }
        let is_fault = |said: &Said| matches!(said, Said::Fault(_));
        if let Some(question) = said.iter().position(is_fault) {
            let message = match &said[question] {
                Said::Fault(error) => error.to_string(),
                _ => String::new(),
            };
            let difference = Difference {
                question,
                message,
                expected: None,
                actual: None,
            };
            return Ok(Judged::Differs(Box::new(Differs {
                actual: said,
                difference,
                change: None,
            })));
        }
        for Change {
            says,
            input: changed,
            back,
        } in changes(input)
        {
            let answers = self.engine.put(&changed)?;
            let actual: Answers = answers.into_iter().map(|a| back.of(a)).collect();
            if let Some(difference) = difference(&self.shapes, input, &said, &actual) {
                return Ok(Judged::Differs(Box::new(Differs {
                    actual,
                    difference,
                    change: Some(says),
                })));
            }
        }
        Ok(Judged::Same)
    }

    fn judge(&mut self, input: &Input) -> Result<Judged, EngineError> {
        let mut judged = self.judge_all(std::slice::from_ref(input))?;
        Ok(judged.pop().unwrap_or(Judged::Same))
    }

    fn made_small(
        &mut self,
        after: usize,
        input: &Input,
        first: Differs,
    ) -> Result<Found, EngineError> {
        let found = |input: Input, differs: Differs, repeats| Found {
            after,
            input,
            actual: differs.actual,
            difference: differs.difference,
            change: differs.change,
            repeats,
        };
        if !matches!(self.judge(input)?, Judged::Differs(_)) {
            return Ok(found(input.clone(), first, false));
        }
        let until = Instant::now() + SHRINKING;
        let mut failed = None;
        let shapes = Shapes::new(Operations::standard());
        let small = shrink(&shapes, input, |candidate| {
            if Instant::now() >= until {
                return None;
            }
            if candidate.has_member(&self.without) {
                return Some(false);
            }
            match self.judge(candidate) {
                Ok(judged) => Some(matches!(judged, Judged::Differs(_))),
                Err(error) => {
                    failed = Some(error);
                    None
                }
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        match self.judge(&small)? {
            Judged::Differs(differs) => Ok(found(small, *differs, true)),
            // It came and went.
            _ => Ok(found(input.clone(), first, false)),
        }
    }
}
