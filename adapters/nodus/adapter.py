#!/usr/bin/env python3
"""Puts Nodus (`nodus-lang` on PyPI) to the RESUME cases of `standing`.

Run it with the Python of an environment that Nodus is installed in:

    .venv-5.15.0/bin/python adapter.py

It speaks newline-delimited JSON-RPC 2.0 on its standard input and output. Every run and every resume is
a process of its own: `nodus run FILE` for the door `file`, this script as a host (`adapter.py --host
FILE`) for the door `embedded`. Nothing in here asks for Nodus's version: what is answered is what the
engine printed, returned, and left in its records. README.md says how, operation by operation.
"""

import atexit
import importlib.metadata
import inspect
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

# The workflow's state variable that steps append to: the run's log, which Nodus keeps and restores.
LOG = "run_log"
# Marks those lines of a program's output that are meant for this adapter.
MARK = "standing:"
# What a step throws at its gate.
STOPPED = "stopped"
# Where Nodus keeps its records, relative to the folder it runs in, and the member that holds a source.
RECORDS = ".nodus"
SOURCE = "workflow_source_code"
# The option by which a host asks that sources are not recorded. A Nodus without it is helped along.
KEEP_SOURCE = "persist_workflow_source"
# Seconds. Only there so that nothing stays for ever: the harness has a stricter limit of its own.
LIMIT = 120

# By which words of Nodus's own refusals we know what they are. The first that fits counts: a refusal for
# the shape also says that it "has changed since".
REASONS = [
    ("topology_mismatch", re.compile(r"step structure|topology", re.I)),
    ("no_source", re.compile(r"no source|without (a )?source", re.I)),
    ("source_drift", re.compile(r"drift|source.* (has )?changed since", re.I)),
]
# How it says on standard error that the file is not what is being run.
DRIFT_LINE = re.compile(r"^resume:.*\bhas changed since\b", re.M)


class Refused(Exception):
    """Nodus's own no."""

    def __init__(self, reason, message, **data):
        super().__init__(message)
        self.data = {"reason": reason, **data}


class Declined(Exception):
    """Something that Nodus has no notion of."""


# ---- Programs as Nodus reads them -----------------------------------------------------------------------


def quoted(text):
    """A string of the language. Its escapes are those of JSON, as far as labels and names need any."""
    return json.dumps(text, ensure_ascii=False)


def source(program):
    """What the file holds for this program; for None, a file without a workflow."""
    if program is None:
        return 'fn main() {\n    print("there is no workflow here")\n}\n'
    lines = [f"workflow {program['name']} {{", f'    state {LOG} = ""']
    for step in program["steps"]:
        name = step["name"]
        after = f" after {', '.join(step['after'])}" if step.get("after") else ""
        lines.append(f"    step {name}{after} {{")
        # The gate. It stands in every step and looks for a file, so that lifting the stop leaves the source alone.
        lines.append(f'        if (exists("stop-{name}")) {{ throw {quoted(STOPPED)} }}')
        if "emit" in step:
            lines.append(f"        print({quoted(f'{MARK}began {name}')})")
            lines.append(f"        {LOG} = {LOG} + {quoted(step['emit'])}")
        if "checkpoint" in step:
            lines.append(f"        checkpoint {quoted(step['checkpoint'])}")
        lines.append(f"        return {quoted(name)}")
        lines.append("    }")
    lines.append("}")
    lines.append("")
    lines.append("fn main() {")
    lines.append(f"    print({quoted(MARK + 'result ')} + json_stringify(run_workflow({program['name']})))")
    lines.append("}")
    return "\n".join(lines) + "\n"


def driver(run, checkpoint):
    """A script that resumes a run. It defines no workflow, so there is no second text to mistake for the run's.

    Events are what a Nodus program can listen to; only those about drift are of interest here.
    """
    return (
        "fn main() {\n"
        f"    let result = resume_workflow({quoted(run)}, {quoted(checkpoint)})\n"
        f"    print({quoted(MARK + 'result ')} + json_stringify(result))\n"
        "    for event in runtime_events() {\n"
        '        if (str_contains(event["type"], "drift")) {\n'
        f"            print({quoted(MARK + 'event ')} + event[\"type\"])\n"
        "        }\n"
        "    }\n"
        "}\n"
    )


# ---- One process of Nodus -------------------------------------------------------------------------------


class Output:
    """What a process of Nodus said."""

    def __init__(self, stdout, stderr):
        self.stderr = stderr
        self.began, self.events, self.result = [], [], None
        for line in stdout.splitlines():
            kind, _, rest = line.partition(" ")
            if kind == f"{MARK}began":
                self.began.append(rest)
            elif kind == f"{MARK}event":
                self.events.append(rest)
            elif kind == f"{MARK}result":
                self.result = json.loads(rest)

    def state(self, stopped_at=None):
        """The result of a run that went as far as it was let; any other is Nodus's no.

        Nodus answers its errors as values: a map with `ok` false, or one with `kind` and `message`, and in both
        cases exits with 0. A program that it cannot even read leaves no result, only text on standard error.
        """
        result = self.result
        if result is None:
            raise refusal(self.stderr.strip() or "nodus gave no result and no message")
        if not isinstance(result, dict):
            raise refusal(f"nodus answered {json.dumps(result)}")
        if result.get("ok") is False or "steps" not in result:
            message = result.get("error") or result.get("message") or json.dumps(result)
            raise refusal(str(message), result)
        stopped = result.get("failed") == [stopped_at] and result.get("error") == STOPPED
        if result.get("failed") and not stopped:
            raise Refused("other", f"failed at {', '.join(result['failed'])}: {result.get('error')}")
        return result

    def channel(self):
        """The strongest channel through which drift was told, or None."""
        if any("drift" in name and told for name, told in self.result.items()):
            return "result"
        if self.events:
            return "event"
        return "log" if DRIFT_LINE.search(self.stderr) else None


def refusal(message, result=None):
    """Nodus's no under the name that the cases know it by. What it says of a difference is taken over."""
    words = f"{(result or {}).get('category', '')} {message}"
    reason = next((name for name, pattern in REASONS if pattern.search(words)), "other")
    if reason != "topology_mismatch":
        return Refused(reason, message)
    named = {side: re.search(rf"steps {side}: (\w+(?:, \w+)*)", message) for side in ("added", "removed")}
    difference = {side: found[1].split(", ") for side, found in named.items() if found}
    return Refused(reason, message, **({"difference": difference} if difference else {}))


def host(path, keep_source):
    """The host program: runs a file through NodusRuntime and passes on what it printed."""
    from nodus import NodusRuntime

    options = {"timeout_ms": None, "max_stdout_chars": None}
    if not keep_source and KEEP_SOURCE in inspect.signature(NodusRuntime).parameters:
        options[KEEP_SOURCE] = False
    result = NodusRuntime(**options).run_file(path)
    sys.stdout.write(result["stdout"])
    sys.stderr.write(result["stderr"])
    if not result["ok"]:
        sys.exit(str((result.get("error") or {}).get("message", result)))


def environment():
    """The environment of such a process. The caller's settings must not move the records or change how it runs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NODUS_")}
    return {**kept, "PYTHONUTF8": "1"}


# ---- The operations -------------------------------------------------------------------------------------


class Session:
    """The runs of one case. Each has a folder of its own, for Nodus may mix up runs of one workflow that share one."""

    def __init__(self):
        self.folder = None
        self.reset()

    def reset(self):
        self.close()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="standing-nodus-"))
        self.homes = []

    def close(self):
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None

    def home(self):
        folder = self.folder / str(len(self.homes) + 1)
        folder.mkdir()
        self.homes.append(Home(folder))
        return self.homes[-1]

    def run(self, program, **how):
        return self.home().run(program, **how)

    def edit(self, program):
        for home in self.homes:
            home.edit(program)
        return {}

    def resume(self, run, checkpoint, **how):
        home = next((home for home in self.homes if run in home.started), None)
        return (home or self.home()).resume(run, checkpoint, **how)


class Home:
    """The file, the records of its runs, and how each run was started, for it is resumed in the same way."""

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "program.nd"
        self.started = {}
        self.drivers = 0

    def run(self, program, entry, stop_at=None, keep_source=True):
        self.file.write_text(source(program), encoding="utf-8")
        self.stop(stop_at)
        output = self.nodus(self.file, entry, keep_source)
        state = output.state(stop_at)
        run = state["graph_id"]
        self.started[run] = (entry, keep_source)
        if not keep_source:
            self.take_source_out(run)
        return {"run": run, "ran": output.began, "log": state["state"][LOG]}

    def edit(self, program):
        self.file.write_text(source(program), encoding="utf-8")

    def resume(self, run, checkpoint, allow_source_drift=False, program=None):
        # There is no place in a resume of Nodus where drift is allowed or not, so this goes nowhere.
        del allow_source_drift
        before = self.file.read_text(encoding="utf-8") if self.file.exists() else source(None)
        if program is not None:
            # Nodus is handed no graph. Where the record has no source it takes the one in the file, and putting it
            # there is how to supply it; where the record has one, a supplied graph has no part in anything.
            if self.copies_of_source(run):
                raise Declined("the run's record has its source, beside which Nodus takes no graph")
            self.file.write_text(source(program), encoding="utf-8")
        self.stop(None)
        # A new name each time, so that nothing Nodus has cached of an earlier script can stand in for it.
        self.drivers += 1
        script = self.folder / f"resume-{self.drivers}.nd"
        script.write_text(driver(run, checkpoint), encoding="utf-8")
        output = self.nodus(script, *self.started.get(run, ("file", True)))
        try:
            state = output.state()
        except Refused as no:
            if program is not None and no.data["reason"] == "no_source":
                # It does not look into the file either, so it takes no graph from anywhere.
                self.file.write_text(before, encoding="utf-8")
                raise Declined("Nodus takes no graph at the resume") from no
            raise
        channel = output.channel()
        return {"ran": output.began, "log": state["state"][LOG], "drift": channel is not None, "channel": channel}

    def stop(self, step):
        """Closes the gate of one step and opens all others."""
        for gate in self.folder.glob("stop-*"):
            gate.unlink()
        if step is not None:
            (self.folder / f"stop-{step}").touch()

    def nodus(self, script, door, keep_source):
        if door == "file":
            # The limits are raised: the default of 200 ms would make a slow machine look like a fault.
            command = [sys.executable, "-m", "nodus", "run", str(script)]
            command += ["--time-limit", str(LIMIT), "--output-limit", "1000000"]
        else:
            command = [sys.executable, os.path.abspath(__file__), "--host", str(script)]
            command += [] if keep_source else ["--no-source"]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=LIMIT,
            check=False,
        )
        sys.stderr.write(done.stderr)
        sys.stderr.flush()
        return Output(done.stdout, done.stderr)

    # -- The run's record --

    def records(self, run):
        """The files that Nodus keeps of a run, each as (path, what it holds)."""
        for path in sorted((self.folder / RECORDS).rglob("*.json")):
            if run in path.name:
                yield path, json.loads(path.read_text(encoding="utf-8"))

    def copies_of_source(self, run):
        return [path for path, record in self.records(run) if any(holder[SOURCE] for holder in holders(record))]

    def take_source_out(self, run):
        """Leaves the run's record as Nodus writes it where it knows no source: the member is there, and null."""
        found = list(self.records(run))
        if not found:
            raise Declined("there is no record on disk to take the source out of")
        for path, record in found:
            for holder in holders(record):
                holder[SOURCE] = None
            path.write_text(json.dumps(record), encoding="utf-8")
        first_line = self.file.read_text(encoding="utf-8").splitlines()[0]
        if any(first_line in path.read_text(encoding="utf-8") for path, _ in found):
            raise Declined("the record has its source in a place that is not known here")


def holders(record):
    """Every map within a record that has a place for the source."""
    if isinstance(record, dict):
        if SOURCE in record:
            yield record
        record = list(record.values())
    for inner in record if isinstance(record, list) else []:
        yield from holders(inner)


# ---- The wire -------------------------------------------------------------------------------------------

NO_REQUEST = {"error": {"code": -32600, "message": "a request is a JSON object"}}


def answer(message, session, operations):
    """The answer to one message, without its id."""
    method, params = message.get("method"), message.get("params") or {}
    try:
        if method == "initialize":
            engine = {"name": "nodus", "version": importlib.metadata.version("nodus-lang"), "language": "python"}
            about = {"engine": engine, "profiles": ["runtime"], "operations": list(operations)}
            return {"result": {"protocol": 1, **about}}
        if method == "reset":
            session.reset()
            return {"result": {}}
        if method == "shutdown":
            return {"result": {}}
        if method in operations:
            return {"result": operations[method](**params)}
        return {"error": {"code": -32601, "message": f"there is no operation {method}"}}
    except Refused as no:
        return {"error": {"code": 1, "message": str(no), "data": no.data}}
    except Declined as why:
        return {"error": {"code": -32601, "message": str(why)}}
    except Exception as fault:  # whatever it is, it is ours, and the next question deserves an answer
        return {"error": {"code": -32603, "message": f"the adapter failed: {type(fault).__name__}: {fault}"}}


def serve():
    # Standard output is for answers alone; whatever else would print there goes to standard error.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.stdin.reconfigure(encoding="utf-8")
    session = Session()
    atexit.register(session.close)
    operations = {"resume.run": session.run, "resume.edit": session.edit, "resume.resume": session.resume}
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            message = json.loads(line)
            said = answer(message, session, operations) if isinstance(message, dict) else NO_REQUEST
        except ValueError as fault:
            message, said = None, {"error": {"code": -32700, "message": f"this is no JSON: {fault}"}}
        if not isinstance(message, dict):
            message = {"id": None}
        if "id" in message:
            out.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **said}) + "\n")
            out.flush()
        if message.get("method") == "shutdown":
            break


if __name__ == "__main__":
    if sys.argv[1:2] == ["--host"]:
        host(sys.argv[2], keep_source="--no-source" not in sys.argv[3:])
    else:
        serve()
