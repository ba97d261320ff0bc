//! Handles: how an edge names the port that it leaves by or arrives at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Operation;

/// `handle.port`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"handle": "adder-input-left", "side": "input"});
/// assert_eq!(session.ask("handle.port", &question)?, Answer::Value(json!({"port": "left"})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Port;

impl Operation for Port {
    const NAME: &'static str = "handle.port";
    const ABOUT: &'static str = "The name of the port that a handle stands for.";
    type Params = PortParams;
    type Result = PortNamed;
}

/// What `handle.port` asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PortParams {
    /// The handle, as an edge carries it.
    pub handle: String,
    /// Which end of an edge the handle is read for.
    pub side: Side,
}

/// The side of a node that a handle is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Where edges arrive.
    Input,
    /// Where edges leave.
    Output,
}

/// What `handle.port` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PortNamed {
    /// The port's name; empty where the handle names no port of that side.
    pub port: String,
}
