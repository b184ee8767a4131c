"""A webhook over TLS that keeps what it is asked, for `admission` and `authorization-webhook`."""

import base64
import http.server
import json
import ssl
import subprocess
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    """What is kept of a body, and what is answered to it, a subclass says."""

    protocol_version = "HTTP/1.1"

    def kept(self, body):
        raise NotImplementedError

    def answer(self, review):
        """Status, text and content type; nothing hangs up."""
        raise NotImplementedError

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: self.headers.get(name) for name in ("Content-Type", "Accept")}
        with self.server.guard:
            self.server.asked.append({"path": self.path, "headers": headers, **self.kept(body)})
        answer = self.answer(json.loads(body))
        if answer is None:
            self.close_connection = True
            self.connection.close()
            return
        status, text, content_type = answer
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


class WebhookServer:
    """Serves at a free port with a certificate of its own; `authority` is that, as kubeconfigs have it."""

    def __init__(self, folder, handler):
        certificate, key = folder / "webhook.crt", folder / "webhook.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
             "-out", certificate, "-days", "2", "-subj", "/CN=webhook", "-addext", "subjectAltName=IP:127.0.0.1"],
            check=True, stderr=subprocess.DEVNULL)
        self.authority = base64.b64encode(certificate.read_bytes()).decode()
        self.server = Server(("127.0.0.1", 0), handler)
        self.server.asked, self.server.guard = [], threading.Lock()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self):
        with self.server.guard:
            asked, self.server.asked = self.server.asked, []
        return asked
