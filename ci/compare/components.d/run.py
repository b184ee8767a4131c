"""Runs the components of a cluster on `nodebound serve` and on a real kube-apiserver, and compares what they did.

Exit codes: 0 the same, 1 something differs that allowed.toml does not name, 3 a component or server did not start.
"""

import argparse
import base64
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "clients.d"))
import audit  # noqa: E402
import servers  # noqa: E402

NODE = "stock"
STATIC_POD = ('{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "static", "namespace": "kube-system"}, '
              '"spec": {"containers": [{"name": "a", "image": "registry.invalid/a"}]}}')
POLICY = '{"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": [{"level": "Metadata"}]}'
# A process of ours ends with us, however we end.
BOUND = ("setpriv", "--pdeathsig", "KILL")


class WalkFailed(Exception):
    pass


def issue(authority, folder, user):
    """A client certificate of the common authority."""
    key, request, certificate = (folder / f"client.{end}" for end in ("key", "csr", "crt"))

    def run(*command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out",
        request, "-subj", f"/CN={user}")
    run("openssl", "x509", "-req", "-in", request, "-CA", authority / "ca.crt", "-CAkey", authority / "ca.key",
        "-set_serial", str(time.time_ns()), "-days", "1", "-out", certificate)
    return certificate.read_bytes(), key.read_bytes()


class Side:
    """An API server with components of its own."""

    def __init__(self, name, arguments, folder):
        self.name = name
        self.arguments = arguments
        self.folder = folder
        self.processes = []
        self.kept = {}

    def start_components(self, authority):
        self.context = servers.client_context(self.folder / "admin.kubeconfig", self.folder)
        text = (self.folder / "admin.kubeconfig").read_text()
        self.url = re.search(r"server: (\S+)", text)[1]
        for component in ("kube-controller-manager", "kube-scheduler"):
            certificate, key = issue(authority, self.folder, f"system:{component}")
            own = text
            for field, value in (("client-certificate-data", certificate), ("client-key-data", key)):
                own = re.sub(rf"{field}: \S+", f"{field}: {base64.b64encode(value).decode()}", own)
            (self.folder / f"{component}.kubeconfig").write_text(own)
        bootstrap = re.sub(r"client-certificate-data: \S+", "token: abcdef.0123456789abcdef", text)
        bootstrap = re.sub(r"\n *client-key-data: \S+", "", bootstrap)
        (self.folder / "bootstrap.kubeconfig").write_text(bootstrap)
        if self.folder != authority:
            shutil.copy(authority / "ca.crt", self.folder)
        self.start("kube-controller-manager", "--use-service-account-credentials",
                   f"--service-account-private-key-file={authority}/sa.key", f"--root-ca-file={authority}/ca.crt",
                   f"--cluster-signing-cert-file={authority}/ca.crt", f"--cluster-signing-key-file={authority}/ca.key",
                   "--node-startup-grace-period=8s", f"--controllers={','.join(CONTROLLERS)}")
        self.start("kube-scheduler")
        (self.folder / "static").mkdir()
        (self.folder / "static" / "static.json").write_text(STATIC_POD)

    def start(self, component, *flags):
        program = self.arguments.components / component
        config = self.folder / f"{component}.kubeconfig"
        self.run(component, program, f"--kubeconfig={config}", "--secure-port=0", *flags)

    def start_kubelet(self):
        port, = servers.free_ports(1)
        self.run("kubelet", self.arguments.components / "stock-kubelet", self.folder, NODE, port)

    def run(self, name, *command):
        self.processes.append(servers.Process(name, [*BOUND, *command], self.folder))

    def ask(self, method, path, body=None, content_type="application/json"):
        request = urllib.request.Request(self.url + path, None if body is None else body.encode(), method=method,
                                         headers={"Content-Type": content_type})
        try:
            with urllib.request.urlopen(request, context=self.context, timeout=30) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as refused:
            text = refused.read().decode(errors="replace")
            return refused.code, json.loads(text) if text.startswith("{") else text

    def walk(self, steps):
        for step in steps:
            if "send" in step:
                method, path = step["send"].split(" ", 1)
                body = step.get("body")
                for name, value in self.kept.items():
                    body = body and body.replace("{" + name + "}", value)
                code, answer = self.ask(method, path, body, step.get("as", "application/json"))
                if code not in (200, 201, 202):
                    raise WalkFailed(f"{self.name}: {step['name']}: {step['send']} answered {code}: {answer}")
                self.kept.update({name: values_at(answer, at.split("."))[0] for name, at in step.get("keep", {}).items()})
            for condition in step.get("until", []):
                self.wait(step["name"], condition)

    def wait(self, step, condition):
        end = time.monotonic() + 90
        while True:
            for process in self.processes:
                process.check()
            code, answer = self.ask("GET", condition["get"])
            if "status" in condition:
                found, expected = code, condition["status"]
            else:
                values = values_at(answer, condition["at"].split(".")) if code == 200 else []
                expected = condition["is"]
                found = sorted(set(values)) if isinstance(expected, list) else (values or [None])[0]
            if found == expected:
                return
            if time.monotonic() > end:
                raise WalkFailed(f"{self.name}: {step}: {condition['get']} has {found} and not {expected}")
            time.sleep(0.3)

    def stop(self):
        for process in reversed(self.processes):
            process.stop()


# Without those whose resources `nodebound serve` does not have, because no node has to do with them.
CONTROLLERS = ("*", "-horizontal-pod-autoscaler-controller", "-validatingadmissionpolicy-status-controller")


def values_at(value, path):
    """The values at a dotted path; `*` stands for each element of a list."""
    if not path:
        return [value]
    if path[0] == "*":
        return [found for own in value or [] for found in values_at(own, path[1:])]
    return values_at(value[path[0]], path[1:]) if isinstance(value, dict) and value.get(path[0]) is not None else []


# A kubelet bootstraps with the token and the binding that the first steps make.
STEPS_BEFORE_KUBELET = 2


def walk(side, authority, steps):
    side.start_components(authority)
    side.walk(steps[:STEPS_BEFORE_KUBELET])
    side.start_kubelet()
    side.walk(steps[STEPS_BEFORE_KUBELET:])
    # What follows the last step is seen, too.
    time.sleep(3)


def keep(side, out):
    """Logs and audit log, where they can be read afterwards."""
    own = out / side.name
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(parents=True)
    for path in [*side.folder.glob("*.log"), *side.folder.glob("kubelet.yaml")]:
        shutil.copy(path, own)
    return own


def compared(folder, normal):
    found = audit.requests(folder / "audit.log", normal)
    for component in ("kube-controller-manager", "kube-scheduler", "kubelet"):
        found.update(audit.errors(component, folder / f"{component}.log", normal))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("version", "nodebound", "binaries", "components", "out"):
        parser.add_argument(f"--{name}", required=True, type=str if name == "version" else pathlib.Path)
    parser.add_argument("--compare-only", action="store_true", help="what the last run left in --out")
    arguments = parser.parse_args()
    steps = tomllib.loads((HERE / "walk.toml").read_text())["step"]
    failed = []
    if not arguments.compare_only:
        with tempfile.TemporaryDirectory(prefix="nodebound-components-") as work:
            failed = run_both(arguments, pathlib.Path(work), steps)
    normal = audit.Normal(HERE / "normal.toml")
    real, fake = (compared(arguments.out / name, normal) for name in ("kube-apiserver", "nodebound"))
    unknown = audit.report(real, fake, audit.Allowed(HERE / "allowed.toml"))
    for failure in failed:
        print(f"✗ {failure}")
    return 1 if unknown or failed else 0


def run_both(arguments, work, steps):
    sides = [Side(name, arguments, work / name) for name in ("nodebound", "kube-apiserver")]
    fake, real = sides
    for side in sides:
        side.folder.mkdir()
    (work / "policy.json").write_text(POLICY)
    failed = []
    try:
        fake.processes.append(servers.start_nodebound(
            arguments.nodebound, arguments.version, fake.folder, [],
            ["--audit-log-path", fake.folder / "audit.log", "--enable-bootstrap-token-auth"]))
        real.processes += servers.start_real(
            arguments.binaries, fake.folder, real.folder,
            [f"--audit-log-path={real.folder}/audit.log", f"--audit-policy-file={work}/policy.json",
             "--enable-bootstrap-token-auth"])
        # Each waits most of the time, so they walk side by side.
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            walks = [pool.submit(walk, side, fake.folder, steps) for side in sides]
            for done in walks:
                try:
                    done.result()
                # A component that ended is told by SystemExit.
                except (WalkFailed, SystemExit) as failure:
                    failed.append(failure)
    finally:
        for side in sides:
            side.stop()
            keep(side, arguments.out)
    return failed


if __name__ == "__main__":
    sys.exit(main())
