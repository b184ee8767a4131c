#include "fakes/kubelet/node/own_node.h"

#include <charconv>

#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

constexpr const char* attach_annotation = "volumes.kubernetes.io/controller-managed-attach-detach";
constexpr int default_kubelet_port = 10250;
constexpr const char* ttl_annotation = "node.alpha.kubernetes.io/ttl";

std::string value_of(const std::string& label, const std::string& node) {
  if (label.ends_with("/os")) return "linux";
  if (label.ends_with("/arch")) return "amd64";
  return node;
}

Object condition(const std::string& type, bool holds, const char* reason, const std::string& time) {
  return {{"type", type},
          {"status", holds ? "True" : "False"},
          {"reason", reason},
          {"message", "fake kubelet"},
          {"lastHeartbeatTime", time},
          {"lastTransitionTime", time}};
}

// InternalIP first, as a kubelet with a node IP orders them.
Object addresses_of(const KubeletSelf& self) {
  Object out = Object::array();
  if (self.machine) out.push_back({{"type", "InternalIP"}, {"address", self.machine->address()}});
  out.push_back({{"type", "Hostname"}, {"address", self.name}});
  return out;
}

Object node_status(const KubeletSelf& self) {
  const Object resources = {
      {"cpu", "4"}, {"memory", "16Gi"}, {"ephemeral-storage", "100Gi"}, {"pods", "110"}, {"hugepages-2Mi", "0"}};
  const std::string version = "v" + self.traits->release.version.text();
  return {{"capacity", resources},
          {"allocatable", resources},
          {"addresses", addresses_of(self)},
          {"daemonEndpoints",
           {{"kubeletEndpoint", {{"Port", self.machine ? self.machine->kubelet_port() : default_kubelet_port}}}}},
          {"nodeInfo",
           {{"machineID", self.name},
            {"systemUUID", self.name},
            {"bootID", self.name},
            {"kernelVersion", "6.1.0"},
            {"osImage", "Nodebound"},
            {"containerRuntimeVersion", "fake://1.0.0"},
            {"kubeletVersion", version},
            {"kubeProxyVersion", version},
            {"operatingSystem", "linux"},
            {"architecture", "amd64"}}},
          {"conditions", node_conditions(self)}};
}

}  // namespace

std::map<std::string, std::string> own_labels(const KubeletSelf& self) {
  std::map<std::string, std::string> out;
  for (const std::string& label : self.traits->own_labels) out[label] = value_of(label, self.name);
  return out;
}

Object node_conditions(const KubeletSelf& self) {
  const std::string time = self.timestamp();
  Object out = Object::array();
  for (const std::string& type : self.traits->conditions) out.push_back(condition(type, false, "KubeletIsFine", time));
  out.push_back(condition("Ready", true, "KubeletReady", time));
  return out;
}

Object node_object(const KubeletSelf& self) {
  const KubeletOptions& options = *self.options;
  // Labels of --node-labels take precedence over the kubelet's own.
  Object labels = options.node_labels;
  for (const auto& [label, value] : own_labels(self)) labels.emplace(label, value);
  Object spec = Object::object();
  if (self.traits->has(KubeletTrait::external_id))
    spec["externalID"] = options.external_id.empty() ? self.name : options.external_id;
  if (!options.register_with_taints.empty()) spec["taints"] = options.register_with_taints;
  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata", {{"name", self.name}, {"labels", labels}, {"annotations", {{attach_annotation, "true"}}}}},
          {"spec", spec},
          {"status", node_status(self)}};
}

Object reconciling_patch(const KubeletSelf& self, const Object& node) {
  Object patch = nullptr;
  if (text(node, "metadata", "annotations", attach_annotation) != "true") {
    patch["metadata"]["annotations"][attach_annotation] = "true";
  }
  if (!self.traits->has(KubeletTrait::labels_reconciled)) return patch;
  for (const auto& [label, value] : own_labels(self)) {
    // A label that --node-labels sets keeps the value given there.
    const auto flag = self.options->node_labels.find(label);
    const std::string& wanted = flag == self.options->node_labels.end() ? value : flag->second;
    if (text(node, "metadata", "labels", label) != wanted) patch["metadata"]["labels"][label] = wanted;
  }
  for (const std::string& label : self.traits->labels_dropped) {
    const bool has = !member(node, "metadata", "labels", label).is_null();
    if (has && !self.options->node_labels.contains(label)) patch["metadata"]["labels"][label] = nullptr;
  }
  return patch;
}

void OwnNodeSink::listed(const Object& items) {
  self_.node.listed = true;
  if (items.empty()) {
    self_.node.uid.clear();
  } else {
    changed(items[0]);
  }
}

void OwnNodeSink::changed(const Object& object) {
  OwnNode& node = self_.node;
  node.uid = text(object, "metadata", "uid");
  const std::string_view ttl = text(object, "metadata", "annotations", ttl_annotation);
  std::int64_t seconds = 60;
  std::from_chars(ttl.data(), ttl.data() + ttl.size(), seconds);
  node.object_ttl = std::chrono::seconds(seconds);
  node.wrong_os_labels = false;
  for (const char* label : {"kubernetes.io/os", "kubernetes.io/arch"}) {
    if (text(object, "metadata", "labels", label) != value_of(label, self_.name)) node.wrong_os_labels = true;
  }
  const Object& source = member(object, "spec", "configSource", "configMap");
  node.config_namespace = text(source, "namespace");
  node.config_name = text(source, "name");
}

void OwnNodeSink::deleted(const Object& /*object*/) {
  self_.node.uid.clear();
}

}  // namespace nodebound::fake_kubelet
