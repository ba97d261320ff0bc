use super::*;
use crate::reference::AsWritten;

fn seed_with(given: Value) -> Result<Seeded, Refusal> {
    seed(&AsWritten, &serde_json::from_value(given).unwrap())
}

fn paused(from: &str) -> Value {
    json!({
        "status": null, "isComplete": false, "data": {"from": from},
        "currentNodeId": "n", "iterationCount": 2, "iterator": {"index": 1}, "extra": 1,
    })
}

/// The state and where it comes from, as JSON.
fn came(given: Value) -> (Value, Origin) {
    let seeded = seed_with(given).unwrap();
    (
        serde_json::to_value(seeded.state).unwrap(),
        seeded.origin.unwrap(),
    )
}

#[test]
fn snapshot_then_checkpoint_then_thread_then_nothing() {
    let mut given = json!({
        "snapshot": paused("snapshot"),
        "checkpoint": "cp", "checkpoints": {"cp": paused("checkpoint")},
        "thread": "t", "threads": {"t": paused("thread")},
    });
    assert_eq!(came(given.clone()), (paused("snapshot"), Origin::Snapshot));
    given.as_object_mut().unwrap().remove("snapshot");
    assert_eq!(
        came(given.clone()),
        (paused("checkpoint"), Origin::Checkpoint)
    );
    given.as_object_mut().unwrap().remove("checkpoint");
    assert_eq!(came(given.clone()), (paused("thread"), Origin::Thread));
    given["thread"] = json!("unknown");
    let (state, origin) = came(given);
    assert_eq!((&state["data"], origin), (&json!({}), Origin::Fresh));
    assert_eq!(came(json!({})).1, Origin::Fresh);
}

#[test]
fn an_unknown_checkpoint_is_a_warning_and_a_fresh_start() {
    let seeded = seed_with(json!({
        "checkpoint": "gone", "checkpoints": {"cp": paused("checkpoint")},
        "thread": "t", "threads": {"t": paused("thread")},
    }))
    .unwrap();
    assert_eq!(seeded.origin, Some(Origin::Fresh));
    assert_eq!(seeded.warnings, Some(vec![SeedWarning::CheckpointNotFound]));
    assert_eq!(seeded.state.get("data"), Some(&json!({})));
}

#[test]
fn a_snapshot_makes_the_checkpoint_of_no_interest() {
    let given = json!({"snapshot": paused("snapshot"), "checkpoint": "gone"});
    assert_eq!(seed_with(given).unwrap().warnings, Some(Vec::new()));
}

#[test]
fn a_checkpoint_of_an_ended_run_is_refused() {
    for status in ["completed", "failed", "cancelled"] {
        let given = json!({"checkpoint": "cp_1", "checkpoints": {"cp_1": {"status": status}}});
        let refusal = seed_with(given).unwrap_err();
        assert_eq!(refusal.reason, "run_ended");
        assert!(refusal.message.contains("cp_1") && refusal.message.contains(status));
    }
    let given = json!({"checkpoint": "c", "checkpoints": {"c": {"isComplete": true}}});
    assert_eq!(seed_with(given).unwrap_err().reason, "run_ended");
}

#[test]
fn a_new_turn_keeps_what_the_thread_gathered_and_nothing_else() {
    let ended = json!({
        "status": "cancelled", "isComplete": true, "error": "stopped",
        "data": {"k": "v"}, "metadata": {"m": 1}, "messages": ["hello"], "threadId": "t",
        "currentNodeId": "n", "iterationCount": 3, "iterator": {"index": 2}, "extra": 1,
    });
    let expected = json!({
        "status": null, "isComplete": false, "error": null,
        "data": {"k": "v"}, "metadata": {"m": 1}, "messages": ["hello"], "threadId": "t",
        "currentNodeId": "", "iterationCount": 0, "iterator": null,
    });
    let given = json!({"thread": "t", "threads": {"t": ended}});
    assert_eq!(came(given), (expected, Origin::Thread));
}

#[test]
fn what_the_ended_state_lacks_is_not_invented() {
    let given = json!({"thread": "t", "threads": {"t": {"status": "completed"}}});
    let expected = json!({
        "status": null, "isComplete": false, "error": null,
        "currentNodeId": "", "iterationCount": 0, "iterator": null,
    });
    assert_eq!(came(given).0, expected);
}

#[test]
fn a_paused_run_is_restored_untouched() {
    let given = json!({"thread": "t", "threads": {"t": paused("thread")}});
    assert_eq!(came(given), (paused("thread"), Origin::Thread));
}
