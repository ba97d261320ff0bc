//! Merging the loops that share nodes without one lying inside the other.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

use super::{
    graph::ForwardGraph,
    loops::{Loop, LoopReading},
};

/// Merges tangled loops until none are left. The result is ordered by head.
// open: with three or more loops in a tangle it can matter what is merged first. Here all that
// hang together as drawn are merged at once, and the largest of them as drawn gives the head.
//= SG-18:3
pub(super) fn merge(
    reading: &dyn LoopReading,
    graph: &ForwardGraph<'_>,
    mut loops: Vec<Loop>,
) -> Vec<Loop> {
    loop {
        let before = loops.len();
        loops = groups(reading, graph.len(), loops)
            .into_iter()
            .filter_map(|group| merge_group(reading, graph, group))
            .collect();
        loops.sort_by_key(|l| l.head);
        // A merged loop can still be the very same set of nodes as another: then once more.
        if loops.len() == before {
            return loops;
        }
    }
}

fn merge_group(
    reading: &dyn LoopReading,
    graph: &ForwardGraph<'_>,
    mut group: Vec<Loop>,
) -> Option<Loop> {
    group.sort_by(|a, b| {
        reading.survivor_first((a.drawn, graph.name(a.head)), (b.drawn, graph.name(b.head)))
    });
    let mut group = group.into_iter();
    let mut survivor = group.next()?;
    let mut bodies = vec![std::mem::take(&mut survivor.body)];
    for other in group {
        survivor.absorbed.push(other.head);
        survivor.absorbed.extend(other.absorbed);
        bodies.push(other.body);
    }
    survivor.absorbed.sort_unstable();
    survivor.body = if bodies.len() == 1 {
        bodies.concat()
    } else {
        reading.merged(bodies)
    };
    Some(survivor)
}

/// The loops, those together that are tangled, be it through others.
///
/// Loops are taken largest first. At any time the nodes are told apart by which of the loops so
/// far they are in; these classes form a tree, a class being the one before it and one loop more.
/// So what a loop shares with all earlier ones is summed up over the classes that its nodes are
/// in, without a look at any pair that shares nothing.
fn groups(reading: &dyn LoopReading, nodes: usize, loops: Vec<Loop>) -> Vec<Vec<Loop>> {
    const NO_LOOP: usize = 0;
    let mut class_of = vec![NO_LOOP; nodes];
    // Of each class: the one before it, and the loop that was added. The first is never looked at.
    let mut classes = vec![(NO_LOOP, usize::MAX)];
    let mut tangled = UnionFind::<usize>::new(loops.len());

    let mut largest_first: Vec<usize> = (0..loops.len()).collect();
    largest_first.sort_by_key(|&l| (std::cmp::Reverse(loops[l].body.len()), loops[l].head));
    for this in largest_first {
        let body = &loops[this].body;
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for &node in body {
            *counts.entry(class_of[node]).or_default() += 1;
        }
        let mut finer: BTreeMap<usize, usize> = BTreeMap::new();
        for &class in counts.keys() {
            finer.insert(class, classes.len());
            classes.push((class, this));
        }
        for &node in body {
            if let Some(&class) = finer.get(&class_of[node]) {
                class_of[node] = class;
            }
        }

        // From the youngest class up, each handing its count on to the one before it.
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        while let Some((class, count)) = counts.pop_last() {
            if class == NO_LOOP {
                break;
            }
            let (before, other) = classes[class];
            *shared.entry(other).or_default() += count;
            *counts.entry(before).or_default() += count;
        }
        for (other, shared) in shared {
            let that = &loops[other];
            let head_inside = that.body.binary_search(&loops[this].head).is_ok()
                || body.binary_search(&that.head).is_ok();
            if reading.is_tangled(shared, that.body.len(), body.len(), head_inside) {
                tangled.union(this, other);
            }
        }
    }

    let mut groups: BTreeMap<usize, Vec<Loop>> = BTreeMap::new();
    for (l, group) in loops.into_iter().zip(tangled.into_labeling()) {
        groups.entry(group).or_default().push(l);
    }
    groups.into_values().collect()
}
