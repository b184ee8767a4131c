"""The CertificateSigningRequests that are drawn."""

import base64
import pathlib
import random
import subprocess

NODE = "/O=system:nodes/CN=system:node:a"
SUBJECTS = [NODE] * 4 + [
    "/O=system:nodes/CN=system:node:b", "/O=system:nodes/CN=a", "/CN=system:node:a", "/O=system:nodes/O=more/CN=system:node:a",
    "/O=other/CN=system:node:a", "/CN=jane/O=readers", "/O=system:nodes", "/O=system:masters/CN=admin",
]
NAMES = [""] * 4 + ["DNS:a", "IP:10.0.0.1", "DNS:a,IP:10.0.0.1,IP:::1", "email:a@b.example", "URI:spiffe://a/b", "DNS:a,email:a@b.example",
                    "DNS:a,URI:spiffe://a/b"]
SIGNERS = ["kubernetes.io/kube-apiserver-client-kubelet"] * 3 + ["kubernetes.io/kubelet-serving"] * 3 + [
    "kubernetes.io/kube-apiserver-client", "kubernetes.io/legacy-unknown", "example.com/own"]
CLIENT, SERVING = ["digital signature", "key encipherment", "client auth"], ["digital signature", "key encipherment", "server auth"]
USAGES = [CLIENT] * 3 + [SERVING] * 3 + [
    ["client auth", "digital signature"], ["server auth", "digital signature"], ["client auth"], ["digital signature"], CLIENT + ["server auth"],
    CLIENT + ["client auth"], ["any"], ["signing", "content commitment", "key agreement", "code signing", "timestamping", "ocsp signing"],
    ["cert sign", "crl sign", "encipher only", "decipher only", "data encipherment", "s/mime", "email protection", "ipsec user"],
]
DURATIONS = [None] * 4 + [600, 601, 3600, 28799, 28800, 86400, 100000]
AUTHORS = ["node", "node", "bootstrapper", "bootstrapper", "stranger"]


class Requests:
    """PKCS#10 requests of one key, each made once."""

    def __init__(self, folder):
        self.folder, self.made = pathlib.Path(folder), {}
        self.key = self.folder / "key.pem"
        subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.key], check=True)

    def of(self, subject, names):
        if (subject, names) not in self.made:
            command = ["openssl", "req", "-new", "-key", self.key, "-subj", subject]
            more = ["-addext", f"subjectAltName={names}"] if names else []
            pem = subprocess.run(command + more, check=True, capture_output=True).stdout
            self.made[subject, names] = base64.b64encode(pem).decode()
        return self.made[subject, names]


def draw(count, seed, requests, version):
    """(author, whether an administrator approves it, CertificateSigningRequest)"""
    chance = random.Random(seed)
    fitting = [("kubernetes.io/kube-apiserver-client-kubelet", "", CLIENT), ("kubernetes.io/kubelet-serving", "DNS:a,IP:10.0.0.1", SERVING)]
    for number in range(count):
        signer, names, usages = chance.choice(fitting)
        subject = NODE
        # A third is as it should be, a third is wrong in one way, a third in any.
        wrong = chance.choice([[], [chance.choice("snug")], "snug"])
        spec = {
            "request": requests.of(chance.choice(SUBJECTS) if "s" in wrong else subject, chance.choice(NAMES) if "n" in wrong else names),
            "signerName": chance.choice(SIGNERS) if "g" in wrong else signer,
            "usages": chance.choice(USAGES) if "u" in wrong else usages,
        }
        duration = chance.choice(DURATIONS)
        if duration:
            spec["expirationSeconds"] = duration
        yield chance.choice(AUTHORS), chance.random() < 0.5, {
            "apiVersion": version, "kind": "CertificateSigningRequest", "metadata": {"name": f"r{number}"}, "spec": spec}
