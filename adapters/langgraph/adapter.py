"""Puts LangGraph to the cases of `standing`: newline-delimited JSON-RPC 2.0 on standard input and output.

Every answer is what LangGraph did: graphs are built, run, stopped and resumed against checkpoints in a SQLite file,
and read back through its own interface. README.md says how each operation is carried out, and what was chosen here
because LangGraph leaves it to whoever builds or calls a graph.
"""

import importlib.metadata
import json
import logging
import operator
import os
import re
import runpy
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from typing import Annotated, Any, TypedDict

# A standing is nobody's business but the asker's: no traces leave the machine, whatever the environment says.
os.environ["LANGSMITH_TRACING"] = os.environ["LANGCHAIN_TRACING_V2"] = "false"

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Overwrite, interrupt


class Refused(Exception):
    """What LangGraph answers in place of a value."""


class Declined(Exception):
    """LangGraph has no counterpart of what is asked."""


def refusing(call, *args, **kwargs):
    """LangGraph's own errors are answers. An error anywhere else in this file is the adapter's."""
    try:
        return call(*args, **kwargs)
    except Exception as error:
        raise Refused(f"{type(error).__name__}: {error}") from error


def at(thread, checkpoint=None):
    """How LangGraph is told the place in the store."""
    place = {"thread_id": thread}
    if checkpoint is not None:
        place["checkpoint_id"] = checkpoint
    return {"configurable": place}


# --- The state of a graph ---------------------------------------------------------------------------------------------

# The fields that accumulate. `add_messages` is LangGraph's; for maps it brings nothing, so that `|` is a choice made
# here. All other fields are plain channels, which is what LangGraph makes of a field without a reducer.
REDUCED = {
    "data": Annotated[dict, operator.or_],
    "metadata": Annotated[dict, operator.or_],
    "messages": Annotated[list, add_messages],
}


def schema(names):
    return TypedDict("State", {name: REDUCED.get(name, Any) for name in sorted(names)}, total=False)


def plain(values, given):
    """A graph's values as JSON: messages have become objects, with an id made up for each that the given states
    have without one. Those ids are left out again, so that an answer reads the same every time."""
    roles = {"human": "user", "ai": "assistant"}
    ids = {message.get("id") for state in given for message in state.get("messages", [])}
    values = dict(values)
    if "messages" in values:
        values["messages"] = [
            {
                **({"id": message.id} if message.id in ids else {}),
                "role": roles.get(message.type, message.type),
                "content": message.content,
            }
            for message in values["messages"]
        ]
    return values


# --- state.merge ------------------------------------------------------------------------------------------------------


def merge(session, params):
    """A node returns the update, and LangGraph merges it into the state that the run was started with."""
    given, update = params["state"], params["update"]
    node = "return the update"  # has blanks, so that no field is called the same
    builder = StateGraph(schema(given | update))
    builder.add_node(node, lambda state: update)
    builder.add_edge(START, node)
    builder.add_edge(node, END)
    with SqliteSaver.from_conn_string(session.new_store()) as saver:
        graph = builder.compile(checkpointer=saver)
        thread = at("a thread")
        refusing(graph.invoke, given, thread, durability="sync")
        history = list(graph.get_state_history(thread))
        before = next(snapshot for snapshot in history if snapshot.next == (node,))
        states = [given, update]
        return {"state": plain(history[0].values, states), "before": plain(before.values, states)}


# --- run.seed ---------------------------------------------------------------------------------------------------------

# These members are no channels: they are read off LangGraph's own record of the run.
OF_THE_RECORD = {"status", "isComplete", "error", "threadId", "currentNodeId"}
BEGINNING = "the beginning"  # the graph's first node; has a blank, so that no node of a case is called the same


class Failure(Exception):
    """What a node raises in a run that is to fail."""


class Stage:
    """A graph `START -> beginning -> NODE -> END`, with a NODE for each that the given states name."""

    def __init__(self, saver, states):
        self.place = self.fate = None  # where the next run goes, and what becomes of it there
        self.watching, self.first = False, None  # the first step of the run that is asked about
        names = {name for state in states for name in state} - OF_THE_RECORD | set(REDUCED)
        places = {state.get("currentNodeId") or END for state in states} | {END}
        builder = StateGraph(schema(names))
        builder.add_edge(START, BEGINNING)
        for name in [BEGINNING, *sorted(places - {END})]:
            builder.add_node(name, self.node(name))
        builder.add_conditional_edges(BEGINNING, lambda state: self.place, sorted(places))
        self.graph = builder.compile(checkpointer=saver)
        self.states = states

    def node(self, name):
        def step(state):
            if self.watching and self.first is None:
                thread = get_config()["configurable"]["thread_id"]
                self.first = name, plain(state, self.states), thread, self.graph.get_state(at(thread))
            if name == self.place:
                if self.fate == "paused":
                    interrupt("paused")
                if self.fate == "cancelled":
                    raise KeyboardInterrupt  # as if it had come from the keyboard
                if isinstance(self.fate, Failure):
                    raise self.fate
            return {}

        return step

    def leave(self, thread, state):
        """A run on this thread that ended or stopped as the state says; the id of its last checkpoint."""
        status = state.get("status")
        self.place = state.get("currentNodeId") or END
        if status == "failed":
            self.fate = Failure(state.get("error"))
        elif status in ("completed", "cancelled"):
            self.fate = status
        elif status is None and self.place != END:
            self.fate = "paused"
        else:
            raise Declined(f"no run can be left with the status {status!r} at the node {self.place!r}")
        if self.place == END and status != "completed":
            raise Declined("a run fails and is cancelled in a node")
        values = channels(state)
        for name in REDUCED:  # not merged into what an earlier run on the thread has left
            value = values.get(name, [] if name == "messages" else {})
            values[name] = Overwrite(add_messages([], value) if name == "messages" else value)
        try:
            self.graph.invoke(values, at(thread), durability="sync")
        except (Failure, KeyboardInterrupt):
            pass
        return self.graph.get_state(at(thread)).config["configurable"]["checkpoint_id"]


def channels(state):
    return {name: value for name, value in state.items() if name not in OF_THE_RECORD}


def seed(session, params):
    """The state that the first step of a run is handed, and LangGraph's record of the run at that moment."""
    snapshot = params.get("snapshot")
    threads, checkpoints = params.get("threads", {}), params.get("checkpoints", {})
    given = [*checkpoints.values(), *threads.values(), *([snapshot] if snapshot else [])]
    with SqliteSaver.from_conn_string(session.new_store()) as saver:
        stage = Stage(saver, given)
        graph = stage.graph
        owners = {label: state.get("threadId") or f"the thread of {label}" for label, state in checkpoints.items()}
        ids = {label: stage.leave(owners[label], state) for label, state in checkpoints.items()}
        for thread, state in threads.items():
            stage.leave(thread, state)
        known = {stored.config["configurable"]["checkpoint_id"] for stored in saver.list(None)}

        # One call, in which every origin has its own place: a snapshot is the input, the thread and the checkpoint
        # are named in the configuration. Without a snapshot LangGraph is asked to go on, if it has anything to go on
        # with, and to begin a new turn otherwise.
        label = params.get("checkpoint")
        named = None if label is None else ids.get(label, label)
        thread = params.get("thread") or (snapshot or {}).get("threadId") or owners.get(label) or "a new thread"
        config = at(thread, named)
        stage.place, stage.fate, stage.watching = END, None, True
        with listening() as heard:
            if snapshot is not None and snapshot.get("currentNodeId"):
                stage.place = snapshot["currentNodeId"]
                config = refusing(graph.update_state, config, channels(snapshot), as_node=BEGINNING)
                input = None
            elif snapshot is not None:
                input = channels(snapshot)
            else:
                input = None if graph.get_state(config).next else {}
            refusing(graph.invoke, input, config, durability="sync")
        if stage.first is None:
            raise RuntimeError("no step began")

        name, values, thread, record = stage.first
        error = next((task.error for task in record.tasks if task.error), None)
        status = "failed" if error else None if record.next else "completed"
        answer = {
            "state": {
                **values,
                "status": status,
                "isComplete": status is not None,
                "error": error,
                "threadId": thread,
                "currentNodeId": "" if name == BEGINNING else name,
            },
            "origin": origin(graph, record.config, known, named),
        }
        if named is not None and any(named in text for text in heard):
            answer["warnings"] = [{"code": "checkpoint_not_found"}]
        return answer


def origin(graph, config, known, named):
    """What the record says: the nearest ancestor of the run's first checkpoint that was there before the run."""
    while (checkpoint := config["configurable"]["checkpoint_id"]) not in known | {named}:
        config = graph.get_state(config).parent_config
        if config is None:
            return "fresh"
    return "checkpoint" if checkpoint == named else "thread"


class listening(logging.Handler):
    """Hears what is said by a warning or in a log."""

    def __enter__(self):
        self.said = []
        self.caught = warnings.catch_warnings()
        self.caught.__enter__()
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *rest, **more: self.said.append(str(message))
        logging.getLogger().addHandler(self)
        return self.said

    def emit(self, record):
        self.said.append(record.getMessage())

    def __exit__(self, *error):
        logging.getLogger().removeHandler(self)
        self.caught.__exit__(*error)


# --- resume.* ---------------------------------------------------------------------------------------------------------

# The source file of a program. The channel is written in capitals, as no step can be.
SOURCE = """\
import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    LOG: Annotated[list, operator.add]


workflow = StateGraph(State)
{steps}

if __name__ == "__main__":
    from adapter import drive

    drive(workflow)
"""


def source(program):
    if program is None:
        return "# There was a workflow here.\n"
    lines = []
    for step in program["steps"]:
        emitted = [step["emit"]] if "emit" in step else []
        lines.append(f"workflow.add_node({step['name']!r}, lambda state: {{'LOG': {emitted!r}}})")
    followed = {name for step in program["steps"] for name in step.get("after", [])}
    for step in program["steps"]:
        after = step.get("after") or [None]
        start = "START" if after == [None] else repr(after[0] if len(after) == 1 else after)
        lines.append(f"workflow.add_edge({start}, {step['name']!r})")
        if step["name"] not in followed:
            lines.append(f"workflow.add_edge({step['name']!r}, END)")
    return SOURCE.format(steps="\n".join(lines))


# How LangGraph might say that the graph is not the one that was checkpointed, in whatever it says anything.
TELLS = re.compile(r"drift|topolog|mismatch|(source|graph|workflow|node)s?\b.{0,40}\b(changed|differ)", re.I | re.S)


def drive(workflow):
    """Runs or resumes a graph: what a program does that uses LangGraph. Called in a process of its own."""
    ask = json.loads(sys.argv[-1])
    thread, answer = at(ask["thread"]), {"began": []}
    told = {"result": False, "event": False}
    result = {}
    try:
        with SqliteSaver.from_conn_string(ask["store"]) as saver:
            graph = workflow.compile(checkpointer=saver)
            for mode, event in graph.stream(
                ask["input"],
                at(ask["thread"], ask.get("checkpoint")),
                stream_mode=["values", "updates", "tasks", "checkpoints", "custom"],
                interrupt_before=ask.get("stop", []),
                durability="sync",
            ):
                if mode == "values":
                    result = event  # the last of them is what `invoke` returns
                elif mode == "tasks" and "triggers" in event:  # the event of a step that begins
                    answer["began"].append(event["name"])
                told["event"] |= bool(TELLS.search(str(event)))
            told["result"] = bool(TELLS.search(str(result)))
            answer["log"] = "".join(graph.get_state(thread).values.get("LOG", []))
            history = list(graph.get_state_history(thread))
            # The checkpoint that was written when a step had ended, by the step's name.
            answer["checkpoints"] = {
                name: later.config["configurable"]["checkpoint_id"]
                for later, earlier in zip(history, history[1:])
                for name in earlier.next
            }
            answer["told"] = next((channel for channel in told if told[channel]), None)
    except Exception as error:
        traceback.print_exc()
        answer = {"refused": f"{type(error).__name__}: {error}"}
    Path(ask["answer"]).write_text(json.dumps(answer))


def host(path):
    """The host program: takes the graph out of the file, and has nothing else to do with it."""
    workflow = runpy.run_path(path).get("workflow")
    if workflow is not None:
        drive(workflow)


def process(session, entry, path, ask):
    """One process, through the one door or the other; its answer, and what it printed."""
    answer = session.folder / "answer.json"
    answer.unlink(missing_ok=True)
    ask = json.dumps({"store": session.store, "answer": str(answer), **ask})
    command = [path] if entry == "file" else [__file__, "host", path]
    done = subprocess.run(
        [sys.executable, *map(str, command), ask],
        cwd=session.folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    sys.stderr.write(done.stdout)
    if done.returncode != 0:
        raise RuntimeError(f"the process ended with {done.returncode}: {done.stdout[-500:]}")
    if not answer.exists():
        raise Refused("the file holds no workflow, and LangGraph runs nothing without one")
    answer = json.loads(answer.read_text())
    if "refused" in answer:
        raise Refused(answer["refused"])
    if answer["told"] is None and TELLS.search(done.stdout):
        answer["told"] = "log"
    return answer


def emitting(program, began):
    """Of the steps that began, those that emit something."""
    emits = {step["name"] for step in program["steps"] if "emit" in step}
    return [name for name in began if name in emits]


def resume_run(session, params):
    program, entry = params["program"], params["entry"]
    # `keep_source` asks for nothing: no record that LangGraph writes has a source in it.
    edit(session, params)
    thread = f"run-{len(session.runs) + 1}"
    stop = [params["stop_at"]] if "stop_at" in params else []
    answer = process(session, entry, session.file, {"thread": thread, "input": {"LOG": []}, "stop": stop})
    # LangGraph has no labels for checkpoints, so whoever wants to go back to one has to note its id.
    labels = {step["checkpoint"]: step["name"] for step in program["steps"] if "checkpoint" in step}
    notes = {label: answer["checkpoints"][name] for label, name in labels.items() if name in answer["checkpoints"]}
    session.runs[thread] = entry, notes
    return {"run": thread, "ran": emitting(program, answer["began"]), "log": answer["log"]}


def edit(session, params):
    session.program = params["program"]
    session.file.write_text(source(session.program))
    return {}


def resume_resume(session, params):
    entry, notes = session.runs[params["run"]]
    program, path = session.program, session.file
    if "program" in params:
        program, path = params["program"], session.folder / "supplied.py"
        path.write_text(source(program))
    # `allow_source_drift` has nowhere to go: LangGraph has no such option.
    checkpoint = notes.get(params["checkpoint"], params["checkpoint"])
    answer = process(session, entry, path, {"thread": params["run"], "input": None, "checkpoint": checkpoint})
    return {
        "ran": emitting(program, answer["began"]),
        "log": answer["log"],
        "drift": answer["told"] is not None,
        "channel": answer["told"],
    }


# --- The wire ---------------------------------------------------------------------------------------------------------

OPERATIONS = {
    "state.merge": merge,
    "run.seed": seed,
    "resume.run": resume_run,
    "resume.edit": edit,
    "resume.resume": resume_resume,
}


class Session:
    """What one case leaves behind: a folder with a store and a source file."""

    def __init__(self):
        self.kept = tempfile.TemporaryDirectory(prefix="standing-langgraph-")
        self.folder = Path(self.kept.name)
        self.store = str(self.folder / "checkpoints.sqlite")
        self.file = self.folder / "program.py"
        self.program = None
        self.runs = {}
        self.stores = 0

    def new_store(self):
        """A store for a question that is to find nothing of those before it."""
        self.stores += 1
        return str(self.folder / f"{self.stores}.sqlite")


def main():
    # Answers go where standard output went. Whatever else is printed goes to standard error.
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    session = Session()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        method, params = request["method"], request.get("params", {})
        reply = {"jsonrpc": "2.0", "id": request.get("id")}
        try:
            if method == "initialize":
                version = importlib.metadata.version("langgraph")
                reply["result"] = {
                    "protocol": 1,
                    "engine": {"name": "langgraph", "version": version, "language": "python"},
                    "profiles": ["runtime"],
                    "operations": list(OPERATIONS),
                }
            elif method == "reset":
                session.kept.cleanup()
                session = Session()
                reply["result"] = {}
            elif method == "shutdown":
                reply["result"] = {}
            elif method in OPERATIONS:
                reply["result"] = OPERATIONS[method](session, params)
            else:
                raise Declined(f"{method} is none of {', '.join(OPERATIONS)}")
        except Refused as refusal:
            reply["error"] = {"code": 1, "message": str(refusal), "data": {"reason": "other"}}
        except Declined as reason:
            reply["error"] = {"code": -32601, "message": str(reason)}
        except Exception as error:
            traceback.print_exc()
            reply["error"] = {"code": -32000, "message": f"{type(error).__name__}: {error}"}
        if "id" in request:
            wire.write(json.dumps(reply) + "\n")
            wire.flush()
        if method == "shutdown":
            break


if __name__ == "__main__":
    if sys.argv[1:2] == ["host"]:
        host(sys.argv[2])
    else:
        main()
