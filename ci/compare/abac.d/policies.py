"""Random policies and questions about them, from few words, so that they often meet; and lines that no server reads."""

import json

USERS = ["ann", "bob", "system:node:a", "system:serviceaccount:shop:builder"]
GROUPS = ["readers", "system:nodes", "system:authenticated", "system:unauthenticated"]
API_GROUPS = ["", "apps", "storage.k8s.io"]
RESOURCES = ["pods", "secrets", "deployments", "nodes"]
NAMESPACES = ["shop", "other", ""]
PATHS = ["/version", "/healthz", "/logs/kubelet", "/logs", "/"]
VERBS = ["get", "list", "watch", "create", "delete", "deletecollection", "patch", "*", ""]
VERSION = "abac.authorization.kubernetes.io/v1beta1"


def policy(chance):
    pick = lambda words: chance.choice(words + ["*", ""])
    fields = {
        "user": pick(USERS),
        "group": pick(GROUPS),
        "namespace": pick(NAMESPACES),
        "resource": pick(RESOURCES),
        "readonly": chance.random() < 0.4,
    }
    versioned = chance.random() < 0.7
    if versioned:
        fields |= {"apiGroup": pick(API_GROUPS), "nonResourcePath": pick([*PATHS, "/logs/*", "/he**", "/lo*gs"])}
    fields = {name: value for name, value in fields.items() if chance.random() < 0.8}
    if not versioned:
        return json.dumps(fields | ({"kind": "Policy"} if chance.random() < 0.3 else {}))
    return json.dumps({"apiVersion": VERSION, "kind": "Policy", "spec": fields})


def review(chance):
    """The spec of a SubjectAccessReview."""
    spec = {"user": chance.choice([*USERS, "nobody"]), "groups": chance.sample([*GROUPS, "others"], chance.randrange(3))}
    if chance.random() < 0.25:
        spec["nonResourceAttributes"] = {"path": chance.choice([*PATHS, "/logs/a/b", "/health", ""]), "verb": chance.choice(VERBS)}
        return spec
    spec["resourceAttributes"] = {
        "verb": chance.choice(VERBS),
        "group": chance.choice([*API_GROUPS, "x"]),
        "resource": chance.choice([*RESOURCES, "leases", ""]),
        "namespace": chance.choice(NAMESPACES),
        "name": chance.choice(["", "web"]),
        "subresource": chance.choice(["", "status"]),
    }
    return spec


def mistakes():
    of_version = lambda kind, spec: json.dumps({"apiVersion": VERSION, "kind": kind, "spec": spec})
    return [
        "hello world",
        '{"user":"a"',
        '{"user":5}',
        '{"user":["a"],"group":{}}',
        '{"user":"a","user":5}',
        of_version("Policy", {"readonly": "yes"}),
        of_version("Policy", []),
        of_version("Rule", {"user": "a"}),
        json.dumps({"apiVersion": VERSION, "spec": {"user": "a"}}),
        json.dumps({"apiVersion": VERSION.replace("v1beta1", "v9"), "kind": "Policy"}),
        '{"kind":"Foo","user":"a"}',
        '{"apiVersion":"v1","kind":"Pod"}',
        '{"apiVersion":5,"kind":"Policy"}',
        '{"apiVersion":"a/b/c","kind":"Policy"}',
        f"{{apiVersion: {VERSION}, kind: Policy, spec: {{user: a}}}}",
        '[{"user":"a"}]',
        "5",
        '{"user":"a"} {"user":"b"}',
        "a: [b",
        '{"user":"' + 70000 * "a" + '"}',
    ]
