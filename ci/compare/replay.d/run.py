"""Has two API servers asked the same, replays the audit logs of the one, and compares what is predicted with what the other did.

Exit codes: 0 as predicted, 1 something differs, 3 a server did not start.
"""

import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "clients.d"))
sys.path.insert(0, str(HERE))
import kubelets  # noqa: E402
import play  # noqa: E402
import servers  # noqa: E402

LEVELS = ("Metadata", "Request", "RequestResponse")
KUBELETS = 2
# What an SRE gives as --cluster: of secrets and configuration, nothing.
DUMPED = ("/api/v1/nodes", "/api/v1/pods", "/api/v1/persistentvolumes", "/api/v1/persistentvolumeclaims",
          "/api/v1/serviceaccounts", "/apis/storage.k8s.io/v1/csidrivers", "/apis/storage.k8s.io/v1/volumeattachments",
          *(f"/apis/rbac.authorization.k8s.io/v1/{kind}"
            for kind in ("clusterroles", "clusterrolebindings", "roles", "rolebindings")))


# What only stands for what a release does not serve, or for an object that an earlier one lacks for that reason.
NOT_SERVED = 404


def play_all(player, requests, of_kubelets):
    """Says which objects could not be made: without them the other requests would show little."""
    out = []
    for request in requests:
        code = player.play(request)
        if code is not None and "as" not in request and code >= 300 and code != NOT_SERVED:
            out.append(f"{request['send']} was answered with {code}")
        if request.get("kubelets"):
            for each in of_kubelets:
                code = player.play(each)
                if each["send"].startswith("POST") and code >= 300 and code not in (409, NOT_SERVED):
                    out.append(f"{each['send']} of a kubelet was answered with {code}")
    return out


def record_kubelets(arguments, folder, requests):
    """What kubelets of the release ask for while the administrator makes the objects that the others need, too."""
    folder.mkdir()
    log = folder / "audit.log"
    server = servers.start_nodebound(arguments.nodebound, arguments.from_version, folder, ["node-0001"],
                                     ["--kubelets", str(KUBELETS), "--audit-log-path", log])
    try:
        certificates = play.issue_all(folder, folder, arguments.users)
        player = play.Player(folder / "admin.kubeconfig", certificates)
        for request in requests:
            if request.get("kubelets"):
                break
            player.play(request)
        time.sleep(15)
        return certificates, kubelets.requests_of(log, player, arguments.from_version)
    finally:
        server.stop()


def on_real(binaries, credentials, certificates, folder, level, requests, of_kubelets):
    """Plays everything on a kube-apiserver that logs at that level."""
    folder.mkdir(parents=True)
    (folder / "policy.yaml").write_text(
        f"apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules:\n- level: {level}\n")
    running = servers.start_real(
        binaries, credentials, folder,
        [f"--audit-log-path={folder}/audit.log", f"--audit-policy-file={folder}/policy.yaml"])
    try:
        player = play.Player(folder / "admin.kubeconfig", certificates)
        if lacking := play_all(player, requests, of_kubelets):
            raise SystemExit("replay: not made at " + str(folder) + ":\n  " + "\n  ".join(lacking))
        dump = {"apiVersion": "v1", "kind": "List", "items": []}
        for path in DUMPED:
            code, answer = player.ask("GET", path)
            listed = json.loads(answer)
            if code == 200:
                kind = {"kind": listed["kind"].removesuffix("List"), "apiVersion": listed["apiVersion"]}
                dump["items"] += [kind | item for item in listed["items"]]
        (folder / "cluster.json").write_text(json.dumps(dump))
        return player.answers
    finally:
        for each in running:
            each.stop()


def events_of(log):
    """The last event of each request that we sent."""
    out = {}
    for line in log.read_text().splitlines():
        event = json.loads(line)
        if event["auditID"].startswith("request-"):
            out[event["auditID"]] = event
    return out


def group_of(event):
    """How replay tells requests apart."""
    user = event.get("impersonatedUser") or event["user"]
    node = user["username"].startswith("system:node:") and "system:nodes" in user.get("groups", [])
    reference = event.get("objectRef")
    resource = event["requestURI"].split("?")[0]
    if reference and "resource" in reference:
        resource = "/".join(filter(None, (reference["resource"], reference.get("subresource"))))
    return event.get("userAgent", "").split(" ")[0], f"{event['verb']} {resource}", "nodes" if node else user["username"]


def was_refused(code, message):
    """By authorization or admission, or by validation for the lack of a right."""
    return code == 403 or (code == 422 and "Forbidden: " in message and "requires resource=" in message)


def observed(events, before, after):
    """What the other server answers otherwise: newly refused and newly allowed, by group."""
    out = {"newly-refused": collections.Counter(), "newly-allowed": collections.Counter()}
    for audit_id, event in events.items():
        refused, refused_then = was_refused(*before[audit_id]), was_refused(*after[audit_id])
        if refused != refused_then:
            out["newly-refused" if refused_then else "newly-allowed"][group_of(event)] += 1
    return out


def predicted(replay):
    out = {"newly-refused": collections.Counter(), "newly-allowed": collections.Counter(),
           "disagrees": collections.Counter()}
    for finding in replay["findings"]:
        out[finding["outcome"]][finding.get("user_agent", ""), finding["request"], finding["who"]] += finding["count"]
    return out


def replayed(arguments, folder, level, to):
    out = folder / f"replay-{to}"
    known = ["--cluster", folder / "cluster.json"] if level != "RequestResponse" else ["--whole-state"]
    done = subprocess.run(
        [arguments.nodebound, "replay", folder / "audit.log", "--from", arguments.from_version, "--to", to, *known,
         "--verbose", "--fail-on", "nothing", "--out", out], capture_output=True, text=True, check=False)
    (folder / f"replay-{to}.txt").write_text(done.stdout + done.stderr)
    if done.returncode != 0:
        raise SystemExit(f"replay: nodebound replay ended with {done.returncode}; see {folder}/replay-{to}.txt")
    return json.loads((out / "replay.json").read_text())


def differences(level, replay, seen):
    """Where predictions and the other server differ. What a log does not show is no difference, but nothing may be
    predicted that is not so."""
    found = predicted(replay)
    unknown = replay["summary"]["unknown"]
    out = [f"decided otherwise than recorded: {group}, {count} times" for group, count in found["disagrees"].items()]
    for outcome in ("newly-refused", "newly-allowed"):
        out += [f"{outcome} was predicted and is not so: {group}, {count} times"
                for group, count in (found[outcome] - seen[outcome]).items()]
        missing = seen[outcome] - found[outcome]
        if missing.total() > unknown:
            out += [f"{outcome} was not predicted: {group}, {count} times" for group, count in missing.items()]
        elif missing:
            print(f"    cannot tell at {level}: " + ", ".join(f"{who[0]} {who[1]}" for who in missing))
            unknown -= missing.total()
    return out


def compare(arguments, folder, level, before, after):
    events = events_of(folder / "audit.log")
    summary = replayed(arguments, folder, level, arguments.from_version)["summary"]
    agreed = summary["compared"] - summary["disagreeing"]
    print(f"{level:16} {summary['requests']:4} requests, {summary['decided']:4} decided, "
          f"{agreed} of {summary['compared']} agree at {arguments.from_version}")
    out = []
    if agreed < 0.999 * summary["compared"] or summary["newly_refused"] or summary["newly_allowed"]:
        out.append(f"{level}: too few agree, or a release decides otherwise than itself")
    replay = replayed(arguments, folder, level, arguments.to_version)
    seen = observed(events, before, after)
    print(f"{'':16} {replay['summary']['newly_refused']} predicted as newly refused at {arguments.to_version}, "
          f"{seen['newly-refused'].total()} are; {replay['summary']['newly_allowed']} as newly allowed, "
          f"{seen['newly-allowed'].total()} are; {replay['summary']['unknown']} cannot be told")
    return out + [f"{level}: {line}" for line in differences(level, replay, seen)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("nodebound", "from-binaries", "to-binaries", "out"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    for name in ("from-version", "to-version"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    told = tomllib.loads((HERE / "requests.toml").read_text())
    arguments.users = told["users"]
    shutil.rmtree(arguments.out, ignore_errors=True)
    arguments.out.mkdir(parents=True)
    out = arguments.out.resolve()
    failures = []
    with tempfile.TemporaryDirectory(prefix="nodebound-replay-") as work:
        credentials = pathlib.Path(work) / "credentials"
        certificates, of_kubelets = record_kubelets(arguments, credentials, told["request"])
        print(f"{len(told['request'])} requests of requests.toml, {len(of_kubelets)} of {KUBELETS} kubelets")

        def run(binaries, folder, level):
            return on_real(binaries, credentials, certificates, folder, level, told["request"], of_kubelets)

        after = run(arguments.to_binaries, out / "to", "Metadata")
        for level in LEVELS:
            before = run(arguments.from_binaries, out / level, level)
            failures += compare(arguments, out / level, level, before, after)
        shutil.rmtree(out / "to" / "etcd", ignore_errors=True)
    for failure in failures:
        print(f"✗ {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
