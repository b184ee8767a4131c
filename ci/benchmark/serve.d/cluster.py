"""The objects that both servers are loaded with, and what is asked about them: requests of nodebound_load."""

NODES = 20
PODS = 400
NAMESPACE = "shop"


def node_name(number):
    return f"node-{number}"


def node(number):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": node_name(number), "labels": {"zone": f"z{number % 3}"}}}


def pod(name, on):
    """A pod of a usual size; the n-th reads the n-th secret. `on` is a node's name."""
    container = {
        "name": "web", "image": "registry.example/web:1.2.3", "args": ["--listen=:8080", "--log=json"],
        "ports": [{"containerPort": 8080, "name": "http"}],
        "env": [{"name": "PASSWORD", "valueFrom": {"secretKeyRef": {"name": name.replace("pod", "secret"), "key": "password"}}}],
        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "256Mi"}},
        "readinessProbe": {"httpGet": {"path": "/ready", "port": "http"}, "periodSeconds": 5},
    }
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": NAMESPACE, "labels": {"app": "web", "tier": "front"}},
            "spec": {"nodeName": on, "containers": [container]}}


def made(path, body):
    return {"method": "POST", "target": path, "body": body}


def objects():
    """In an order in which they can be made. The real server makes the service account of a namespace a moment later."""
    yield made("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    yield made(f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts",
               {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}})
    for number in range(NODES):
        yield made("/api/v1/nodes", node(number))
    for number in range(PODS):
        yield made(f"/api/v1/namespaces/{NAMESPACE}/secrets",
                   {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": f"secret-{number}"},
                    "stringData": {"password": "correct horse battery staple"}})
        yield made(f"/api/v1/namespaces/{NAMESPACE}/pods", pod(f"pod-{number}", node_name(number % NODES)))


def secrets_of(number):
    return [f"secret-{each}" for each in range(PODS) if each % NODES == number]


def access_review(user, verb, name):
    return made("/apis/authorization.k8s.io/v1/subjectaccessreviews",
                {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
                 "spec": {"user": user, "groups": ["system:nodes", "system:authenticated"],
                          "resourceAttributes": {"verb": verb, "version": "v1", "resource": "secrets", "namespace": NAMESPACE,
                                                 "name": name}}})


def workloads():
    """What is measured: a title, who asks, the requests, the status expected."""
    reviews = [access_review(f"system:node:{node_name(each % NODES)}", "get", f"secret-{each * 7 % PODS}")
               for each in range(PODS)]
    secret = f"/api/v1/namespaces/{NAMESPACE}/secrets/"
    own = [{"method": "GET", "target": secret + name} for name in secrets_of(0)]
    foreign = [{"method": "GET", "target": secret + name} for name in secrets_of(1)]
    yield "SubjectAccessReview", "admin", reviews, 201
    yield "get of a secret, allowed", "node-" + node_name(0), own, 200
    yield "get of a secret, refused", "node-" + node_name(0), foreign, 403
