//! Where everything goes: layers from left to right, edges through the gaps between them.
//!
//! The crate orders the layers and places what is in them. An edge over several layers is given to it
//! as a chain of points, so that the way of the edge comes back with the rest.

use rust_sugiyama::{configure::Config, from_vertices_and_edges};

use super::graph::Graph;

pub(super) const NODE_HEIGHT: f64 = 34.0;
/// Between layers, where the edges are.
const GAP: f64 = 56.0;
/// Between neighbours of a layer.
const SPACE: f64 = 22.0;
/// Between the lanes of edges that go back, below all nodes.
const LANE: f64 = 16.0;
const MARGIN: f64 = 20.0;

/// A drawing's coordinates, from the top left.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// The middle of each node, and its width.
    pub(super) nodes: Vec<Placed>,
    /// The way of each edge.
    pub(super) ways: Vec<Way>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
}

impl Placed {
    pub(super) fn left(self) -> f64 {
        self.x - self.width / 2.0
    }

    pub(super) fn right(self) -> f64 {
        self.x + self.width / 2.0
    }
}

#[derive(Debug, PartialEq)]
pub(super) enum Way {
    /// From the right side of a node to the left side of another, by these points.
    Forward(Vec<(f64, f64)>),
    /// Out, down to a lane at this height, back and up again.
    Back(f64),
    /// From a node to itself.
    Itself,
}

/// How wide a node with this label is.
pub(super) fn width_of(label: &str) -> f64 {
    let units: f64 = label
        .chars()
        .map(|c| if c.is_ascii() { 7.3 } else { 12.6 })
        .sum();
    (units + 26.0).max(46.0)
}

pub(super) fn layout(graph: &Graph, labels: &[String]) -> Layout {
    let count = graph.nodes.len();
    let widths: Vec<f64> = labels.iter().map(|label| width_of(label)).collect();
    let backward = backward(graph);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (link, back) in graph.edges.iter().zip(&backward) {
        if !back && link.from != link.to {
            pairs.push((link.from, link.to));
        }
    }
    // An edge back holds its ends together, where nothing else does.
    let mut joined = Groups::new(count);
    for &(a, b) in &pairs {
        joined.join(a, b);
    }
    for (link, back) in graph.edges.iter().zip(&backward) {
        if *back && joined.join(link.from, link.to) {
            pairs.push((link.to, link.from));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let layers = layers(count, &pairs);
    let mut vertices: Vec<(u32, (f64, f64))> = Vec::new();
    // The crate's layers go down: a node's height is its width there.
    for width in &widths {
        vertices.push((vertices.len() as u32, (NODE_HEIGHT, *width)));
    }
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut chains: Vec<((usize, usize), Vec<u32>)> = Vec::new();
    for &(from, to) in &pairs {
        let mut chain = Vec::new();
        let mut last = from as u32;
        for _ in layers[from] + 1..layers[to] {
            let point = vertices.len() as u32;
            vertices.push((point, (6.0, 6.0)));
            edges.push((last, point));
            chain.push(point);
            last = point;
        }
        edges.push((last, to as u32));
        chains.push(((from, to), chain));
    }
    let config = Config {
        vertex_spacing: SPACE,
        ..Config::default()
    };
    let mut middle = vec![(0.0, 0.0); vertices.len()];
    let mut layer_of = vec![0_usize; vertices.len()];
    let mut group_of = vec![0_usize; vertices.len()];
    let groups = from_vertices_and_edges(&vertices, &edges, &config);
    for (group, (placed, ..)) in groups.iter().enumerate() {
        // The layers of the crate, told apart by their coordinate.
        let mut levels: Vec<f64> = placed.iter().map(|(_, (_, y))| *y).collect();
        levels.sort_by(f64::total_cmp);
        levels.dedup_by(|a, b| (*a - *b).abs() < 0.5);
        for (vertex, (x, y)) in placed {
            middle[*vertex] = (0.0, *x);
            layer_of[*vertex] = levels.partition_point(|level| *level < y - 0.5);
            group_of[*vertex] = group;
        }
    }
    let mut top = MARGIN;
    let mut width: f64 = 0.0;
    let mut bottoms = vec![0.0; groups.len()];
    let mut lanes = vec![0_usize; groups.len()];
    let loops_to_itself = graph.edges.iter().any(|link| link.from == link.to);
    for (group, end) in bottoms.iter_mut().enumerate() {
        let its: Vec<usize> = (0..vertices.len())
            .filter(|&v| group_of[v] == group)
            .collect();
        let last = its.iter().map(|&v| layer_of[v]).max().unwrap_or(0);
        let mut left = MARGIN;
        for layer in 0..=last {
            let of_layer = || its.iter().copied().filter(|&v| layer_of[v] == layer);
            let widest = of_layer().map(|v| vertices[v].1.1).fold(0.0, f64::max);
            for vertex in of_layer() {
                middle[vertex].0 = left + widest / 2.0;
            }
            left += widest + GAP;
        }
        width = width.max(left - GAP + MARGIN);
        let least = its
            .iter()
            .map(|&v| middle[v].1)
            .fold(f64::INFINITY, f64::min);
        let above = if loops_to_itself { 18.0 } else { 0.0 };
        let mut bottom = top;
        for &vertex in &its {
            middle[vertex].1 += top + above + NODE_HEIGHT / 2.0 - least;
            bottom = f64::max(bottom, middle[vertex].1 + NODE_HEIGHT / 2.0);
        }
        *end = bottom;
        let back = graph.edges.iter().zip(&backward);
        let back = back.filter(|(link, back)| **back && group_of[link.from] == group);
        top = bottom + SPACE + LANE * back.count() as f64;
    }
    let nodes: Vec<Placed> = (0..count)
        .map(|node| Placed {
            x: middle[node].0,
            y: middle[node].1,
            width: widths[node],
        })
        .collect();
    let ways = graph.edges.iter().zip(&backward).map(|(link, back)| {
        if link.from == link.to {
            Way::Itself
        } else if *back {
            let group = group_of[link.from];
            lanes[group] += 1;
            Way::Back(bottoms[group] + LANE * lanes[group] as f64)
        } else {
            let chain = chains
                .iter()
                .find(|(ends, _)| *ends == (link.from, link.to));
            let chain = chain.map(|(_, chain)| chain.as_slice()).unwrap_or_default();
            Way::Forward(chain.iter().map(|&point| middle[point as usize]).collect())
        }
    });
    Layout {
        ways: ways.collect(),
        // What goes back needs room at the sides.
        width: width + MARGIN / 2.0,
        height: top - SPACE + MARGIN,
        nodes,
    }
}

/// The edges that go against the direction of reading: those back to the head of a loop, and what
/// else closes a cycle.
fn backward(graph: &Graph) -> Vec<bool> {
    use crate::operations::edge::EdgeKind::Loopback;
    let mut back: Vec<bool> = graph
        .edges
        .iter()
        .map(|link| link.kind == Loopback)
        .collect();
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; graph.nodes.len()];
    for start in 0..graph.nodes.len() {
        if state[start] != State::New {
            continue;
        }
        state[start] = State::Open;
        let mut way = vec![(start, 0)];
        while let Some((node, next)) = way.last_mut() {
            let (node, from) = (*node, *next);
            let found = (from..graph.edges.len())
                .find(|&e| graph.edges[e].from == node && !back[e] && graph.edges[e].to != node);
            match found {
                None => {
                    state[node] = State::Done;
                    way.pop();
                }
                Some(edge) => {
                    *next = edge + 1;
                    let to = graph.edges[edge].to;
                    match state[to] {
                        State::Open => back[edge] = true,
                        State::New => {
                            state[to] = State::Open;
                            way.push((to, 0));
                        }
                        State::Done => {}
                    }
                }
            }
        }
    }
    back
}

/// The layer of each node: one behind the last that it follows. The edges make no cycle; were there
/// one, its nodes would stay where they are after as many rounds as there are nodes.
fn layers(count: usize, pairs: &[(usize, usize)]) -> Vec<usize> {
    let mut layers = vec![0; count];
    for _ in 0..count {
        let mut changed = false;
        for &(from, to) in pairs {
            if layers[to] <= layers[from] {
                layers[to] = layers[from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    layers
}

/// Nodes that hang together.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn find(&self, mut node: usize) -> usize {
        while self.0[node] != node {
            node = self.0[node];
        }
        node
    }

    /// Joins two; whether they were apart.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[b] = a;
        a != b
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::edge::EdgeKind;
    use crate::report::drawing::graph::Link;

    fn graph(count: usize, edges: &[(usize, usize, EdgeKind)]) -> Graph {
        Graph {
            nodes: (0..count).map(|n| format!("n{n}")).collect(),
            edges: edges
                .iter()
                .map(|&(from, to, kind)| Link { from, to, kind })
                .collect(),
            ..Graph::default()
        }
    }

    fn laid_out(graph: &Graph) -> Layout {
        let layout = layout(graph, &graph.nodes);
        for (i, a) in layout.nodes.iter().enumerate() {
            assert!(
                a.left() >= 0.0 && a.right() <= layout.width,
                "{a:?} {layout:?}"
            );
            assert!(a.y - NODE_HEIGHT / 2.0 >= 0.0 && a.y + NODE_HEIGHT / 2.0 <= layout.height);
            for b in &layout.nodes[i + 1..] {
                let apart = (a.x - b.x).abs() >= (a.width + b.width) / 2.0
                    || (a.y - b.y).abs() >= NODE_HEIGHT;
                assert!(apart, "{a:?} lies on {b:?}");
            }
        }
        layout
    }

    #[test]
    fn a_loop_reads_from_left_to_right_and_back_below() {
        use EdgeKind::*;
        let edges = [
            (0, 1, Data),
            (1, 2, Data),
            (0, 2, Data),
            (2, 0, Loopback),
            (1, 1, Loopback),
        ];
        let layout = laid_out(&graph(3, &edges));
        let [a, b, c] = [0, 1, 2].map(|n| layout.nodes[n]);
        assert!(a.right() < b.left() && b.right() < c.left());
        assert!(matches!(&layout.ways[2], Way::Forward(by) if by.len() == 1));
        assert!(matches!(layout.ways[3], Way::Back(lane) if lane > b.y + NODE_HEIGHT / 2.0));
        assert_eq!(layout.ways[4], Way::Itself);
    }

    #[test]
    fn no_graph_breaks_it_and_no_nodes_lie_on_each_other() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % below
        };
        for round in 0..300 {
            let count = 1 + random(24);
            let edges: Vec<_> = (0..random(3 * count))
                .map(|_| {
                    let kind = [EdgeKind::Data, EdgeKind::Loopback][usize::from(random(4) == 0)];
                    (random(count), random(count), kind)
                })
                .collect();
            let graph = graph(count, &edges);
            let layout = laid_out(&graph);
            assert_eq!(layout.ways.len(), edges.len(), "round {round}");
        }
    }
}
