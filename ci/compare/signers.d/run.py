"""Sends the requests of cases.py to both sides, and compares what comes of them; see ci/compare/signers."""

import argparse
import base64
import datetime
import json
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "ci" / "compare" / "clients.d"))
import cases
import servers

VERSION = "certificates.k8s.io/v1"
PATH = f"/apis/{VERSION}/certificatesigningrequests"
RBAC = "rbac.authorization.k8s.io"
AUTHORS = {
    "node": ("system:node:a", ["system:nodes"]),
    "bootstrapper": ("system:bootstrap:abcdef", ["system:bootstrappers"]),
    "stranger": ("jane", ["readers"]),
}
LONGEST = "24h"
# Roles for everybody, and what the approver asks about.
BINDINGS = [("system:node-bootstrapper", "system:bootstrappers"), ("system:node-bootstrapper", "readers"),
            ("system:certificates.k8s.io:certificatesigningrequests:selfnodeclient", "system:nodes"),
            ("system:certificates.k8s.io:certificatesigningrequests:nodeclient", "system:bootstrappers")]


def arguments():
    parser = argparse.ArgumentParser()
    for flag in ("--version", "--seed"):
        parser.add_argument(flag, required=True)
    for flag in ("--nodebound", "--binaries", "--components", "--out"):
        parser.add_argument(flag, required=True, type=pathlib.Path)
    parser.add_argument("--count", required=True, type=int)
    return parser.parse_args()


class Side:
    def __init__(self, name, folder):
        self.name = name
        kubeconfig = folder / "admin.kubeconfig"
        self.url = re.search(r"server: (\S+)", kubeconfig.read_text())[1]
        self.client = servers.client_context(kubeconfig, folder)

    def call(self, method, path, value=None, author=None):
        headers = {"Content-Type": "application/json"}
        if author:
            # urllib keeps one value of each header, and each author is in one group.
            headers["Impersonate-User"], (headers["Impersonate-Group"],) = AUTHORS[author]
        asked = urllib.request.Request(self.url + path, method=method, headers=headers,
                                       data=json.dumps(value).encode() if value else None)
        try:
            with urllib.request.urlopen(asked, context=self.client, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def prepare(self):
        for number, (role, group) in enumerate(BINDINGS):
            self.call("POST", f"/apis/{RBAC}/v1/clusterrolebindings", {
                "metadata": {"name": f"signers-{number}"}, "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": role},
                "subjects": [{"apiGroup": RBAC, "kind": "Group", "name": group}]})

    def request(self, author, approved, request):
        status, answer = self.call("POST", PATH, request, author)
        if status != 201:
            return f"{status} {answer.get('message')}"
        while approved:
            _, current = self.call("GET", f"{PATH}/{request['metadata']['name']}")
            conditions = current["status"].setdefault("conditions", [])
            if any(one["type"] == "Approved" for one in conditions):
                break  # the controller was faster
            conditions.append({"type": "Approved", "status": "True", "reason": "ByHand", "message": "m"})
            # Both come to the same but for the words, so the controller's are taken for ours.
            if self.call("PUT", f"{PATH}/{request['metadata']['name']}/approval", current)[0] == 200:
                break
        return "created"

    def statuses(self):
        return {item["metadata"]["name"]: item["status"] for item in self.call("GET", PATH)[1]["items"]}


def settled(side, seconds=4):
    """What is said of each request once nothing has changed for a while."""
    before, since = side.statuses(), time.monotonic()
    while time.monotonic() - since < seconds:
        time.sleep(0.3)
        now = side.statuses()
        if now != before:
            before, since = now, time.monotonic()
    return before


def described(encoded):
    """What a certificate says; times as how long it is valid."""
    pem = base64.b64decode(encoded)
    text = subprocess.run(["openssl", "x509", "-noout", "-subject", "-issuer", "-dates", "-ext",
                           "subjectAltName,keyUsage,extendedKeyUsage,basicConstraints"], input=pem, capture_output=True, check=True).stdout.decode()
    times = [datetime.datetime.strptime(each, "%b %d %H:%M:%S %Y %Z") for each in re.findall(r"not(?:Before|After)=(.*)", text)]
    valid = round((times[1] - times[0]).total_seconds() / 10)
    lines = [" ".join(line.split()) for line in text.splitlines() if not line.startswith("not")]
    return lines + [f"valid for {valid}0 s"]


def outcome(status, by_hand):
    out = []
    for condition in status.get("conditions", []):
        words = [condition["reason"], condition.get("message", "")]
        # The controller and the administrator raced each other to approve it.
        out.append([condition["type"], *([] if by_hand and condition["type"] == "Approved" else words)])
    if status.get("certificate"):
        out += described(status["certificate"])
    return out


def main():
    given = arguments()
    own, other = servers.fresh_folders(given.out, "nodebound", "real")
    requests = cases.Requests(own)
    running = [servers.start_nodebound(given.nodebound, given.version, own, ["a"], more=[
        "--controllers", "csrapproving,csrsigning", "--cluster-signing-duration", LONGEST])]
    try:
        running += servers.start_real(given.binaries, own, other)
        running.append(servers.Process("kube-controller-manager", [
            given.components / "kube-controller-manager", f"--kubeconfig={other}/admin.kubeconfig", "--leader-elect=false",
            "--controllers=csrapproving,csrsigning", f"--cluster-signing-cert-file={own}/ca.crt",
            f"--cluster-signing-key-file={own}/ca.key", f"--cluster-signing-duration={LONGEST}", "--secure-port=0"], other))
        sides = [Side("nodebound", own), Side("kube-controller-manager", other)]
        for side in sides:
            side.prepare()
        differ, drawn = 0, list(cases.draw(given.count, given.seed, requests, VERSION))
        by_hand = {request["metadata"]["name"]: approved for _, approved, request in drawn}
        for author, approved, request in drawn:
            said = [side.request(author, approved, request) for side in sides]
            if said[0] != said[1]:
                differ += 1
                print(f"{json.dumps(request)} by {author}:\n  " + "\n  ".join(said))
        ends = [settled(side) for side in reversed(sides)][::-1]
        issued = failed = 0
        for name in ends[0]:
            came = [outcome(end.get(name, {}), by_hand[name]) for end in ends]
            issued += "certificate" in ends[1][name]
            failed += any(one[0] == "Failed" for one in came[1])
            if came[0] != came[1]:
                differ += 1
                print(f"{name} {json.dumps([case for case in drawn if case[2]['metadata']['name'] == name])}:")
                for side, one in zip(sides, came):
                    print(f"  {side.name}: {one}")
        running[-1].check()
    finally:
        for process in reversed(running):
            process.stop()
    print(f"signers: {len(drawn)} requests, of which a kube-controller-manager {given.version} signed {issued} and failed {failed}; "
          f"{differ} differ")
    if issued == 0 or failed == 0:
        raise SystemExit("signers: nothing was signed, or nothing failed: the comparison says nothing")
    raise SystemExit(1 if differ else 0)


if __name__ == "__main__":
    main()
