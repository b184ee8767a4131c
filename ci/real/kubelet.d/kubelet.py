"""Starts a kubelet with certificates and a review server of its own, and sends it requests byte by byte."""

import json
import pathlib
import random
import re
import socket
import ssl
import subprocess
from dataclasses import dataclass

import reviews

SCRIPT = pathlib.Path(__file__).parents[2] / "real-kubelet"
NODE = "node-a"
# The attribute of a subject that kubelets since 1.33 take for the UID of a user.
REQUEST = """oid_section = oids
[oids]
userUID = 1.3.6.1.4.1.57683.2
[req]
distinguished_name = subject
[subject]
"""


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def make_ca(folder, name):
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")


def make_certificate(folder, ca, name, usage="clientAuth", subject=None, days=2):
    """NAME.pem, a key and a certificate: of a user whose name it is, in the group `of-NAME`, unless told otherwise."""
    usages = f"extendedKeyUsage={usage}\n" if usage else ""
    (folder / f"{name}.ext").write_text(f"{usages}subjectAltName=IP:127.0.0.1\n")
    (folder / f"{name}.cnf").write_text(REQUEST)
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-config", f"{name}.cnf",
            "-utf8", "-subj", subject or f"/O=of-{name}/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
    # A random serial number instead of the next one of a file, because certificates are made in parallel.
    openssl(folder, "x509", "-req", "-days", str(days), "-in", f"{name}.csr", "-CA", f"{ca}.crt", "-CAkey", f"{ca}.key",
            "-set_serial", str(random.getrandbits(63)), "-extfile", f"{name}.ext", "-out", f"{name}.crt")
    (folder / f"{name}.pem").write_text((folder / f"{name}.key").read_text() + (folder / f"{name}.crt").read_text())


def make_pki(folder):
    """Two authorities, of which a kubelet knows `ca`, and the certificate that it serves with."""
    if (folder / "ca.crt").exists():
        return
    make_ca(folder, "ca")
    make_ca(folder, "other-ca")
    make_certificate(folder, "ca", "kubelet", "serverAuth")


def merged(under, over):
    """`over` on top of `under`, member by member."""
    if not (isinstance(under, dict) and isinstance(over, dict)):
        return over
    return under | {key: merged(under.get(key), value) for key, value in over.items()}


@dataclass
class Answer:
    status: int
    headers: list  # (name, value), as they came
    body: bytes

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


def parse(raw):
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = [tuple(line.split(": ", 1)) for line in lines[1:]]
    answer = Answer(int(lines[0].split(" ")[1]), headers, body)
    if answer.header("Transfer-Encoding") == "chunked":
        answer.body = unchunk(body)
    return answer


def unchunk(body):
    parts = []
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size, 16)
        parts.append(body[:length])
        body = body[length + 2:]
    return b"".join(parts)


class Kubelet:
    """A kubelet of `version` in `folder`, with a configuration file unless `config` is None.

    `command` is what to run instead of a real one, `pki` a folder of certificates that others use, too, and `reviewer`
    who reviews instead of one that knows `rights`.
    """

    def __init__(self, version, folder, rights=None, config={}, flags=(), command=None, pki=None, reviewer=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.pki = pki or self.folder
        make_pki(self.pki)
        self.reviews = reviewer or reviews.Reviews(rights)
        self.write("kubeconfig", self.kubeconfig())
        flags = ["--kubeconfig=kubeconfig", f"--hostname-override={NODE}", "--port=0", *flags]
        if config is not None:
            self.write("config.yaml", self.configuration(config))
            flags.insert(0, "--config=config.yaml")
        # File names are relative: a kubelet reports its flags, and two of them must report the same.
        with open(self.folder / "kubelet.log", "wb") as log:
            self.process = subprocess.Popen([*(command or [SCRIPT, version]), *flags], cwd=self.folder, text=True,
                                            stdout=subprocess.PIPE, stderr=log)
        said = re.fullmatch(r"listening on https://(.*):(\d+)\n", self.process.stdout.readline())
        if not said:
            self.process.kill()
            self.process.wait()
            raise SystemExit("the kubelet did not start:\n" + (self.folder / "kubelet.log").read_text())
        self.address = (said[1], int(said[2]))

    def configuration(self, more):
        return merged({
            "kind": "KubeletConfiguration", "apiVersion": "kubelet.config.k8s.io/v1beta1",
            "address": "127.0.0.1", "contentType": "application/json",
            "authentication": {"x509": {"clientCAFile": f"{self.pki}/ca.crt"}},
            "tlsCertFile": f"{self.pki}/kubelet.crt", "tlsPrivateKeyFile": f"{self.pki}/kubelet.key",
        }, more)

    def kubeconfig(self):
        return {
            "kind": "Config", "apiVersion": "v1", "current-context": "only",
            "clusters": [{"name": "only", "cluster": {"server": self.reviews.url}}],
            "contexts": [{"name": "only", "context": {"cluster": "only", "user": "only"}}],
            "users": [{"name": "only", "user": {}}],
        }

    def write(self, name, value):
        # JSON is YAML.
        (self.folder / name).write_text(json.dumps(value, indent=1))

    def certificate(self, name, ca="ca"):
        path = self.pki / f"{name}.pem"
        if not path.exists():
            make_certificate(self.pki, ca, name)
        return path

    def connect(self, certificate=None):
        context = ssl.create_default_context(cafile=self.pki / "ca.crt")
        if certificate:
            context.load_cert_chain(certificate)
        return context.wrap_socket(socket.create_connection(self.address, timeout=30), server_hostname=self.address[0])

    def ask(self, method, target, headers=(), body=b"", certificate=None):
        """One request on a connection of its own, as it is given: nothing of the path is cleaned or escaped."""
        lines = [f"{method} {target} HTTP/1.1", f"Host: {self.address[0]}:{self.address[1]}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in headers]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        with self.connect(certificate) as connection:
            connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
            raw = b""
            while part := connection.recv(65536):
                raw += part
        return parse(raw)

    def as_user(self, name, method, target, **more):
        return self.ask(method, target, certificate=self.certificate(name), **more)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.reviews.stop()
