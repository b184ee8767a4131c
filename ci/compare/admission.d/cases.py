"""The webhook configurations, and the writes that meet them."""

import webhook

GROUP = "admissionregistration.k8s.io/v1"
# Those that behave only as mutating webhooks.
PATCHES = [name for name in webhook.BEHAVIOURS if name.startswith("patch")]
FAILURES = ["html", "broken", "close", "slow", "other-uid"]

# Match conditions, and the failure policies of their webhooks.
CONDITIONS = {
    "true": ("request.operation == 'CREATE' && object.metadata.name.startsWith('m-') == !object.metadata.name.startsWith('v-')", "Fail"),
    "false": ("object.metadata.name == 'another'", "Fail"),
    "old": ("oldObject == null", "Fail"),
    "user": ("'system:masters' in request.userInfo.groups", "Fail"),
    "node": ("request.userInfo.extra['authentication.kubernetes.io/node-name'][0] == 'n'", "Fail"),
    "node-ignored": ("request.userInfo.extra['authentication.kubernetes.io/node-name'][0] == 'n'", "Ignore"),
    "missing": ("object.data.missing == 'x'", "Fail"),
    "missing-ignored": ("object.data.missing == 'x'", "Ignore"),
    "allowed": ("authorizer.group('').resource('secrets').namespace('plain').check('get').allowed()", "Fail"),
    "account": ("authorizer.serviceAccount('plain', 'none').group('').resource('secrets').check('get').allowed()", "Fail"),
    "request-resource": ("authorizer.requestResource.check('update').allowed()", "Fail"),
}
# That no server stores.
WRONG_CONDITIONS = ["object.", "1", "request.usr == ''", "params.x == 1", "unknown", "", "'a' == 1", "object.f()"]


def entry(name, url, authority, **more):
    out = {
        "name": name + ".example.com",
        "clientConfig": {"url": url, "caBundle": authority},
        "rules": [{"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*/*"]}],
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
    }
    out.update(more)
    return out


def labelled(label):
    return {"matchLabels": {"case": label}}


def configurations(hook):
    """Each webhook of a behaviour is asked about the objects that carry its label."""
    validating, mutating = [], []
    for behaviour in [*webhook.BEHAVIOURS, "slow", "close"]:
        for kind, out in (("m", mutating), ("v", validating)):
            if behaviour == "slow":
                more = {"timeoutSeconds": 1}
            else:
                more = {}
            if behaviour == "old":
                more["admissionReviewVersions"] = ["v2", "v1beta1", "v1"]
            label = f"{kind}-{behaviour}"
            out.append(entry(label, hook.url(behaviour), hook.authority, objectSelector=labelled(label), **more))
            if behaviour in FAILURES:
                label += "-ignored"
                out.append(entry(label, hook.url(behaviour), hook.authority, objectSelector=labelled(label),
                                 failurePolicy="Ignore", **more))
    seen = {"namespaceSelector": {"matchLabels": {"seen": "yes"}}}
    cluster = [{"operations": ["*"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["nodes", "nodes/*", "namespaces"],
                "scope": "Cluster"}]
    for kind, out in (("m", mutating), ("v", validating)):
        namespaced = [dict(rule, scope="Namespaced") for rule in entry("", "", "")["rules"]]
        out.append(entry(f"{kind}-seen", hook.url("allow"), hook.authority, rules=namespaced, **seen))
        out.append(entry(f"{kind}-cluster", hook.url("allow"), hook.authority, rules=cluster,
                         objectSelector=labelled("cluster")))
        out.append(entry(f"{kind}-effects", hook.url("allow"), hook.authority, objectSelector=labelled(f"{kind}-effects"),
                         sideEffects="NoneOnDryRun"))
        out.append(entry(f"{kind}-untrusted", hook.url("allow"), None, objectSelector=labelled(f"{kind}-untrusted")))
        out.append(entry(f"{kind}-unreachable", "https://127.0.0.1:1/", hook.authority,
                         objectSelector=labelled(f"{kind}-unreachable")))
        service = entry(f"{kind}-service", "", hook.authority, objectSelector=labelled(f"{kind}-service"))
        service["clientConfig"] = {"service": {"namespace": "plain", "name": "none", "path": "/x"}, "caBundle": hook.authority}
        out.append(service)
        exact = entry(f"{kind}-exact", hook.url("allow"), hook.authority, objectSelector=labelled("equivalent"), matchPolicy="Exact")
        like = entry(f"{kind}-like", hook.url("allow"), hook.authority, objectSelector=labelled("equivalent"))
        for one in (exact, like):
            one["rules"] = [{"operations": ["CREATE"], "apiGroups": ["autoscaling"], "apiVersions": ["v2"],
                             "resources": ["horizontalpodautoscalers"]}]
            out.append(one)
    for name, (expression, policy) in CONDITIONS.items():
        for kind, out in (("m", mutating), ("v", validating)):
            out.append(entry(f"{kind}-if-{name}", hook.url("deny"), hook.authority, objectSelector=labelled(f"{kind}-if-{name}"),
                             failurePolicy=policy, matchConditions=[{"name": "one", "expression": "true"},
                                                                    {"name": "two", "expression": expression}]))
    again = entry("m-again", hook.url("allow"), hook.authority, objectSelector=labelled("reinvoked"), reinvocationPolicy="IfNeeded")
    never = entry("m-never", hook.url("allow"), hook.authority, objectSelector=labelled("reinvoked"))
    changes = entry("m-changes", hook.url("patch"), hook.authority, objectSelector=labelled("reinvoked"))
    mutating += [again, never, changes]
    return [
        {"apiVersion": GROUP, "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "all"}, "webhooks": validating},
        {"apiVersion": GROUP, "kind": "MutatingWebhookConfiguration", "metadata": {"name": "all"}, "webhooks": mutating},
    ]


POD = {"containers": [{"name": "c", "image": "i"}]}
JSON, MERGE = "application/json", "application/merge-patch+json"
PLAIN = "/api/v1/namespaces/plain/configmaps"
SEEN = "/api/v1/namespaces/seen"


def config_map(name, label, **more):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "labels": {"case": label}}, **more}


def requests(kinds=("m", "v")):
    """(name, method, path, body, content type) one after the other."""
    for kind in kinds:
        for behaviour in [*webhook.BEHAVIOURS, "slow", "close"]:
            labels = [f"{kind}-{behaviour}"] + ([f"{kind}-{behaviour}-ignored"] if behaviour in FAILURES else [])
            for label in labels:
                yield f"create {label}", "POST", PLAIN, config_map(label, label), JSON
        for label in ("effects", "untrusted", "unreachable", "service"):
            label = f"{kind}-{label}"
            yield f"create {label}", "POST", PLAIN, config_map(label, label), JSON
            yield f"try {label}", "POST", PLAIN + "?dryRun=All", config_map(label + "-try", label), JSON
    for kind in kinds:
        for name in CONDITIONS:
            label = f"{kind}-if-{name}"
            yield f"create {label}", "POST", PLAIN, config_map(label, label), JSON
    for at, expression in enumerate(WRONG_CONDITIONS):
        yield f"wrong condition {at}", "POST", f"/apis/{GROUP}/validatingwebhookconfigurations", {
            "metadata": {"name": "wrong"}, "webhooks": [entry("wrong", "https://127.0.0.1:1/", None, matchConditions=[
                {"name": "c", "expression": expression}, {"name": "c", "expression": "true"}])]}, JSON
    yield "reinvoked", "POST", PLAIN, config_map("reinvoked", "reinvoked"), JSON
    maps = SEEN + "/configmaps"
    yield "create", "POST", maps + "?fieldManager=me&fieldValidation=Strict", config_map("a", "x", data={"k": "v"}), JSON
    yield "generate", "POST", maps, {"metadata": {"generateName": "g-"}}, JSON
    yield "update", "PUT", maps + "/a", config_map("a", "x", data={"k": "w"}), JSON
    yield "patch", "PATCH", maps + "/a", {"data": {"l": "1"}}, MERGE
    yield "patch nothing", "PATCH", maps + "/a", {}, MERGE
    yield "apply", "PATCH", maps + "/b?fieldManager=me", config_map("b", "x"), "application/apply-patch+yaml"
    yield "try", "DELETE", maps + "/b?dryRun=All", None, JSON
    yield "delete", "DELETE", maps + "/b", {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0}, JSON
    yield "delete all", "DELETE", maps, None, JSON
    yield "account", "POST", SEEN + "/serviceaccounts", {"metadata": {"name": "default"}}, JSON
    yield "pod", "POST", SEEN + "/pods", {"metadata": {"name": "p", "labels": {"a": "b"}}, "spec": POD}, JSON
    yield "invalid pod", "POST", SEEN + "/pods", {"metadata": {"name": "q"}, "spec": {"containers": []}}, JSON
    yield "bind", "POST", SEEN + "/pods/p/binding", {"metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}}, JSON
    yield "status", "PATCH", SEEN + "/pods/p/status", {"status": {"message": "m"}}, MERGE
    yield "exec", "POST", SEEN + "/pods/p/exec?command=ls&command=-l&container=c&stdout=true", None, JSON
    yield "port-forward", "POST", SEEN + "/pods/p/portforward?ports=80", None, JSON
    yield "evict", "POST", SEEN + "/pods/p/eviction", {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}, JSON
    yield "token", "POST", SEEN + "/serviceaccounts/default/token", {"spec": {"audiences": ["x"]}}, JSON
    yield "deployment", "POST", "/apis/apps/v1/namespaces/seen/deployments", {
        "metadata": {"name": "d"}, "spec": {"replicas": 1, "selector": {"matchLabels": {"a": "b"}},
                                            "template": {"metadata": {"labels": {"a": "b"}}, "spec": POD}}}, JSON
    yield "scale", "PATCH", "/apis/apps/v1/namespaces/seen/deployments/d/scale", {"spec": {"replicas": 2}}, MERGE
    yield "local review", "POST", "/apis/authorization.k8s.io/v1/namespaces/seen/localsubjectaccessreviews", {
        "metadata": {"namespace": "seen"}, "spec": {"user": "u", "resourceAttributes": {"namespace": "seen", "verb": "get", "resource": "pods"}}}, JSON
    yield "node", "POST", "/api/v1/nodes", {"metadata": {"name": "x", "labels": {"case": "cluster"}}}, JSON
    yield "node status", "PATCH", "/api/v1/nodes/x/status", {"status": {"capacity": {"cpu": "4"}}}, MERGE
    yield "node gone", "DELETE", "/api/v1/nodes/x", None, JSON
    yield "namespace", "POST", "/api/v1/namespaces", {"metadata": {"name": "other", "labels": {"case": "cluster"}}}, JSON
    yield "namespace gone", "DELETE", "/api/v1/namespaces/other", None, JSON
    yield "exempt", "POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
        "metadata": {"name": "own", "labels": {"case": "v-deny"}}}, JSON
    yield "read", "GET", maps, None, JSON
