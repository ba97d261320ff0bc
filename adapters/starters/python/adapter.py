#!/usr/bin/env python3
"""Puts an engine to the cases of `standing`. Python 3.9 or later, and nothing else.

    standing run --engine 'python3 adapter.py' SG-16
    standing ask loops.resolve '{"edges": []}' --engine 'python3 adapter.py'

`loops.resolve` is worked out here as an example. Put a call to your engine in its place, and add
further operations to OPERATIONS as you get to them; `standing operations NAME` prints what one is
asked and answers. What is not in that table is declined, and its cases count as unsupported.
"""

import json
import os
import sys
import traceback
from collections import defaultdict


class Refusal(Exception):
    """The engine's own no, with the word that the case looks for.

    raise Refusal("run_ended", "checkpoint cp_1 belongs to a run that has ended")
    """

    def __init__(self, reason, message, **data):
        super().__init__(message)
        self.data = {"reason": reason, **data}


class Declined(Exception):
    """The engine has no notion of what this input asks for."""


class Engine:
    """What is kept from question to question. Every case begins with a new one."""

    def __init__(self):
        self.runs = {}


# ---- The worked example. It works loops out by itself, which is your engine's to do and not an adapter's:
# ---- take it out, down to where it ends, and call your engine in its place.


def resolve_loops(engine, params):
    """Which loops the edges make, which of them each node is in, and what is odd about them."""
    after, before = defaultdict(set), defaultdict(set)
    tails = defaultdict(set)
    for edge in params["edges"]:
        source, target = edge.get("source", ""), edge.get("target", "")
        if not source or not target:
            continue  # a loose end joins nothing
        kind = kind_of(edge)
        if kind == "loopback":
            tails[target].add(source)
        elif kind not in ("tool", "agent_result"):
            after[source].add(target)
            before[target].add(source)

    # One loop a head, however many tails: all that lies on a way from the head to any of them.
    # A head that leads to no tail is a loop of its own.
    loops, diagnostics = [], []
    for head in sorted(tails):
        below = reach(after, {head})
        closing = tails[head] & below
        body = {head} | (below & reach(before, closing))
        loops.append({"head": head, "body": body, "drawn": len(body), "absorbed": []})
        for tail in sorted(tails[head] - closing):
            diagnostics.append({"code": "no_cycle", "head": head, "tail": tail})

    loops = merge(loops)
    for loop in sorted(loops, key=lambda loop: loop["head"]):
        if loop["absorbed"]:
            absorbed = sorted(loop["absorbed"])
            diagnostics.append({"code": "merged", "head": loop["head"], "absorbed": absorbed})

    # Loops that still share a node are nested, so the larger one is the outer one.
    memberships = defaultdict(list)
    for loop in sorted(loops, key=lambda loop: -len(loop["body"])):
        for node in loop["body"]:
            memberships[node].append(loop["head"])
    return {
        "loops": {loop["head"]: sorted(loop["body"]) for loop in loops},
        "memberships": memberships,
        "diagnostics": diagnostics,
    }


def kind_of(edge):
    """What an edge is: what the question says, else what handles and declared type say."""
    if "kind" in edge:
        return edge["kind"]
    leaves, arrives = edge.get("sourceHandle", ""), edge.get("targetHandle", "")
    declared = edge.get("data", {}).get("edgeType")
    if not isinstance(declared, str) or declared == "":  # then it declares nothing
        declared = "tool_availability" if arrives.endswith("-input-tool") else "data"
    if declared == "tool_availability":
        return "tool"
    if arrives.endswith("-input-loop_back"):
        return "loopback"
    if arrives.endswith("-input-trigger"):
        return "trigger"
    return "error" if leaves.endswith("-output-error") else "data"


def reach(steps, nodes):
    """These nodes, and all that can be come to from them."""
    seen, waiting = set(nodes), list(nodes)
    while waiting:
        new = steps.get(waiting.pop(), set()) - seen
        seen |= new
        waiting.extend(new)
    return seen


def merge(loops):
    """Makes one of the loops that share nodes while neither lies within the other."""
    while True:
        groups = []
        for loop in loops:
            apart, group = [], [loop]
            for other in groups:
                if any(tangled(loop["body"], member["body"]) for member in other):
                    group += other
                else:
                    apart.append(other)
            groups = [*apart, group]
        if len(groups) == len(loops):
            return loops
        # What a merger gives can be as large as another loop, and is then looked at again.
        loops = [merged(group) for group in groups]


def tangled(one, other):
    return bool(one & other) and not one < other and not other < one


def merged(group):
    """The head of the largest body as drawn, or of the first by name, stands for all of them."""
    first, *others = sorted(group, key=lambda loop: (-loop["drawn"], loop["head"]))
    heads = [head for loop in others for head in (loop["head"], *loop["absorbed"])]
    body = set().union(*(loop["body"] for loop in group))
    return {**first, "body": body, "absorbed": first["absorbed"] + heads}


# ---- The worked example ends here.


OPERATIONS = {
    "loops.resolve": resolve_loops,
}

ABOUT = {
    "protocol": 1,
    "engine": {"name": "my engine", "version": "0.1.0", "language": "python"},
    "profiles": ["runtime"],
    "operations": sorted(OPERATIONS),
}


def answer(engine, question):
    """The line that answers a question."""
    question_id, method = question.get("id"), question["method"]
    try:
        if method == "initialize":
            return reply(question_id, result=ABOUT)
        if method in ("reset", "shutdown"):
            return reply(question_id, result={})
        if method not in OPERATIONS:
            raise Declined(f"no {method} here")
        result = OPERATIONS[method](engine, question.get("params", {}))
        return reply(question_id, result=result)
    except Refusal as refusal:
        error = {"code": 1, "message": str(refusal), "data": refusal.data}
    except Declined as declined:
        error = {"code": -32601, "message": str(declined)}
    except Exception as fault:  # this file's own failure, an error of that case alone
        traceback.print_exc()
        error = {"code": -32603, "message": f"{type(fault).__name__}: {fault}"}
    return reply(question_id, error=error)


def reply(question_id, **member):
    return json.dumps({"jsonrpc": "2.0", "id": question_id, **member}, allow_nan=False)


def main(answers):
    engine = Engine()
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            question = json.loads(line.decode())
        except (ValueError, RecursionError) as fault:
            error = {"code": -32700, "message": f"no JSON: {fault}"}
            print(reply(None, error=error), file=answers, flush=True)
            continue
        if not isinstance(question, dict) or not isinstance(question.get("method"), str):
            error = {"code": -32600, "message": "no request"}
            print(reply(None, error=error), file=answers, flush=True)
            continue
        if question["method"] == "reset":
            engine = Engine()
        line = answer(engine, question)
        if "id" in question:  # without one it is a notification, which is not answered
            print(line, file=answers, flush=True)
        if question["method"] == "shutdown":
            break


if __name__ == "__main__":
    # What the engine prints, or a program that it starts, is no answer.
    with os.fdopen(os.dup(1), "w") as answers_only:
        os.dup2(2, 1)
        main(answers_only)
