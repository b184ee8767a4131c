#include "fakes/kubelet/node/heartbeat.h"

#include <algorithm>

#include "fakes/kubelet/node/own_node.h"
#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds between_looks{10};
constexpr seconds between_renewals{10};
constexpr int lease_seconds = 40;
constexpr BackOff lease_tries{milliseconds(200), milliseconds(7000)};

std::string leases(const KubeletSelf& self) {
  return "/apis/coordination.k8s.io/" + self.traits->lease_version + "/namespaces/kube-node-lease/leases";
}

}  // namespace

void StatusUpdates::act(KubeletSelf& self) {
  if (due_ > self.now) return;
  const seconds apart = std::max(between_looks, self.options->heartbeats_apart);
  due_ = self.now + apart;
  const bool repairs =
      self.traits->has(KubeletTrait::os_labels_repaired) && self.node.wrong_os_labels && !self.node.uid.empty();
  if (!update(self, send_at_ <= self.now || repairs)) return;
  if (send_at_ <= self.now) send_at_ = self.now + std::max(self.traits->status_seconds, self.options->heartbeats_apart);
}

bool StatusUpdates::update(KubeletSelf& self, bool send) {
  if (self.traits->has(KubeletTrait::status_gets_node)) {
    // The first try accepts an answer from the server's cache.
    const ApiAnswer node = self.get(self.node_target() + "?resourceVersion=0");
    if (!node.ok()) return false;
  }
  if (!send) return true;
  Object patch = {{"status", {{"conditions", node_conditions(self)}}}};
  if (self.traits->has(KubeletTrait::os_labels_repaired) && self.node.wrong_os_labels) {
    patch["metadata"]["labels"] = {{"kubernetes.io/os", "linux"}, {"kubernetes.io/arch", "amd64"}};
  }
  return self.patch(self.node_target("/status"), patch).ok();
}

void LeaseRenewal::act(KubeletSelf& self) {
  if (self.traits->lease_version.empty()) due_ = KubeletTime::max();
  if (due_ > self.now) return;
  if (renew(self)) {
    failures_ = 0;
    due_ = self.now + std::max(between_renewals, self.options->heartbeats_apart);
  } else {
    due_ = self.now + lease_tries.after(failures_++);
  }
}

bool LeaseRenewal::renew(KubeletSelf& self) {
  const std::string target = leases(self) + "/" + self.name;
  if (uid_.empty() || !self.traits->has(KubeletTrait::lease_kept)) {
    const ApiAnswer found = self.get(target);
    if (found.status() == 404) return make(self);
    if (!keep(found)) return false;
  }
  if (keep(self.put(target, lease(self)))) return true;
  uid_.clear();
  return false;
}

bool LeaseRenewal::make(KubeletSelf& self) {
  if (self.traits->has(KubeletTrait::lease_needs_owner) && self.node.uid.empty()) return false;
  const ApiAnswer node = self.get(self.node_target());
  if (node.ok()) self.node.uid = text(node.object(), "metadata", "uid");
  if (!node.ok() && self.traits->has(KubeletTrait::lease_needs_owner)) return false;
  uid_.clear();
  return keep(self.post(leases(self), lease(self)));
}

bool LeaseRenewal::keep(const ApiAnswer& answer) {
  if (!answer.ok()) return false;
  const Object lease = answer.object();
  uid_ = text(lease, "metadata", "uid");
  version_ = text(lease, "metadata", "resourceVersion");
  return true;
}

Object LeaseRenewal::lease(const KubeletSelf& self) const {
  Object metadata = {{"name", self.name}, {"namespace", "kube-node-lease"}};
  if (!uid_.empty()) {
    metadata["uid"] = uid_;
    metadata["resourceVersion"] = version_;
  }
  if (!self.node.uid.empty()) metadata["ownerReferences"] = Object::array({node_owner(self)});
  return {{"apiVersion", "coordination.k8s.io/" + self.traits->lease_version},
          {"kind", "Lease"},
          {"metadata", metadata},
          {"spec",
           {{"holderIdentity", self.name}, {"leaseDurationSeconds", lease_seconds}, {"renewTime", self.micro_time()}}}};
}

}  // namespace nodebound::fake_kubelet
