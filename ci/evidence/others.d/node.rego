# Imitates the Node authorizer as far as Secrets, ConfigMaps, claims, volumes, attachments, the node's own pods, Node and lease go,
# on objects that push.py puts under data.pods.NAMESPACE.NAME, data.persistentvolumes.NAME and so on. OPA serves `review` at /v0/data/kubernetes/review as the answer to a
# SubjectAccessReview: `allowed` false without `denied` is no opinion, so another authorizer may still allow.
package kubernetes

import rego.v1

review := {
	"apiVersion": "authorization.k8s.io/v1",
	"kind": "SubjectAccessReview",
	"status": {"allowed": allowed, "reason": reason},
}

default allowed := false

default reason := ""

reason := "no relationship found between the node and this object" if {
	not allowed
	is_object
}

asked := input.spec.resourceAttributes

group := object.get(asked, "group", "")

subresource := object.get(asked, "subresource", "")

name := object.get(asked, "name", "")

namespace := object.get(asked, "namespace", "")

# Undefined for whoever is no node.
node := found if {
	startswith(input.spec.user, "system:node:")
	found := substring(input.spec.user, 12, -1)
	found != ""
	"system:nodes" in input.spec.groups
}

is_object if {
	group == ""
	asked.resource in {"secrets", "configmaps", "persistentvolumeclaims", "persistentvolumes"}
}

is_object if {
	group == "storage.k8s.io"
	asked.resource == "volumeattachments"
}

allowed if {
	group == ""
	asked.resource in {"secrets", "configmaps"}
	asked.verb in {"get", "list", "watch"}
	subresource == ""
	name != ""
	some pod in data.pods[namespace]
	is_own(pod)
	some reference in references(pod)
	reference == [asked.resource, name]
}

allowed if {
	group == ""
	asked.resource == "persistentvolumeclaims"
	claim_verb
	name != ""
	some pod in data.pods[namespace]
	is_own(pod)
	name in claims(pod)
}

claim_verb if {
	asked.verb == "get"
	subresource == ""
}

claim_verb if {
	asked.verb in {"update", "patch"}
	subresource == "status"
}

allowed if {
	group == ""
	asked.resource == "persistentvolumes"
	asked.verb == "get"
	subresource == ""
	claim := data.persistentvolumes[name].spec.claimRef
	some pod in data.pods[claim.namespace]
	is_own(pod)
	claim.name in claims(pod)
}

allowed if {
	group == "storage.k8s.io"
	asked.resource == "volumeattachments"
	asked.verb == "get"
	subresource == ""
	data.volumeattachments[name].spec.nodeName == node
}

allowed if {
	group == ""
	asked.resource == "pods"
	asked.verb == "get"
	subresource == ""
	is_own(data.pods[namespace][name])
}

allowed if {
	group == ""
	asked.resource == "services"
	asked.verb in {"get", "list", "watch"}
	subresource == ""
	node
}

allowed if {
	group == ""
	asked.resource == "nodes"
	asked.verb in {"get", "list", "watch", "update", "patch"}
	subresource == ""
	name == node
}

allowed if {
	group == "coordination.k8s.io"
	asked.resource == "leases"
	namespace == "kube-node-lease"
	asked.verb in {"get", "update", "patch", "delete"}
	subresource == ""
	name == node
}

# Nobody vouches for what a node says of its own mirror pods.
is_own(pod) if {
	pod.spec.nodeName == node
	not pod.metadata.annotations["kubernetes.io/config.mirror"]
}

claims(pod) := own | ephemeral if {
	own := {each.persistentVolumeClaim.claimName | some each in pod.spec.volumes}
	ephemeral := {sprintf("%s-%s", [pod.metadata.name, each.name]) | some each in pod.spec.volumes; each.ephemeral}
}

references(pod) := from_volumes(pod) | from_containers(pod) | from_pull_secrets(pod)

from_pull_secrets(pod) := {["secrets", each.name] | some each in pod.spec.imagePullSecrets}

from_volumes(pod) := secrets | configmaps | projected_secrets | projected_configmaps if {
	secrets := {["secrets", each.secret.secretName] | some each in pod.spec.volumes}
	configmaps := {["configmaps", each.configMap.name] | some each in pod.spec.volumes}
	projected_secrets := {["secrets", source.secret.name] | some each in pod.spec.volumes; some source in each.projected.sources}
	projected_configmaps := {["configmaps", source.configMap.name] | some each in pod.spec.volumes; some source in each.projected.sources}
}

from_containers(pod) := secret_keys | config_keys | secret_all | config_all if {
	secret_keys := {["secrets", entry.valueFrom.secretKeyRef.name] | some each in containers(pod); some entry in each.env}
	config_keys := {["configmaps", entry.valueFrom.configMapKeyRef.name] | some each in containers(pod); some entry in each.env}
	secret_all := {["secrets", entry.secretRef.name] | some each in containers(pod); some entry in each.envFrom}
	config_all := {["configmaps", entry.configMapRef.name] | some each in containers(pod); some entry in each.envFrom}
}

containers(pod) := {each |
	some kind in ["containers", "initContainers", "ephemeralContainers"]
	some each in object.get(pod.spec, kind, [])
}
