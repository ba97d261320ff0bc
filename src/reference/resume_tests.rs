use serde_json::json;

use super::*;
use crate::reference::AsWritten;

/// A chain of steps. `m` takes the checkpoint `cp`, all others emit their name in capitals.
fn chain(names: &[&str]) -> Program {
    let mut steps = Vec::new();
    for (n, &name) in names.iter().enumerate() {
        let mut step = json!({"name": name});
        if n > 0 {
            step["after"] = json!([names[n - 1]]);
        }
        if name == "m" {
            step["checkpoint"] = json!("cp");
        } else {
            step["emit"] = json!(name.to_uppercase());
        }
        steps.push(step);
    }
    serde_json::from_value(json!({"name": "w", "steps": steps})).unwrap()
}

/// Runs `a m b d` up to `b`.
fn stopped(keep_source: bool, entry: Entry) -> Resumable {
    let mut session = Resumable::default();
    let ran = session
        .run(
            &AsWritten,
            &RunParams {
                program: chain(&["a", "m", "b", "d"]),
                entry,
                stop_at: Some("b".into()),
                keep_source,
            },
        )
        .unwrap();
    assert_eq!((ran.run.as_str(), ran.log.as_str()), ("run_1", "A"));
    assert_eq!(ran.ran, ["a"]);
    session
}

fn resume(
    session: &mut Resumable,
    allow_source_drift: bool,
    program: Option<Program>,
) -> Result<Resumed, Refusal> {
    let asked = ResumeParams {
        run: "run_1".into(),
        checkpoint: "cp".into(),
        allow_source_drift,
        program,
    };
    session.resume(&AsWritten, &asked)
}

fn resumed(drift: bool) -> Resumed {
    Resumed {
        ran: vec!["b".into(), "d".into()],
        log: "ABD".into(),
        drift,
        channel: drift.then_some(Channel::Result),
    }
}

#[test]
fn an_unchanged_program_goes_on_after_the_checkpoint() {
    for entry in [Entry::File, Entry::Embedded] {
        let mut session = stopped(true, entry);
        assert_eq!(resume(&mut session, false, None), Ok(resumed(false)));
        assert_eq!(
            resume(&mut session, false, None).unwrap_err().reason,
            "run_ended"
        );
    }
}

#[test]
fn a_changed_file_is_refused_or_told_and_never_run() {
    let mut louder = chain(&["a", "m", "b", "d"]);
    louder.steps[3].emit = Some("LOUD".into());
    let edits = [
        Some(chain(&["a", "m", "b", "d", "e"])),
        Some(chain(&["a", "m", "b", "c", "d"])),
        Some(chain(&["a", "m", "b"])),
        Some(chain(&["a", "m", "d", "b"])),
        Some(louder),
        None,
    ];
    for (edit, entry) in edits
        .iter()
        .flat_map(|e| [(e, Entry::File), (e, Entry::Embedded)])
    {
        let mut session = stopped(true, entry);
        session.edit(edit.as_ref()).unwrap();
        assert_eq!(
            resume(&mut session, false, None).unwrap_err().reason,
            "source_drift"
        );
        assert_eq!(
            resume(&mut session, true, None),
            Ok(resumed(true)),
            "{edit:?}"
        );
    }
}

#[test]
fn an_edit_that_was_undone_is_none() {
    let mut session = stopped(true, Entry::File);
    session.edit(None).unwrap();
    session.edit(Some(&chain(&["a", "m", "b", "d"]))).unwrap();
    assert_eq!(resume(&mut session, false, None), Ok(resumed(false)));
}

#[test]
fn without_a_source_the_file_is_not_read() {
    for entry in [Entry::File, Entry::Embedded] {
        let mut session = stopped(false, entry);
        assert_eq!(
            resume(&mut session, true, None).unwrap_err().reason,
            "no_source"
        );
        session
            .edit(Some(&chain(&["a", "m", "b", "d", "e"])))
            .unwrap();
        assert_eq!(
            resume(&mut session, true, None).unwrap_err().reason,
            "no_source"
        );
    }
}

#[test]
fn a_supplied_program_needs_the_same_steps_in_the_same_places() {
    let supply = |program| resume(&mut stopped(false, Entry::File), true, Some(program));
    assert_eq!(supply(chain(&["a", "m", "b", "d"])), Ok(resumed(false)));
    for (names, difference) in [
        (
            ["a", "m", "b", "d", "e"].as_slice(),
            json!({"added": ["e"], "removed": [], "rewired": []}),
        ),
        (
            &["a", "m", "b"],
            json!({"added": [], "removed": ["d"], "rewired": []}),
        ),
        (
            &["a", "m", "d", "b"],
            json!({"added": [], "removed": [], "rewired": ["b", "d"]}),
        ),
        (
            &["a", "m", "c", "b", "d"],
            json!({"added": ["c"], "removed": [], "rewired": ["b"]}),
        ),
    ] {
        let refusal = supply(chain(names)).unwrap_err();
        assert_eq!(refusal.reason, "topology_mismatch");
        assert_eq!(refusal.data["difference"], difference);
    }
}

#[test]
fn a_supplied_program_that_only_emits_otherwise_is_drift() {
    let mut louder = chain(&["a", "m", "b", "d"]);
    louder.steps[3].emit = Some("LOUD".into());
    let mut session = stopped(false, Entry::File);
    let refusal = resume(&mut session, false, Some(louder.clone())).unwrap_err();
    assert_eq!(refusal.reason, "source_drift");
    let resumed = resume(&mut session, true, Some(louder)).unwrap();
    assert_eq!((resumed.log.as_str(), resumed.drift), ("ABLOUD", true));
}

#[test]
fn what_is_not_there_is_refused() {
    let mut session = stopped(true, Entry::File);
    let mut ask = |run: &str, checkpoint: &str| {
        let asked = ResumeParams {
            run: run.into(),
            checkpoint: checkpoint.into(),
            ..ResumeParams::default()
        };
        session.resume(&AsWritten, &asked).unwrap_err().reason
    };
    assert_eq!(ask("run_2", "cp"), "unknown_run");
    assert_eq!(ask("run_1", "other"), "unknown_checkpoint");
}

#[test]
fn a_run_without_a_stop_goes_to_its_end() {
    let mut session = Resumable::default();
    let asked = RunParams {
        program: chain(&["a", "m", "b"]),
        entry: Entry::File,
        stop_at: None,
        keep_source: true,
    };
    let ran = session.run(&AsWritten, &asked).unwrap();
    assert_eq!(
        (ran.log.as_str(), ran.ran),
        ("AB", vec!["a".into(), "b".into()])
    );
    assert_eq!(
        resume(&mut session, true, None).unwrap_err().reason,
        "run_ended"
    );
}

#[test]
fn steps_run_in_their_order_and_not_as_written() {
    let mut program = chain(&["a", "b", "c"]);
    program.steps.reverse();
    let order = order(&program).unwrap();
    assert_eq!(order, [2, 1, 0]);
}

#[test]
fn a_program_that_makes_no_sense_is_refused() {
    let run = |program: Program, stop_at: Option<&str>| {
        let asked = RunParams {
            program,
            entry: Entry::File,
            stop_at: stop_at.map(str::to_owned),
            keep_source: true,
        };
        Resumable::default()
            .run(&AsWritten, &asked)
            .map_err(|refusal| refusal.reason)
    };
    assert_eq!(run(chain(&["a", "a"]), None), Err("invalid_program".into()));
    let mut circle = chain(&["a", "b"]);
    circle.steps[0].after = vec!["b".into()];
    assert_eq!(run(circle, None), Err("invalid_program".into()));
    let mut loose = chain(&["a"]);
    loose.steps[0].after = vec!["gone".into()];
    assert_eq!(run(loose, None), Err("invalid_program".into()));
    assert_eq!(run(chain(&["a"]), Some("gone")), Err("unknown_step".into()));
    assert_eq!(run(chain(&[]), None).unwrap().log, "");
}

#[test]
fn a_digest_is_the_sha256_in_hex() {
    assert_eq!(
        digest("abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}
