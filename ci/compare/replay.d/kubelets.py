"""What kubelets of a release ask for: the requests that those of `nodebound serve` sent, by its audit log, with bodies made of
what they had stored, for its log has none."""

import json
import urllib.parse

# What a server fills in.
DRAWN = ("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation")
REPLACED = {"resourceVersion": None, "timeoutSeconds": "1"}


def target_of(uri):
    """Without what only holds for the server that was asked, and with watches that end."""
    parts = urllib.parse.urlsplit(uri)
    query = [(name, REPLACED.get(name, value)) for name, value in urllib.parse.parse_qsl(parts.query)]
    query = [(name, value) for name, value in query if value is not None]
    return parts.path + ("?" + urllib.parse.urlencode(query) if query else "")


def plain(stored):
    value = json.loads(stored)
    for field in DRAWN:
        value["metadata"].pop(field, None)
    return value


def token_request(player, namespace, node):
    """For the first pod of the node: the log does not say for which."""
    _, listed = player.ask("GET", f"/api/v1/namespaces/{namespace}/pods?fieldSelector=spec.nodeName%3D{node}")
    pods = json.loads(listed)["items"]
    if not pods:
        return None
    name = pods[0]["metadata"]["name"]
    return {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {
        "audiences": [], "expirationSeconds": 3607, "boundObjectRef": {
            "apiVersion": "v1", "kind": "Pod", "name": name,
            "uid": f"{{uid:/api/v1/namespaces/{namespace}/pods/{name}}}"}}}


def body_of(event, player, node):
    reference = event["objectRef"]
    path = urllib.parse.urlsplit(event["requestURI"]).path
    if reference.get("subresource") == "token":
        return token_request(player, reference["namespace"], node)
    stored = path.removesuffix("/status")
    if event["verb"] == "create" and not stored.endswith("/" + reference.get("name", "?")):
        stored += "/" + reference.get("name", node)
    code, answer = player.ask("GET", stored)
    if code != 200:
        return None
    value = plain(answer)
    if event["verb"] == "patch":
        return {"status": value.get("status", {})} if path.endswith("/status") else {"metadata": {"annotations": {}}}
    if event["verb"] == "create":
        value.pop("status", None)
    return value


def requests_of(log, player, version):
    """Their requests in the order of the log, as requests.toml has them. Nobody else asks as a node there."""
    out = []
    for line in log.read_text().splitlines():
        event = json.loads(line)
        user = event["user"]["username"]
        final = event["stage"] == "ResponseComplete" or event["verb"] == "watch"
        if not final or not user.startswith("system:node:"):
            continue
        node = user.removeprefix("system:node:")
        method = {"create": "POST", "update": "PUT", "patch": "PATCH", "delete": "DELETE"}.get(event["verb"], "GET")
        request = {"as": node, "agent": f"kubelet/v{version}", "send": f"{method} {target_of(event['requestURI'])}"}
        if method in ("POST", "PUT", "PATCH"):
            body = body_of(event, player, node)
            if body is None:
                continue
            request |= {"body": json.dumps(body), "type": "strategic"}
        out.append(request)
    return out
