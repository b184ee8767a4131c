"""Asks Nodebound and the API server's own compiler the same match conditions, and prints what they answer differently."""

import collections
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import answer_lines
from expressions import Expressions

REQUESTS = [
    {"user": "system:node:a", "groups": ["system:nodes", "system:authenticated"], "uid": "u",
     "extra": {"k": ["v1", "v2"]},
     "resourceAttributes": {"verb": "get", "resource": "pods", "namespace": "shop", "name": "x", "version": "v1"}},
    {"user": "alice", "groups": [], "nonResourceAttributes": {"path": "/healthz", "verb": "get"}},
    {"user": "bob é", "groups": ["a"], "extra": {"k": []},
     "resourceAttributes": {"verb": "list", "resource": "secrets",
                            "fieldSelector": {"requirements": [{"key": "metadata.name", "operator": "In", "values": ["a"]}]},
                            "labelSelector": {"rawSelector": "a=b"}}},
]


def difference(ours, theirs):
    """What differs, or nothing; and whether Nodebound said that it does not support the expression."""
    refused = "refused" in ours
    if refused and "Nodebound does not support" in ours["refused"]:
        return "unsupported"
    if refused != ("refused" in theirs):
        return "accepted"
    if refused:
        if ours["refused"] == theirs["refused"]:
            return None
        return "syntax error's text" if "Syntax error" in theirs["refused"] else "error's text"
    for mine, other in zip(ours["answers"], theirs["answers"]):
        if mine.get("match") != other.get("match"):
            return "answer"
        if mine.get("error") != other.get("error"):
            return "evaluation's error"
        if mine["cost"] != other["cost"]:
            return "cost"
    return None


def main():
    arguments = answer_lines.arguments()
    made = Expressions(arguments.seed)
    expressions = [made.one() for _ in range(arguments.count)]
    lines = [json.dumps(one) for one in expressions]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as requests:
        json.dump(REQUESTS, requests)
        requests.flush()
        ours = answer_lines.answers([arguments.ours, arguments.version, requests.name], lines)
        theirs = answer_lines.answers([arguments.theirs, "answers", requests.name], lines)
    shown = collections.Counter()
    for expression, mine, other in zip(expressions, ours, theirs):
        what = difference(mine, other)
        shown[what] += 1
        if what and shown[what] <= arguments.show:
            print(f"{what}: {expression}\n  nodebound  {json.dumps(mine)}\n  upstream   {json.dumps(other)}")
    accepted = sum("answers" in other for other in theirs)
    print(f"expressions    {len(lines)}, of which upstream takes {accepted}")
    print(f"same           {shown.pop(None, 0)}")
    for what, count in sorted(shown.items()):
        print(f"{what:24} {count}")
    sys.exit(1 if shown else 0)


if __name__ == "__main__":
    main()
