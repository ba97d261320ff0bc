//! What can be looked at without a run: `list` and `show`.

use snapbox::str;
use standing::corpus::Corpus;

use crate::support::{snapshot, standing, standing_here};

const FROM: [&str; 4] = ["--rules", "rules", "--cases", "cases"];

fn show(selector: &str) -> String {
    standing(&[&["show", selector], &FROM[..]].concat()).well()
}

#[test]
fn rules_are_listed_with_their_cases_counted() {
    snapshot(
        standing(&[&["list"], &FROM[..]].concat()).well(),
        str![[r#"
LOOP-1    core        2 cases  What a loop holds
LOOP-2    extended    2 cases  Rounds of a run
LOOP-10   optional    0 cases  How loops are drawn
PORT-1    core        2 cases  The port that a handle names
PORT-1/a  core         1 case  A branch is a port

5 rules, 7 cases, 5 examples, 2 of them bound to no case

"#]],
    );
}

#[test]
fn every_rule_that_the_command_carries_is_listed() {
    let list = standing_here(&["list"]).well();
    let (carried, _) = Corpus::embedded();
    let expected: Vec<&str> = carried.rules().iter().map(|r| r.id.as_str()).collect();
    let (rules, _) = list
        .split_once("\n\n")
        .expect("a line of counts at the end");
    let listed: Vec<&str> = rules
        .lines()
        .filter_map(|l| l.split_whitespace().next())
        .collect();
    assert_eq!(listed, expected);
}

#[test]
fn a_list_for_programs() {
    let list = standing(&[&["list", "--format", "json", "LOOP-1"], &FROM[..]].concat()).well();
    snapshot(
        list,
        str![[r#"
[
  {
    "id": "LOOP-1",
    "family": "EX-LOOP",
    "title": "What a loop holds",
    "level": "core",
    "profiles": [
      "runtime"
    ],
    "posture": "normative-target",
    "rule_hash": "009951124321",
    "document": "rules/ex-loop/loop-1.md",
    "clauses": 4,
    "examples": 4,
    "unbound": [
      3,
      4
    ],
    "cases": [
      {
        "case": "LOOP-1/two-ways-back",
        "clauses": [
          1,
          2
        ],
        "operations": [
          "loops.resolve"
        ],
        "examples": [
          1,
          2
        ],
        "source": "cases/ex-loop/loop-1.yml:3"
      },
      {
        "case": "LOOP-1/beside-the-way",
        "clauses": [
          3
        ],
        "operations": [
          "loops.resolve"
        ],
        "examples": [],
        "source": "cases/ex-loop/loop-1.yml:14"
      }
    ]
  }
]

"#]],
    );
}

#[test]
fn a_rule_is_shown_clause_by_clause() {
    snapshot(
        show("LOOP-1"),
        str![[r#"
LOOP-1 — What a loop holds
EX-LOOP · core · runtime · normative-target · hash 009951124321
rules/ex-loop/loop-1.md

¶1  A loop has its head and every node between head and tail.
    two-ways-back  "Two ways back", "The loop"

¶2  Two edges back to one head make one loop.
    two-ways-back  "Two ways back", "The loop"

¶3  A node beside the way from head to tail is in no loop.
    beside-the-way

¶4  Loops are worth having.
    untestable it says why, nothing that an engine could break

Examples
  line 31   "Two ways back"  named by 1 case
  line 40   "The loop" → one  named by 1 case
  line 44   "The loop" → another  no case names it
  line 48   the example on line 48  no case names it

Names LOOP-2
Referenced by PORT-1
2 cases

"#]],
    );
}

#[test]
fn a_rule_without_cases_is_shown_as_untested() {
    snapshot(
        show("LOOP-10"),
        str![[r#"
LOOP-10 — How loops are drawn
EX-LOOP · optional · runtime · descriptive · hash 65a538c4532b
rules/ex-loop/loop-10.md

¶1  Loops are drawn with a bent line.
    untested

0 cases

"#]],
    );
}

#[test]
fn a_case_is_shown_with_its_examples_carried_out() {
    snapshot(
        show("LOOP-1/two-ways-back"),
        str![[r#"
LOOP-1/two-ways-back
cases/ex-loop/loop-1.yml:3

¶1  A loop has its head and every node between head and tail.

¶2  Two edges back to one head make one loop.

loops.resolve
{
  "edges": [
    {
      "source": "head",
      "target": "left"
    },
    {
      "source": "head",
      "target": "right"
    },
    {
      "source": "left",
      "target": "head",
      "kind": "loopback"
    },
    {
      "source": "right",
      "target": "head",
      "kind": "loopback"
    }
  ]
}
answers, matched: includes, /loops exact
{
  "loops": {
    "head": [
      "head",
      "left",
      "right"
    ]
  }
}

"#]],
    );
}

#[test]
fn a_conversation_is_shown_step_by_step() {
    snapshot(
        show("LOOP-2/one-round"),
        str![[r#"
LOOP-2/one-round
cases/ex-loop/loop-2.yml:3

¶1  A run counts the rounds of each loop.

1. workflow.launch
{
  "workflow": {
    "edges": [
      {
        "source": "head",
        "target": "tail"
      },
      {
        "source": "tail",
        "target": "head",
        "kind": "loopback"
      }
    ]
  }
}
any answer but a refusal
$run is /run of the answer

2. workflow.advance
{
  "run": "$run",
  "loop": "head"
}
any answer but a refusal

3. workflow.state
{
  "run": "$run"
}
answers, matched: includes
{
  "rounds": {
    "head": 1
  }
}

"#]],
    );
}

#[test]
fn a_refusal_that_is_expected_is_shown() {
    snapshot(
        show("LOOP-2/no-such-loop"),
        str![[r#"
LOOP-2/no-such-loop
cases/ex-loop/loop-2.yml:20

¶2  A loop that is not there is not advanced.

rounds.advance
{
  "loops": {
    "head": [
      "head",
      "tail"
    ]
  },
  "rounds": {
    "head": 0
  },
  "loop": "tail"
}
is refused with unknown_loop

"#]],
    );
}

#[test]
fn a_rule_and_a_case_that_the_command_carries_are_shown() {
    let shown = standing_here(&["show", "SG-16"]).well();
    let (carried, _) = Corpus::embedded();
    let rule = carried.rule("SG-16").expect("it is carried");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], format!("SG-16 — {}", rule.title));
    let facets = "RT-SG · core · runtime · normative-target · hash 121eafd4093a";
    assert_eq!(lines[1..3], [facets, "rules/rt-sg/sg-16.md"]);
    let clauses = lines.iter().filter(|l| l.starts_with('¶'));
    assert_eq!(clauses.count(), rule.clauses.len());
    let case = "    two-tails-one-head  \"Two tails re-entering one head\", \"The loop the two tails resolve to\"";
    let bearing = lines.iter().filter(|l| **l == case);
    assert_eq!(bearing.count(), 2, "it bears on two clauses");

    let shown = standing_here(&["show", "SG-16/two-tails-one-head"]).well();
    let (question, answer) = shown
        .split_once("\nanswers, matched: includes, /loops exact\n")
        .expect("an answer");
    let (_, question) = question
        .split_once("\nloops.resolve\n")
        .expect("a question");
    let json = |text| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert_eq!(json(question)["edges"][4]["kind"], "loopback");
    let body = ["gateway", "head", "tail_a", "tail_b"];
    assert_eq!(json(answer), serde_json::json!({"loops": {"head": body}}));
}

#[test]
fn several_are_shown_one_after_the_other() {
    let both = standing(&[&["show", "LOOP-10", "LOOP-2/no-such-loop"], &FROM[..]].concat()).well();
    assert_eq!(
        both,
        format!("{}\n{}", show("LOOP-10"), show("LOOP-2/no-such-loop"))
    );
}
