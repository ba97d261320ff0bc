//! What inputs look like: a strategy for each operation, or for a conversation of several.
//!
//! One file holds the strategies of one noun. They are weighted towards what the clauses tell
//! apart, and draw little on ground that is open; what they draw there all the same `open.rs` finds.

mod edges;
mod loops;
mod ports;
mod resume;
mod rounds;
mod state;
mod workflow;

use proptest::strategy::{Just, Strategy};

use super::{Dice, Input, open};

/// A strategy, with its name and what it asks.
#[derive(Clone, Copy)]
pub struct Drawing {
    /// What `standing explore` knows it by: an operation, or a word for a conversation.
    pub name: &'static str,
    /// The operations that it asks.
    pub operations: &'static [&'static str],
    draw: fn(&mut Dice) -> Input,
}

/// How often an input may touch open ground before it is left at that.
const PATIENCE: usize = 1000;

impl Drawing {
    /// One input. It may touch open ground.
    pub fn draw(&self, dice: &mut Dice) -> Input {
        (self.draw)(dice)
    }

    /// One input that is not open; none where the numbers give only such ones.
    pub fn draw_settled(&self, dice: &mut Dice) -> Option<Input> {
        (0..PATIENCE)
            .map(|_| self.draw(dice))
            .find(|input| open::touched(input).is_none())
    }

    /// As a strategy for tests with proptest. It has nothing to say about smaller values: see
    /// [`shrink`](super::shrink).
    ///
    /// ```
    /// use proptest::{strategy::{Strategy, ValueTree}, test_runner::TestRunner};
    /// use standing::explore::drawing;
    ///
    /// let strategy = drawing("loops.resolve").expect("there is one").strategy();
    /// let input = strategy.new_tree(&mut TestRunner::deterministic())?.current();
    /// assert_eq!(input.questions[0].operation, "loops.resolve");
    /// # Ok::<(), proptest::test_runner::Reason>(())
    /// ```
    pub fn strategy(self) -> impl Strategy<Value = Input> {
        Just(()).prop_perturb(move |(), mut numbers| self.draw(&mut Dice::new(&mut numbers)))
    }
}

/// A drawing of one operation, which is its name.
macro_rules! drawings {
    ($($name:literal $(asks $operations:expr)? => $draw:path,)+) => {
        &[$(Drawing {
            name: $name,
            operations: drawings!(@ $name $($operations)?),
            draw: $draw,
        }),+]
    };
    (@ $name:literal) => { &[$name] };
    (@ $name:literal $operations:expr) => { $operations };
}

const EDITED: &[&str] = &[
    "workflow.launch",
    "workflow.advance",
    "workflow.edit",
    "workflow.pause",
    "workflow.resume",
    "workflow.save",
    "workflow.state",
];
const LIVE: &[&str] = &[
    "workflow.launch",
    "workflow.step",
    "workflow.cancel",
    "workflow.edit",
    "workflow.pause",
    "workflow.resume",
    "workflow.save",
    "workflow.state",
];

/// All there are, by name.
pub static ALL: &[Drawing] = drawings! {
    "branches.parse" => ports::parse,
    "edited" asks EDITED => workflow::edited,
    "edge.barrier" => rounds::barrier,
    "edge.branch" => edges::branch,
    "edge.classify" => edges::classify,
    "edge.follow" => edges::follow,
    "edge.freshness" => rounds::freshness,
    "edge.record" => edges::record,
    "edge.transport" => edges::transport,
    "foreach.run" => ports::foreach,
    "gateway.decide" => ports::decide,
    "handle.port" => edges::port,
    "loops.reach" => loops::reach,
    "loops.reenter" => loops::reenter,
    "loops.resolve" => loops::resolve,
    "live" asks LIVE => workflow::live,
    "port.resolve" => ports::resolve,
    "resume" asks &["resume.run", "resume.edit", "resume.resume"] => resume::resume,
    "rounds.advance" => rounds::advance,
    "rounds.restore" => rounds::restore,
    "rounds.stamp" => rounds::stamped,
    "run.seed" => state::seed,
    "state.merge" => state::merge,
    "workflow.run" => workflow::run,
    "workflow.validate" => edges::validate,
};

/// The drawing of this name.
pub fn drawing(name: &str) -> Option<&'static Drawing> {
    ALL.iter().find(|drawing| drawing.name == name)
}
