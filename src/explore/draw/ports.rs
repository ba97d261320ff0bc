//! What arrives at a port, what a gateway decides, which branches are active, what a ForEach node goes through.

use serde_json::{Map, Value, json};

use crate::explore::{Dice, Input};

pub(super) fn parse(dice: &mut Dice) -> Input {
    let name = |dice: &mut Dice| match dice.below(9) {
        0 => json!(7),
        1 => Value::Null,
        2 => json!(true),
        3 => json!([" a"]),
        4 => json!("a, b"),
        5 => json!(" A "),
        6 => json!("Äb"),
        _ => json!(dice.pick(&["a", "B", "c-d"])),
    };
    let value = match dice.percent(35) {
        true => json!(dice.pick(&["a", " B ", "a,b", "a b", "a;b", "a|b", "C\n"])),
        false => (0..dice.below(4)).map(|_| name(dice)).collect(),
    };
    Input::one("branches.parse", json!({ "value": value }))
}

pub(super) fn decide(dice: &mut Dice) -> Input {
    // Values that are told apart whatever is made of case and of the names of truth.
    let mut values = vec![
        json!("red"),
        json!("Blue"),
        json!(2),
        json!(7.5),
        json!([1]),
        json!("2"),
    ];
    dice.shuffle(&mut values);
    let truth = [json!(true), json!("True"), json!(1), json!("1")];
    let untruth = [json!(false), json!("FALSE"), json!(0), json!("0")];
    let mut branches = Vec::new();
    if dice.percent(45) {
        branches.push(json!({ "name": "Yes", "value": truth[dice.below(4)] }));
        branches.push(json!({ "name": "No", "value": untruth[dice.below(4)] }));
    }
    for (name, value) in ["One", "two", "Three"]
        .iter()
        .zip(&values)
        .take(dice.below(4))
    {
        branches.push(json!({ "name": name, "value": value }));
    }
    if dice.percent(20) {
        branches.push(match dice.below(4) {
            0 => json!({ "value": "green" }),
            1 => json!({ "name": "", "value": "green" }),
            2 => json!("green"),
            _ => json!({ "name": 3, "value": "green" }),
        });
    }
    dice.shuffle(&mut branches);
    let value = match dice.below(8) {
        0 => json!(true),
        1 => json!(false),
        2 => json!("BLUE"),
        3 => json!("green"),
        4 => Value::Null,
        5 => json!("RED"),
        _ => values[dice.below(6)].clone(),
    };
    let mut params = json!({ "value": value, "branches": branches });
    if dice.percent(40) {
        params["default"] = json!("Other");
    }
    Input::one("gateway.decide", params)
}

pub(super) fn resolve(dice: &mut Dice) -> Input {
    let mut nodes = ["a", "b", "c", "n10", "n9"];
    let mut orders = [1, 2, 9, 10, 11];
    dice.shuffle(&mut nodes);
    dice.shuffle(&mut orders);
    let ordered = dice.percent(75);
    let sources = nodes
        .iter()
        .zip(orders)
        .take(dice.from_to(0, 3))
        .map(|(node, order)| {
            let value = match dice.below(6) {
                0 => Value::Null,
                1 => json!(""),
                2 => json!(0),
                _ => json!(format!("of {node}")),
            };
            match ordered {
                true => json!({ "node": node, "order": order, "value": value }),
                false => json!({ "node": node, "value": value }),
            }
        });
    let sources: Vec<Value> = sources.collect();
    Input::one(
        "port.resolve",
        json!({ "port": "text", "sources": sources }),
    )
}

/// A value that an item or a result may be.
fn value(dice: &mut Dice) -> Value {
    match dice.below(10) {
        0 => json!(0),
        1 => json!(false),
        2 => json!(""),
        3 => json!(["x", "y"]),
        4 => json!([]),
        5 => json!("[\"p\",\"q\"]"),
        6 => json!("b"),
        7 => json!({ "k": 1 }),
        _ => json!("a"),
    }
}

pub(super) fn foreach(dice: &mut Dice) -> Input {
    let items: Value = match dice.percent(25) {
        true => loop {
            let one = value(dice);
            if !one.is_object() {
                break one;
            }
        },
        false => (0..dice.below(4)).map(|_| value(dice)).collect(),
    };
    let count = items.as_array().map_or(1, Vec::len);
    let mut first = Map::new();
    if dice.percent(93) {
        first.insert("items".into(), items);
    }
    let mut rounds = vec![first];
    // Up to the visit that completes, or not that far.
    let visits = dice.weighted(&[(3, count), (1, count.saturating_sub(1))]);
    for _ in 0..visits {
        let mut visit = Map::new();
        let (result, back) =
            dice.weighted(&[(4, (true, false)), (3, (false, true)), (3, (true, true))]);
        if result {
            visit.insert("item_result".into(), value(dice));
        }
        if back {
            visit.insert("loop_back".into(), value(dice));
        }
        if dice.percent(25) {
            let items = (0..dice.below(3)).map(|_| value(dice)).collect();
            visit.insert("items".into(), items);
        }
        rounds.push(visit);
    }
    Input::one("foreach.run", json!({ "rounds": rounds }))
}
