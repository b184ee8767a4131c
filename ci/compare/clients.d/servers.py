"""Starts the two servers that are compared, with one certificate authority and the same users."""

import argparse
import base64
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import time
import urllib.request


def read_arguments():
    """What the scripts that compare servers are called with."""
    parser = argparse.ArgumentParser()
    for flag in ("--version", "--nodebound", "--binaries", "--out"):
        parser.add_argument(flag, required=True, type=str if flag == "--version" else pathlib.Path)
    return parser.parse_args()


def fresh_folders(out, *names):
    """Empty folders of these names; what an earlier run has left in `out` is removed."""
    shutil.rmtree(out, ignore_errors=True)
    folders = [out.resolve() / name for name in names]
    for folder in folders:
        folder.mkdir(parents=True)
    return folders


class Process:
    """A server of ours; its output goes to a file."""

    def __init__(self, name, command, folder):
        self.name = name
        self.log = folder / f"{name}.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([str(part) for part in command], stdout=log, stderr=log)

    def check(self):
        if self.process.poll() is not None:
            last = self.log.read_text(errors="replace").splitlines()[-8:]
            raise SystemExit(f"clients: {self.name} ended with {self.process.returncode}:\n" + "\n".join(last))

    def stop(self):
        # The data is disposable, and an API server without its etcd takes minutes to shut down cleanly.
        self.process.kill()
        self.process.wait()


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(what, process, ready, seconds=90):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        process.check()
        if ready():
            return
        time.sleep(0.05)
    raise SystemExit(f"clients: {what} was not ready within {seconds} seconds; see {process.log}")


NODE_FLAGS = ("--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction")


def start_nodebound(program, version, folder, nodes, more=(), flags=NODE_FLAGS):
    """The fake server. Makes the authority, the kubeconfigs and the key that signs tokens, which the real one takes."""
    command = [program, "serve", "--secure-port", "0", "--release", version, "--kubeconfig-out", folder, *flags, *more]
    for node in nodes:
        command += ["--node", node]
    server = Process("nodebound", command, folder)
    wait_for("nodebound serve", server, lambda: "Serving" in server.log.read_text())
    return server


def answers(url, client):
    try:
        with urllib.request.urlopen(url, context=client, timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def client_context(kubeconfig, folder):
    text = kubeconfig.read_text()
    files = []
    for field in ("client-certificate-data", "client-key-data"):
        path = folder / field
        path.write_bytes(base64.b64decode(re.search(rf"{field}: (\S+)", text)[1]))
        path.chmod(0o600)
        files.append(path)
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.load_cert_chain(*files)
    return context


def start_real(binaries, credentials, folder, more=(), flags=NODE_FLAGS):
    """kube-apiserver as it comes, with an etcd; its kubeconfigs are those of `credentials` at another address."""
    public_key = folder / "sa.pub"
    subprocess.run(["openssl", "pkey", "-in", credentials / "sa.key", "-pubout", "-out", public_key], check=True)
    etcd_port, peer_port, port = free_ports(3)
    etcd = Process(
        "etcd",
        [binaries / "etcd", "--data-dir", folder / "etcd", "--unsafe-no-fsync",
         "--listen-client-urls", f"http://127.0.0.1:{etcd_port}",
         "--advertise-client-urls", f"http://127.0.0.1:{etcd_port}",
         "--listen-peer-urls", f"http://127.0.0.1:{peer_port}"],
        folder)
    wait_for("etcd", etcd, lambda: answers(f"http://127.0.0.1:{etcd_port}/health", None))
    server = Process(
        "kube-apiserver",
        [binaries / "kube-apiserver", f"--etcd-servers=http://127.0.0.1:{etcd_port}", f"--secure-port={port}",
         "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
         f"--client-ca-file={credentials}/ca.crt", f"--cert-dir={folder}/serving",
         f"--service-account-key-file={public_key}",
         f"--service-account-signing-key-file={credentials}/sa.key",
         "--service-account-issuer=https://kubernetes.default.svc", "--service-cluster-ip-range=10.0.0.0/24", *flags,
         *more],
        folder)
    client = client_context(credentials / "admin.kubeconfig", folder)
    wait_for("kube-apiserver", server, lambda: answers(f"https://127.0.0.1:{port}/readyz", client))
    authority = base64.b64encode((folder / "serving" / "apiserver.crt").read_bytes()).decode()
    for kubeconfig in pathlib.Path(credentials).glob("*.kubeconfig"):
        text = re.sub(r"server: \S+", f"server: https://127.0.0.1:{port}", kubeconfig.read_text())
        text = re.sub(r"certificate-authority-data: \S+", f"certificate-authority-data: {authority}", text)
        own = folder / kubeconfig.name
        own.write_text(text)
        own.chmod(0o600)
    return [server, etcd]
