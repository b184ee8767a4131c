"""An authorizer that decides nothing, or talks badly: a suite that it passes proves nothing.

    nodebound run --target "exec:python3 ci/samples/exec/null.py allow"

The word says what it does: allow, deny, no-opinion and error answer every question so; the others break the protocol.
"""
import json
import os
import select
import sys
import time

how = sys.argv[1]
DECISIONS = {"allow": "allow", "deny": "deny", "no-opinion": "no opinion", "error": "error"}


def say(line):
    print(json.dumps(line), flush=True)


def answer_backwards():
    """What is under way at a time is answered in the other order, which the protocol allows."""
    text = b""
    while True:
        while select.select([0], [], [], 0.02)[0]:
            got = os.read(0, 65536)
            if not got:
                return
            text += got
        *lines, text = text.split(b"\n")
        for line in reversed([json.loads(each) for each in lines]):
            if "id" in line:
                say({"id": line["id"], "decision": "no opinion"})


def main():
    # Unbuffered, so that nothing of what follows is taken along.
    while os.read(0, 1) != b"\n":
        pass
    if how == "silent":
        time.sleep(3600)
    if how == "dies-at-once":
        sys.exit("cannot find my policy")
    if how == "not-json":
        print("Listening on stdin", flush=True)
    version = 2 if how == "other-version" else 1
    say({"protocol": "nodebound.dev/exec", "version": version, "reviews": ["SubjectAccessReview"], "objects": "lines"})
    if how == "unasked":
        say({"id": 99999, "decision": "allow"})
    while how == "flood":
        sys.stdout.write("x" * 65536)
    if how == "backwards":
        return answer_backwards()
    asked = 0
    for text in sys.stdin:
        line = json.loads(text)
        if "id" not in line:
            continue
        asked += 1
        if how == "stall":
            time.sleep(3600)
        if how == "dies" and asked > 3:
            sys.exit("out of ideas")
        if how == "noise":
            sys.stderr.write("thinking...\n" * 1000)
        if how == "slow":
            time.sleep(0.01)
        number = line["id"] + 1 if how == "wrong-id" else str(line["id"]) if how == "text-id" else line["id"]
        answer = {"id": number, "decision": DECISIONS.get(how, "no opinion")}
        if how == "long-line":
            answer["reason"] = "x" * 100000
        if how == "unknown-word":
            answer["decision"] = "yes"
        say(answer)
        if how == "twice":
            say(answer)
    if how == "last-word":
        say({"id": 1, "decision": "allow"})


main()
