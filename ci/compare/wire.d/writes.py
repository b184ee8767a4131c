"""Writes one after the other over one connection: who owns which fields, what evictions obey, what is deleted how."""

import json

from cases import Case, request

MAPS = "/api/v1/namespaces/shop/configmaps"
PODS = "/api/v1/namespaces/shop/pods"
BUDGETS = "/apis/policy/v1/namespaces/shop/poddisruptionbudgets"
APPS = "/apis/apps/v1/namespaces/shop"
LAST = "kubectl.kubernetes.io/last-applied-configuration"
TYPES = {"PATCH": "application/merge-patch+json", "APPLY": "application/apply-patch+yaml"}
CONTAINER = {"name": "c", "image": "i.invalid/i"}


def ask(method, path, value=None, agent="one/1.0 (linux)", media=None, fields=()):
    """One request of the administrator; `APPLY` is a patch, too."""
    body = json.dumps(value).encode() if value is not None else b""
    media = media or TYPES.get(method, "application/json")
    line = f"{'PATCH' if method == 'APPLY' else method} {path} HTTP/1.1"
    head = [f"User-Agent: {agent}", f"Content-Type: {media}", f"Content-Length: {len(body)}", *fields]
    return request(line, *head, body=body, who="admin")


def case(name, *asked, shows="", category="writes"):
    return Case(category, name, b"".join(asked), shows=shows)


def config_map(name, **data):
    return {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": name}, "data": data}


def owned(name, *asked):
    """A ConfigMap of that name is there before; its managers are shown."""
    new = ask("POST", MAPS, config_map(name, a="1", b="2"))
    return case(f"managers/{name}", new, *asked, ask("DELETE", f"{MAPS}/{name}"), shows="metadata managedFields")


def manager_cases():
    at = lambda name, query="": f"{MAPS}/{name}{query}"
    yield owned("create")
    yield owned("update", ask("PUT", at("update"), config_map("update", a="3", c="4"), "two"))
    yield owned("merge", ask("PATCH", at("merge"), {"data": {"a": "3", "b": None}}, "two"))
    yield owned("same", ask("PATCH", at("same"), {"data": {"a": "1"}}, "two"))
    yield owned("named", ask("PATCH", at("named", "?fieldManager=two-b"), {"data": {"a": "7"}}, "two"))
    yield owned("no-agent", ask("PATCH", at("no-agent"), {"data": {"a": "7"}}, ""))
    yield owned("labels", ask("PATCH", at("labels"), {"metadata": {"labels": {"x": "y"}, "finalizers": ["a.b/c"]}}, "two"),
                ask("PATCH", at("labels"), {"metadata": {"labels": None, "finalizers": None}}, "one"))
    yield owned("nothing-left", ask("PATCH", at("nothing-left"), {"data": {"a": "8", "b": "9"}}, "two"))
    yield owned("conflict", ask("APPLY", at("conflict", "?fieldManager=two"), config_map("conflict", a="9")))
    yield owned("conflicts", ask("APPLY", at("conflicts", "?fieldManager=two"), config_map("conflicts", a="9", b="9")))
    yield owned("no-conflict", ask("APPLY", at("no-conflict", "?fieldManager=two"), config_map("no-conflict", a="1")))
    yield owned("shared", ask("APPLY", at("shared", "?fieldManager=two"), config_map("shared", a="1")))
    yield owned("force", ask("APPLY", at("force", "?fieldManager=two&force=true"), config_map("force", a="9")),
                ask("APPLY", at("force", "?fieldManager=two&force=true"), config_map("force", c="1")))
    yield owned("twice", ask("APPLY", at("twice", "?fieldManager=two"), config_map("twice", c="9")),
                ask("APPLY", at("twice", "?fieldManager=two"), config_map("twice", c="9")))
    yield owned("reset", ask("PATCH", at("reset"), {"metadata": {"managedFields": [{}]}}, "two"),
                ask("PATCH", at("reset"), {"data": {"c": "1"}}, "two"),
                ask("APPLY", at("reset", "?fieldManager=two-b"), config_map("reset", a="1")))
    yield owned("reset-by-none", ask("PUT", at("reset-by-none"), config_map("reset-by-none")))
    yield owned("kubectl", ask("PATCH", at("kubectl"), {"metadata": {"annotations": {LAST: json.dumps(config_map("kubectl", a="1"))}}}),
                ask("APPLY", at("kubectl", "?fieldManager=kubectl"), config_map("kubectl", a="8", b="9")),
                ask("APPLY", at("kubectl", "?fieldManager=kubectl"), config_map("kubectl", a="8")))
    yield owned("wrong-manager", ask("PATCH", at("wrong-manager", "?fieldManager=" + "x" * 129), {}))
    yield owned("forced-merge", ask("PATCH", at("forced-merge", "?force=true"), {}))
    yield owned("many", *[ask("PATCH", at("many"), {"data": {f"k{i}": "1"}}, f"p{i:02}") for i in range(12)])
    for kind, path, new in (
        ("pod", PODS, {"metadata": {"name": "owned", "labels": {"a": "b"}}, "spec": {"nodeName": "b", "imagePullSecrets": [{"name": "x"}], "containers": [
            {**CONTAINER, "ports": [{"containerPort": 1}], "env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
             "resources": {"limits": {"cpu": "1"}}, "livenessProbe": {"httpGet": {"port": 80}}, "volumeMounts": [{"name": "v", "mountPath": "/v"}]}],
            "volumes": [{"name": "v", "emptyDir": {}}, {"name": "s", "secret": {"secretName": "s"}}],
            "tolerations": [{"key": "a", "operator": "Exists"}], "nodeSelector": {"a": "b"}}}),
        ("node", "/api/v1/nodes", {"metadata": {"name": "owned"}, "spec": {"podCIDRs": ["10.1.0.0/24"], "podCIDR": "10.1.0.0/24"}, "status": {"capacity": {"cpu": "1"}}}),
        ("service", "/api/v1/namespaces/shop/services", {"metadata": {"name": "owned"}, "spec": {"selector": {"a": "b"}, "ports": [{"port": 80}]}}),
        ("secret", "/api/v1/namespaces/shop/secrets", {"metadata": {"name": "owned"}, "data": {"a": "Yg=="}}),
        ("namespace", "/api/v1/namespaces", {"metadata": {"name": "owned"}}),
        ("account", "/api/v1/namespaces/shop/serviceaccounts", {"metadata": {"name": "owned"}, "secrets": [{"name": "s"}]}),
        ("claim", "/api/v1/namespaces/shop/persistentvolumeclaims", {"metadata": {"name": "owned"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}),
        ("lease", "/apis/coordination.k8s.io/v1/namespaces/shop/leases", {"metadata": {"name": "owned"}, "spec": {"holderIdentity": "x"}}),
        ("role", "/apis/rbac.authorization.k8s.io/v1/clusterroles", {"metadata": {"name": "owned"}, "rules": [{"verbs": ["get"], "resources": ["pods"], "apiGroups": [""]}]}),
        ("binding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {"metadata": {"name": "owned"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "x"}, "subjects": [{"kind": "User", "name": "x"}]}),
        ("event", "/api/v1/namespaces/shop/events", {"metadata": {"name": "owned"}, "involvedObject": {"kind": "Pod", "name": "x", "namespace": "shop"}}),
        ("csi node", "/apis/storage.k8s.io/v1/csinodes", {"metadata": {"name": "owned"}, "spec": {"drivers": [{"name": "d.example.com", "nodeID": "n"}]}}),
        ("deployment", f"{APPS}/deployments", workload(strategy={})),
        ("daemon set", f"{APPS}/daemonsets", workload()),
        ("stateful set", f"{APPS}/statefulsets", workload(serviceName="s")),
        ("replica set", f"{APPS}/replicasets", workload()),
        ("budget", BUDGETS, {"metadata": {"name": "owned"}, "spec": {"minAvailable": 1, "selector": {"matchLabels": {"a": "none"}}}}),
    ):
        at = f"{path}/owned"
        status = {"status": {"conditions": [{"type": "X", "status": "True", "reason": "R", "message": "", "lastTransitionTime": "2020-01-01T00:00:00Z"}]}}
        asked = [ask("POST", path, new), ask("PATCH", at, {"metadata": {"labels": {"c": "d"}}}, "two")]
        if kind in ("pod", "node", "service", "deployment", "budget"):
            asked.append(ask("PATCH", f"{at}/status", status, "two-b"))
        yield case(f"managers/of a {kind}", *asked, ask("DELETE", f"{at}?gracePeriodSeconds=0&propagationPolicy=Background"), shows="metadata managedFields")


def workload(**more):
    labels = {"matchLabels": {"app": "w"}}
    return {"metadata": {"name": "owned"}, "spec": {"selector": labels, "template": {"metadata": {"labels": {"app": "w"}}, "spec": {"containers": [CONTAINER]}}, **more}}


def eviction(name, query="", **options):
    return ask("POST", f"{PODS}/{name}/eviction{query}", {"kind": "Eviction", "apiVersion": "policy/v1", "metadata": {"name": name}, **options})


def evicted(name, *steps, ready="True", phase="Running", **status):
    """A running pod and a budget for it, whose status is that."""
    labels = {"app": name}
    pod = {"metadata": {"name": name, "labels": labels}, "spec": {"nodeName": "b", "containers": [CONTAINER]}}
    running = {"status": {"phase": phase, "conditions": [{"type": "Ready", "status": ready}]}}
    budget = {"metadata": {"name": name}, "spec": {"minAvailable": 1, "selector": {"matchLabels": labels}}}
    asked = [
        ask("POST", PODS, pod),
        ask("PATCH", f"{PODS}/{name}/status", running),
        ask("POST", BUDGETS, budget),
        *([ask("PATCH", f"{BUDGETS}/{name}/status", {"status": status})] if status else []),
        *(steps or [eviction(name)]),
        ask("GET", f"{BUDGETS}/{name}"),
        ask("DELETE", f"{BUDGETS}/{name}"),
        ask("DELETE", f"{PODS}/{name}?gracePeriodSeconds=0"),
    ]
    return case(f"evictions/{name}", *asked, shows="status disruptionsAllowed")


def eviction_cases():
    counted = {"observedGeneration": 1, "expectedPods": 3}
    said = lambda reason, message: [{"type": "DisruptionAllowed", "status": "False", "reason": reason, "message": message,
                                     "lastTransitionTime": "2020-01-01T00:00:00Z"}]
    yield evicted("unprocessed")
    yield evicted("none-allowed", **counted, currentHealthy=3, desiredHealthy=3, disruptionsAllowed=0)
    yield evicted("failed-sync", **counted, conditions=said("SyncFailed", "no"), disruptionsAllowed=0)
    yield evicted("said-why", **counted, conditions=said("InsufficientPods", "few"), currentHealthy=5, disruptionsAllowed=0)
    yield evicted("said-nothing", **counted, currentHealthy=5, desiredHealthy=1, disruptionsAllowed=0)
    yield evicted("allowed", **counted, currentHealthy=3, desiredHealthy=1, disruptionsAllowed=2)
    yield evicted("last-allowed", **counted, currentHealthy=3, desiredHealthy=1, disruptionsAllowed=1)
    yield evicted("dry-run", eviction("dry-run", "?dryRun=All"), **counted, currentHealthy=3, desiredHealthy=1, disruptionsAllowed=2)
    yield evicted("dry-run-refused", eviction("dry-run-refused", "?dryRun=All"), **counted, disruptionsAllowed=0)
    yield evicted("again", eviction("again"), eviction("again"), **counted, currentHealthy=3, desiredHealthy=1, disruptionsAllowed=1)
    yield evicted("pending", phase="Pending")
    yield evicted("succeeded", phase="Succeeded")
    yield evicted("not-ready", ready="False", **counted, currentHealthy=0, desiredHealthy=1, disruptionsAllowed=0)
    yield evicted("not-ready-but-enough", ready="False", **counted, currentHealthy=1, desiredHealthy=1, disruptionsAllowed=0)
    always = ask("PATCH", f"{BUDGETS}/always", {"spec": {"unhealthyPodEvictionPolicy": "AlwaysAllow"}})
    yield evicted("always", always, eviction("always"), ready="False", **counted, currentHealthy=0, desiredHealthy=1, disruptionsAllowed=0)
    two = ask("POST", BUDGETS, {"metadata": {"name": "two-b"}, "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "two"}}}})
    yield evicted("two", two, eviction("two"), ask("DELETE", f"{BUDGETS}/two-b"), **counted, disruptionsAllowed=5)
    budget = {"metadata": {"name": "unconditional"}, "spec": {"minAvailable": 2}}
    yield evicted("unconditional", ask("PUT", f"{BUDGETS}/unconditional", budget))


def scale(name, replicas, **metadata):
    return {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {"name": name, **metadata}, "spec": {"replicas": replicas}}


def workload_cases():
    for kind in ("deployments", "replicasets", "statefulsets"):
        new = {**workload(), "metadata": {"name": "scaled"}}
        at = f"{APPS}/{kind}/scaled"
        asked = [
            ask("POST", f"{APPS}/{kind}", new),
            ask("GET", f"{at}/scale"),
            ask("PATCH", f"{at}/scale", {"spec": {"replicas": 3}}),
            ask("PATCH", f"{at}/scale", {"spec": {"replicas": 4}}, media="application/strategic-merge-patch+json"),
            ask("PATCH", f"{at}/scale", [{"op": "replace", "path": "/spec/replicas", "value": 5}], media="application/json-patch+json"),
            ask("PUT", f"{at}/scale", scale("scaled", 6)),
            ask("PUT", f"{at}/scale", scale("scaled", -1)),
            ask("PUT", f"{at}/scale", scale("scaled", 1, resourceVersion="1")),
            ask("PUT", f"{at}/scale", scale("other", 1)),
            ask("PUT", f"{at}/scale", {"kind": "Scale", "apiVersion": "v1"}),
            ask("GET", f"{APPS}/{kind}/none/scale"),
            ask("PATCH", at, {"spec": {"replicas": 0}}),
            ask("GET", f"{at}/scale"),
            ask("PATCH", at, {"spec": {"selector": {"matchLabels": {"app": "x"}}, "template": {"metadata": {"labels": {"app": "x"}}}}}),
            ask("DELETE", f"{at}?propagationPolicy=Background"),
        ]
        yield case(f"workloads/scale of {kind}", *asked, shows="spec replicas")
    for name, new in {
        "no selector": {"spec": {"template": workload()["spec"]["template"]}},
        "another selector": {"spec": {**workload()["spec"], "selector": {"matchLabels": {"a": "b"}}}},
        "negative": {"spec": {**workload()["spec"], "replicas": -1}},
    }.items():
        yield case(f"workloads/{name}", ask("POST", f"{APPS}/deployments", {"metadata": {"name": "wrong"}, **new}))
    for kind in ("deployments", "replicasets", "statefulsets", "daemonsets"):
        asked = [ask("POST", f"{APPS}/{kind}", {**workload(), "metadata": {"name": "whole"}})]
        asked.append(ask("DELETE", f"{APPS}/{kind}/whole?propagationPolicy=Background"))
        for part in ("spec", "status", "metadata generation"):
            yield case(f"workloads/{part} of {kind}", *asked, shows=part)


def deletion_cases():
    for policy in ("Foreground", "Orphan", "Background", "Sideways"):
        name = f"goes-{policy.lower()}"
        yield case(
            f"deletions/{policy}",
            ask("POST", MAPS, config_map(name)),
            ask("DELETE", f"{MAPS}/{name}", {"propagationPolicy": policy}),
            ask("PATCH", f"{MAPS}/{name}", {"metadata": {"finalizers": None}}),
            ask("DELETE", f"{MAPS}/{name}"),
            shows="metadata finalizers",
        )
    for precondition in ({"uid": "x"}, {"resourceVersion": "1"}):
        yield case(
            f"deletions/wrong {next(iter(precondition))}",
            ask("POST", MAPS, config_map("kept")),
            ask("DELETE", f"{MAPS}/kept", {"preconditions": precondition}),
            ask("DELETE", f"{MAPS}/kept"),
        )
        (field, value), = precondition.items()
        yield case(
            f"deletions/wrong {field} in the query",
            ask("POST", MAPS, config_map("kept")),
            ask("DELETE", f"{MAPS}/kept?{field}={value}"),
            ask("DELETE", f"{MAPS}/kept?orphanDependents=true&dryRun=All"),
            ask("DELETE", f"{MAPS}/kept?orphanDependents=false"),
            shows="metadata finalizers",
        )
    fives = [ask("POST", MAPS, {**config_map(f"five-{i}"), "metadata": {"name": f"five-{i}", "labels": {"five": "yes"}}}) for i in range(5)]
    yield case(
        "deletions/limit",
        *fives,
        ask("DELETE", f"{MAPS}?labelSelector=five%3Dyes&limit=2"),
        ask("GET", f"{MAPS}?labelSelector=five%3Dyes"),
        ask("DELETE", f"{MAPS}?labelSelector=five%3Dyes"),
    )
    for grace in ("0", "1", "7", "-1", "x"):
        pod = {"metadata": {"name": f"grace-{grace}".replace("--", "-m")}, "spec": {"nodeName": "b", "containers": [CONTAINER]}}
        at = f"{PODS}/{pod['metadata']['name']}"
        yield case(
            f"deletions/grace {grace}",
            ask("POST", PODS, pod),
            ask("DELETE", f"{at}?gracePeriodSeconds={grace}"),
            ask("DELETE", f"{at}?gracePeriodSeconds=0"),
            shows="metadata deletionGracePeriodSeconds",
        )


def order_cases():
    """Of two mistakes, which is told."""
    node, broken = "/api/v1/nodes/b", ["Content-Type: application/json", "Content-Length: 1"]
    rejects = "Accept: application/x"
    asked = {
        "patch, type and accept": request(f"PATCH {node} HTTP/1.1", "Content-Type: x/y", "Content-Length: 2", rejects, body=b"{}", who="admin"),
        "create, type and accept": request("POST /api/v1/nodes HTTP/1.1", "Content-Type: x/y", "Content-Length: 2", rejects, body=b"{}", who="admin"),
        "update, dry run and type": request(f"PUT {node}?dryRun=x HTTP/1.1", "Content-Type: x/y", "Content-Length: 2", body=b"{}", who="admin"),
        "create, dry run and type": request("POST /api/v1/nodes?dryRun=x HTTP/1.1", "Content-Type: x/y", "Content-Length: 2", body=b"{}", who="admin"),
        "collection, limit and body": request(f"DELETE {MAPS}?limit=x HTTP/1.1", *broken, body=b"{", who="admin"),
        "collection, selector and body": request(f"DELETE {MAPS}?fieldSelector=x%3Dy HTTP/1.1", *broken, body=b"{", who="admin"),
        "collection, version match and body": request(f"DELETE {MAPS}?resourceVersionMatch=x HTTP/1.1", *broken, body=b"{", who="admin"),
        "collection, version and body": request(f"DELETE {MAPS}?resourceVersion=x HTTP/1.1", *broken, body=b"{", who="admin"),
        "collection, limit and dry run": request(f"DELETE {MAPS}?limit=x&dryRun=x HTTP/1.1", who="admin"),
        "delete, dry run and body": request(f"DELETE {node}?dryRun=x HTTP/1.1", *broken, body=b"{", who="admin"),
    }
    for name, sent in asked.items():
        yield Case("writes", f"order/{name}", sent)


def cases():
    yield from order_cases()
    yield from manager_cases()
    yield from eviction_cases()
    yield from workload_cases()
    yield from deletion_cases()
