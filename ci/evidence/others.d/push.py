"""Pushes objects of a cluster into OPA, as they come and go: data.KIND.NAMESPACE.NAME, without namespace data.KIND.NAME."""

import base64
import http.client
import json
import re
import ssl
import sys
import tempfile
import threading
import time
import urllib.parse


KINDS = {"pods": "/api/v1/pods", "persistentvolumes": "/api/v1/persistentvolumes",
         "volumeattachments": "/apis/storage.k8s.io/v1/volumeattachments"}


def context(authority, certificate):
    out = ssl.create_default_context(cafile=authority)
    out.load_cert_chain(certificate)
    return out


def field(text, name):
    found = re.search(rf'"?{name}"?: "?([^"\s,]+)', text)
    return found[1] if found else None


def context_of(text):
    """What a kubeconfig says of certificates."""
    out = ssl.create_default_context(cadata=base64.b64decode(field(text, "certificate-authority-data")).decode())
    pair = [field(text, name) for name in ("client-certificate-data", "client-key-data")]
    if all(pair):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"".join(base64.b64decode(each) for each in pair))
            file.flush()
            out.load_cert_chain(file.name)
    return out


class Cluster:
    """An API server, as the user of a kubeconfig."""

    def __init__(self, kubeconfig):
        text = kubeconfig.read_text()
        server = urllib.parse.urlsplit(field(text, "server"))
        self.connection = http.client.HTTPSConnection(server.netloc, context=context_of(text))
        token = field(text, "token")
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path):
        self.connection.request("GET", path, headers=self.headers)
        return self.connection.getresponse()

    def post(self, path, body, content_type="application/json"):
        self.connection.request("POST", path, body, {**self.headers, "Content-Type": content_type})
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status != 201:
            sys.exit(f"others: POST {path}: {answer.status} {text}")
        return text


class Pusher:
    """Waits for the kubeconfig, and pushes until it is left: a thread for each kind."""

    def __init__(self, kubeconfig, opa, trust):
        self.kubeconfig, self.opa, self.trust, self.left = kubeconfig, urllib.parse.urlsplit(opa).netloc, trust, False

    def __enter__(self):
        for kind in KINDS:
            threading.Thread(target=self.run, args=(kind,), daemon=True).start()

    def __exit__(self, *_):
        self.left = True

    def push(self, to, kind, event, seen):
        place = [seen["metadata"][key] for key in ("namespace", "name") if key in seen["metadata"]]
        path = "/".join(["/v1/data", kind, *place])
        deleted = event == "DELETED"
        body = None if deleted else json.dumps({part: seen.get(part, {}) for part in ("metadata", "spec")})
        to.request("DELETE" if deleted else "PUT", path, body, {"Content-Type": "application/json"})
        to.getresponse().read()

    def run(self, kind):
        while not self.kubeconfig.exists():
            if self.left:
                return
            time.sleep(0.05)
        cluster = Cluster(self.kubeconfig)
        to = http.client.HTTPSConnection(self.opa, context=self.trust)
        try:
            listed = json.load(cluster.get(KINDS[kind]))
            for each in listed["items"]:
                self.push(to, kind, "ADDED", each)
            for line in cluster.get(f"{KINDS[kind]}?watch=1&resourceVersion={listed['metadata']['resourceVersion']}"):
                event = json.loads(line)
                if event["type"] in ("ADDED", "MODIFIED", "DELETED"):
                    self.push(to, kind, event["type"], event["object"])
        except (OSError, http.client.HTTPException):
            if not self.left:
                raise
