"""The Python client: writes, and watches what it writes. Prints what it sees as JSON documents."""

import json
import sys
import threading

from kubernetes import client, config, watch
from kubernetes.client.exceptions import ApiException

NAMESPACE = "programs"


def show(what, value):
    print(json.dumps({"what": what, "value": client.ApiClient().sanitize_for_serialization(value)}))


def refused(what, call):
    """What a call that need not succeed is answered."""
    try:
        show(what, call())
    except ApiException as error:
        show(what, {"status": error.status, "body": json.loads(error.body)})



def main():
    config.load_kube_config(sys.argv[1])
    core = client.CoreV1Api()
    body = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="watched", labels={"w": "1"}), data={"a": "1"})

    listed = core.list_namespaced_config_map(NAMESPACE, label_selector="w=1")
    show("list", listed)
    seen = []

    def follow():
        stream = watch.Watch()
        for event in stream.stream(core.list_namespaced_config_map, NAMESPACE, label_selector="w=1",
                                   resource_version=listed.metadata.resource_version, timeout_seconds=30):
            seen.append({"type": event["type"], "object": event["raw_object"]})
            if event["type"] == "DELETED":
                stream.stop()

    follower = threading.Thread(target=follow)
    follower.start()
    show("create", core.create_namespaced_config_map(NAMESPACE, body))
    show("patch", core.patch_namespaced_config_map("watched", NAMESPACE, {"data": {"b": "2"}}))
    # Leaves what is watched, and comes back.
    core.patch_namespaced_config_map("watched", NAMESPACE, {"metadata": {"labels": {"w": "2"}}})
    core.patch_namespaced_config_map("watched", NAMESPACE, {"metadata": {"labels": {"w": "1"}}})
    follower.join(40)
    show("watch", seen)
    show("delete", core.delete_namespaced_config_map("watched", NAMESPACE, propagation_policy="Background"))
    refused("read", lambda: core.read_namespaced_config_map("watched", NAMESPACE))
    refused("too old", lambda: core.list_namespaced_config_map(NAMESPACE, resource_version="1",
                                                               resource_version_match="Exact"))
    for number in range(5):
        core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(metadata=client.V1ObjectMeta(
            name=f"page-{number}")))
    page = core.list_namespaced_config_map(NAMESPACE, limit=2)
    show("first page", {"names": [item.metadata.name for item in page.items],
                        "more": page.metadata.remaining_item_count})
    page = core.list_namespaced_config_map(NAMESPACE, limit=2, _continue=page.metadata._continue)
    show("second page", {"names": [item.metadata.name for item in page.items],
                         "more": page.metadata.remaining_item_count})
    show("delete collection", core.delete_collection_namespaced_config_map(NAMESPACE))
    review = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(
        resource_attributes=client.V1ResourceAttributes(verb="get", resource="pods", namespace=NAMESPACE)))
    show("access", client.AuthorizationV1Api().create_self_subject_access_review(review))
    refused("self", lambda: client.AuthenticationV1Api().create_self_subject_review(client.V1SelfSubjectReview()))
    show("version", client.VersionApi().get_code().major)


if __name__ == "__main__":
    main()
