"""An API server with the components of a cluster: kube-controller-manager, kube-scheduler and a stock kubelet."""

import base64
import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

import servers

NODE = "stock"
STATIC_POD = ('{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "static", "namespace": "kube-system"}, '
              '"spec": {"containers": [{"name": "a", "image": "registry.invalid/a"}]}}')
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

    def __init__(self, name, components, folder):
        self.name = name
        self.components = components
        self.folder = folder
        self.processes = []
        self.kept = {}

    def start_components(self, authority, root_ca=None, more=()):
        """`root_ca`: the file by which pods know the API server. `more`: flags of kube-controller-manager."""
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
                   f"--service-account-private-key-file={authority}/sa.key", f"--root-ca-file={root_ca or authority / 'ca.crt'}",
                   f"--cluster-signing-cert-file={authority}/ca.crt", f"--cluster-signing-key-file={authority}/ca.key",
                   *more, f"--controllers={','.join(CONTROLLERS)}")
        self.start("kube-scheduler")
        (self.folder / "static").mkdir()
        (self.folder / "static" / "static.json").write_text(STATIC_POD)

    def start(self, component, *flags):
        program = self.components / component
        config = self.folder / f"{component}.kubeconfig"
        self.run(component, program, f"--kubeconfig={config}", "--secure-port=0", *flags)

    def start_kubelet(self):
        port, = servers.free_ports(1)
        self.run("kubelet", self.components / "stock-kubelet", self.folder, NODE, port)

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
