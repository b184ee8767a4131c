"""What is asked: bytes, with the name that they are known by for good."""

import dataclasses

TOKENS = {
    "admin": ("admin-token", "root", "u-root", ["system:masters"]),
    "node": ("node-a-token", "system:node:a", "u-a", ["system:nodes"]),
    "eve": ("eve-token", "eve", "u-eve", ["people"]),
    "odd": ("odd.~+/=_-", "odd", "u-odd", ["people"]),
}
WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
REVIEW = b'{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}'
# If a client gets the answer to this request, the server executed a second request hidden in the body of the first.
SMUGGLED = (
    b"GET /api/v1/namespaces/smuggled/secrets/second HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer node-a-token\r\n\r\n"
)
PROBE = b"GET /api/v1/namespaces/probe/secrets/last HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer eve-token\r\n\r\n"


@dataclasses.dataclass
class Case:
    """`sent` is bytes, or makes them of a server's ServiceAccount's UID."""

    category: str
    name: str
    sent: object
    certificate: object = None  # a file with a chain and its key
    first_is_head: bool = False
    parts: list = dataclasses.field(default_factory=list)  # sent one after the other instead of `sent`
    tls: dict = dataclasses.field(default_factory=dict)
    shows: str = ""  # the field of an answered object that is compared; names are divided by blanks

    @property
    def full_name(self):
        return f"{self.category}/{self.name}"

    def bytes_for(self, uid):
        return self.sent(uid) if callable(self.sent) else self.sent


def to_bytes(text):
    return text if isinstance(text, bytes) else text.encode("latin-1")


def bearer(who):
    return f"Authorization: Bearer {TOKENS[who][0]}"


def request(line, *fields, body=b"", who="node", host="Host: h"):
    """A request with the fields as they are; Host and Authorization come first unless they are None."""
    head = [line, *([host] if host else []), *([bearer(who)] if who else []), *fields]
    return b"".join(to_bytes(each) + b"\r\n" for each in head) + b"\r\n" + body


def review(*fields, who="node", body=REVIEW, length=True):
    """Asks who one is."""
    own = [f"Content-Length: {len(body)}"] if length else []
    return request(f"POST {WHO} HTTP/1.1", "Content-Type: application/json", *own, *fields, body=body, who=who)
