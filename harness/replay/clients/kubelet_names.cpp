#include "harness/replay/clients/kubelet_names.h"

#include "reference/identity/node_identity.h"

namespace nodebound::replay {
namespace {

std::string selected(const Attributes& attributes, std::string_view field) {
  for (const FieldRequirement& term : attributes.field_selector) {
    if (term.field == field && (term.op == "=" || term.op == "==")) return term.value;
  }
  return {};
}

// A kubelet asks for its own Node, CSINode and Lease, and for the pods that are bound to it.
std::string named_node(const LoggedRequest& request) {
  const Attributes& attributes = request.attributes;
  if (attributes.resource == "pods") return selected(attributes, "spec.nodeName");
  const bool lease = attributes.resource == "leases" && attributes.namespace_ == "kube-node-lease";
  if (attributes.resource != "nodes" && attributes.resource != "csinodes" && !lease) return {};
  if (!attributes.name.empty()) return attributes.name;
  if (request.request_object) return std::string(text(*request.request_object, "metadata", "name"));
  return selected(attributes, "metadata.name");
}

}  // namespace

std::optional<LoggedRequest> KubeletNames::with_own_name(const LoggedRequest& request) {
  std::string node = named_node(request);
  const auto known = by_address_.find(request.address);
  if (node.empty() && known != by_address_.end()) node = known->second;
  if (node.empty()) return std::nullopt;
  const bool keeps = !request.address.empty() && (known != by_address_.end() || by_address_.size() < most_addresses);
  if (keeps) by_address_[request.address] = node;
  LoggedRequest out = request;
  out.subject = {std::string(node_user_prefix) + node, {std::string(nodes_group), "system:authenticated"}, "", {}};
  return out;
}

}  // namespace nodebound::replay
