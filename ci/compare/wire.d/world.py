"""The two servers, with the same authorities and tokens, and the same objects."""

import base64
import json
import pathlib
import ssl
import subprocess
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "ci" / "compare" / "clients.d"))
import servers
import values
from cases import TOKENS

NODE = {"kind": "Node", "apiVersion": "v1"}
CONTAINERS = [{"name": "c", "image": "i.invalid/i", "envFrom": [{"secretRef": {"name": "mine"}}]}]


class Server:
    def __init__(self, name, port, processes):
        self.name, self.port, self.processes = name, port, processes
        self.client = ssl.create_default_context()
        self.client.check_hostname = False
        self.client.verify_mode = ssl.CERT_NONE
        self.uid = ""

    def call(self, method, path, value=None):
        asked = urllib.request.Request(
            f"https://127.0.0.1:{self.port}{path}",
            method=method,
            data=json.dumps(value).encode() if value else None,
            headers={"Authorization": f"Bearer {TOKENS['admin'][0]}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked, context=self.client, timeout=30) as answer:
            return json.load(answer)

    def ready(self):
        try:
            self.call("GET", "/version")
            return (
                b"ok"
                in urllib.request.urlopen(f"https://127.0.0.1:{self.port}/readyz", context=self.client, timeout=5).read()
            )
        except OSError:
            return False

    def fill(self):
        """What the cases name."""
        make = lambda path, kind, name, **more: self.call(
            "POST", path, {"kind": kind, "apiVersion": "v1", "metadata": {"name": name}, **more}
        )
        for node in "ab":
            make("/api/v1/nodes", "Node", node)
        make("/api/v1/namespaces", "Namespace", "shop")
        shop = "/api/v1/namespaces/shop"
        for name in ("mine", "theirs"):
            make(f"{shop}/secrets", "Secret", name, data={"a": base64.b64encode(b"b").decode()})
        self.uid = make(f"{shop}/serviceaccounts", "ServiceAccount", "builder")["metadata"]["uid"]
        make(f"{shop}/pods", "Pod", "on-a", spec={"nodeName": "a", "containers": CONTAINERS})
        make(f"{shop}/pods", "Pod", "on-b", spec={"nodeName": "b", "containers": [{"name": "c", "image": "i.invalid/i"}]})
        for path, value in values.OBJECTS:
            self.call("POST", path, value)

    def stop(self):
        for process in self.processes:
            process.stop()


def write_credentials(folder, authorities):
    (folder / "clients.crt").write_bytes(authorities)
    lines = [f'{token},{user},{uid},"{",".join(groups)}"' for token, user, uid, groups in TOKENS.values()]
    (folder / "tokens.csv").write_text("\n".join(lines) + "\n")
    subprocess.run(["openssl", "genrsa", "-out", folder / "sa.key", "2048"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["openssl", "pkey", "-in", folder / "sa.key", "-pubout", "-out", folder / "sa.pub"], check=True)
    for file in folder.iterdir():
        if file.is_file():
            file.chmod(0o600)


def flags(folder):
    return [
        f"--client-ca-file={folder}/clients.crt",
        f"--token-auth-file={folder}/tokens.csv",
        "--bind-address=127.0.0.1",
        "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",
        "--disable-admission-plugins=ServiceAccount",
        f"--service-account-key-file={folder}/sa.pub",
        f"--service-account-signing-key-file={folder}/sa.key",
        "--service-account-issuer=https://kubernetes.default.svc",
    ]


def start_nodebound(program, version, folder):
    (port,) = servers.free_ports(1)
    process = servers.Process(
        "nodebound", [program, "serve", "--release", version, f"--secure-port={port}", *flags(folder)], folder
    )
    server = Server("nodebound", port, [process])
    servers.wait_for("nodebound serve", process, server.ready)
    return server


def start_real(binaries, folder):
    client, peer, port = servers.free_ports(3)
    url = f"http://127.0.0.1:{client}"
    etcd = servers.Process(
        "etcd",
        [
            binaries / "etcd",
            "--data-dir",
            folder / "etcd",
            "--unsafe-no-fsync",
            "--listen-client-urls",
            url,
            "--advertise-client-urls",
            url,
            "--listen-peer-urls",
            f"http://127.0.0.1:{peer}",
        ],
        folder,
    )
    servers.wait_for("etcd", etcd, lambda: servers.answers(f"{url}/health", None))
    process = servers.Process(
        "kube-apiserver",
        [
            binaries / "kube-apiserver",
            f"--etcd-servers={url}",
            f"--secure-port={port}",
            "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            f"--cert-dir={folder}/serving",
            "--service-cluster-ip-range=10.0.0.0/24",
            *flags(folder),
        ],
        folder,
    )
    server = Server("kube-apiserver", port, [process, etcd])
    servers.wait_for("kube-apiserver", process, server.ready, 180)
    return server
