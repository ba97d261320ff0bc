//! Misreadings of handles: what their ports are called, and which edges they make of another kind.

use serde_json::Value;

use crate::{
    operations::{edge::Edge, handle::Side},
    reference::{AsWritten, edges::EdgeReading},
};

misreadings! {
    /// A port's name is what comes after the last hyphen of its handle.
    "port-is-the-last-word" misreads "EDGE-1":1 as EdgeReading {
        fn port<'h>(&self, handle: &'h str, side: Side) -> &'h str {
            let port = AsWritten.port(handle, side);
            port.rsplit('-').next().unwrap_or(port)
        }
    }

    /// A handle has three parts with hyphens between them, of which the third is the port.
    "port-is-the-third-part" misreads "EDGE-1":1 as EdgeReading {
        fn port<'h>(&self, handle: &'h str, _side: Side) -> &'h str {
            handle.split('-').nth(2).unwrap_or_default()
        }
    }

    /// A port's name is made of letters, digits, hyphens and underscores, and ends before any other sign.
    "port-is-an-identifier" misreads "EDGE-1":1 as EdgeReading {
        fn port<'h>(&self, handle: &'h str, side: Side) -> &'h str {
            let port = AsWritten.port(handle, side);
            let other = |sign: char| !(sign.is_alphanumeric() || sign == '-' || sign == '_');
            port.split(other).next().unwrap_or(port)
        }
    }

    /// A port's name comes after the last marker of a handle.
    "split-at-the-last-marker" misreads "EDGE-1":2 as EdgeReading {
        fn port<'h>(&self, handle: &'h str, side: Side) -> &'h str {
            handle.rsplit_once(marker(side)).map_or("", |(_, port)| port)
        }
    }

    /// A port's name ends where another marker begins.
    "marker-ends-a-port" misreads "EDGE-1":2 as EdgeReading {
        fn port<'h>(&self, handle: &'h str, side: Side) -> &'h str {
            let port = AsWritten.port(handle, side);
            let ends = ["-input-", "-output-"].iter().filter_map(|marker| port.find(marker));
            &port[..ends.min().unwrap_or(port.len())]
        }
    }

    /// A port's name comes after the first marker, whichever side its handle is of.
    "side-of-a-handle-is-not-asked" misreads "EDGE-1":2 as EdgeReading {
        fn port<'h>(&self, handle: &'h str, _side: Side) -> &'h str {
            let after = ["-input-", "-output-"].iter().filter_map(|marker| {
                let place = handle.find(marker)?;
                Some((place, &handle[place + marker.len()..]))
            });
            after.min().map_or("", |(_, port)| port)
        }
    }

    /// A handle is of a reserved port if it holds the suffix anywhere.
    "reserved-anywhere-in-a-handle" misreads "EDGE-1":3 as EdgeReading {
        fn ends_in(&self, handle: &str, reserved: &str) -> bool {
            handle.contains(reserved)
        }
    }

    /// A reserved suffix may be written in any case.
    "reserved-in-any-case" misreads "EDGE-1":3 as EdgeReading {
        fn ends_in(&self, handle: &str, reserved: &str) -> bool {
            handle.to_lowercase().ends_with(reserved)
        }
    }

    /// A port is reserved if its name ends in a reserved one.
    "reserved-at-the-end-of-a-name" misreads "EDGE-1":3 as EdgeReading {
        fn ends_in(&self, handle: &str, reserved: &str) -> bool {
            let name = reserved.rsplit('-').next().unwrap_or(reserved);
            handle.ends_with(name)
        }
    }

    /// A port is reserved if the name that is read off its handle is a reserved one.
    "reserved-by-the-name-that-is-read" misreads "EDGE-1":3 as EdgeReading {
        fn ends_in(&self, handle: &str, reserved: &str) -> bool {
            let side = if reserved.starts_with("-input-") { Side::Input } else { Side::Output };
            AsWritten.port(handle, side) == AsWritten.port(reserved, side)
        }
    }

    /// An edge is a trigger edge if its target handle holds the trigger port's suffix.
    "trigger-anywhere-in-a-target-handle" misreads "EDGE-3":1 as EdgeReading {
        fn is_trigger(&self, edge: &Edge) -> bool {
            target_handle(edge).contains("-input-trigger")
        }
    }

    /// An edge is a trigger edge if the name of its target port ends so.
    "trigger-at-the-end-of-a-target-port" misreads "EDGE-3":1 as EdgeReading {
        fn is_trigger(&self, edge: &Edge) -> bool {
            self.port(target_handle(edge), Side::Input).ends_with("trigger")
        }
    }

    /// Only an edge whose ends are both named can be a trigger edge.
    "trigger-has-both-ends" misreads "EDGE-3":1 as EdgeReading {
        fn is_trigger(&self, edge: &Edge) -> bool {
            AsWritten.is_trigger(edge) && AsWritten.ends(edge).is_some()
        }
    }

    /// An edge that leaves by a port named trigger is a trigger edge, too.
    "trigger-by-source-port" misreads "EDGE-3":2 as EdgeReading {
        fn is_trigger(&self, edge: &Edge) -> bool {
            AsWritten.is_trigger(edge) || source_handle(edge).ends_with("-output-trigger")
        }
    }

    /// An edge whose data has a flag for it is a trigger edge, too.
    "trigger-by-flag" misreads "EDGE-3":2 as EdgeReading {
        fn is_trigger(&self, edge: &Edge) -> bool {
            AsWritten.is_trigger(edge) || in_data(edge, "isTrigger") == Some(&Value::Bool(true))
        }
    }

    /// An edge that is labelled trigger is a trigger edge, too.
    "trigger-by-label" misreads "EDGE-3":2 as EdgeReading {
        fn is_trigger(&self, edge: &Edge) -> bool {
            let label = in_data(edge, "label").and_then(Value::as_str);
            AsWritten.is_trigger(edge) || label == Some("trigger")
        }
    }

    /// A target handle may be the name of the trigger port alone.
    "trigger-without-a-marker" misreads "EDGE-3":2 as EdgeReading {
        fn is_trigger(&self, edge: &Edge) -> bool {
            AsWritten.is_trigger(edge) || target_handle(edge) == "trigger"
        }
    }

    /// An edge whose data has a flag for it is a loopback edge, too.
    "loopback-by-flag" misreads "EDGE-4":1 as EdgeReading {
        fn is_loopback(&self, edge: &Edge) -> bool {
            AsWritten.is_loopback(edge) || in_data(edge, "isLoopback") == Some(&Value::Bool(true))
        }
    }

    /// An edge that an editor draws as one is a loopback edge, too.
    "loopback-by-the-type-of-its-line" misreads "EDGE-4":1 as EdgeReading {
        fn is_loopback(&self, edge: &Edge) -> bool {
            let line = edge.rest.get("type").and_then(Value::as_str);
            AsWritten.is_loopback(edge) || line == Some("loopback")
        }
    }

    /// An edge that leaves by the port named `loop_back` goes back, wherever it leads.
    "loopback-by-source-port" misreads "EDGE-4":1 as EdgeReading {
        fn is_loopback(&self, edge: &Edge) -> bool {
            AsWritten.is_loopback(edge) || self.port(source_handle(edge), Side::Output) == "loop_back"
        }
    }

    /// Only an edge whose ends are both named can go back.
    "loopback-has-both-ends" misreads "EDGE-4":1 as EdgeReading {
        fn is_loopback(&self, edge: &Edge) -> bool {
            AsWritten.is_loopback(edge) && AsWritten.ends(edge).is_some()
        }
    }

    /// The reserved port is named `loopback`.
    "reserved-port-is-loopback" misreads "EDGE-4":2 as EdgeReading {
        fn is_loopback(&self, edge: &Edge) -> bool {
            target_handle(edge).ends_with("-input-loopback")
        }
    }

    /// The reserved port is named with the words loop and back, however they are set off.
    "reserved-port-is-two-words" misreads "EDGE-4":2 as EdgeReading {
        fn is_loopback(&self, edge: &Edge) -> bool {
            let name = self.port(target_handle(edge), Side::Input);
            name.replace(['_', '-', ' '], "").to_lowercase() == "loopback"
        }
    }
}

fn marker(side: Side) -> &'static str {
    match side {
        Side::Input => "-input-",
        Side::Output => "-output-",
    }
}

fn source_handle(edge: &Edge) -> &str {
    edge.source_handle.as_deref().unwrap_or_default()
}

fn target_handle(edge: &Edge) -> &str {
    edge.target_handle.as_deref().unwrap_or_default()
}

fn in_data<'e>(edge: &'e Edge, member: &str) -> Option<&'e Value> {
    edge.data.as_ref()?.rest.get(member)
}
