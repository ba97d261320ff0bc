//! Executing a node, and what follows from how it goes.

use serde_json::{Map, Value, json};

use super::{Executed, Job, Machine, Store};
use crate::{
    operations::{
        edge::EdgeKind,
        gateway::DecideParams,
        loops::{IteratorState, ReenterParams},
        rounds::Rounds,
        state::State,
        workflow::{
            Behaviour, Execution, ExecutionStatus, Fail, Failure, RunStatus, ScriptItem, Warning,
        },
    },
    reference::{Reading, barrier::Verdict, branches, failures, foreach},
};

impl Machine {
    /// Executes a unit of work, and gives the execution's place.
    pub(super) fn execute(&mut self, reading: &dyn Reading, store: &mut Store, job: Job) -> usize {
        let place = job.resumes.unwrap_or_else(|| self.begin(reading, &job));
        let id = self.executed[place].told.node.clone();
        self.state.put("currentNodeId", id.clone().into());
        let resumed = job.resumes.is_some();
        let interrupt = self.executed[place].told.interrupt.clone();
        let interrupt = interrupt.filter(|_| resumed);
        let input = self.input(reading, &job, interrupt.as_deref());
        let node_type = &self.plan.nodes[job.node].node_type;
        let live_state = reading
            .gets_live_state(node_type)
            .then(|| self.state.clone());
        let told = &mut self.executed[place].told;
        told.status = ExecutionStatus::Running;
        told.trail.push(ExecutionStatus::Running);
        told.live_state = live_state;
        let input = match input {
            Ok(input) => input,
            Err(message) => {
                let fail = failure("invalid_input", message);
                self.fail(reading, store, place, &fail, None);
                return place;
            }
        };
        told.input = input.clone();
        told.recorded_input = input.clone();
        told.recorded_input
            .retain(|name, _| reading.is_recorded(name));

        let occurrence = usize::try_from(told.occurrence).unwrap_or(usize::MAX);
        let items = self.script.get(&id);
        let item = items
            .and_then(|i| i.get(occurrence))
            .cloned()
            .unwrap_or_default();
        match &item {
            ScriptItem {
                interrupt: Some(interrupt),
                ..
            } if !resumed => {
                self.update_early(reading, &item, ExecutionStatus::Interrupted);
                self.interrupt(place, job, &interrupt.id);
            }
            ScriptItem {
                fail: Some(fail), ..
            } => {
                self.update_early(reading, &item, ExecutionStatus::Failed);
                self.fail(reading, store, place, fail, None);
            }
            ScriptItem {
                stop: Some(stop), ..
            } => {
                let told = &mut self.executed[place].told;
                told.status = ExecutionStatus::Completed;
                told.trail.push(ExecutionStatus::Completed);
                self.order = Some(reading.next_order(self.order));
                told.order = self.order;
                let key = reading.stop_key(&told.node, &told.key);
                self.results.insert(key, stop.payload.clone());
                self.requests.clear();
                self.end(reading, store, RunStatus::Completed, None);
            }
            _ => match self.output(reading, job.node, &item, &input) {
                Ok(output) => self.complete(reading, store, place, output),
                Err(fail) => self.fail(reading, store, place, &fail, None),
            },
        }
        place
    }

    /// Merges the update of a node that has not completed, if that is done.
    //= SG-3:1
    fn update_early(&mut self, reading: &dyn Reading, item: &ScriptItem, status: ExecutionStatus) {
        if let Some(update) = &item.state_update
            && reading.applies_update(status)
        {
            self.state = reading.updated(&mut self.state, update);
        }
    }

    /// Writes down that an execution begins, and gives its place.
    //= SG-8:1
    fn begin(&mut self, reading: &dyn Reading, job: &Job) -> usize {
        let node = &self.plan.nodes[job.node].id;
        let occurrence = self.counts[job.node];
        self.counts[job.node] += 1;
        self.newest.insert(job.node, self.executed.len());
        self.executed.push(Executed {
            job: job.id,
            node: job.node,
            routed: false,
            told: Execution {
                node: node.clone(),
                occurrence,
                key: reading.result_key(node, reading.counted(occurrence, &job.rounds)),
                rounds: job.rounds.clone(),
                ..Execution::default()
            },
        });
        self.executed.len() - 1
    }

    //= ERR-4:1
    //= ERR-4:2
    fn interrupt(&mut self, place: usize, job: Job, id: &str) {
        let told = &mut self.executed[place].told;
        told.status = ExecutionStatus::Interrupted;
        told.trail.push(ExecutionStatus::Interrupted);
        told.interrupt = Some(id.to_owned());
        let asked = json!({"id": id, "nodeId": told.node, "status": "pending"});
        self.metadata.insert("interrupt".into(), asked);
        self.interrupted.push((job, place));
        self.status = RunStatus::Interrupted;
    }

    /// What a node outputs.
    fn output(
        &mut self,
        reading: &dyn Reading,
        place: usize,
        item: &ScriptItem,
        input: &Map<String, Value>,
    ) -> Result<Map<String, Value>, Box<Fail>> {
        let node = &self.plan.nodes[place];
        let mut output = match node.node_type.behaviour {
            Behaviour::Plain => item.output.clone(),
            Behaviour::Gateway => {
                let value = input.get("value").cloned().unwrap_or_default();
                let given = DecideParams {
                    value: value.clone(),
                    branches: node.branches.clone(),
                    default: node.default_branch.clone(),
                };
                let active = branches::decide(reading, &given)
                    .map_err(|refusal| Box::new(failure(&refusal.reason, refusal.message)))?;
                Map::from_iter([
                    ("value".to_owned(), value),
                    ("active_branches".to_owned(), active.into()),
                ])
            }
            Behaviour::Foreach => {
                let mine = self.iterators.iter().position(|it| it.node == node.id);
                let iterator = mine.map(|place| self.iterators.remove(place));
                let (output, next) = foreach::visit(reading, &node.id, iterator, input)
                    .map_err(|refusal| Box::new(failure(&refusal.reason, refusal.message)))?;
                self.iterators.extend(next);
                let newest = self.iterators.last().map_or(Value::Null, |it| json!(it));
                self.state.put("iterator", newest);
                output
            }
        };
        if let Some(emitted) = &item.branches
            && node.node_type.behaviour == Behaviour::Plain
        {
            output.insert("active_branches".into(), emitted.clone());
        }
        if let Some(update) = &item.state_update {
            output.insert("state_update".into(), update.members().clone().into());
        }
        let outputs = &node.node_type.outputs;
        output.retain(|port, _| {
            let exposed = outputs.get(port).is_none_or(|o| o.exposed);
            reading.keeps_output(port, exposed)
        });
        Ok(output)
    }

    /// An execution has completed.
    //= SG-3:1
    //= SG-8:3
    //= SG-11:1
    fn complete(
        &mut self,
        reading: &dyn Reading,
        store: &mut Store,
        place: usize,
        output: Map<String, Value>,
    ) {
        self.order = Some(reading.next_order(self.order));
        let Executed { node, told, .. } = &mut self.executed[place];
        let node = *node;
        told.status = ExecutionStatus::Completed;
        told.trail.push(ExecutionStatus::Completed);
        told.order = self.order;
        let emitted = output.get("active_branches");
        told.branches = emitted.map(|emitted| branches::parse(reading, emitted));
        told.output = Some(output.clone());
        let (key, id) = (told.key.clone(), told.node.clone());
        self.results.insert(key.clone(), output.clone().into());
        if let Some(Value::Object(update)) = output.get("state_update")
            && reading.applies_update(ExecutionStatus::Completed)
            && let Ok(update) = State::try_from(update.clone())
        {
            let merged = reading.updated(&mut self.state, &update);
            let reached = merged
                .get("iterationCount")
                .and_then(Value::as_u64)
                .unwrap_or(0);
            let most = self.configuration.max_iterations.unwrap_or(u64::MAX);
            if update.get("iterationCount").is_some() && reading.is_past_budget(reached, most) {
                self.metadata
                    .extend(reading.past_budget(most, reached, &id));
                if reading.fails_past_budget() {
                    let fail = failure("max_iterations", "too many iterations".into());
                    self.fail(reading, store, place, &fail, None);
                } else {
                    self.end(reading, store, reading.status_past_budget(), None);
                }
                return;
            }
            self.state = merged;
        }
        if reading.writes_after(&id) {
            self.write(reading, store, &id, Some(key));
        }
        self.follow(reading, node, false);
    }

    /// Follows the edges that leave a node whose execution has completed, or whose failure is routed.
    //= SG-6:1
    //= SG-9:2
    //= EDGE-8:3
    //= ERR-10:1
    //= ERR-10:3
    fn follow(&mut self, reading: &dyn Reading, node: usize, routed: bool) {
        for (edge, source, target, condition) in &self.plan.nodes[node].conditions {
            let warning = Warning::ConditionIgnored {
                edge: edge.clone(),
                source: source.clone(),
                target: target.clone(),
            };
            if reading.warns_of_condition(condition)
                && reading.warns_again(self.warnings.contains(&warning))
            {
                self.warnings.push(warning);
            }
        }
        for place in self.plan.nodes[node].outgoing.clone() {
            let edge = &self.plan.edges[place];
            let target = edge.target;
            if !self.is_followed(reading, edge) {
                continue;
            }
            match edge.kind {
                EdgeKind::Error if routed => self.dispatch(reading, target),
                EdgeKind::Data | EdgeKind::Trigger if !routed => self.dispatch(reading, target),
                EdgeKind::Loopback if !routed => self.request(reading, place),
                _ => {}
            }
        }
    }

    /// Asks for a loop's next round, if it may have one.
    //= SG-7:1
    //= SG-7:2
    //= SG-10:1
    fn request(&mut self, reading: &dyn Reading, edge: usize) {
        let edge = &self.plan.edges[edge];
        let head = &self.plan.nodes[edge.target];
        let Some(key) = self.loop_of(&head.id).map(str::to_owned) else {
            return;
        };
        let round = self.rounds.get(&key).copied().unwrap_or(0);
        let run = reading.rounds_run(round);
        let newest = self
            .newest(edge.source)
            .and_then(|e| e.told.output.as_ref());
        let brought = newest.and_then(|output| output.get(&edge.source_port));
        if !reading.is_signal(brought) {
            return;
        }
        let iterator = self.iterators.iter().find(|it| it.node == head.id);
        let executions = self.plan.nodes.iter().zip(&self.counts);
        let question = ReenterParams {
            edge: edge.edge.clone(),
            // Whether the branch is active has been found out, with what is configured.
            active_branches: Vec::new(),
            iterator: iterator.map(|it| IteratorState {
                remaining: it.remaining(),
            }),
            rounds_run: Rounds::from([(key.clone(), run), (head.id.clone(), run)]),
            executions: executions.map(|(node, &n)| (node.id.clone(), n)).collect(),
            max_rounds: self.configuration.max_rounds.unwrap_or(u64::MAX),
        };
        let items_left = question.iterator.map(|it| it.remaining);
        // open: an iterator that has come to its last item has none more; the visit that collects
        // what came of it is let through.
        let collects = items_left == Some(0);
        if collects || reading.has_budget(items_left, reading.spent(&question), question.max_rounds)
        {
            self.requests.entry(key).or_default().insert(edge.target);
        }
    }

    /// An execution has failed.
    //= EDGE-6:2
    //= ERR-7:1
    //= ERR-8:1
    pub(super) fn fail(
        &mut self,
        reading: &dyn Reading,
        store: &mut Store,
        place: usize,
        fail: &Fail,
        verdict: Option<&Verdict>,
    ) {
        let node = self.executed[place].node;
        let id = self.plan.nodes[node].id.clone();
        let outgoing = &self.plan.nodes[node].outgoing;
        let has_error_edge = outgoing
            .iter()
            .any(|&e| self.plan.edges[e].kind == EdgeKind::Error);
        let routed = reading.is_routed(fail, has_error_edge);
        let Executed {
            routed: is_routed,
            told,
            ..
        } = &mut self.executed[place];
        *is_routed = routed;
        told.status = reading.status_of_failure(routed);
        told.error = Some(fail.message.clone());
        if verdict.is_none() {
            told.trail = reading.announced(fail).to_vec();
        }
        told.error_routed = routed && reading.marks_routed();
        if routed {
            self.order = Some(reading.next_order(self.order));
            told.order = self.order;
            let envelope = reading.envelope(&id, fail);
            told.output = Some(envelope.clone());
            let key = told.key.clone();
            self.results.insert(key.clone(), envelope.into());
            if reading.writes_after(&id) {
                self.write(reading, store, &id, Some(key));
            }
            self.follow(reading, node, true);
            return;
        }
        told.output = reading.error_output(fail);
        let failure = Failure {
            message: reading.reported(fail),
            node: id,
            code: failures::code(fail),
            port: verdict.map(|v| v.port.clone()),
            source: verdict.map(|v| v.source.clone()),
            round: verdict.map(|v| v.round),
            gateway: verdict.and_then(|v| v.gateway.clone()),
        };
        self.end(reading, store, RunStatus::Failed, Some(failure));
    }

    /// Fails a unit of work that has a port which nothing can fill any more.
    //= SG-20:9
    //= SG-20:10
    pub(super) fn give_up(
        &mut self,
        reading: &dyn Reading,
        store: &mut Store,
        job: Job,
        verdict: &Verdict,
    ) -> usize {
        let place = self.begin(reading, &job);
        let fail = failure("unfillable_port", reading.message(verdict));
        self.fail(reading, store, place, &fail, Some(verdict));
        place
    }
}

fn failure(code: &str, message: String) -> Fail {
    Fail {
        message,
        code: Some(code.to_owned()),
        ..Fail::default()
    }
}
