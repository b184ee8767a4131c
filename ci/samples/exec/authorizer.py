"""A small authorizer of nodes: each node reads the Secrets and ConfigMaps of its own pods, its pods, its
Node and its lease, and all Services.

    nodebound run --target "exec:python3 ci/samples/exec/authorizer.py" --focus '^conformance/(namespaces-and-names|reading-secrets|node-identity)'

harness/endpoint/authorizer/README.md tells what the lines say.
"""
import json
import sys

NODE = "system:node:"


def say(line):
    print(json.dumps(line, separators=(",", ":")), flush=True)


def references(pod):
    """The Secrets and ConfigMaps that a pod names, as (resource, name)."""
    spec = pod.get("spec", {})
    for each in spec.get("imagePullSecrets", []):
        yield "secrets", each.get("name")
    for volume in spec.get("volumes", []):
        yield "secrets", volume.get("secret", {}).get("secretName")
        yield "configmaps", volume.get("configMap", {}).get("name")
        for source in volume.get("projected", {}).get("sources", []):
            yield "secrets", source.get("secret", {}).get("name")
            yield "configmaps", source.get("configMap", {}).get("name")
    for kind in ("containers", "initContainers", "ephemeralContainers"):
        for container in spec.get(kind, []):
            for entry in container.get("env", []):
                source = entry.get("valueFrom", {})
                yield "secrets", source.get("secretKeyRef", {}).get("name")
                yield "configmaps", source.get("configMapKeyRef", {}).get("name")
            for source in container.get("envFrom", []):
                yield "secrets", source.get("secretRef", {}).get("name")
                yield "configmaps", source.get("configMapRef", {}).get("name")


class Pods:
    """What pods tie to their nodes."""

    def __init__(self):
        self.ties = {}  # (namespace, pod) -> {(node, resource, namespace, name)}

    def learn(self, event, pod):
        metadata, node = pod["metadata"], pod.get("spec", {}).get("nodeName")
        key = metadata["namespace"], metadata["name"]
        self.ties.pop(key, None)
        # Nobody vouches for what a node says of its own mirror pods.
        mirror = "kubernetes.io/config.mirror" in metadata.get("annotations", {})
        if event != "DELETED" and node and not mirror:
            self.ties[key] = {(node, kind, key[0], name) for kind, name in references(pod) if name}
            self.ties[key].add((node, "pods", *key))

    def tie(self, *wanted):
        return any(wanted in ties for ties in self.ties.values())


def decide(pods, spec):
    user, asked = spec.get("user", ""), spec.get("resourceAttributes")
    if not user.startswith(NODE) or user == NODE or "system:nodes" not in spec.get("groups", []) or not asked:
        return "no opinion", ""
    node, verb, name = user[len(NODE):], asked["verb"], asked.get("name", "")
    kind = (asked.get("group", ""), asked["resource"], asked.get("subresource", ""))
    if kind in (("", "secrets", ""), ("", "configmaps", "")):
        if verb in ("get", "list", "watch") and name and pods.tie(node, kind[1], asked.get("namespace", ""), name):
            return "allow", ""
        return "no opinion", f"no relationship found between node '{node}' and this object"
    if kind == ("", "pods", "") and verb == "get" and pods.tie(node, "pods", asked.get("namespace", ""), name):
        return "allow", ""
    if kind == ("", "services", "") and verb in ("get", "list", "watch"):
        return "allow", ""
    if kind == ("", "nodes", "") and verb in ("get", "list", "watch", "update", "patch") and name == node:
        return "allow", ""
    if kind == ("coordination.k8s.io", "leases", "") and asked.get("namespace") == "kube-node-lease":
        if verb in ("get", "update", "patch", "delete") and name == node:
            return "allow", ""
    return "no opinion", ""


def main():
    json.loads(sys.stdin.readline())  # which versions Nodebound speaks
    say({"protocol": "nodebound.dev/exec", "version": 1, "reviews": ["SubjectAccessReview"], "objects": "lines"})
    pods = Pods()
    for text in sys.stdin:
        line = json.loads(text)
        if "event" in line:
            if line["object"]["kind"] == "Pod":
                pods.learn(line["event"], line["object"])
            continue
        decision, reason = decide(pods, line["spec"])
        say({"id": line["id"], "decision": decision, "reason": reason})


if __name__ == "__main__":
    main()
