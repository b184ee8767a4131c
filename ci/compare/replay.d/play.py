"""Sends the same requests to an API server, as the users and programs that requests.toml names."""

import base64
import http.client
import json
import re
import ssl
import subprocess
import time
import urllib.parse

TYPES = {"merge": "application/merge-patch+json", "strategic": "application/strategic-merge-patch+json",
         "json-patch": "application/json-patch+json"}


def issue(authority, folder, user, name, groups):
    """A client certificate of the common authority, and its key."""
    key, request, certificate = (folder / f"{user}.{end}" for end in ("key", "csr", "crt"))

    def run(*command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    # Colons are data here, and slashes begin the next part.
    subject = "".join(f"/O={group}" for group in groups) + f"/CN={name}"
    run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out",
        request, "-subj", subject)
    run("openssl", "x509", "-req", "-in", request, "-CA", authority / "ca.crt", "-CAkey", authority / "ca.key",
        "-set_serial", str(time.time_ns()), "-days", "1", "-out", certificate)
    return certificate, key


def issue_all(authority, folder, users):
    out = {user: issue(authority, folder, user, each["name"], each["groups"]) for user, each in users.items()}
    text = (authority / "admin.kubeconfig").read_text()
    out["admin"] = []
    for end in ("certificate", "key"):
        path = folder / f"admin.{end}"
        path.write_bytes(base64.b64decode(re.search(rf"client-{end}-data: (\S+)", text)[1]))
        path.chmod(0o600)
        out["admin"].append(path)
    return out


class Player:
    """One API server and what it has answered."""

    def __init__(self, kubeconfig, certificates):
        self.port = int(re.search(r"server: https://[^:]+:(\d+)", kubeconfig.read_text())[1])
        self.contexts = {}
        for user, (certificate, key) in certificates.items():
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            context.load_cert_chain(certificate, key)
            self.contexts[user] = context
        self.objects = {}  # by path: as the server answered last
        self.answers = {}  # status and error by audit id
        self.sent = 0

    def ask(self, method, target, user="admin", body=None, headers=None):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.contexts[user], timeout=30)
        try:
            connection.request(method, target, body, headers or {})
            answer = connection.getresponse()
            # A watch goes on, and a connection that was taken over, too: their answer is their status.
            watch = "watch=true" in target or answer.status == 101
            return answer.status, b"" if watch else answer.read()
        finally:
            connection.close()

    def play(self, request):
        if "wait" in request:
            time.sleep(request["wait"])
        if "send" not in request:
            return None
        method, target = request["send"].split(" ", 1)
        audit_id = f"request-{self.sent:04}"
        self.sent += 1
        patch_type = TYPES.get(request.get("type")) if method == "PATCH" else None
        headers = {"User-Agent": request.get("agent", "kubectl/v1.36.3"), "Audit-ID": audit_id,
                   "Content-Type": patch_type or "application/json", "Accept": "application/json"}
        if request.get("upgrade"):
            headers |= {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                        "Sec-WebSocket-Key": base64.b64encode(b"0123456789abcdef").decode(),
                        "Sec-WebSocket-Protocol": "v4.channel.k8s.io"}
        if "impersonate" in request:
            headers |= {"Impersonate-User": request["impersonate"]["user"],
                        "Impersonate-Group": request["impersonate"]["groups"][0]}
        body = self.filled(request.get("body"), target, method)
        code, answer = self.ask(method, target, request.get("as", "admin"), body, headers)
        self.answers[audit_id] = (code, answer.decode(errors="replace") if code >= 400 else "")
        self.remember(target, code, answer)
        return code

    def filled(self, body, target, method):
        """With what this server has drawn by chance."""
        if body is None:
            return None
        body = re.sub(r"\{uid:([^}]*)\}", lambda found: self.object_at(found[1]).get("uid", "none"), body)
        if method != "PUT":
            return body
        value = json.loads(body)
        known = self.object_at(target.split("?")[0])
        value["metadata"] |= {key: known[key] for key in ("uid", "resourceVersion") if key in known}
        return json.dumps(value)

    def object_at(self, path):
        """The metadata of the object there."""
        return self.objects.get(path, {})

    def remember(self, target, code, answer):
        if code not in (200, 201) or not answer.startswith(b"{"):
            return
        value = json.loads(answer)
        name = value.get("metadata", {}).get("name")
        if not name or "uid" not in value["metadata"]:
            return
        path = urllib.parse.urlsplit(target).path.removesuffix("/status")
        if not path.endswith("/" + name):
            path += "/" + name
        self.objects[path] = value["metadata"]
