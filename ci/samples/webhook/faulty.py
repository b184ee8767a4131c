"""An authorization webhook that is wrong in one way, which the suite must find.

    faulty.py FAULT PORT KUBECONFIG NODEBOUND

It listens on 127.0.0.1:PORT without TLS. Questions go, bent by the fault, to `nodebound webhook`, which watches the
cluster of KUBECONFIG; FAULT `none` bends nothing. The null implementations and the breaches ask nobody.
"""
import copy
import http.client
import http.server
import json
import os
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time

NODE = "system:node:"
GRAPH = ("secrets", "configmaps", "persistentvolumeclaims", "persistentvolumes")


class Reference:
    """`nodebound webhook`, and what it answers."""

    def __init__(self, kubeconfig, program):
        while not os.path.exists(kubeconfig):
            time.sleep(0.05)
        self.folder = tempfile.TemporaryDirectory()
        authority = os.path.join(self.folder.name, "ca.crt")
        self.process = subprocess.Popen(
            [program, "webhook", "--kubeconfig", kubeconfig, "--listen", "127.0.0.1:0", "--certificate-out", authority],
            stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        self.port = int(first.split("https://127.0.0.1:")[1].split("/")[0])
        if self.process.stdout.readline() != "Ready\n":
            sys.exit("nodebound webhook did not become ready")
        self.trust = ssl.create_default_context(cafile=authority)
        self.local = threading.local()

    def ask(self, spec):
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.trust)
        review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
        self.local.connection.request("POST", "/", json.dumps(review), {"Content-Type": "application/json"})
        return json.loads(self.local.connection.getresponse().read())["status"]


def changed(spec, **resource):
    """The same question with other resource attributes; None removes one."""
    out = copy.deepcopy(spec)
    for name, value in resource.items():
        if "resourceAttributes" in out:
            out["resourceAttributes"].pop(name, None)
            if value is not None:
                out["resourceAttributes"][name] = value
    return out


def asked(spec, name):
    return spec.get("resourceAttributes", {}).get(name, "")


def is_node(spec):
    return spec["user"].startswith(NODE) and "system:nodes" in spec.get("groups", [])


def any_of(ask, questions):
    answers = [ask(each) for each in questions]
    return next((each for each in answers if each["allowed"]), answers[0])


seen = {"namespaces": {}, "users": {}, "names": {}}
kept = {}


def remembered(kind, value):
    if value:
        seen[kind][value] = None
    return list(seen[kind])[-20:]


def ignores_group(ask, spec):
    return ask({**spec, "groups": ["system:nodes", "system:authenticated"]} if spec["user"].startswith(NODE) else spec)


def ignores_user_prefix(ask, spec):
    nameless = "system:nodes" in spec.get("groups", []) and not spec["user"].startswith(NODE)
    return ask({**spec, "user": NODE + spec["user"].rpartition(":")[2]} if nameless else spec)


def ignores_node(ask, spec):
    nodes = remembered("users", spec["user"] if is_node(spec) else "")
    if not is_node(spec) or asked(spec, "resource") not in GRAPH:
        return ask(spec)
    return any_of(ask, [spec] + [{**spec, "user": each} for each in nodes])


def ignores_namespace(ask, spec):
    spaces = remembered("namespaces", asked(spec, "namespace"))
    if asked(spec, "resource") not in GRAPH[:3] or not asked(spec, "namespace"):
        return ask(spec)
    return any_of(ask, [spec] + [changed(spec, namespace=each) for each in spaces])


def ignores_missing_namespace(ask, spec):
    spaces = remembered("namespaces", asked(spec, "namespace"))
    if asked(spec, "resource") not in GRAPH[:3] or asked(spec, "namespace"):
        return ask(spec)
    return any_of(ask, [spec] + [changed(spec, namespace=each) for each in spaces])


def matches_prefixes(ask, spec):
    names = remembered("names", asked(spec, "name"))
    if asked(spec, "resource") not in GRAPH:
        return ask(spec)
    longer = [each for each in names if asked(spec, "name").startswith(each) or each.startswith(asked(spec, "name"))]
    return any_of(ask, [spec] + [changed(spec, name=each) for each in longer])


def ignores_name(ask, spec):
    names = remembered("names", asked(spec, "name"))
    if asked(spec, "resource") not in GRAPH or asked(spec, "name"):
        return ask(spec)
    return any_of(ask, [spec] + [changed(spec, name=each) for each in names])


def allows_get(ask, spec):
    return {"allowed": True} if is_node(spec) and asked(spec, "verb") == "get" else ask(spec)


def allows_paths(ask, spec):
    return {"allowed": True} if "nonResourceAttributes" in spec else ask(spec)


def caches_for_ever(ask, spec):
    key = json.dumps(spec, sort_keys=True)
    if key not in kept:
        answer = ask(spec)
        if not answer["allowed"]:
            # The cluster may not have told the webhook of an object yet, which is no fault of the cache.
            time.sleep(1)
            answer = ask(spec)
        kept[key] = answer
    return kept[key]


def forgets_nothing(ask, spec):
    key = json.dumps(spec, sort_keys=True)
    answer = kept.get(key) or ask(spec)
    if answer["allowed"]:
        kept[key] = answer
    return answer


def allows_without_reason(ask, spec):
    answer = ask(spec)
    return {"allowed": True} if not answer["allowed"] and "no relationship" in answer.get("reason", "") else answer


def unless(resource):
    return lambda ask, spec: {"allowed": False} if asked(spec, "resource") == resource else ask(spec)


def with_other(**resource):
    return lambda ask, spec: ask(changed(spec, **resource))


def as_verb(of, verb):
    return lambda ask, spec: ask(changed(spec, verb=verb) if asked(spec, "verb") in of else spec)


FAULTS = {
    "none": lambda ask, spec: ask(spec),
    "ignores-group": ignores_group,
    "ignores-user-prefix": ignores_user_prefix,
    "ignores-node": ignores_node,
    "ignores-namespace": ignores_namespace,
    "ignores-missing-namespace": ignores_missing_namespace,
    "ignores-name": ignores_name,
    "matches-prefixes": matches_prefixes,
    "ignores-subresource": with_other(subresource=None),
    "ignores-api-group": lambda ask, spec: ask(
        changed(spec, group=None) if asked(spec, "resource") in GRAPH else spec),
    "ignores-selectors": lambda ask, spec: ask(
        changed(spec, fieldSelector={"requirements": [
            {"key": "spec.nodeName", "operator": "In", "values": [spec["user"][len(NODE):]]}]})
        if is_node(spec) and asked(spec, "resource") == "pods" else spec),
    "ignores-verbs": lambda ask, spec: ask(
        changed(spec, verb="get") if asked(spec, "resource") in GRAPH else spec),
    "takes-list-for-get": as_verb(("list", "watch"), "get"),
    "allows-get": allows_get,
    "allows-paths": allows_paths,
    "allows-what-is-not-related": allows_without_reason,
    "caches-for-ever": caches_for_ever,
    "forgets-nothing": forgets_nothing,
    "knows-no-csinodes": unless("csinodes"),
    "knows-no-volumes": unless("persistentvolumes"),
    "knows-no-slices": unless("resourceslices"),
    "knows-no-attachments": unless("volumeattachments"),
    "ignores-case": lambda ask, spec: ask({**spec, "user": spec["user"].lower()}),
}

NULL = {
    "allow": lambda ask, spec: {"allowed": True},
    "deny": lambda ask, spec: {"allowed": False, "denied": True},
    "no-opinion": lambda ask, spec: {"allowed": False},
}


class Webhook(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    ask = None
    how = ""
    answered = 0

    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.how in NULL or self.how in FAULTS:
            bend = NULL.get(self.how) or FAULTS[self.how]
            spec = review["spec"]
            spec["groups"] = spec.pop("group", spec.get("groups", []))
            review["status"] = bend(Webhook.ask, spec)
            return self.send(200, json.dumps(review))
        Webhook.answered += 1
        # The first question is whether it answers at all.
        if Webhook.answered == 1:
            review["status"] = {"allowed": False}
            return self.send(200, json.dumps(review))
        getattr(self, "breach_" + self.how.replace("-", "_"))(review)

    def breach_error(self, review):
        self.send(500, "out of order")

    def breach_rubbish(self, review):
        self.send(200, "<html>no review</html>")

    def breach_other_kind(self, review):
        self.send(200, json.dumps({"kind": "Status", "apiVersion": "v1", "status": {"allowed": True}}))

    def breach_no_status(self, review):
        self.send(200, json.dumps({**review, "status": {}}))

    def breach_redirects(self, review):
        self.send(307, "", {"Location": self.path})

    def breach_huge(self, review):
        self.send(200, json.dumps({**review, "status": {"allowed": True, "reason": "x" * 10_000_000}}))

    def breach_hangs(self, review):
        time.sleep(3600)

    def breach_dies(self, review):
        os._exit(1)

    def breach_both(self, review):
        self.send(200, json.dumps({**review, "status": {"allowed": True, "denied": True}}))

    def send(self, status, body, headers=None):
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


def main():
    how, port, kubeconfig, program = sys.argv[1:5]
    reference = None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        if how in FAULTS:
            reference = Reference(kubeconfig, program)
            Webhook.ask = staticmethod(reference.ask)
        Webhook.how = how
        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Webhook)
        server.daemon_threads = True
        server.serve_forever()
    finally:
        if reference is not None:
            reference.process.terminate()
            reference.process.wait()


if __name__ == "__main__":
    main()
