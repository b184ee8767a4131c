"""The Python client as a kubelet: node a, its lease, its pods with a watch, what they name, events and tokens. Prints what
it is answered as JSON documents."""

import json
import sys

from kubernetes import client, config, watch
from kubernetes.client.exceptions import ApiException

NAMESPACE, NODE = "kubelet", "a"


def show(what, call):
    """What a call is answered, be it an error."""
    try:
        value = client.ApiClient().sanitize_for_serialization(call())
    except ApiException as error:
        value = {"status": error.status, "body": json.loads(error.body)}
    print(json.dumps({"what": what, "value": value}))
    return value


def main():
    config.load_kube_config(sys.argv[1])
    core = client.CoreV1Api()
    show("own node", lambda: core.read_node(NODE))
    show("nodes", core.list_node)
    show("another node", lambda: core.read_node("b"))
    show("own node, listed", lambda: core.list_node(field_selector=f"metadata.name={NODE}"))
    show("status", lambda: core.patch_node_status(NODE, {"status": {
        "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"},
                       {"type": "DiskPressure", "status": "False"}],
        "nodeInfo": {"kubeletVersion": "v1.36.3"}}}))
    show("labels", lambda: core.patch_node(NODE, {"metadata": {"labels": {"topology.kubernetes.io/zone": "z"}}}))
    show("labels it may not set", lambda: core.patch_node(NODE, {"metadata": {"labels": {
        "node-restriction.kubernetes.io/tier": "gold"}}}))

    pods = core.list_pod_for_all_namespaces(field_selector=f"spec.nodeName={NODE}")
    show("pods", lambda: pods)
    show("all pods", core.list_pod_for_all_namespaces)
    show("pod status", lambda: core.patch_namespaced_pod_status("web", NAMESPACE, {"status": {
        "phase": "Running", "podIP": "10.1.0.2", "podIPs": [{"ip": "10.1.0.2"}],
        "containerStatuses": [{"name": "c", "ready": True, "restartCount": 0, "image": "x", "imageID": "y",
                               "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}}]}}))
    stream = watch.Watch()
    for event in stream.stream(core.list_pod_for_all_namespaces, field_selector=f"spec.nodeName={NODE}",
                               resource_version=pods.metadata.resource_version, timeout_seconds=10):
        show("watched", lambda event=event: {"type": event["type"], "object": event["raw_object"]})
        stream.stop()

    show("secret of its pod", lambda: core.read_namespaced_secret("db", NAMESPACE))
    show("secrets", lambda: core.list_namespaced_secret(NAMESPACE))
    show("service account", lambda: core.read_namespaced_service_account("default", NAMESPACE))
    uid = next(pod.metadata.uid for pod in pods.items if pod.metadata.name == "web")
    for what, bound in (("token for its pod", {"kind": "Pod", "name": "web", "uid": uid}), ("token for nothing", None)):
        spec = client.V1TokenRequestSpec(audiences=["https://kubernetes.default.svc"], bound_object_ref=bound,
                                         expiration_seconds=3607)
        show(what, lambda spec=spec: core.create_namespaced_service_account_token(
            "default", NAMESPACE, client.AuthenticationV1TokenRequest(spec=spec)))

    leases = client.CoordinationV1Api()
    lease = client.V1Lease(metadata=client.V1ObjectMeta(name="b"), spec=client.V1LeaseSpec(holder_identity="a"))
    show("lease of another", lambda: leases.create_namespaced_lease("kube-node-lease", lease))
    show("own lease", lambda: leases.read_namespaced_lease("a", "kube-node-lease"))
    event = {"metadata": {"name": "web.1"}, "involvedObject": {"kind": "Pod", "name": "web", "namespace": NAMESPACE},
             "reason": "Started", "message": "Started container c", "type": "Normal",
             "source": {"component": "kubelet", "host": NODE}, "firstTimestamp": "2026-01-01T00:00:00Z",
             "lastTimestamp": "2026-01-01T00:00:00Z", "count": 1}
    show("event", lambda: core.create_namespaced_event(NAMESPACE, event))
    review = {"spec": {"user": "jane", "resourceAttributes": {"verb": "get", "resource": "pods", "namespace": "x"}}}
    show("review", lambda: client.AuthorizationV1Api().create_subject_access_review(review))
    show("token review", lambda: client.AuthenticationV1Api().create_token_review({"spec": {"token": "nobody's"}}))
    show("a pod's deletion", lambda: core.delete_namespaced_pod("nothing", NAMESPACE))


if __name__ == "__main__":
    main()
