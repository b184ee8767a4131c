#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace nodebound {

// A refusal proves nothing until the target knows what was written before. To be sure of that, a run writes a canary of
// the same kind and waits until the target decides on it.

/// Whether the Node authorizer learns of changes to objects of this resource.
inline bool changes_node_graph(std::string_view resource) {
  static constexpr std::array<std::string_view, 5> kinds = {"pods", "persistentvolumes", "volumeattachments",
                                                            "resourceslices", "podcertificaterequests"};
  return std::find(kinds.begin(), kinds.end(), resource) != kinds.end();
}

/// Whether objects of this resource grant rights in a namespace.
inline bool grants_in_namespace(std::string_view resource) {
  return resource == "roles" || resource == "rolebindings";
}

/// Whether objects of this resource grant rights in the whole cluster.
inline bool grants_in_cluster(std::string_view resource) {
  return resource == "clusterroles" || resource == "clusterrolebindings";
}

/// Whether objects of this resource make up ValidatingAdmissionPolicies in force.
inline bool changes_policies(std::string_view resource) {
  return resource == "validatingadmissionpolicies" || resource == "validatingadmissionpolicybindings";
}

}  // namespace nodebound
