"""See ci/compare/abac."""

import argparse
import concurrent.futures
import http.client
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "ci" / "compare" / "clients.d"))
import policies
import servers

POLICIES = 25
FLAG = "--authorization-policy-file"


class Client:
    """One connection for each thread."""

    def __init__(self, kubeconfig, folder):
        self.address = re.search(r"server: https://(\S+)", kubeconfig.read_text())[1]
        self.tls = servers.client_context(kubeconfig, folder)
        self.own = threading.local()

    def post(self, path, value, headers):
        if not hasattr(self.own, "connection"):
            self.own.connection = http.client.HTTPSConnection(self.address, context=self.tls, timeout=60)
        self.own.connection.request("POST", path, json.dumps(value), {"Content-Type": "application/json"} | headers)
        answer = self.own.connection.getresponse()
        body = json.loads(answer.read())
        told = body.get("status") if answer.status == 201 else body.get("message")
        return answer.status, told


def question(chance):
    """A path, a body and headers."""
    group = "/apis/authorization.k8s.io/v1"
    spec = policies.review(chance)
    if chance.random() < 0.1:
        who = {"Impersonate-User": spec["user"]} | ({"Impersonate-Group": spec["groups"][0]} if spec["groups"] else {})
        namespace = chance.choice(["shop", "other"])
        return f"{group}/selfsubjectrulesreviews", {"kind": "SelfSubjectRulesReview", "spec": {"namespace": namespace}}, who
    return f"{group}/subjectaccessreviews", {"kind": "SubjectAccessReview", "spec": spec}, {}


def ask_all(clients, count, seed):
    chance = random.Random(seed)
    questions = [question(chance) for _ in range(count)]
    allowed = different = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for asked, answers in zip(questions, pool.map(lambda q: [client.post(*q) for client in clients], questions)):
            allowed += isinstance(answers[0][1], dict) and bool(answers[0][1].get("allowed"))
            if answers[0] == answers[1]:
                continue
            different += 1
            if different <= 10:
                print(f"{json.dumps(asked)}\n  nodebound {answers[0]}\n  real      {answers[1]}")
    print(f"abac: {count} reviews, {allowed} allowed, {different} answered differently")
    return different


def refusal(command, folder):
    """What a server that does not start says after the name of the file."""
    told = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, timeout=120)
    output = told.stderr + told.stdout
    failed = re.search(r'"command failed" err=("(?:[^"\\]|\\.)*")', output)
    text = json.loads(failed[1]) if failed else output
    found = re.search(r"error reading policy file [^\s,:]+(.*)", text)
    return found[1] if found else text[-300:]


def compare_mistakes(nodebound, version, binaries, folder):
    different = 0
    for line in policies.mistakes():
        file = folder / "broken.jsonl"
        file.write_text(line + "\n")
        flags = ["--authorization-mode=ABAC", f"{FLAG}={file}", "--secure-port=0"]
        ours = refusal([nodebound, "serve", "--release", version, *flags], folder)
        real = refusal(
            [binaries / "kube-apiserver", *flags[:2], "--etcd-servers=http://127.0.0.1:1", f"--cert-dir={folder}/serving",
             "--service-account-issuer=https://x.invalid", f"--service-account-signing-key-file={folder}/nodebound/sa.key",
             f"--service-account-key-file={folder}/real/sa.pub", "--service-cluster-ip-range=10.0.0.0/24"],
            folder,
        )
        if ours == real:
            continue
        different += 1
        print(f"{line[:200]}\n  nodebound {ours[:400]}\n  real      {real[:400]}")
    print(f"abac: {len(policies.mistakes())} broken files, {different} refused in other words")
    return different


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("reviews", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--nodebound", type=pathlib.Path, required=True)
    parser.add_argument("--binaries", type=pathlib.Path, required=True)
    given = parser.parse_args()
    nodebound = given.nodebound.resolve()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="compare-abac-"))
    processes = []
    try:
        chance = random.Random(f"policies {given.seed}")
        file = folder / "policies.jsonl"
        file.write_text("".join(policies.policy(chance) + "\n" for _ in range(POLICIES)))
        flags = ["--authorization-mode=ABAC", f"{FLAG}={file}"]
        ours, real = folder / "nodebound", folder / "real"
        for each in (ours, real):
            each.mkdir()
        processes.append(servers.start_nodebound(nodebound, given.version, ours, [], flags=flags))
        processes += servers.start_real(given.binaries, ours, real, flags=flags)
        clients = [Client(each / "admin.kubeconfig", each) for each in (ours, real)]
        different = ask_all(clients, given.reviews, given.seed)
        different += compare_mistakes(nodebound, given.version, given.binaries, folder)
    finally:
        for process in processes:
            process.stop()
        shutil.rmtree(folder)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
