"""An admission webhook whose path says how it behaves. It keeps what it is asked."""

import base64
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from webhook_server import Handler, WebhookServer  # noqa: E402

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


class Reviewer(Handler):
    def kept(self, body):
        return {"review": json.loads(body)}

    def answer(self, review):
        behaviour = self.path.split("?")[0].rsplit("/", 1)[-1]
        if behaviour == "slow":
            time.sleep(3)
        if behaviour == "close":
            return None
        return *BEHAVIOURS.get(behaviour, BEHAVIOURS["allow"])(review["request"]), "application/json"


class Webhook(WebhookServer):
    def __init__(self, folder):
        super().__init__(folder, Reviewer)

    def url(self, behaviour):
        return f"https://127.0.0.1:{self.port}/{behaviour}"
