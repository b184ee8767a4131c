"""An authorization webhook that behaves as the name of the user says. It keeps what it is asked, byte by byte."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from webhook_server import Handler, WebhookServer  # noqa: E402


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


class Reviewer(Handler):
    def kept(self, body):
        return {"body": body.decode()}

    def answer(self, review):
        behaviour = review["spec"].get("user", "")
        if behaviour == "closes":
            return None
        version = review["apiVersion"].rsplit("/", 1)[1]
        status, text = BEHAVIOURS.get(behaviour, BEHAVIOURS["abstain"])(version)
        return status, text, "application/json" if text.startswith("{") else "text/plain"


class Webhook(WebhookServer):
    def __init__(self, folder):
        super().__init__(folder, Reviewer)
        self.kubeconfig = folder / "webhook.kubeconfig"
        self.kubeconfig.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "w", "cluster": {"server": f"https://127.0.0.1:{self.port}/authorize?x=1",
                                                   "certificate-authority-data": self.authority}}],
            "users": [{"name": "u", "user": {"token": "secret"}}],
            "contexts": [{"name": "c", "context": {"cluster": "w", "user": "u"}}]}))
        self.kubeconfig.chmod(0o600)
