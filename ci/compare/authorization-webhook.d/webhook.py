"""An authorization webhook that behaves as the name of the user says. It keeps what it is asked, byte by byte."""

import base64
import http.server
import json
import ssl
import subprocess
import threading


def review(version, **status):
    return 200, json.dumps({"kind": "SubjectAccessReview", "apiVersion": f"authorization.k8s.io/{version}", "status": status})


BEHAVIOURS = {
    "allow": lambda version: review(version, allowed=True),
    "allow-reason": lambda version: review(version, allowed=True, reason="because"),
    "abstain": lambda version: review(version, allowed=False),
    "abstain-reason": lambda version: review(version, allowed=False, reason="I do not know"),
    "deny": lambda version: review(version, allowed=False, denied=True),
    "deny-reason": lambda version: review(version, allowed=False, denied=True, reason="never <you> & yours"),
    "both": lambda version: review(version, allowed=True, denied=True, reason="both"),
    "errs": lambda version: review(version, allowed=False, evaluationError="it broke"),
    "untyped": lambda version: (200, json.dumps({"status": {"allowed": True}})),
    "empty": lambda version: (200, ""),
    "broken": lambda version: (500, "boom"),
    "overloaded": lambda version: (503, "later"),
    "missing": lambda version: (404, "no such page"),
    "forbidden": lambda version: (403, "not you"),
    "status": lambda version: (400, json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure",
                                                "message": "own words", "reason": "BadRequest", "code": 400})),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        sent = json.loads(body)
        headers = {name: self.headers.get(name) for name in ("Content-Type", "Accept")}
        with self.server.guard:
            self.server.asked.append({"path": self.path, "headers": headers, "body": body})
        behaviour = sent["spec"].get("user", "")
        if behaviour == "closes":
            self.close_connection = True
            self.connection.close()
            return
        version = sent["apiVersion"].rsplit("/", 1)[1]
        status, answer = BEHAVIOURS.get(behaviour, BEHAVIOURS["abstain"])(version)
        data = answer.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if answer.startswith("{") else "text/plain")
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
        authority = base64.b64encode(certificate.read_bytes()).decode()
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.asked, self.server.guard = [], threading.Lock()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.kubeconfig = folder / "webhook.kubeconfig"
        self.kubeconfig.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "w", "cluster": {"server": f"https://127.0.0.1:{port}/authorize?x=1",
                                                   "certificate-authority-data": authority}}],
            "users": [{"name": "u", "user": {"token": "secret"}}],
            "contexts": [{"name": "c", "context": {"cluster": "w", "user": "u"}}]}))
        self.kubeconfig.chmod(0o600)

    def take(self):
        with self.server.guard:
            asked, self.server.asked = self.server.asked, []
        return asked
