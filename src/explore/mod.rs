//! Looking for inputs on which an engine differs, that no case has.
//!
//! `draw/` has a strategy for each operation: it draws an [`Input`], weighted towards what the clauses
//! tell apart; `dice.rs` is what it draws with, and `open/` says which inputs are on open
//! ground. `ask.rs` puts inputs to engines, `compare.rs` and `traces.rs` tell whether two answers say the same, and
//! `shrink.rs` makes an input small that shows a difference. `search.rs` does all that in turn. `table.rs` says how
//! soon each misreading is found, and how small.

mod ask;
mod compare;
mod dice;
mod draw;
mod input;
mod open;
mod search;
mod shrink;
mod table;
mod traces;

pub use self::{
    ask::{Answers, Asker, Said},
    compare::{Difference, difference},
    dice::Dice,
    draw::{ALL, Drawing, drawing},
    input::{Input, Question},
    open::{Ground, HEADINGS, Handling, touched},
    search::{Draws, Found},
    shrink::{is_allowed, shrink},
    table::{CASES, Row, SEEDS, find_all, table},
};
