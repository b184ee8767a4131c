"""Sends bytes as they are, and reads what comes back."""

import json
import pathlib
import re
import socket
import ssl
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from cases import PROBE
from connection_reader import ConnectionReader

BODILESS = {204, 304}


class Wire:
    """How one server is reached."""

    def __init__(self, port):
        self.port = port
        self.contexts = {}

    def context(self, certificate, version=None):
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        made.check_hostname = False
        made.verify_mode = ssl.CERT_NONE
        # The server must refuse weak algorithms, so this client allows them.
        made.set_ciphers("ALL:@SECLEVEL=0")
        if version:
            made.minimum_version = made.maximum_version = ssl.TLSVersion[version]
        if certificate:
            made.load_cert_chain(certificate)
        return made

    def ask(self, case, uid, patience):
        """What was answered, as text to compare."""
        key = (case.certificate, case.tls.get("version"))
        if key not in self.contexts or case.certificate:
            try:
                self.contexts[key] = self.context(*key)
            except ssl.SSLError as error:
                return f"not sent: {error.reason}"
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=patience) as plain:
                plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with self.contexts[key].wrap_socket(plain) as secure:
                    return self.talk(case, secure, uid)
        except (ssl.SSLError, OSError):
            return "no handshake"

    @staticmethod
    def talk(case, secure, uid):
        sent = case.parts or [case.bytes_for(uid)]
        reader = Reader(secure, case)
        try:
            for part in [*sent, PROBE]:
                secure.sendall(part)
        except (ssl.SSLError, OSError):
            pass  # reported when the answer is read
        said, end = reader.all()
        if case.certificate and not said and end != "waits":
            return "no handshake"
        return " | ".join([*said, end])


class Reader(ConnectionReader):
    def __init__(self, secure, case):
        super().__init__(secure)
        self.head, self.shows, self.end = case.first_is_head, case.shows, None

    def more(self):
        try:
            if super().more():
                return True
            self.end = "closed"
        except TimeoutError:
            self.end = "waits"
        except (ssl.SSLError, OSError):
            self.end = "closed"
        return False

    def all(self):
        said = []
        while True:
            one = self.answer()
            if one is None:
                # An incomplete answer is reported too.
                return said + ([f"then {self.data[:60]!r}"] if self.data else []), self.end
            if "probe" in one and '"last"' in one:
                return said, "kept"
            said.append(one)

    def answer(self):
        while not self.data:
            if not self.more():
                return None
        if not b"HTTP/".startswith(self.data[:5]) and not self.data.startswith(b"HTTP/"):
            while self.more():
                pass
            return None
        head = self.until(b"\r\n\r\n")
        if head is None:
            return None
        line, *lines = head.decode("latin-1").split("\r\n")
        fields = {}
        for each in lines:
            name, _, value = each.partition(":")
            if name.lower() == "warning" and "warning" in fields:
                value = fields["warning"] + "; " + value.strip()
            fields[name.lower()] = value.strip()
        _, _, status = line.partition(" ")
        code = int(status[:3])
        body = self.body(code, fields)
        return outcome(line, status, fields, body, self.shows)

    def body(self, code, fields):
        was_head, self.head = self.head, False
        if code < 200 or code in BODILESS or was_head:
            return b""
        if "chunked" in fields.get("transfer-encoding", ""):
            return self.chunked()
        if "content-length" in fields:
            return self.exactly(int(fields["content-length"]))
        return self.to_end()


def people(user):
    parts = [user.get("username", "") or "nobody", f"uid={user.get('uid', '')}", f"groups={user.get('groups', [])}"]
    return " ".join([*parts, f"extra={json.dumps(user.get('extra', {}), sort_keys=True)}"])


# Text that always differs between the servers: addresses and ports, times, and etcd's counters.
VOLATILE = [
    (re.compile(r"127\.0\.0\.1:\d+"), "ADDRESS"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "UUID"),
    (re.compile(r"resourceVersion\W+\d+"), "resourceVersion N"),
    (re.compile(r"in record \(\d+\)"), "in record (N)"),
    (re.compile(r'"time": "[^"]*"'), '"time": TIME'),
    # What has changed of a pod, as Go prints it.
    (re.compile(r"(?<=if it was previously negative\))\n.*(?=\n)\n", re.S), ""),
    # What a patch makes of an object is shown with all that a server has filled in, in the order of the Go struct.
    (re.compile(r'patch: Invalid value: "\{.*\}": ', re.S), "patch: Invalid value: OBJECT: "),
]


def field_of(value, path):
    for name in path.split(" "):
        if name.startswith("#"):
            value = value[int(name[1:])] if isinstance(value, list) and len(value) > int(name[1:]) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return json.dumps(value, sort_keys=True)


def told(fields, body, shows=""):
    text = body.decode("utf-8", "backslashreplace")
    if "json" in fields.get("content-type", ""):
        try:
            value = json.loads(text.splitlines()[0] if "\n{" in text else text)
        except ValueError:
            value = None
        if isinstance(value, dict):
            kind = value.get("kind", "")
            if kind == "Status":
                return f"{value.get('reason', '')}: {value.get('message', '')}"
            if kind == "SelfSubjectReview":
                return people(value["status"]["userInfo"])
            if isinstance(value.get("items"), list):
                return f"{kind} {sorted(each['metadata']['name'] for each in value['items'])}"
            if "metadata" in value:
                return f"{kind} {value['metadata'].get('name', '')}" + (f": {field_of(value, shows)}" if shows else "")
            if "object" in value:
                inner = value["object"]
                return f"{value['type']} {inner.get('kind')} {inner.get('metadata', {}).get('name', inner.get('message'))}"
            return kind or "an object"
    return text[:300]


def outcome(line, status, fields, body, shows=""):
    told_text = told(fields, body, shows)
    for form, to in VOLATILE:
        told_text = form.sub(to, told_text)
    version = line.partition(" ")[0]
    parts = [status if version == "HTTP/1.1" else f"{version} {status}"]
    for name in ("connection", "location", "allow", "upgrade", "warning"):
        if name in fields:
            parts.append(f"{name}={fields[name]}")
    parts.append(f"type={fields.get('content-type', '')}")
    return f"{' '.join(parts)} {told_text!r}"
