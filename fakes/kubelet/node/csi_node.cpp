#include "fakes/kubelet/node/csi_node.h"

#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

using std::chrono::milliseconds;

constexpr BackOff csi_node_tries{milliseconds(500), milliseconds(60'000)};
constexpr const char* id_annotation = "csi.volume.kubernetes.io/nodeid";

std::string csi_nodes(const KubeletSelf& self) {
  return "/apis/storage.k8s.io/" + self.traits->csinodes_version + "/csinodes";
}

Object drivers_of(const KubeletSelf& self) {
  Object out = Object::array();
  for (const CsiDriver& driver : self.options->csi_drivers) {
    Object keys = Object::array();
    for (const auto& [key, value] : driver.topology) keys.push_back(key);
    out.push_back({{"name", driver.name}, {"nodeID", self.name}, {"topologyKeys", keys}});
  }
  return out;
}

Object csi_node(const KubeletSelf& self) {
  return {{"apiVersion", "storage.k8s.io/" + self.traits->csinodes_version},
          {"kind", "CSINode"},
          {"metadata", {{"name", self.name}, {"ownerReferences", Object::array({node_owner(self)})}}},
          {"spec", {{"drivers", Object::array()}}}};
}

bool is_of_another(const KubeletSelf& self, const Object& found) {
  for (const Object& owner : member(found, "metadata", "ownerReferences")) {
    if (text(owner, "kind") == "Node" && text(owner, "uid") != self.node.uid) return true;
  }
  return false;
}

}  // namespace

void CsiNode::act(KubeletSelf& self) {
  if (due_ > self.now) return;
  bool done = true;
  for (const CsiDriver& driver : self.options->csi_drivers) done = annotate_node(self, driver) && done;
  if (!self.traits->csinodes_version.empty()) done = write_csi_node(self) && done;
  due_ = done ? KubeletTime::max() : self.now + csi_node_tries.after(tries_++);
}

bool CsiNode::write_csi_node(KubeletSelf& self) {
  if (self.node.uid.empty()) return false;
  const std::string target = csi_nodes(self) + "/" + self.name;
  ApiAnswer found = self.get(target);
  if (found.ok() && self.traits->has(KubeletTrait::csinode_remade) && is_of_another(self, found.object())) {
    if (!self.remove(target).ok()) return false;
    found = self.get(target);
  }
  if (found.status() == 404) found = self.post(csi_nodes(self), csi_node(self));
  if (!found.ok()) return false;
  Object object = found.object();
  const Object drivers = drivers_of(self);
  if (member(object, "spec", "drivers") == drivers || drivers.empty()) return true;
  object["spec"]["drivers"] = drivers;
  return self.put(target, object).ok();
}

bool CsiNode::annotate_node(KubeletSelf& self, const CsiDriver& driver) {
  using Way = KubeletTraits::CsiAnnotation;
  if (self.traits->csi_annotation == Way::none) return true;
  const ApiAnswer found = self.get(self.node_target());
  if (!found.ok()) return false;
  Object node = found.object();
  Object ids = Object::parse(text(node, "metadata", "annotations", id_annotation), nullptr, false);
  if (!ids.is_object()) ids = Object::object();
  ids[driver.name] = self.name;
  Object metadata = {{"annotations", {{id_annotation, ids.dump()}}}};
  if (self.traits->has(KubeletTrait::csi_topology_labels) && !driver.topology.empty())
    metadata["labels"] = driver.topology;
  if (self.traits->csi_annotation == Way::patch_status) {
    return self.patch(self.node_target("/status"), {{"metadata", metadata}}).ok();
  }
  node["metadata"]["annotations"].update(metadata["annotations"]);
  return self.put(self.node_target(), node).ok();
}

}  // namespace nodebound::fake_kubelet
