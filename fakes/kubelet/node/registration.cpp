#include "fakes/kubelet/node/registration.h"

#include "fakes/kubelet/node/own_node.h"
#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

using std::chrono::milliseconds;

constexpr BackOff registration_tries{milliseconds(100), milliseconds(7000)};

}  // namespace

void NodeRegistration::act(KubeletSelf& self) {
  if (due() > self.now) return;
  done_ = register_node(self);
  if (!done_) due_ = self.now + registration_tries.after(tries_++);
}

bool NodeRegistration::register_node(KubeletSelf& self) {
  const ApiAnswer made = self.post("/api/v1/nodes", node_object(self));
  if (made.ok()) return true;
  const bool exists =
      made.status() == 409 || (made.status() == 403 && self.traits->has(KubeletTrait::get_after_forbidden));
  if (!exists) return false;
  const ApiAnswer found = self.get(self.node_target());
  return found.ok() && take_over(self, found.object());
}

bool NodeRegistration::take_over(KubeletSelf& self, const Object& node) {
  if (self.traits->has(KubeletTrait::external_id)) {
    const std::string& own = self.options->external_id.empty() ? self.name : self.options->external_id;
    // The Node belongs to another machine of that name: it is deleted, and the next try creates ours.
    if (text(node, "spec", "externalID") != own) {
      self.remove(self.node_target());
      return false;
    }
  }
  const Object patch = reconciling_patch(self, node);
  return patch.is_null() || self.patch(self.node_target("/status"), patch).ok();
}

}  // namespace nodebound::fake_kubelet
