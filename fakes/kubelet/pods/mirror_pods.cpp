#include "fakes/kubelet/pods/mirror_pods.h"

#include <map>

#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

using std::chrono::seconds;

constexpr seconds between_mirrors{10};

std::string namespace_of(const Object& static_pod) {
  const std::string_view own = text(static_pod, "metadata", "namespace");
  return own.empty() ? "default" : std::string(own);
}

std::string hash_of(const Object& static_pod) {
  return short_hash(static_pod.dump());
}

bool remove(KubeletSelf& self, const PodId& pod) {
  Object options = {{"apiVersion", "v1"}, {"kind", "DeleteOptions"}, {"gracePeriodSeconds", 0}};
  if (self.traits->has(KubeletTrait::mirror_pod_delete_uid)) options["preconditions"]["uid"] = pod.uid;
  const ApiAnswer answer = self.remove(pod.target(), options);
  return answer.ok() || answer.status() == 404;
}

}  // namespace

Object mirror_pod(const KubeletSelf& self, const Object& static_pod) {
  Object pod = static_pod;
  const std::string hash = hash_of(static_pod);
  pod["apiVersion"] = "v1";
  pod["kind"] = "Pod";
  Object& metadata = pod["metadata"];
  metadata["name"] = std::string(text(static_pod, "metadata", "name")) + "-" + self.name;
  metadata["namespace"] = namespace_of(static_pod);
  metadata["annotations"]["kubernetes.io/config.hash"] = hash;
  metadata["annotations"][std::string(mirror_annotation)] = hash;
  metadata["annotations"]["kubernetes.io/config.source"] = "file";
  metadata["annotations"]["kubernetes.io/config.seen"] = self.timestamp();
  pod["spec"]["nodeName"] = self.name;
  if (self.traits->has(KubeletTrait::mirror_pod_owner)) {
    Object owner = node_owner(self);
    owner["controller"] = true;
    metadata["ownerReferences"] = Object::array({owner});
  }
  return pod;
}

void MirrorPods::act(KubeletSelf& self, const PodWorkers& pods) {
  if (!pods.synced() || (due_ > self.now && pods.changes() == seen_)) return;
  seen_ = pods.changes();
  due_ = self.now + between_mirrors;
  if (self.traits->has(KubeletTrait::mirror_pod_owner) && self.node.uid.empty()) return;
  std::map<std::string, const Object*> wanted;
  for (const Object& static_pod : self.options->static_pods) {
    wanted[namespace_of(static_pod) + "/" + std::string(text(static_pod, "metadata", "name")) + "-" + self.name] =
        &static_pod;
  }
  bool settled = true;
  for (const auto& [key, pod] : pods.pods()) {
    if (pod.mirror.empty()) continue;
    const auto found = wanted.find(key);
    if (found != wanted.end() && !pod.leaves && pod.mirror == hash_of(*found->second)) {
      wanted.erase(found);
    } else {
      // If the pod is still wanted, it is created again below.
      settled = remove(self, pod.id) && found == wanted.end() && settled;
    }
  }
  for (const auto& [key, static_pod] : wanted) {
    settled = false;
    self.post("/api/v1/namespaces/" + namespace_of(*static_pod) + "/pods", mirror_pod(self, *static_pod));
  }
  // All mirror pods are there: nothing to do until the node's pods change.
  if (settled) due_ = KubeletTime::max();
}

}  // namespace nodebound::fake_kubelet
