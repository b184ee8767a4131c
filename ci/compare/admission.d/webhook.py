"""An admission webhook whose path says how it behaves. It keeps what it is asked."""

import base64
import http.server
import json
import ssl
import subprocess
import threading
import time

PATCH = [{"op": "add", "path": "/metadata/annotations", "value": {"patched": "yes"}}]


def review(request, response, version="admission.k8s.io/v1", **more):
    answer = {"kind": "AdmissionReview", "apiVersion": version, "response": {"uid": request["uid"], **response}}
    answer.update(more)
    return 200, json.dumps(answer)


def patched(request, operations, **more):
    text = operations if isinstance(operations, bytes) else json.dumps(operations).encode()
    return review(request, {"allowed": True, "patchType": "JSONPatch", "patch": base64.b64encode(text).decode(), **more})


BEHAVIOURS = {
    "allow": lambda request: review(request, {"allowed": True}),
    "old": lambda request: review(request, {"allowed": True}, version="admission.k8s.io/v1beta1"),
    "deny": lambda request: review(request, {"allowed": False}),
    "deny-message": lambda request: review(request, {"allowed": False, "status": {"message": "not here", "code": 403}}),
    "deny-reason": lambda request: review(request, {"allowed": False, "status": {"reason": "Invalid", "code": 422}}),
    "deny-200": lambda request: review(request, {"allowed": False, "status": {"message": "m", "code": 200}}),
    "html": lambda request: (200, "<html>hello</html>"),
    "empty": lambda request: (200, ""),
    "broken": lambda request: (500, "boom"),
    "missing": lambda request: (404, "no such page"),
    "unauthorized": lambda request: (401, "who are you"),
    "other-uid": lambda request: review({"uid": "other"}, {"allowed": True}),
    "other-version": lambda request: review(request, {"allowed": True}, version="v1"),
    "no-response": lambda request: (200, json.dumps({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1"})),
    "patch": lambda request: patched(request, PATCH),
    "patch-nothing": lambda request: patched(request, []),
    "patch-same": lambda request: patched(request, [{"op": "test", "path": "/kind", "value": "ConfigMap"}]),
    "patch-fails": lambda request: patched(request, [{"op": "remove", "path": "/data/none"}]),
    "patch-unknown": lambda request: patched(request, [{"op": "add", "path": "/dada", "value": 1}]),
    "patch-type": lambda request: patched(request, [{"op": "add", "path": "/data", "value": {"a": 1}}]),
    "patch-rubbish": lambda request: patched(request, b"rubbish"),
    "patch-other": lambda request: patched(request, PATCH, patchType="MergePatch"),
    "patch-untyped": lambda request: patched(request, PATCH, patchType=None),
    "warn": lambda request: review(request, {"allowed": True, "warnings": ["mind the gap", "twice"]}),
    "audit": lambda request: review(request, {"allowed": True, "auditAnnotations": {"seen": "yes"}}),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        behaviour = self.path.split("?")[0].rsplit("/", 1)[-1]
        sent = json.loads(body)
        headers = {name: self.headers.get(name) for name in ("Content-Type", "Accept")}
        with self.server.guard:
            self.server.asked.append({"path": self.path, "headers": headers, "review": sent})
        if behaviour == "slow":
            time.sleep(3)
        if behaviour == "close":
            self.close_connection = True
            self.connection.close()
            return
        status, answer = BEHAVIOURS.get(behaviour, BEHAVIOURS["allow"])(sent["request"])
        data = answer.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


class Webhook:
    def __init__(self, folder):
        certificate, key = folder / "webhook.crt", folder / "webhook.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
             "-out", certificate, "-days", "2", "-subj", "/CN=webhook", "-addext", "subjectAltName=IP:127.0.0.1"],
            check=True, stderr=subprocess.DEVNULL)
        self.authority = base64.b64encode(certificate.read_bytes()).decode()
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.asked, self.server.guard = [], threading.Lock()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, behaviour):
        return f"https://127.0.0.1:{self.port}/{behaviour}"

    def take(self):
        with self.server.guard:
            asked, self.server.asked = self.server.asked, []
        return asked
