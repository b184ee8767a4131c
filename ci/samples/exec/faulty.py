"""authorizer.py with one fault, which the suite must find.

    nodebound run --target "exec:python3 ci/samples/exec/faulty.py ignores-deletion" --focus '^conformance/secret-through-pod'
"""
import sys

sys.dont_write_bytecode = True
import authorizer

correct_decide, correct_learn, correct_tie = authorizer.decide, authorizer.Pods.learn, authorizer.Pods.tie


def ignores_group(pods, spec):
    return correct_decide(pods, {**spec, "groups": ["system:nodes"]})


def ignores_verb(pods, spec):
    asked = spec.get("resourceAttributes")
    return correct_decide(pods, {**spec, "resourceAttributes": asked and {**asked, "verb": "get"}})


def lists_secrets(pods, spec):
    asked = spec.get("resourceAttributes") or {}
    if asked.get("resource") == "secrets" and asked.get("verb") in ("list", "watch") and "name" not in asked:
        return "allow", ""
    return correct_decide(pods, spec)


def ignores_deletion(pods, event, pod):
    if event != "DELETED":
        correct_learn(pods, event, pod)


def ignores_namespace(pods, node, kind, _, name):
    return any(tie[:2] == (node, kind) and tie[3] == name for ties in pods.ties.values() for tie in ties)


def ignores_node(pods, _, *wanted):
    return any(tie[1:] == wanted for ties in pods.ties.values() for tie in ties)


FAULTS = {
    "none": lambda: None,
    "ignores-group": lambda: setattr(authorizer, "decide", ignores_group),
    "ignores-verb": lambda: setattr(authorizer, "decide", ignores_verb),
    "lists-secrets": lambda: setattr(authorizer, "decide", lists_secrets),
    "ignores-deletion": lambda: setattr(authorizer.Pods, "learn", ignores_deletion),
    "ignores-namespace": lambda: setattr(authorizer.Pods, "tie", ignores_namespace),
    "ignores-node": lambda: setattr(authorizer.Pods, "tie", ignores_node),
}

FAULTS[sys.argv[1]]()
authorizer.main()
