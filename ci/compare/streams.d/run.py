"""Sends the cases to both API servers and compares what comes back."""

import argparse
import json
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "clients.d"))
sys.path.insert(0, str(HERE))
import cases  # noqa: E402
import hostile  # noqa: E402
import servers  # noqa: E402


def issue(folder, name, subject):
    """A client certificate of the common authority."""
    key, request, certificate = (folder / f"{name}.{end}" for end in ("key", "csr", "crt"))
    run = lambda *command: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out",
        request, "-subj", subject)
    run("openssl", "x509", "-req", "-in", request, "-CA", folder / "ca.crt", "-CAkey", folder / "ca.key",
        "-CAcreateserial", "-days", "1", "-out", certificate)
    return certificate, key


def context_of(certificate, key):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.load_cert_chain(certificate, key)
    return context


class Side:
    """One API server with a kubelet of its own."""

    def __init__(self, name, arguments, credentials, folder, flags):
        self.name = name
        self.folder = folder
        self.kubectl_program = arguments.kubectl
        self.kubeconfig = folder / "admin.kubeconfig"
        self.port = int(re.search(r"server: https://[^:]+:(\d+)", self.kubeconfig.read_text())[1])
        self.contexts = {who: context_of(*flags[who]) for who in ("admin", "reader")}
        kubelet = [arguments.nodebound, "kubelet", "--release", arguments.version, "--hostname-override", "a", "--port",
                   "0", "--read-only-port", "0", "--kubeconfig", folder / "node-a.kubeconfig", "--client-ca-file", credentials / "ca.crt",
                   "--anonymous-auth=false", "--authentication-token-webhook=true", "--authorization-mode=Webhook",
                   "--verbose"]
        self.kubelet = servers.Process(f"kubelet-{name}", kubelet, folder)
        servers.wait_for("nodebound kubelet", self.kubelet, lambda: "listening" in self.kubelet.log.read_text())
        self.kubelet_port = int(re.search(r"listening on \S+:(\d+)", self.kubelet.log.read_text())[1])

    def kubectl(self, *command, given=None):
        done = subprocess.run([self.kubectl_program, "--kubeconfig", self.kubeconfig, *command], input=given, text=True,
                              capture_output=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def prepare(self, ports):
        ports = dict(ports, a=self.kubelet_port, gone=1)
        objects = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "seen"}, "data": {"a": "b"}}]
        if self.kubectl("get", "serviceaccount", "default")[0] != 0:
            objects.append({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}})
        names = ["a", "gone", "homeless", *hostile.ANSWERS]
        objects += [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}} for name in names]
        rules = [{"apiGroups": [""], "verbs": ["get"], "resources": ["pods/exec", "pods/attach", "pods/portforward"]}]
        about = {"apiGroup": "rbac.authorization.k8s.io"}
        objects.append({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
                        "metadata": {"name": "reader"}, "rules": rules})
        objects.append({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
                        "metadata": {"name": "reader"}, "roleRef": dict(about, kind="ClusterRole", name="reader"),
                        "subjects": [dict(about, kind="User", name="reader")]})
        nodes = {"web": "a", "unbound": "", "nowhere": "gone", "homeless": "homeless"}
        nodes.update({name: name for name in hostile.ANSWERS})
        for pod, node in nodes.items():
            containers = [{"name": name, "image": "registry.invalid/none"} for name in ("web", "idle")]
            spec = {"containers": containers if pod == "web" else containers[:1],
                    "automountServiceAccountToken": False}
            if node:
                spec["nodeName"] = node
            objects.append({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": pod}, "spec": spec})
        for made in objects:
            code, out, err = self.kubectl("create", "--validate=false", "-f", "-", given=json.dumps(made))
            if code != 0:
                raise SystemExit(f"streams: {self.name}: {err}")
        for name, port in ports.items():
            status = {"addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
                      "daemonEndpoints": {"kubeletEndpoint": {"Port": port}}}
            self.kubectl("patch", "node", name, "--subresource=status", "--type=merge", "-p",
                         json.dumps({"status": status}))
        self.kubectl("patch", "pod", "web", "--subresource=status", "--type=merge", "-p",
                     json.dumps({"status": {"phase": "Running", "podIPs": [{"ip": "127.0.0.1"}], "podIP": "127.0.0.1"}}))

    def ask(self, case):
        target = case.target.replace("{port}", str(self.kubelet_port))
        fields = {"Host": "server", "Connection": "close", **case.headers}
        if case.body or case.method == "POST":
            fields["Content-Length"] = str(len(case.body))
        head = f"{case.method} {target} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items())
        with socket.create_connection(("127.0.0.1", self.port)) as plain, \
                self.contexts[case.who].wrap_socket(plain) as connection:
            connection.sendall((head + "\r\n" + case.body).encode())
            return self.shown(case, read(connection))

    def shown(self, case, got):
        """What is compared: the status, some headers, and what the client reads."""
        head, _, body = got.partition(b"\r\n\r\n")
        lines = head.decode(errors="replace").split("\r\n")
        status = lines[0].split(" ")[1] if " " in lines[0] else lines[0]
        fields = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines[1:])}
        if fields.get("transfer-encoding") == "chunked":
            body = unchunked(body)
        out = {"status": status}
        for name in ("content-type", "location", "upgrade", "sec-websocket-protocol", "sec-websocket-accept",
                     "x-stream-protocol-version", "sec-websocket-version"):
            if name in fields:
                out[name] = fields[name]
        text = body.decode("latin-1")
        try:
            answer = json.loads(text)
            text = {k: answer[k] for k in ("kind", "message", "reason", "code") if k in answer} \
                if answer.get("kind") == "Status" else {"kind": answer.get("kind")}
        except (ValueError, AttributeError):
            pass
        if status == "101":
            text = "" if not case.frames else events(body) if case.name.startswith("watch/") else text
        return json.loads(self.plain(json.dumps(dict(out, text=text))))

    def plain(self, text):
        for port, word in ((self.kubelet_port, "KUBELET"), (self.port, "SERVER")):
            text = text.replace(str(port), word)
        return text


def events(body):
    """The messages of a watch, without what is different with every object."""
    out = []
    while len(body) > 1:
        size, at = body[1], 2
        if size == 126:
            size, at = int.from_bytes(body[2:4], "big"), 4
        message, body, opcode = body[at:at + size], body[at + size:], body[0]
        event = json.loads(message) if opcode == 0x81 else {"bytes": message.hex()}
        for own in ("managedFields", "uid", "resourceVersion", "creationTimestamp"):
            event.get("object", {}).get("metadata", {}).pop(own, None)
        out.append([opcode, message[-1:] == b"\n", json.dumps(event, sort_keys=True)])
    return out


def read(connection, seconds=1):
    """What comes until nothing has come for a while."""
    connection.settimeout(seconds)
    got = b""
    try:
        while more := connection.recv(65536):
            got += more
    except (TimeoutError, ssl.SSLError, ConnectionError):
        pass
    return got


def unchunked(body):
    out = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size or b"0", 16)
        out += body[:length]
        if length == 0:
            break
        body = body[length + 2:]
    return out


def forwarded(side):
    """What comes back through `kubectl port-forward`."""
    port = servers.free_ports(1)[0]
    client = subprocess.Popen([side.kubectl_program, "--kubeconfig", side.kubeconfig, "port-forward", "pod/web",
                               f"{port}:80"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        first = client.stdout.readline()
        if "Forwarding" not in first:
            return first + client.stdout.read()
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(b"there and back\n")
            return re.sub(r":\d+", ":PORT", first) + connection.recv(100).decode()
    finally:
        client.kill()
        client.wait()


def kubectl_commands(side):
    for name, command in {
            "logs": ["logs", "web", "-c", "web", "--tail=5"],
            "logs-unknown": ["logs", "web", "-c", "none"],
            "exec": ["exec", "web", "-c", "web", "--", "echo", "hi"],
            "exec-idle": ["exec", "web", "-c", "idle", "--", "echo", "hi"],
            "exec-unbound": ["exec", "unbound", "--", "echo", "hi"],
            "attach": ["attach", "web", "-c", "web"],
            "raw": ["get", "--raw", "/api/v1/nodes/a/proxy/pods"]}.items():
        code, out, err = side.kubectl(*command)
        yield f"kubectl/{name}", {"code": code, "out": side.plain(out), "err": side.plain(err)}
    yield "kubectl/port-forward", forwarded(side)


class Allowed:
    def __init__(self, path):
        self.entries = tomllib.loads(path.read_text()).get("allowed", []) if path.exists() else []
        self.used = set()

    def covers(self, name):
        for index, entry in enumerate(self.entries):
            if re.fullmatch(entry["case"], name):
                self.used.add(index)
                return True
        return False

    def unused(self):
        return [entry["case"] for index, entry in enumerate(self.entries) if index not in self.used]


def compare(results, allowed):
    differing = 0
    for name, real in results["real"].items():
        fake = results["nodebound"][name]
        if real == fake or allowed.covers(name):
            continue
        differing += 1
        print(f"{name}\n  real {json.dumps(real)}\n  ours {json.dumps(fake)}")
    for case in allowed.unused():
        differing += 1
        print(f"allowed.toml: {case} fits no difference")
    print(f"{len(results['real'])} cases, {differing} differ")
    return 1 if differing else 0


def main():
    parser = argparse.ArgumentParser()
    for flag in ("version", "nodebound", "binaries", "kubectl", "out"):
        parser.add_argument(f"--{flag}", required=True)
    parser.add_argument("--only", choices=("real", "nodebound"))
    parser.add_argument("--focus", default="")
    arguments = parser.parse_args()
    out = pathlib.Path(arguments.out).resolve()
    shutil.rmtree(out, ignore_errors=True)
    credentials, real_folder = out / "nodebound", out / "real"
    real_folder.mkdir(parents=True)
    credentials.mkdir(mode=0o700)
    started = []
    try:
        shown = ["--kubelet-preferred-address-types=InternalIP"]
        started.append(servers.start_nodebound(arguments.nodebound, arguments.version, credentials, ["a"],
                                               [] if arguments.only == "real" else shown))
        flags = {"admin": issue(credentials, "admin", "/O=system:masters/CN=admin"),
                 "reader": issue(credentials, "reader", "/CN=reader")}
        kubelet_client = issue(credentials, "kubelet-client", "/O=system:masters/CN=kube-apiserver-kubelet-client")
        shown += [f"--kubelet-client-certificate={kubelet_client[0]}", f"--kubelet-client-key={kubelet_client[1]}"]
        ports = hostile.start(*issue(credentials, "hostile", "/CN=hostile"))
        if arguments.only != "nodebound":
            started += servers.start_real(pathlib.Path(arguments.binaries), credentials, real_folder, shown)
        results = {}
        for name, folder in (("real", real_folder), ("nodebound", credentials)):
            if arguments.only not in (None, name):
                continue
            side = Side(name, arguments, credentials, folder, flags)
            started.append(side.kubelet)
            side.prepare(ports)
            wanted = [case for case in cases.all_cases() if case.name.startswith(arguments.focus)]
            results[name] = {case.name: side.ask(case) for case in wanted}
            if not arguments.focus:
                results[name].update(kubectl_commands(side))
            (out / f"{name}.json").write_text(json.dumps(results[name], indent=1))
        if arguments.only:
            print(json.dumps(results, indent=1))
            return 0
        return compare(results, Allowed(HERE / "allowed.toml"))
    finally:
        for process in started:
            process.stop()


if __name__ == "__main__":
    sys.exit(main())
