//! Engines that fall short, put through a run by the library: what becomes of each case, of its
//! neighbours, and of the clauses and rules that they bear on.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, atomic::Ordering},
    time::{Duration, Instant},
};

use serde_json::json;
use standing::{
    engine::{Answer, EngineError, RustEngine},
    operations::{edge, handle},
    run::{self, Outcome},
    standing::{CaseRecord, Record, Standing},
    suite::Selection,
};

use crate::acme::{
    Canned, acme, declining, forever, hanging, last_tail_only, options, outcomes, panicking,
    record, spec,
};

use Outcome::{Error, Fail, Pass, Skipped, Timeout, Unsupported};
use Standing::{Fails, Meets, NotApplicable, Partial, Untestable, Untested};

const TWO_WAYS: &str = "LOOP-1/two-ways-back";
const BESIDE: &str = "LOOP-1/beside-the-way";
const ROUND: &str = "LOOP-2/one-round";
const NO_LOOP: &str = "LOOP-2/no-such-loop";
const OUTPUT: &str = "PORT-1/output";
const INPUT: &str = "PORT-1/input";
const BRANCH: &str = "PORT-1/a/branch-of-an-output";

/// That of acme's cases just these did not pass. Operations on runs and rounds it never claims.
#[track_caller]
fn falls_short(record: &Record, differ: &[(&str, Outcome)]) {
    let mut expected: BTreeMap<&str, Outcome> = [TWO_WAYS, BESIDE, OUTPUT, INPUT, BRANCH]
        .map(|c| (c, Pass))
        .into();
    expected.extend([(ROUND, Unsupported), (NO_LOOP, Unsupported)]);
    expected.extend(differ.iter().copied());
    assert_eq!(outcomes(record), expected);
}

fn case<'r>(record: &'r Record, name: &str) -> &'r CaseRecord {
    let mut cases = record.cases().map(|(_, c)| c);
    cases.find(|c| c.case == name).expect(name)
}

fn message<'r>(record: &'r Record, name: &str) -> &'r str {
    case(record, name).message.as_deref().unwrap_or_default()
}

/// The standing of a rule, and of its clauses.
fn standings(record: &Record, id: &str) -> (Standing, Vec<Standing>) {
    let rule = record.rules.iter().find(|r| r.id.as_str() == id).expect(id);
    (
        rule.standing,
        rule.clauses.iter().map(|c| c.standing).collect(),
    )
}

#[test]
fn an_engine_that_does_few_operations_and_does_them_right() {
    let record = record(&spec(), acme(), &options(None));
    falls_short(&record, &[]);
    assert!(!record.fell_short());
    assert_eq!(
        standings(&record, "LOOP-1"),
        (Meets, vec![Meets, Meets, Meets, Untestable])
    );
    let unsupported = Standing::Unsupported;
    assert_eq!(
        standings(&record, "LOOP-2"),
        (unsupported, vec![unsupported; 2])
    );
    assert_eq!(standings(&record, "LOOP-10"), (Untested, vec![Untested]));
    assert_eq!(
        message(&record, ROUND),
        "the engine does not do `workflow.launch`, `workflow.advance`, `workflow.state`"
    );
    assert_eq!(
        message(&record, NO_LOOP),
        "the engine does not do `rounds.advance`"
    );
    assert_eq!(
        record.engine.profiles,
        ["runtime", "storage-api", "editor-client"]
    );
}

#[test]
fn a_wrong_answer() {
    let record = record(&spec(), last_tail_only(), &options(None));
    falls_short(&record, &[(TWO_WAYS, Fail)]);
    assert!(record.fell_short());
    assert_eq!(
        standings(&record, "LOOP-1"),
        (Fails, vec![Fails, Fails, Meets, Untestable])
    );
    let case = case(&record, TWO_WAYS);
    assert_eq!(
        case.message.as_deref(),
        Some("/loops/head: expected 3 items, got 2")
    );
    // The whole answer is there, not the part alone that is wrong.
    let empty = json!({"loops": {"head": ["head", "right"]}, "memberships": {}, "diagnostics": []});
    assert_eq!(case.actual, Some(empty));
    let nearest = case.nearest.as_ref().expect("it differs in a part");
    assert_eq!(nearest["loops"], json!({"head": ["head", "left", "right"]}));
    assert_eq!(nearest["diagnostics"], json!([]));
}

#[test]
fn an_engine_that_panics() {
    let record = record(&spec(), panicking(), &options(None));
    falls_short(&record, &[(INPUT, Error)]);
    assert_eq!(
        message(&record, INPUT),
        "the engine panicked: no port at c-input-d"
    );
    assert_eq!(standings(&record, "PORT-1"), (Fails, vec![Fails]));
    assert_eq!(case(&record, INPUT).actual, None);
    assert!(!record.interrupted);
}

#[test]
fn an_engine_that_hangs() {
    let patience = Duration::from_secs(2);
    let started = Instant::now();
    let record = record(&spec(), hanging(), &options(Some(patience)));
    let took = started.elapsed();
    assert!(
        took >= patience && took < Duration::from_secs(20),
        "{took:?}"
    );
    falls_short(&record, &[(INPUT, Timeout)]);
    assert_eq!(message(&record, INPUT), "no answer within 2s");
    assert_eq!(standings(&record, "PORT-1"), (Fails, vec![Fails]));
    assert!(!record.interrupted, "the run went on");
}

#[test]
fn an_engine_that_hangs_every_time() {
    for jobs in [1, 4] {
        let mut options = options(Some(Duration::from_secs(2)));
        options.jobs = jobs.try_into().expect("above 0");
        let engine = acme()
            .on::<handle::Port>(|(), _| forever())
            .on::<edge::Branch>(|(), _| forever());
        let record = record(&spec(), engine, &options);
        falls_short(
            &record,
            &[(INPUT, Timeout), (OUTPUT, Timeout), (BRANCH, Timeout)],
        );
    }
}

#[test]
fn an_engine_that_declines_some_inputs() {
    let record = record(&spec(), declining(), &options(None));
    falls_short(&record, &[(INPUT, Unsupported)]);
    assert!(!record.fell_short());
    assert_eq!(
        message(&record, INPUT),
        "the engine does not do `handle.port`"
    );
    assert_eq!(standings(&record, "PORT-1"), (Partial, vec![Partial]));
}

#[test]
fn an_engine_that_claims_one_profile() {
    let record = record(&spec(), acme().profiles(["storage-api"]), &options(None));
    falls_short(
        &record,
        &[
            (TWO_WAYS, Skipped),
            (BESIDE, Skipped),
            (ROUND, Skipped),
            (NO_LOOP, Skipped),
        ],
    );
    let none = NotApplicable;
    assert_eq!(
        standings(&record, "LOOP-1"),
        (none, vec![none, none, none, Untestable])
    );
    assert_eq!(standings(&record, "LOOP-10"), (none, vec![none]));
    assert_eq!(standings(&record, "PORT-1"), (Meets, vec![Meets]));
    assert_eq!(record.engine.profiles, ["storage-api"]);
    let why = "not applicable: the engine claims none of the rule's profiles";
    assert_eq!(message(&record, TWO_WAYS), why);
    assert!(!record.interrupted, "nothing was cut short");
    assert!(!record.fell_short());
    let rules = record.summary.rules;
    assert_eq!(
        (rules.meets, rules.not_applicable, rules.total()),
        (2, 2, 4)
    );
    // A rule of two profiles applies as soon as one of them is claimed.
    let record = crate::acme::record(&spec(), acme().profiles(["editor-client"]), &options(None));
    assert_eq!(standings(&record, "LOOP-2").0, Standing::Unsupported);
    assert_eq!(standings(&record, "LOOP-1").0, none);
}

#[test]
fn an_engine_that_fails_at_a_question_is_asked_the_next_in_the_same_session() {
    let engine = Canned::new(|_, _| Err(EngineError::Failed("out of paper".into())));
    let opened = Arc::clone(&engine.opened);
    let record = record(&spec(), engine, &options(None));
    assert!(
        outcomes(&record).values().all(|o| *o == Error),
        "{record:#?}"
    );
    assert_eq!(message(&record, INPUT), "out of paper");
    assert_eq!(opened.load(Ordering::SeqCst), 1);
}

#[test]
fn an_engine_that_breaks_is_asked_the_next_in_a_fresh_session() {
    let engine = Canned::new(|operation, _| match operation {
        "edge.branch" => Ok(Answer::Value(json!({"branch": "yes"}))),
        _ => Err(EngineError::Broken("the connection was lost".into())),
    });
    let opened = Arc::clone(&engine.opened);
    let record = record(&spec(), engine, &options(None));
    let good: Vec<&str> = outcomes(&record)
        .into_iter()
        .filter(|(_, o)| *o == Pass)
        .map(|(c, _)| c)
        .collect();
    assert_eq!(good, [BRANCH]);
    assert_eq!(message(&record, INPUT), "the connection was lost");
    assert_eq!(
        opened.load(Ordering::SeqCst),
        7,
        "six are lost, and the last case is the branch"
    );
}

#[test]
fn an_engine_that_cannot_be_started() {
    let engine = Canned::new(|_, _| Ok(Answer::Declined)).most(0);
    let suite = spec();
    let none = run::run(
        &suite,
        &Selection::all(&suite),
        Arc::new(engine),
        &options(None),
        &|_| {},
    );
    let error = none.expect_err("it does not start");
    assert_eq!(
        error.to_string(),
        "the engine could not be started: out of coal"
    );
}

#[test]
fn an_engine_that_cannot_be_started_again_is_given_up() {
    let engine = Canned::new(|_, _| Err(EngineError::Broken("gone".into()))).most(1);
    let suite = spec();
    let all = Selection::all(&suite);
    let outcomes =
        run::run(&suite, &all, Arc::new(engine), &options(None), &|_| {}).expect("it starts once");
    let came: Vec<Outcome> = outcomes.cases.iter().map(|c| c.outcome).collect();
    // One breaks it, it does not start again for the next, and that is that.
    assert_eq!(
        came,
        [Error, Skipped, Skipped, Skipped, Skipped, Skipped, Skipped]
    );
    let why = "the engine could not be started: out of coal";
    assert_eq!(outcomes.gave_up.as_deref(), Some(why));
    assert!(outcomes.interrupted);
    let record = Record::new(&suite, &all, &outcomes);
    assert_eq!(message(&record, TWO_WAYS), "gone");
    let skipped = "the engine could not be started again";
    assert_eq!(message(&record, BESIDE), skipped);
    assert_eq!(
        message(&record, BRANCH),
        "the engine could not be started again"
    );
}

#[test]
fn what_a_case_leaves_behind_is_gone_for_the_next() {
    #[derive(Default)]
    struct Tired(bool);
    let engine = RustEngine::new("tired", Tired::default).on::<handle::Port>(|tired, p| {
        let port = if tired.0 {
            ""
        } else {
            &p.handle[p.handle.len() - 1..]
        };
        tired.0 = true;
        Ok(handle::PortNamed {
            port: port.to_owned(),
        })
    });
    let record = record(&spec(), engine, &options(None));
    assert_eq!(outcomes(&record)[OUTPUT], Pass);
    assert_eq!(outcomes(&record)[INPUT], Pass);
}

#[test]
fn who_watches_is_told_of_every_case_once() {
    let suite = spec();
    let told = Mutex::new(BTreeMap::new());
    let watch = |outcome: &run::CaseOutcome| {
        let mut told = told.lock().expect("nobody panicked");
        let before = told.insert(outcome.case, outcome.outcome);
        assert_eq!(before, None);
    };
    let engine = Arc::new(declining().profiles(["storage-api"]));
    let outcomes = run::run(
        &suite,
        &Selection::all(&suite),
        engine,
        &options(None),
        &watch,
    );
    let cases = outcomes.expect("it starts").cases;
    let came: BTreeMap<usize, Outcome> = cases.iter().map(|c| (c.case, c.outcome)).collect();
    assert_eq!(came.len(), 7);
    assert_eq!(told.into_inner().expect("nobody panicked"), came);
}

#[test]
fn params_reach_the_engine_as_the_case_has_them() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&asked);
    let engine = Canned::new(move |operation, params| {
        let mut heard = heard.lock().expect("nobody panicked");
        heard.push(format!("{operation} {params}"));
        Ok(match operation {
            "workflow.launch" => Answer::Value(json!({"run": {"id": 7}})),
            _ => Answer::Value(json!({})),
        })
    });
    let suite = spec();
    let chosen = Selection::new(&suite, &["LOOP-2"]).expect("a rule");
    run::run(&suite, &chosen, Arc::new(engine), &options(None), &|_| {}).expect("it starts");
    let asked = asked.lock().expect("nobody panicked");
    assert_eq!(
        *asked,
        [
            r#"workflow.launch {"workflow":{"edges":[{"source":"head","target":"tail"},{"source":"tail","target":"head","kind":"loopback"}]}}"#,
            // What was bound keeps its type.
            r#"workflow.advance {"run":{"id":7},"loop":"head"}"#,
            r#"workflow.state {"run":{"id":7}}"#,
            r#"rounds.advance {"loops":{"head":["head","tail"]},"rounds":{"head":0},"loop":"tail"}"#,
        ]
    );
}
