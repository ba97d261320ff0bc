//! The search.

use proptest::test_runner::TestRng;

use super::{
    ask::Answers,
    compare::Difference,
    dice::{Dice, numbers},
    draw::Drawing,
    input::Input,
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

/// A difference, and the smallest input that shows it.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many inputs were drawn until then.
    pub after: usize,
    /// The input.
    pub input: Input,
    /// What is expected.
    pub expected: Answers,
    /// What the engine said.
    pub actual: Answers,
    /// Where they differ.
    pub difference: Difference,
}
