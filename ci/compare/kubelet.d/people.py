"""Who asks: certificates and tokens, good ones and bad ones, and what an API server says of them."""

import base64
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import kubelet
import reviews

PLAIN = [f"cert-{n}" for n in range(24)]
ADMIN = PLAIN[0]  # the user with known rights
# Name: the authority, and make_certificate's arguments that differ from its defaults.
ODD = {
    "stranger": ("other-ca", {}),
    "expired": ("ca", {"days": -1}),
    "server-only": ("ca", {"usage": "serverAuth"}),
    "any-usage": ("ca", {"usage": "anyExtendedKeyUsage"}),
    "no-usage": ("ca", {"usage": None}),
    "nameless": ("ca", {"subject": "/O=of-nameless"}),
    "two-names": ("ca", {"subject": "/CN=first/CN=second"}),
    "many-groups": ("ca", {"subject": "/O=system:masters/O=a/O=b/O=a/CN=many-groups"}),
    "no-group": ("ca", {"subject": "/CN=no-group"}),
    "with-uid": ("ca", {"subject": "/userUID=1234/CN=with-uid"}),
    "two-uids": ("ca", {"subject": "/userUID=1/userUID=2/CN=two-uids"}),
    "empty-uid": ("ca", {"subject": "/userUID=/CN=empty-uid"}),
    "unauthenticated": ("ca", {"subject": "/O=system:unauthenticated/CN=unauthenticated"}),
    "anonymous": ("ca", {"subject": "/CN=system:anonymous"}),
    "not-ascii": ("ca", {"subject": "/O=ö<b>/CN=Üñï, verb=get"}),
}
VERBS = ("get", "create", "update", "patch", "delete", "", "*")
SUBRESOURCES = ("proxy", "pods", "healthz", "configz", "statusz", "stats", "metrics", "log", "checkpoint", "*")
# The possible results of an access review, with their frequencies.
OUTCOMES = {"allowed": 8, "no": 4, "denied": 2, "allowed and denied": 1, "no, by mistake": 1, "empty": 1,
            "403": 2, "404": 1, "422": 1, "503": 1}
STATUSES = {
    "allowed": {"allowed": True, "reason": "because"}, "no": {"allowed": False},
    "denied": {"allowed": False, "denied": True, "reason": "<b>never</b>"},
    "allowed and denied": {"allowed": True, "denied": True},
    "no, by mistake": {"allowed": False, "evaluationError": "role not found"}, "empty": {},
}
NAMES = ("system:node:node-a", "Jürgen", "a b", "<b>bold</b>", 'quo"te', "x, verb=get", "system:anonymous", "%s%d", "n" * 300)


def make_certificates(folder):
    kubelet.make_pki(folder)
    plain = {name: ("ca", {}) for name in PLAIN}
    with ThreadPoolExecutor(4) as pool:
        for made in [pool.submit(kubelet.make_certificate, folder, ca, name, **more)
                     for name, (ca, more) in (plain | ODD).items()]:
            made.result()


def as_subprotocol(token):
    """How a browser shows a token: it cannot set headers of a WebSocket's request."""
    return "base64url.bearer.authorization.k8s.io." + base64.urlsafe_b64encode(token.encode()).decode().rstrip("=")


@dataclass(frozen=True)
class Credential:
    """What a request shows: any of a certificate's name, an Authorization header and a token among subprotocols."""

    certificate: str | None = None
    authorization: str | None = None
    subprotocols: str | None = None
    token: str | None = None  # the token that it shows, if it belongs to one of the people

    def __str__(self):
        parts = [self.certificate and f"certificate {self.certificate}",
                 self.authorization is not None and f"Authorization: {self.authorization[:80]}",
                 self.subprotocols and f"Sec-WebSocket-Protocol: {self.subprotocols[:120]}"]
        return ", ".join(part for part in parts if part) or "no credential"


class People:
    """What the API server of one pair of kubelets knows. All of it comes from one source of chance."""

    def __init__(self, chance):
        self.chance = chance
        self.rights = {}   # user: [(verb, subresource, outcome)], of which the first that fits counts
        self.tokens = {}   # token: the status of its review, or a status of HTTP
        self.made = 0
        for name in [*PLAIN, *ODD, "second", "system:anonymous", "Üñï, verb=get"]:
            self.rights[name] = self.some_rights()
        self.rights[ADMIN] = [("*", "*", "allowed")]
        self.active = [self.new_token() for _ in range(12)]
        self.bad = [self.new_bad_token() for _ in range(8)]

    def some_rights(self):
        pick = self.chance.random()
        if pick < 0.45:
            return [("*", "*", "allowed")]
        if pick < 0.55:
            return []
        if pick < 0.65:
            return [(self.chance.choice(VERBS), "proxy", "allowed")]
        if pick < 0.75:
            return [("get", self.chance.choice(SUBRESOURCES), "allowed")]
        if pick < 0.76:
            return [("*", "*", "500 once")]
        some = [(self.chance.choice(VERBS), self.chance.choice(SUBRESOURCES), self.outcome())
                for _ in range(self.chance.randint(1, 5))]
        return some + [("*", "*", self.outcome())] * self.chance.randint(0, 1)

    def outcome(self):
        return self.chance.choices(list(OUTCOMES), OUTCOMES.values())[0]

    def new_user(self):
        self.made += 1
        name = f"user-{self.made}"
        if self.chance.random() < 0.1:
            name = f"{self.chance.choice(NAMES)}-{self.made}"
        self.rights[name] = self.some_rights()
        return name

    def new_token(self):
        name = self.new_user()
        user = {"username": name, "groups": ["system:authenticated"]}
        if self.chance.random() < 0.3:
            user |= self.chance.choice([
                {"uid": f"uid-{self.made}"}, {"groups": []}, {"groups": ["b", "a", "b"]},
                {"groups": ["system:unauthenticated"]}, {"extra": {"b.example.com/x": ["2", "1"], "a": []}},
                {"uid": "1", "extra": {"authentication.kubernetes.io/pod-name": ["p"]}}])
        status = {"authenticated": True, "user": user}
        if self.chance.random() < 0.1:
            status |= self.chance.choice([{"audiences": ["somebody"]}, {"error": "but no"}, {"user": {"username": ""}}])
        return self.named(status)

    def new_bad_token(self):
        return self.named(self.chance.choice([
            {"authenticated": False, "error": "token expired"}, {"authenticated": False}, {}, 403, 503, 422,
            {"authenticated": False, "user": {"username": "user-1"}}]))

    def named(self, answer):
        token = f"token-{len(self.tokens)}" + self.chance.choice(["", "", "", ".a.b", "/+=", "ü"])
        self.tokens[token] = answer
        return token

    def renew(self):
        """Whom no kubelet remembers in place of whom it does."""
        self.active[self.chance.randrange(len(self.active))] = self.new_token()
        self.bad[self.chance.randrange(len(self.bad))] = self.new_bad_token()

    def change(self):
        """What a kubelet remembers is no longer so."""
        self.rights[self.chance.choice([name for name in self.rights if name != ADMIN])] = self.some_rights()

    def stranger_like(self, credential):
        """The same credential of somebody with the same rights, whom no kubelet has met."""
        if credential.token is None:
            return credential
        self.made += 1
        answer, token = self.tokens[credential.token], f"again-{self.made}"
        if isinstance(answer, dict) and answer.get("user", {}).get("username"):
            name = f"again-{self.made}"
            self.rights[name] = self.rights.get(answer["user"]["username"], [])
            answer = answer | {"user": answer["user"] | {"username": name}}
        self.tokens[token] = answer
        old, new = credential.token, token
        return replace(credential, token=token,
                       authorization=credential.authorization and credential.authorization.replace(old, new),
                       subprotocols=credential.subprotocols and
                       credential.subprotocols.replace(as_subprotocol(old), as_subprotocol(new)))

    def token_like(self, credential):
        """A new token with the rights of a certificate: that one is remembered, and there is no other like it."""
        return self.somebody(self.rights.get(credential.certificate or "system:anonymous", []))

    def somebody(self, rights):
        """A new token of a user with these rights."""
        token = self.named({"authenticated": True, "user": {"username": self.new_user(), "groups": []}})
        self.rights[self.tokens[token]["user"]["username"]] = rights
        return Credential(authorization=f"Bearer {token}", token=token)


class Reviews(reviews.Reviews):
    """The API server as one kubelet of a pair sees it."""

    def __init__(self, people):
        self.people = people
        self.failed = set()
        super().__init__(None)

    def review(self, path, body):
        if path == "/apis/authentication.k8s.io/v1/tokenreviews":
            answer = self.people.tokens.get(body["spec"].get("token"), {"authenticated": False, "error": "no such token"})
            return self.failure(answer) if isinstance(answer, int) else (201, body | {"status": answer})
        if path == "/apis/authorization.k8s.io/v1/subjectaccessreviews":
            spec = body["spec"]
            outcome = self.outcome(spec.get("user", ""), spec["resourceAttributes"])
            if outcome == "500 once":
                if spec.get("user") not in self.failed:
                    self.failed.add(spec.get("user"))
                    return self.failure(500)
                outcome = "allowed"
            return (201, body | {"status": STATUSES[outcome]}) if outcome in STATUSES else self.failure(int(outcome))
        return self.failure(404)

    def outcome(self, user, asked):
        for verb, subresource, outcome in self.people.rights.get(user, []):
            if verb in ("*", asked.get("verb", "")) and subresource in ("*", asked.get("subresource", "")):
                return outcome
        return "no"

    @staticmethod
    def failure(code):
        reason = {403: "Forbidden", 404: "NotFound", 422: "Invalid", 500: "InternalError", 503: "ServiceUnavailable"}
        return code, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason[code], "code": code}
