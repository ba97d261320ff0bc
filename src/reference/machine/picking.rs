//! What a run does next.

use std::collections::BTreeMap;

use super::{Executed, Job, Machine, Pick, input::brought};
use crate::{
    operations::{
        edge::{EdgeKind, Passage},
        rounds::RoundStamp,
        workflow::ExecutionStatus,
    },
    reference::{Reading, barrier::Verdict, compile::PlanEdge, rounds, schedule::SourceFacts},
};

/// The edges that arrive at a node, by what they do for it: whether each is satisfied, and, for each
/// port, its edges with what is known of their sources.
#[derive(Default)]
struct Arriving<'p> {
    errors: Vec<bool>,
    triggers: Vec<bool>,
    ports: BTreeMap<&'p str, Vec<(&'p PlanEdge, SourceFacts, bool)>>,
}

impl Machine {
    pub(super) fn pick(&self, reading: &dyn Reading) -> Pick {
        let first = self
            .waiting
            .iter()
            .enumerate()
            .find_map(|(place, job)| self.action(reading, place, job));
        let mut requested: Vec<&String> = self.requests.keys().collect();
        requested.sort_by_key(|key| self.body(key).len());
        for key in requested {
            if self.loop_goes_first(reading, key, first.as_ref()) {
                return Pick::Loop(key.clone());
            }
        }
        first.unwrap_or(Pick::Nothing)
    }

    /// What can be done with a unit of work, if anything can.
    fn action(&self, reading: &dyn Reading, place: usize, job: &Job) -> Option<Pick> {
        let arriving = self.arriving(reading, job);
        let ports: Vec<bool> = arriving
            .ports
            .values()
            .map(|edges| is_satisfied(reading, edges))
            .collect();
        if job.due || reading.is_ready(&arriving.errors, &arriving.triggers, &ports) {
            return Some(Pick::Job(place));
        }
        let verdict = self.unfillable(reading, job, &arriving)?;
        Some(Pick::GiveUp(place, verdict))
    }

    fn body(&self, key: &str) -> &[String] {
        self.extent
            .resolved
            .loops
            .get(key)
            .map_or(&[], Vec::as_slice)
    }

    /// Whether a loop is entered again before the first unit of work that is ready: once none in the
    /// loop is, and none that comes before it.
    fn loop_goes_first(&self, reading: &dyn Reading, key: &str, first: Option<&Pick>) -> bool {
        let (Some(Pick::Job(first)) | Some(Pick::GiveUp(first, _))) = first else {
            return true;
        };
        let body = self.body(key);
        let inside = |job: &Job| {
            let id = &self.plan.nodes[job.node].id;
            body.binary_search(id).is_ok()
        };
        let job = &self.waiting[*first];
        let id = &self.plan.nodes[job.node].id;
        let feeds = body.iter().any(|member| {
            let reach = self.extent.reach.get(member);
            reach.is_some_and(|reach| reach.binary_search(id).is_ok())
        });
        let head = self.plan.index.get(key).copied().unwrap_or(0);
        if inside(job) || feeds || job.node < head {
            return false;
        }
        let later = self.waiting.iter().enumerate().skip(first + 1);
        !later
            .filter(|(_, job)| inside(job))
            .any(|(place, job)| self.action(reading, place, job).is_some())
    }

    fn arriving(&self, reading: &dyn Reading, job: &Job) -> Arriving<'_> {
        let mut arriving = Arriving::default();
        for &place in &self.plan.nodes[job.node].incoming {
            let edge = &self.plan.edges[place];
            if !reading.is_dependency(&edge.edge) {
                continue;
            }
            let facts = self.facts(reading, edge, job);
            let satisfied = reading.is_satisfied(edge.kind, facts);
            match edge.kind {
                EdgeKind::Error => arriving.errors.push(satisfied),
                EdgeKind::Trigger => arriving.triggers.push(satisfied),
                _ => {
                    let port = arriving.ports.entry(&edge.target_port).or_default();
                    port.push((edge, facts, satisfied));
                }
            }
        }
        arriving
    }

    /// What is known of an edge's source, as a unit of work of its target sees it.
    //= BR-6:2
    //= SG-19:1
    //= SG-19:3
    pub(super) fn facts(&self, reading: &dyn Reading, edge: &PlanEdge, job: &Job) -> SourceFacts {
        let Some(newest) = self.newest(edge.source) else {
            return SourceFacts::default();
        };
        let handled = self.newest(edge.target).map(|e| &e.told.rounds);
        let stale = is_behind(reading, &newest.told.rounds, &job.rounds);
        let passage = rounds::barrier(reading, edge.kind, stale);
        SourceFacts {
            completed: newest.told.status == ExecutionStatus::Completed,
            routed: newest.routed,
            brings: newest
                .told
                .output
                .as_ref()
                .is_some_and(|output| brought(reading, output, &edge.source_port).is_some()),
            superseded: self
                .waiting
                .iter()
                .any(|j| j.node == edge.source && j.dispatched && j.id > newest.job),
            branching: !edge.source_port.is_empty()
                && !self.branches(reading, edge.source).is_empty(),
            followed: self.is_followed(reading, edge),
            held_back: passage != Passage::Passes,
            handled_later: handled.is_some_and(|h| is_behind(reading, &newest.told.rounds, h)),
        }
    }

    /// The branches that a node has made active.
    //= BR-6:1
    fn branches(&self, reading: &dyn Reading, node: usize) -> Vec<String> {
        let Some(&newest) = self.newest.get(&node) else {
            return Vec::new();
        };
        let of = |e: &Executed| e.told.branches.clone().unwrap_or_default();
        let superseded = || {
            let earlier = self.executed[..newest].iter();
            earlier.filter(|e| e.node == node).map(of).collect()
        };
        let branches = self.executed[newest].told.branches.as_deref();
        reading.decision(branches.unwrap_or_default(), &superseded)
    }

    /// Whether an edge is followed from its source's newest execution.
    pub(super) fn is_followed(&self, reading: &dyn Reading, edge: &PlanEdge) -> bool {
        let source = &self.plan.nodes[edge.source];
        let condition = edge.edge.data.as_ref().and_then(|d| d.condition.as_ref());
        if condition.is_some_and(|c| reading.condition_gates(edge.kind, c)) {
            return false;
        }
        let into_body = self
            .body(&source.id)
            .binary_search(&self.plan.nodes[edge.target].id)
            .is_ok();
        if into_body {
            let output = self
                .newest(edge.source)
                .and_then(|e| e.told.output.as_ref());
            let active = output.and_then(|o| o.get("loop_active")?.as_bool());
            if !reading.enters_body(source.node_type.behaviour, active) {
                return false;
            }
        }
        let active = self.branches(reading, edge.source);
        reading.is_followed(&edge.edge, &active, &source.branch_names)
    }

    /// The port of a unit of work that nothing can fill any more, if there is one.
    //= SG-20:1
    //= SG-20:4
    fn unfillable(
        &self,
        reading: &dyn Reading,
        job: &Job,
        arriving: &Arriving<'_>,
    ) -> Option<Verdict> {
        let judged = reading
            .can_fail_for_port(!arriving.triggers.is_empty(), !arriving.errors.is_empty())
            && (self.has_reach || reading.judges_without_reach());
        if !judged {
            return None;
        }
        arriving
            .ports
            .iter()
            .filter(|(_, edges)| !is_satisfied(reading, edges))
            .find_map(|(port, edges)| self.given_up(reading, job, port, edges))
    }

    fn given_up(
        &self,
        reading: &dyn Reading,
        job: &Job,
        port: &str,
        edges: &[(&PlanEdge, SourceFacts, bool)],
    ) -> Option<Verdict> {
        let shares: Vec<bool> = edges
            .iter()
            .map(|(edge, ..)| self.shared(edge.source, job.node).is_some())
            .collect();
        let held_back: Vec<bool> = edges
            .iter()
            .map(|(_, facts, _)| facts.completed && facts.held_back)
            .collect();
        if !reading.can_be_given_up(&shares, &held_back)
            || edges
                .iter()
                .any(|(e, ..)| self.can_still_fill(reading, job, e.source))
        {
            return None;
        }
        let any_held = held_back.contains(&true);
        let held = edges.iter().zip(&held_back);
        let behind = held.filter(|(_, held)| **held || !any_held);
        let source = behind
            .map(|((edge, ..), _)| edge.source)
            .min_by_key(|&n| &self.plan.nodes[n].id)?;
        let own: Vec<u64> = job.rounds.iter().map(|(_, round)| round).collect();
        let shared: Vec<u64> = job
            .rounds
            .iter()
            .filter(|(head, _)| self.is_in(source, head))
            .map(|(_, round)| round)
            .collect();
        let away = self.routed_away(reading, source);
        let mut away: Vec<&str> = away
            .iter()
            .map(|&n| self.plan.nodes[n].id.as_str())
            .collect();
        away.dedup();
        Some(Verdict {
            port: port.to_owned(),
            source: self.plan.nodes[source].id.clone(),
            round: reading.named_round(&shared, &own),
            gateway: reading.named_gateway(&away),
        })
    }

    /// Whether a node is in the loop of this head.
    fn is_in(&self, node: usize, head: &str) -> bool {
        let around = self
            .extent
            .resolved
            .memberships
            .get(&self.plan.nodes[node].id);
        around.is_some_and(|around| around.iter().any(|loop_of| loop_of == head))
    }

    /// The innermost loop that two nodes are both in.
    fn shared(&self, one: usize, other: usize) -> Option<&str> {
        let memberships = &self.extent.resolved.memberships;
        let of = |n: usize| memberships.get(&self.plan.nodes[n].id);
        let one = of(one)?;
        of(other)?
            .iter()
            .rev()
            .find(|head| one.contains(head))
            .map(String::as_str)
    }

    /// Whether anything that is still to run can fill a port from this source.
    //= SG-20:1
    //= SG-20:2
    //= SG-20:3
    fn can_still_fill(&self, reading: &dyn Reading, consumer: &Job, source: usize) -> bool {
        let source = &self.plan.nodes[source].id;
        let reach = self.extent.reach.get(source).map_or(&[][..], Vec::as_slice);
        let loops = &self.extent.resolved.loops;
        let fills = |node: usize| {
            let id = &self.plan.nodes[node].id;
            reading.can_keep_open(loops.contains_key(id)) && reading.can_fill(id, reach, source)
        };
        let waits = self.waiting.iter().any(|job| {
            reading.is_live(is_behind(reading, &job.rounds, &consumer.rounds)) && fills(job.node)
        });
        let mut heads = self.requests.values().flatten();
        waits || (reading.awaits_next_round() && heads.any(|&head| fills(head)))
    }

    /// The gateways that a node's incoming branch edges come from and that routed away from it.
    //= SG-20:10
    fn routed_away(&self, reading: &dyn Reading, node: usize) -> Vec<usize> {
        let incoming = self.plan.nodes[node].incoming.iter();
        let mut gateways: Vec<usize> = incoming
            .map(|&place| &self.plan.edges[place])
            .filter(|edge| {
                let configured = &self.plan.nodes[edge.source].branch_names;
                reading.is_branch_port(&edge.source_port, configured)
                    && !self.is_followed(reading, edge)
            })
            .map(|edge| edge.source)
            .collect();
        gateways.sort_unstable();
        gateways
    }
}

fn is_satisfied(reading: &dyn Reading, edges: &[(&PlanEdge, SourceFacts, bool)]) -> bool {
    let edges: Vec<bool> = edges.iter().map(|&(.., satisfied)| satisfied).collect();
    reading.port_is_satisfied(&edges)
}

/// Whether one stamp is a round behind another. Stamps have the outermost loop first.
pub(super) fn is_behind(reading: &dyn Reading, source: &RoundStamp, consumer: &RoundStamp) -> bool {
    let nesting: Vec<String> = consumer.iter().map(|(head, _)| head.to_owned()).collect();
    rounds::is_stale(reading, source, consumer, &nesting)
}
