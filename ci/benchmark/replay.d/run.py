"""Writes an audit log and has it read in turns."""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

NODES = 500
# Of a hundred events, as logs of clusters with an audit policy that leaves out nothing show them.
NODE_EVENTS, RECEIVED = 15, 20
SLOW_SHARE = 10  # jq reads so many times less


def of_node(name):
    """What a kubelet asks for again and again."""
    return [(f"/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/{name}?timeout=10s", "update",
             {"resource": "leases", "namespace": "kube-node-lease", "name": name, "apiGroup": "coordination.k8s.io",
              "apiVersion": "v1"}),
            (f"/api/v1/nodes/{name}?resourceVersion=0&timeout=10s", "get",
             {"resource": "nodes", "name": name, "apiVersion": "v1"}),
            (f"/api/v1/pods?fieldSelector=spec.nodeName%3D{name}&limit=500&resourceVersion=0", "list",
             {"resource": "pods", "apiVersion": "v1"})]


def of_team(team, name):
    """What controllers read."""
    return [(f"/api/v1/namespaces/{team}/{resource}/{name}", "get",
             {"resource": resource, "namespace": team, "name": name, "apiVersion": "v1"})
            for resource in ("pods", "configmaps", "services")]


def event(chance, number):
    node = chance.randrange(NODES)
    by_node = chance.randrange(100) < NODE_EVENTS
    user = (f"system:node:ip-10-0-{node // 250}-{node % 250}.ec2.internal" if by_node
            else f"system:serviceaccount:team-{node % 40}:controller")
    groups = (["system:nodes", "system:authenticated"] if by_node
              else ["system:serviceaccounts", f"system:serviceaccounts:team-{node % 40}", "system:authenticated"])
    name = user.removeprefix("system:node:") if by_node else f"web-{chance.randrange(10**9):09}"
    uri, verb, reference = chance.choice(of_node(name) if by_node else of_team(f"team-{node % 40}", name))
    received = chance.randrange(100) < RECEIVED
    seconds = number // 200
    clock = f"2026-12-{1 + seconds // 86400:02}T{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    out = {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "Metadata",
           "auditID": f"{chance.getrandbits(128):032x}", "stage": "RequestReceived" if received else "ResponseComplete",
           "requestURI": uri, "verb": verb, "user": {"username": user, "uid": f"{node:032x}", "groups": groups},
           "sourceIPs": [f"10.0.{node // 250}.{node % 250}"],
           "userAgent": "kubelet/v1.36.3 (linux/amd64) kubernetes/abcdef0" if by_node else "controller/v0.0.0 (linux/amd64)",
           "objectRef": reference}
    if not received:
        out |= {"responseStatus": {"metadata": {}, "code": 200}}
    out |= {"requestReceivedTimestamp": f"{clock}.{number % 200 * 5000:06}Z",
            "stageTimestamp": f"{clock}.{number % 200 * 5000 + 900:06}Z"}
    if not received:
        out["annotations"] = {"authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": ""}
    return json.dumps(out, separators=(",", ":")) + "\n"


def write_log(path, megabytes):
    chance = random.Random(1)
    size = number = 0
    with open(path, "w") as log:
        while size < megabytes * 1_000_000:
            line = event(chance, number)
            log.write(line)
            size += len(line)
            number += 1


def head(path, to, share):
    size = path.stat().st_size // share
    with open(path, "rb") as log, open(to, "wb") as out:
        out.write(log.read(size))
        out.write(log.readline())


def measured(command):
    """What it prints, and seconds of processor time."""
    before = os.times()
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True)
    after = os.times()
    return done.stdout, (after.children_user + after.children_system) - (before.children_user + before.children_system)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodebound", required=True, type=pathlib.Path)
    parser.add_argument("--filter", required=True, type=pathlib.Path)
    parser.add_argument("--megabytes", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nodebound-benchmark-") as work:
        log, short = pathlib.Path(work) / "audit.log", pathlib.Path(work) / "short.log"
        write_log(log, arguments.megabytes)
        head(log, short, SLOW_SHARE)

        def replay(path):
            return [arguments.nodebound, "replay", path, "--from", "1.36.3", "--to", "1.37.1", "--default-rbac",
                    "--fail-on", "nothing", "--format", "json"]

        nodes = 'select(.stage != "RequestReceived" and (.user.username | startswith("system:node:"))) | 1'
        asked = {"nodebound replay": (log, replay(log)), "Go, encoding/json": (log, [arguments.filter, log]),
                 "jq": (short, ["jq", "-c", nodes, short])}
        counts = {"nodebound replay": lambda text: json.loads(text)["summary"]["requests"],
                  "Go, encoding/json": int, "jq": lambda text: text.count("\n")}
        rates, found = {name: [] for name in asked}, {}
        for _ in range(arguments.rounds):
            for name, (path, command) in asked.items():
                text, seconds = measured(command)
                found[name] = counts[name](text)
                rates[name].append(path.stat().st_size / 1e6 / seconds)
        of_short = json.loads(measured(replay(short))[0])["summary"]["requests"]
    ours = statistics.median(rates["nodebound replay"])
    for name, each in rates.items():
        rate = statistics.median(each)
        print(f"{name:20} {rate:8.1f} MB for a second of a core" + (f", {ours / rate:6.1f} times slower" if rate != ours else ""))
    right = found["nodebound replay"] == found["Go, encoding/json"] and of_short == found["jq"]
    if not right:
        print(f"✗ counted differently: {found}, and {of_short} in what jq read")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
