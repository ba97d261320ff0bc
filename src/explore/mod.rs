//! Looking for inputs on which an engine differs, that no case has.
//!
//! `draw/` has a strategy for each operation: it draws an [`Input`], weighted towards what the clauses
//! tell apart; `dice.rs` is what it draws with, and `open/` says which inputs are on open
//! ground. `ask.rs` puts inputs to engines, `compare.rs` and `traces.rs` tell whether two answers say the same, and
//! `shrink.rs` makes an input small that shows a difference. `search.rs` does all that in turn; `changes.rs` has the
//! changes that must change no answer, for an engine that is held against itself. `clauses.rs` says which clauses a
//! difference bears on and writes it as a case, `picture.rs` draws its graph. `table.rs` says how
//! soon each misreading is found, and how small.

mod ask;
mod changes;
mod clauses;
mod compare;
mod dice;
mod draw;
mod input;
mod open;
mod picture;
mod search;
mod shrink;
mod table;
mod traces;

pub use self::{
    ask::{Answers, Asker, Said},
    clauses::{Bearing, bearing, case_file},
    compare::{Difference, difference},
    dice::Dice,
    draw::{ALL, Drawing, drawing},
    input::{Input, Question},
    open::{Ground, HEADINGS, Handling, touched},
    picture::picture,
    search::{Against, Draws, Found, Options, Searched, search},
    shrink::{is_allowed, shrink},
    table::{CASES, Row, SEEDS, find_all, table},
};
