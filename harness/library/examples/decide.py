"""Asks, through ctypes, whether node a may read a Secret that a pod on it uses. LIBRARY is libnodebound.so.0."""
import ctypes
import json
import sys

library = ctypes.CDLL(sys.argv[1])
library.nodebound_open.restype = ctypes.c_void_p
library.nodebound_review.restype = ctypes.c_void_p
library.nodebound_put.restype = ctypes.c_long

reference = ctypes.c_void_p(library.nodebound_open(b"1.36.3", None, b"Node", None))
pod = json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"},
                  "spec": {"nodeName": "a", "volumes": [{"name": "s", "secret": {"secretName": "db"}}]}}).encode()
assert library.nodebound_put(reference, pod, ctypes.c_size_t(len(pod)), None) == 1

for secret in ("db", "other"):
    review = json.dumps({"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": {
        "user": "system:node:a", "groups": ["system:nodes"],
        "resourceAttributes": {"verb": "get", "resource": "secrets", "namespace": "shop", "name": secret}}}).encode()
    answer = ctypes.c_void_p(library.nodebound_review(reference, review, ctypes.c_size_t(len(review)), None))
    status = json.loads(ctypes.string_at(answer))["status"]
    library.nodebound_string_free(answer)
    print(f"{secret}: {'allowed' if status['allowed'] else 'refused'}")
library.nodebound_close(reference)
