"""How each case of cases.toml is started and asked. A run ends with report.json in its folder."""

import contextlib
import json
import pathlib
import shutil
import socket
import subprocess
import sys

import build
import push

ROOT = build.ROOT
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "ci/compare/clients.d"), str(ROOT / "ci/real/kubelet.d")]
import kubelet  # noqa: E402
import servers  # noqa: E402

VERSION = "1.36.3"
NODE = "others-a"


def binaries():
    done = subprocess.run([ROOT / "ci/real-apiserver", VERSION], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(3)
    return pathlib.Path(done.stdout.splitlines()[-1])


def listens(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


class Case:
    """A case under way: its folder, and what to stop at its end."""

    def __init__(self, case, program, nodebound, out):
        self.case, self.program, self.nodebound = case, program, nodebound
        self.folder = out / case["name"]
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.key = out / "key.pem"
        if not self.key.exists():
            self.ask("certify", "--generate-key", self.key)
        self.cleanup = contextlib.ExitStack()

    def start(self, name, command, ready):
        process = servers.Process(name, command, self.folder)
        self.cleanup.callback(process.stop)
        servers.wait_for(name, process, lambda: ready(process))
        return process

    def ask(self, command, *arguments):
        return subprocess.run([self.nodebound, command, *arguments], stdout=subprocess.DEVNULL, check=False).returncode

    def selection(self):
        return [f"--{key}={self.case[key]}" for key in ("profile", "focus", "skip") if key in self.case]

    def judge(self, *arguments, command="run"):
        """0 conforms and 1 does not; all else is no answer."""
        more = ["--key", self.key] if command == "certify" else ["--quiet"]
        asked = [self.nodebound, command, *self.selection(), *more, "--out", self.folder, *arguments]
        with open(self.folder / "run.log", "w", encoding="utf-8") as log:
            code = subprocess.run(asked, stdout=log, stderr=log, check=False).returncode
        if code not in (0, 1):
            sys.exit(f"others: {self.case['name']}: nodebound ended with {code}; see {self.folder}/run.log")

    def subject(self, program=None):
        program = program or self.program
        digest = subprocess.run(["sha256sum", program], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[0]
        return ["--subject", f"{program.name}=sha256:{digest}"]

    def real_apiserver(self, *flags):
        """A kube-apiserver beside the servers of ours, whose authority it shares. The kubeconfig of its administrator."""
        ours, real = self.folder / "ours", self.folder / "real"
        for each in (ours, real):
            each.mkdir()
        self.cleanup.callback(servers.start_nodebound(self.nodebound, VERSION, ours, []).stop)
        for server in servers.start_real(binaries(), ours, real, flags=flags):
            self.cleanup.callback(server.stop)
        return real / "admin.kubeconfig"


def start_opa(case):
    """OPA with node.rego, over TLS, for whoever has a certificate."""
    kubelet.make_ca(case.folder, "ca")
    kubelet.make_certificate(case.folder, "ca", "opa", "serverAuth")
    kubelet.make_certificate(case.folder, "ca", "client")
    port, = servers.free_ports(1)
    file = case.folder.joinpath
    trust = push.context(file("ca.crt"), file("client.pem"))
    case.start("opa", [
        case.program, "run", "--server", "--addr", f"127.0.0.1:{port}", "--disable-telemetry", "--log-level", "error",
        "--tls-cert-file", file("opa.crt"), "--tls-private-key-file", file("opa.key"), "--tls-ca-cert-file", file("ca.crt"),
        "--authentication", "tls", HERE / "node.rego"], lambda _: servers.answers(f"https://127.0.0.1:{port}/health", trust))
    return f"https://127.0.0.1:{port}", trust


def opa_alone(case, command="certify"):
    url, trust = start_opa(case)
    file = case.folder.joinpath
    more = case.subject() if command == "certify" else []
    with push.Pusher(file("cluster.kubeconfig"), url, trust):
        case.judge("--target", f"authz-webhook:{url}/v0/data/kubernetes/review", "--webhook-ca", file("ca.crt"),
                   "--webhook-client-certificate", file("client.crt"), "--webhook-client-key", file("client.key"),
                   "--cluster-kubeconfig-out", case.folder, "--settle-within", "3s", "--jobs", "4", *more, command=command)


def opa_part(case):
    opa_alone(case, "run")


def opa_behind_apiserver(case):
    """In mode RBAC,Webhook. It remembers no answer, for the suite asks right after it has changed something."""
    url, trust = start_opa(case)
    file = case.folder.joinpath
    config = file("webhook.kubeconfig")
    config.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "w",
        "clusters": [{"name": "w", "cluster": {"server": f"{url}/v0/data/kubernetes/review", "certificate-authority": str(file("ca.crt"))}}],
        "users": [{"name": "w", "user": {"client-certificate": str(file("client.crt")), "client-key": str(file("client.key"))}}],
        "contexts": [{"name": "w", "context": {"cluster": "w", "user": "w"}}]}))
    kubeconfig = case.real_apiserver(
        "--authorization-mode=RBAC,Webhook", f"--authorization-webhook-config-file={config}",
        "--authorization-webhook-version=v1", "--authorization-webhook-cache-authorized-ttl=0s",
        "--authorization-webhook-cache-unauthorized-ttl=0s")
    with push.Pusher(kubeconfig, url, trust):
        case.judge("--target", f"kubeconfig:{kubeconfig}", "--disposable", "--jobs", "4")


def apiserver_on_kine(case):
    port, = servers.free_ports(1)
    case.start("kine", [case.program, "--endpoint", f"sqlite://{case.folder}/state.db?_journal=WAL&_synchronous=0",
                        "--listen-address", f"127.0.0.1:{port}", "--metrics-bind-address", "0"], lambda _: listens(port))
    case.judge("--target", f"binary:{binaries()}", f"--apiserver-flag=--etcd-servers=http://127.0.0.1:{port}", "--jobs", "4",
               command="certify")


def apply_policies(kubeconfig):
    """Makes the policies of node-restriction.yaml, each bound under its own name."""
    admin = push.Cluster(kubeconfig)
    group = "/apis/admissionregistration.k8s.io/v1"
    for policy in (HERE / "node-restriction.yaml").read_text().split("---\n"):
        name = json.loads(admin.post(f"{group}/validatingadmissionpolicies", policy, "application/yaml"))["metadata"]["name"]
        admin.post(f"{group}/validatingadmissionpolicybindings", json.dumps({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": name}, "spec": {"policyName": name, "validationActions": ["Deny"]}}))


def apiserver_with_policies(case):
    kubeconfig = case.real_apiserver("--authorization-mode=Node,RBAC", "--disable-admission-plugins=NodeRestriction")
    apply_policies(kubeconfig)
    case.judge("--target", f"kubeconfig:{kubeconfig}", "--disposable", "--jobs", "4")


def cluster_of(case):
    """A cluster of ours for a kubelet, and a serving certificate that its authority has signed."""
    cluster = case.folder / "cluster"
    cluster.mkdir()
    server = servers.start_nodebound(case.nodebound, VERSION, cluster, [NODE])
    case.cleanup.callback(server.stop)
    kubelet.make_certificate(cluster, "ca", "kubelet", "serverAuth", f"/O=system:nodes/CN=system:node:{NODE}")
    return cluster


def judge_running(case, cluster, port, *more, **how):
    case.judge("--target", f"kubelet:https://127.0.0.1:{port}", "--release", VERSION, "--node", NODE, "--identity", "ca",
               "--kubelet-ca", cluster / "ca.crt", "--kubelet-cluster", f"kubeconfig:{cluster / 'admin.kubeconfig'}",
               "--kubelet-config", case.folder / "kubelet.json", "--client-ca-cert", cluster / "ca.crt",
               "--client-ca-key", cluster / "ca.key", "--i-may-write-to", "nodebound", *more, **how)


def write_secure_config(case, cluster, port):
    """What the judge is told that a kubelet is configured to do: to ask who calls, and whether they may."""
    (case.folder / "kubelet.json").write_text(json.dumps({
        "apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "address": "127.0.0.1", "port": port,
        "authentication": {"x509": {"clientCAFile": str(cluster / "ca.crt")}, "anonymous": {"enabled": False},
                           "webhook": {"enabled": True}}, "authorization": {"mode": "Webhook"}}))


def kwok(case):
    cluster = cluster_of(case)
    port, = servers.free_ports(1)
    stages = build.module_folder("sigs.k8s.io/kwok", case.program.parent.name.rpartition("-")[2]) / "kustomize/stage"
    files = [file for pattern in ("node/fast/node-*.yaml", "pod/fast/pod-*.yaml") for file in sorted(stages.glob(pattern))]
    (case.folder / "stages.yaml").write_text("---\n".join(file.read_text() for file in files))
    write_secure_config(case, cluster, port)
    case.start("kwok", [case.program, "--kubeconfig", cluster / "admin.kubeconfig", "--manage-all-nodes=true", "--config",
                        case.folder / "stages.yaml", "--server-address", f"127.0.0.1:{port}", "--tls-cert-file",
                        cluster / "kubelet.crt", "--tls-private-key-file", cluster / "kubelet.key"], lambda _: listens(port))
    judge_running(case, cluster, port)


def virtual_kubelet(case):
    """With `authority`, it asks for certificates of the cluster's authority, and asks the cluster whether who has one may."""
    cluster = cluster_of(case)
    port, = servers.free_ports(1)
    file = case.folder / "provider.json"
    file.write_text(json.dumps({NODE: {"cpu": "2", "memory": "4Gi", "pods": "20"}}))
    write_secure_config(case, cluster, port)
    environment = {"APISERVER_CERT_LOCATION": cluster / "kubelet.crt", "APISERVER_KEY_LOCATION": cluster / "kubelet.key",
                   "KUBELET_PORT": port, "VKUBELET_POD_IP": "127.0.0.1"}
    if case.case.get("authority"):
        environment["APISERVER_CA_CERT_LOCATION"] = cluster / "ca.crt"
    case.start("virtual-kubelet", [
        "env", *(f"{name}={value}" for name, value in environment.items()), case.program, "--kubeconfig",
        cluster / "admin.kubeconfig", "--nodename", NODE, "--provider", "mock", "--provider-config", file, "--disable-taint"],
        lambda _: listens(port))
    judge_running(case, cluster, port)


def stock_kubelet(case):
    """The whole kubelet, with its own configuration and informers, as root in a mount namespace of its own."""
    cluster = cluster_of(case)
    port, = servers.free_ports(1)
    shutil.copy(cluster / f"node-{NODE}.kubeconfig", cluster / "kubelet.kubeconfig")
    (cluster / "static").mkdir()
    write_secure_config(case, cluster, port)
    case.start("stock-kubelet", [case.program, cluster, NODE, port, "--tls-cert-file", cluster / "kubelet.crt",
                                 "--tls-private-key-file", cluster / "kubelet.key"], lambda _: listens(port))
    judge_running(case, cluster, port, *case.subject(case.program.parent / "kubelet"), command="certify")


HOW = {each.__name__: each for each in (opa_alone, opa_part, opa_behind_apiserver, apiserver_on_kine,
                                        apiserver_with_policies, kwok, stock_kubelet, virtual_kubelet)}


def run(case, program, nodebound, out):
    under_way = Case(case, program, nodebound, out)
    with under_way.cleanup:
        HOW[case["how"]](under_way)
    return under_way.folder
