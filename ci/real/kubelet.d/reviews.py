"""The API server that a kubelet asks who a token is of, and what its user may do: only these two reviews, in JSON.

A token is `token-of-NAME`. What a user may do is a set of `VERB SUBRESOURCE`, either of them `*` for all; the verb of
methods without one is empty. A user of whom nothing is said may do nothing; one whose rights are None is not reviewed:
the answer is 403.
"""

import http.server
import json
import threading


def allows(rights, verb, subresource):
    return any(f"{v} {s}" in rights for v in (verb, "*") for s in (subresource, "*"))


class Reviews:
    """Answers in a thread of its own, and keeps what it was asked in `asked`."""

    def __init__(self, rights):
        self.rights = rights
        self.asked = []
        reviews = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                reviews.asked.append(body["spec"])
                self.answer(*reviews.review(self.path, body))

            def answer(self, status, body):
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                # Written in one packet: a second small packet would wait for the acknowledgement of the first.
                self._headers_buffer.append(b"\r\n" + text)
                self.flush_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def review(self, path, body):
        if path == "/apis/authentication.k8s.io/v1/tokenreviews":
            return 201, body | {"status": self.token(body["spec"]["token"])}
        if path == "/apis/authorization.k8s.io/v1/subjectaccessreviews":
            asked = body["spec"]["resourceAttributes"]
            rights = self.rights.get(body["spec"]["user"], set())
            if rights is not None:
                allowed = allows(rights, asked.get("verb", ""), asked.get("subresource", ""))
                return 201, body | {"status": {"allowed": allowed}}
        return 403, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "code": 403}

    def token(self, token):
        name = token.removeprefix("token-of-")
        if name == token:
            return {"authenticated": False, "error": "no such token"}
        return {"authenticated": True, "user": {"username": name, "groups": ["system:authenticated"]}}
