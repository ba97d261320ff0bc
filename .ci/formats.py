"""Reads reports with tools that others wrote: `formats.py FORMAT FILE…`."""

import collections
import json
import re
import sys


def outcomes(path):
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    return {case["case"]: case["outcome"] for rule in record["rules"] for case in rule["cases"]}


def beside(path):
    return outcomes(path.rsplit("/", 1)[0] + "/standing.json")


def junit(schema, *files):
    from lxml import etree
    schema = etree.XMLSchema(etree.parse(schema))
    for path in files:
        document = etree.parse(path, etree.XMLParser(huge_tree=True))
        schema.assertValid(document)
        cases = {f'{c.get("classname")}/{c.get("name")}': c for c in document.iter("testcase")}
        expected = beside(path)
        assert cases.keys() == expected.keys(), cases.keys() ^ expected.keys()
        for name, outcome in expected.items():
            child = {"fail": "failure", "error": "error", "timeout": "error",
                     "unsupported": "skipped", "skipped": "skipped"}.get(outcome)
            found = [c.tag for c in cases[name] if c.tag in ("failure", "error", "skipped")]
            assert found == [child] * bool(child), (name, outcome, found)


def earl(*files):
    import rdflib
    earl = rdflib.Namespace("http://www.w3.org/ns/earl#")
    words = {"pass": "passed", "fail": "failed", "error": "cantTell", "timeout": "cantTell", "unsupported": "inapplicable"}
    for path in files:
        graph = rdflib.Graph().parse(path, format="json-ld")
        expected = collections.Counter(words.get(o, "untested") for o in beside(path).values())
        found = collections.Counter()
        for assertion in graph.subjects(rdflib.RDF.type, earl.Assertion):
            for needed in (earl.assertedBy, earl.subject, earl.test, earl.result, earl.mode):
                assert len(list(graph.objects(assertion, needed))) == 1, (path, needed)
            test = graph.value(assertion, earl.test)
            outcome = graph.value(graph.value(assertion, earl.result), earl.outcome)
            if (test, rdflib.RDF.type, earl.TestCase) in graph:
                found[outcome.removeprefix(str(earl))] += 1
        assert found == expected, (path, found, expected)


def record(schema, *files):
    import jsonschema
    with open(schema, encoding="utf-8") as file:
        validator = jsonschema.Draft202012Validator(json.load(file))
    for path in files:
        with open(path, encoding="utf-8") as file:
            validator.validate(json.load(file))


def markdown(*files):
    from markdown_it import MarkdownIt
    for path in files:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
        for tag in ("script", "img", "svg"):
            assert f"<{tag}" not in html, (path, tag)
        tables = re.findall(r"<table>.*?</table>", html, re.S)
        assert tables, path
        for table in tables:
            rows = [len(re.findall(r"<t[dh][ >]", row)) for row in re.findall(r"<tr>.*?</tr>", table, re.S)]
            assert len(set(rows)) == 1, (path, rows)


def badges(*files):
    for path in files:
        with open(path, encoding="utf-8") as file:
            badge = json.load(file)
        assert badge["schemaVersion"] == 1, path
        assert set(badge) == {"schemaVersion", "label", "message", "color"}, path
        assert all(isinstance(badge[m], str) and badge[m] for m in ("label", "message", "color")), path


def annotations(*files):
    for path in files:
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().split("\n")
        assert lines.pop() == "", path
        bad = sum(outcome in ("fail", "error", "timeout") for outcome in beside(path).values())
        assert len(lines) == bad, (path, len(lines), bad)
        for line in lines:
            assert re.fullmatch(r"::error file=[^:,\r\n]+,line=\d+,title=[^:,\r\n]+::[^\r\n]*", line), line[:300]


def tap(parsed, record_path):
    with open(parsed, encoding="utf-8") as file:
        events = json.load(file)
    final = next(data for name, *rest in events for data in rest if name == "complete")
    failures = [f for f in final.get("failures", []) if f.get("tapError")]
    assert not failures, failures[:3]
    expected = collections.Counter(outcomes(record_path).values())
    children = [event[1] for event in events if event[0] == "child"]
    results = [event[1] for child in children for event in child if event[0] == "assert"]
    found = collections.Counter(
        "skip" if r.get("skip") else "pass" if r["ok"] else "bad" for r in results)
    wanted = collections.Counter({
        "pass": expected["pass"], "skip": expected["unsupported"] + expected["skipped"],
        "bad": expected["fail"] + expected["error"] + expected["timeout"]})
    assert found == +wanted, (found, wanted)


def main():
    what, *files = sys.argv[1:]
    globals()[what](*files)
    print(f"ok: {what}, {len(files)} files")


if __name__ == "__main__":
    main()
