#!/usr/bin/env python3
"""Authorizers beside Node and RBAC, the same for both servers: writes their files and, line by line, the flags that name
them; then serves the webhook until it is ended.

    authorization.py KIND RELEASE FOLDER        KIND: abac, webhook or structured; FOLDER/flags is written last
"""

import hashlib
import json
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from webhook_server import Handler, WebhookServer  # noqa: E402

POLICIES = [
    {"user": "ann", "namespace": "shop", "resource": "pods", "apiGroup": ""},
    {"user": "ann-b", "namespace": "*", "resource": "*", "apiGroup": "*", "readonly": True},
    {"user": "bob", "namespace": "*", "resource": "nodes", "apiGroup": "*"},
    {"group": "team", "namespace": "shop-2", "resource": "*", "apiGroup": "*"},
    {"group": "others", "namespace": "*", "resource": "secrets", "apiGroup": "", "readonly": True},
    {"group": "system:nodes", "namespace": "kube-system", "resource": "configmaps", "apiGroup": "", "readonly": True},
    {"user": "system:node:b", "namespace": "*", "resource": "nodes", "apiGroup": ""},
    {"user": "system:serviceaccount:shop:till", "namespace": "shop", "resource": "*", "apiGroup": "*"},
    {"group": "system:serviceaccounts:shop-2", "namespace": "*", "resource": "leases", "apiGroup": "coordination.k8s.io"},
    {"user": "system:nodes:a", "namespace": "*", "resource": "pods", "apiGroup": "*"},
    {"group": "system:authenticated", "nonResourcePath": "/apis/*", "readonly": True},
    {"group": "system:unauthenticated", "nonResourcePath": "/openapi/*", "readonly": True},
    {"user": "*", "namespace": "default", "resource": "events", "apiGroup": "*"},
]
OLD_POLICIES = [  # without a version, as before 1.2
    {"user": "bob", "namespace": "shop", "resource": "pods"},
    {"group": "others", "resource": "endpoints", "readonly": True},
]


def decision(spec):
    """The same for each request of the same kind, whoever asks."""
    attributes = spec.get("resourceAttributes") or spec.get("nonResourceAttributes") or {}
    asked = [spec.get("user"), *(attributes.get(each, "") for each in ("verb", "resource", "subresource", "namespace", "path"))]
    drawn = hashlib.sha256(json.dumps(asked).encode()).digest()
    share, worded = drawn[0], drawn[1] % 2 == 0
    if share < 25:
        return {"allowed": False, "denied": True, **({"reason": "not <this> & that"} if worded else {})}
    if share < 75:
        return {"allowed": True, **({"reason": "as agreed"} if worded else {})}
    if share < 90:
        return {"allowed": False, "evaluationError": "nothing is known"}
    return {"allowed": False, **({"reason": "no opinion of the webhook"} if worded else {})}


class Reviewer(Handler):
    def kept(self, body):
        return {}

    def answer(self, review):
        answer = {"kind": review["kind"], "apiVersion": review["apiVersion"], "status": decision(review["spec"])}
        return 200, json.dumps(answer), "application/json"


def webhook_kubeconfig(folder):
    webhook = WebhookServer(folder, Reviewer)
    path = folder / "webhook.kubeconfig"
    path.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "c",
        "clusters": [{"name": "w", "cluster": {"server": f"https://127.0.0.1:{webhook.port}/authorize",
                                               "certificate-authority-data": webhook.authority}}],
        "users": [{"name": "u", "user": {}}], "contexts": [{"name": "c", "context": {"cluster": "w", "user": "u"}}]}))
    path.chmod(0o600)
    return path


def configuration(kubeconfig, release):
    """Webhooks before and after Node and RBAC, whose conditions skip, ask, and fail."""
    def webhook(name, policy, *conditions):
        return {"type": "Webhook", "name": name, "webhook": {
            "timeout": "10s", "subjectAccessReviewVersion": "v1", "matchConditionSubjectAccessReviewVersion": "v1",
            "failurePolicy": policy, "authorizedTTL": "10m", "unauthorizedTTL": "10m",
            "connectionInfo": {"type": "KubeConfigFile", "kubeConfigFile": str(kubeconfig)},
            "matchConditions": [{"expression": each} for each in conditions]}}

    version = "v1" if release >= (1, 32) else "v1beta1"
    return {"apiVersion": f"apiserver.config.k8s.io/{version}", "kind": "AuthorizationConfiguration", "authorizers": [
        webhook("writes", "NoOpinion", "has(request.resourceAttributes)",
                "!(request.resourceAttributes.verb in ['get', 'list', 'watch'])",
                "!request.user.startsWith('system:node:') || request.resourceAttributes.namespace != 'shop-2'"),
        {"type": "Node", "name": "node"},
        webhook("strict", "Deny", "!('system:masters' in request.groups)",
                "request.user != 'bob' || request.resourceAttributes.resource != 'secrets'",
                "'team' in request.groups"),
        {"type": "RBAC", "name": "rbac"},
        webhook("last", "NoOpinion", "request.groups.exists(g, g.startsWith('system:serviceaccounts')) || "
                                     "request.nonResourceAttributes.path.startsWith('/api')")]}


def flags(kind, release, folder):
    if kind == "abac":
        path = folder / "policies.jsonl"
        of_version = [{"apiVersion": "abac.authorization.kubernetes.io/v1beta1", "kind": "Policy", "spec": each}
                      for each in POLICIES]
        path.write_text("".join(json.dumps(each) + "\n" for each in of_version + OLD_POLICIES))
        return ["--authorization-mode=Node,ABAC,RBAC", f"--authorization-policy-file={path}"]
    kubeconfig = webhook_kubeconfig(folder)
    if kind == "webhook":
        return ["--authorization-mode=Webhook,Node,RBAC", f"--authorization-webhook-config-file={kubeconfig}",
                "--authorization-webhook-version=v1"]
    if kind == "structured":
        path = folder / "authorization.json"
        path.write_text(json.dumps(configuration(kubeconfig, release)))
        return [f"--authorization-config={path}"]
    raise SystemExit(f"expected abac, webhook or structured, not {kind}")


def main():
    kind, release, folder = sys.argv[1], tuple(map(int, sys.argv[2].split(".")[:2])), pathlib.Path(sys.argv[3])
    lines = "".join(each + "\n" for each in flags(kind, release, folder))
    written = folder / "flags.part"
    written.write_text(lines)
    written.rename(folder / "flags")
    threading.Event().wait()


main()
