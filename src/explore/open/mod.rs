//! Which open question an input touches, if any.
//!
//! The entries of docs/open-questions.md are told by their headings. Most of them are about inputs: those
//! are drawn by nobody, and no case of the suite has one. The others are about parts of an answer;
//! `compare.rs` leaves those parts out. A few can be met by no input at all. [`HEADINGS`] has every
//! entry with what is done about it, so that none is forgotten.
//!
//! `graphs.rs` is about edges, `values.rs` about what else single questions hold, `runs.rs` about
//! workflows that are carried out, `conversations.rs` about what questions mean after one another.

mod conversations;
mod graphs;
mod runs;
mod values;

use super::{Input, Question};

/// Why an input is not to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// The specification is open there: the heading of the question.
    Open(&'static str),
    /// The input is none that an engine has to take: why.
    Barred(&'static str),
}

impl Ground {
    /// The heading, or why.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open(text) | Self::Barred(text) => text,
        }
    }
}

/// The first open question that an input touches.
///
/// ```
/// use serde_json::json;
/// use standing::explore::{Input, touched};
///
/// let edge = json!({"source": "a", "target": "a", "kind": "loopback"});
/// let input = Input::one("loops.resolve", json!({"edges": [edge]}));
/// let ground = touched(&input).expect("open ground");
/// assert_eq!(ground.as_str(), "SG-16: a loopback edge from a node to itself");
/// ```
pub fn touched(input: &Input) -> Option<Ground> {
    input
        .questions
        .iter()
        .find_map(touches)
        .or_else(|| conversations::touch(input))
}

/// The first open question that one question touches, whatever came before it.
fn touches(question: &Question) -> Option<Ground> {
    let Question {
        operation, params, ..
    } = question;
    match operation.as_str() {
        "loops.resolve" | "loops.reach" => graphs::touch(params),
        "loops.reenter" => graphs::reenter(params),
        "edge.barrier" => graphs::barrier(params).or_else(|| values::stamps(params)),
        "edge.freshness" => values::stamps(params),
        "edge.classify" | "edge.record" | "edge.transport" | "edge.follow" => {
            graphs::edge(&params["edge"]).or_else(|| values::follow(params))
        }
        "rounds.restore" => values::restore(params),
        "rounds.advance" | "rounds.stamp" => values::bodies(params),
        "state.merge" => values::merge(params),
        "run.seed" => values::seed(params),
        "foreach.run" => values::foreach(params),
        "branches.parse" => values::parse(params),
        "gateway.decide" => values::decide(params),
        "port.resolve" => values::port(params),
        "workflow.validate" => graphs::validate(&params["workflow"]),
        "workflow.compile" => graphs::workflow(&params["workflow"]),
        "workflow.run" | "workflow.launch" => {
            let scripted = operation == "workflow.run" || params.get("script").is_some();
            graphs::workflow(&params["workflow"])
                .or_else(|| runs::touch(params).filter(|_| scripted))
        }
        "workflow.edit" => graphs::workflow(&params["workflow"]),
        _ => None,
    }
}

/// What is done about an open question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handling {
    /// Inputs that touch it are found by [`touched`].
    Input,
    /// It is about parts of answers, which are not compared.
    Answer,
    /// No operation has an input that could touch it, or none that could be known by its look: why.
    OutOfReach(&'static str),
}

/// Every entry of docs/open-questions.md, in its order, and what is done about it.
pub const HEADINGS: &[(&str, Handling)] = &[
    (BUDGET_OF_1, Handling::Input),
    (PORT_NO_BRANCH, Handling::Input),
    (NO_MAXIMUM, Handling::Input),
    (ONE_ITERATOR, Handling::Input),
    (LAST_VISIT, Handling::Input),
    (ONE_PASS, Handling::Input),
    (BEHIND_A_LOOP, Handling::Input),
    (TWO_TAILS, Handling::Input),
    (TO_ITSELF, Handling::Input),
    (NO_ENDPOINT, Handling::Input),
    (OUTER_LAST, Handling::Input),
    (IDENTIFIERS, Handling::Input),
    ("SG-17: which nodes have a recorded set", Handling::Answer),
    (EDITED_IN, Handling::Input),
    (NOT_BEGUN, Handling::Input),
    (CHAIN_OF_TANGLES, Handling::Input),
    (LEXICOGRAPHIC, Handling::Input),
    (LOOPBACK_BEHIND, Handling::Input),
    (
        "SG-19, BR-7: a node that ran in one round and waits in the next",
        Handling::Answer,
    ),
    (
        "SG-20: several gateways in front of one source",
        Handling::OutOfReach("nodes that are drawn have one trigger"),
    ),
    (
        "SG-20, BR-7: an ancestor that will never run",
        Handling::OutOfReach("nodes that are drawn are in one order"),
    ),
    (
        "SG-20: whose error edge routes the failure",
        Handling::OutOfReach("nothing is drawn behind a handler"),
    ),
    (
        "SG-20, BR-7: work of this round that will never be done",
        Handling::OutOfReach("nodes that are drawn have no data beside a trigger"),
    ),
    (
        "SG-20: consumers behind a source that was passed over",
        Handling::OutOfReach("nodes that are drawn are in one order"),
    ),
    (
        "SG-20, SG-19: what an outside trigger does in later rounds",
        Handling::OutOfReach("nodes that are drawn have one trigger"),
    ),
    (MESSAGES_NO_LIST, Handling::Input),
    (ACCUMULATING_NULL, Handling::Input),
    (NO_SUCH_MEMBER, Handling::Input),
    (
        "SG-14: the state of a run that went past its iteration budget",
        Handling::Answer,
    ),
    (EPHEMERAL_THREAD, Handling::Input),
    (ALLOWS_MORE, Handling::Input),
    (NEITHER, Handling::Input),
    (DISAGREE, Handling::Input),
    (ENDED_SNAPSHOT, Handling::Input),
    (OLD_CHECKPOINT, Handling::Input),
    (OTHER_THREAD, Handling::Input),
    (NAMED_BY_NOTHING, Handling::Input),
    ("SG-12: what a fresh state holds", Handling::Answer),
    (WHO_COUNTS, Handling::Input),
    (BEYOND_ALREADY, Handling::Input),
    (
        "SG-11, SG-3: whether a checkpoint holds what its own node has changed",
        Handling::Answer,
    ),
    (
        "SG-11: the first checkpoint of a later run on a thread",
        Handling::Answer,
    ),
    (ITEMS_NO_LIST, Handling::Input),
    (
        "SG-5: whether a value that nobody reads is part of a node's input",
        Handling::Answer,
    ),
    (NULL_RESULT, Handling::Input),
    (AFTER_FOREACH, Handling::Input),
    (VISITED_AGAIN, Handling::Input),
    (NO_RESULT, Handling::Input),
    (
        "SG-5: whether a node sees what is delivered on the reserved port",
        Handling::Answer,
    ),
    (
        "SG-8: the keys of partial results",
        Handling::OutOfReach("an adapter translates them, so they read as the trace has them"),
    ),
    (WHITE_SPACE, Handling::Input),
    (EQUAL_IN_TYPE, Handling::Input),
    (TWO_MATCH, Handling::Input),
    (GATED_OFF, Handling::Input),
    (TWO_EDGES, Handling::Input),
    (DEFAULT_PORT, Handling::Input),
    (NO_LIST_NO_STRING, Handling::Input),
    (
        "BR-6: when a newer execution is there",
        Handling::OutOfReach(
            "a node behind a loop is open ground already (SG-16), whatever it hangs on",
        ),
    ),
    (
        "BR-7: nodes that no unit of work stands for",
        Handling::Answer,
    ),
    (HANDLER, Handling::Input),
    (
        "INT-14: whether the refusal of a checkpoint names its status",
        Handling::Answer,
    ),
    (CONDITION, Handling::Input),
    (NOT_FOLLOWED, Handling::Input),
    (
        "EDGE-1: a handle with both markers, where no side is given",
        Handling::OutOfReach("a side is always given"),
    ),
    (DECLARED_TYPES, Handling::Input),
    (
        "EDGE-9: what names the nodes of a recorded edge",
        Handling::Answer,
    ),
    (ERROR_AND_DATA, Handling::Input),
    (TWO_CLAIMS, Handling::Input),
    (
        "CMP-4, EDGE-5: whether a declared type counts",
        Handling::OutOfReach("the operations say that it counts"),
    ),
    (DECLARED_RESULT, Handling::Input),
    (RECORD_KEY, Handling::Input),
    ("EDGE-2: what an edge has of collections", Handling::Answer),
    (
        "RESUME: the file is gone",
        Handling::OutOfReach("no operation takes the file away"),
    ),
    (
        "RESUME: a change that is not in the workflow",
        Handling::OutOfReach("an edit changes the workflow"),
    ),
    (
        "RESUME: another file drives the resume",
        Handling::OutOfReach("there is one file"),
    ),
    (SAME_SHAPE, Handling::Input),
    (SUPPLIED_AND_KEPT, Handling::Input),
];

const BUDGET_OF_1: &str = "SG-7: what a budget of 1 allows";
const PORT_NO_BRANCH: &str = "SG-7, BR-2: a loopback edge that leaves by a port which is no branch";
const NO_MAXIMUM: &str = "SG-7: no maximum, or a maximum of 0";
const ONE_ITERATOR: &str = "SG-7, SG-4, SG-12: one iterator or one for each loop";
const LAST_VISIT: &str = "SG-7, SG-4: the visit that collects the last result";
const ONE_PASS: &str = "SG-7, ORC-10: what one pass of the scheduler is";
const BEHIND_A_LOOP: &str = "SG-16: how often a node behind a loop runs";
const TWO_TAILS: &str = "SG-6, SG-7: two tails that loop back in one round";
const TO_ITSELF: &str = "SG-16: a loopback edge from a node to itself";
const NO_ENDPOINT: &str = "SG-16, EDGE-2: a loopback edge without an endpoint";
const OUTER_LAST: &str = "SG-17, SG-18: an outer loop that advanced last";
const IDENTIFIERS: &str = "SG-17: identifiers that do not order the executions";
const EDITED_IN: &str = "SG-17: a node that an edit brings into a run";
const NOT_BEGUN: &str = "SG-18: an inner loop that has not begun";
const CHAIN_OF_TANGLES: &str = "SG-18: three or more loops tangled in a chain";
const LEXICOGRAPHIC: &str = "SG-18, DATA-2: what lexicographic means";
const LOOPBACK_BEHIND: &str = "SG-19: a loopback edge whose source is behind";
const MESSAGES_NO_LIST: &str = "SG-1: messages that are no list";
const ACCUMULATING_NULL: &str = "SG-1: null for a field that accumulates";
const NO_SUCH_MEMBER: &str = "SG-1: a member that a state does not have";
const EPHEMERAL_THREAD: &str = "SG-11: a thread whose checkpoints were ephemeral";
const ALLOWS_MORE: &str = "SG-13: a caller who allows more than the workflow wants";
const NEITHER: &str =
    "SG-12: a thread whose last run is neither completed, failed, cancelled nor paused";
const DISAGREE: &str = "SG-12, INT-13: an outcome and a completion that disagree";
const ENDED_SNAPSHOT: &str = "SG-12, INT-14: an initial snapshot of a run that has ended";
const OLD_CHECKPOINT: &str = "SG-12: an old checkpoint of a run that has ended since";
const OTHER_THREAD: &str = "SG-12: a checkpoint of another thread";
const NAMED_BY_NOTHING: &str = "SG-12: a checkpoint or a thread named by nothing";
const WHO_COUNTS: &str = "SG-14: who counts the iterations";
const BEYOND_ALREADY: &str = "SG-14: a count that is beyond the maximum already";
const ITEMS_NO_LIST: &str = "SG-4: items that are an object or null";
const NULL_RESULT: &str = "SG-5: an item result that is present and null";
const AFTER_FOREACH: &str = "SG-4: what follows a ForEach node that has completed";
const VISITED_AGAIN: &str = "SG-4: a ForEach node that is visited again after it completed";
const NO_RESULT: &str = "SG-4: a round that brings no result";
const WHITE_SPACE: &str = "BR-3: a branch name of white space";
const EQUAL_IN_TYPE: &str = "BR-4: equal in type and value";
const TWO_MATCH: &str = "BR-4: two branches that match";
const GATED_OFF: &str = "BR-7, DATA-4: a node whose only data edge is gated off";
const TWO_EDGES: &str = "DATA-2: one source, two edges, one port";
const DEFAULT_PORT: &str = "BR-2, BR-4: whether the default port is a branch port";
const NO_LIST_NO_STRING: &str = "BR-3: an active-branch list that is neither a list nor a string";
const HANDLER: &str = "BR-7, EDGE-6: a handler whose source does not fail";
const CONDITION: &str = "SG-9, EDGE-8: a condition that is not a string";
const NOT_FOLLOWED: &str = "SG-9, EDGE-8: a warning for an edge that is resolved and not followed";
const DECLARED_TYPES: &str = "EDGE-5: which declared types are recognised";
const ERROR_AND_DATA: &str = "ERR-10, DATA-4: error edges and data edges at one node";
const TWO_CLAIMS: &str = "EDGE-4, EDGE-5: a declared tool edge into a loopback port";
const DECLARED_RESULT: &str = "CMP-5: how an edge comes to be an agent-result edge";
const RECORD_KEY: &str = "EDGE-9: a key of the record that an editor saves";
const SAME_SHAPE: &str = "RESUME: a supplied program of the same shape that does something else";
const SUPPLIED_AND_KEPT: &str = "RESUME: a program is supplied though the source was kept";

#[cfg(test)]
mod tests;
