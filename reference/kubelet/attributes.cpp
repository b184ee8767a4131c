#include "reference/kubelet/attributes.h"

#include <array>

namespace nodebound {
namespace {

struct Subresource {
  std::string_view path;
  std::string_view name;
  Rule rule;
};

// Paths with a fine-grained subresource. If it is not allowed, the kubelet asks about the older one.
constexpr std::array fine_grained = {
    Subresource{"/pods", "pods", Rule::kubelet_fine_grained},
    Subresource{"/healthz", "healthz", Rule::kubelet_fine_grained},
    Subresource{"/configz", "configz", Rule::kubelet_fine_grained},
    Subresource{"/runningpods", "pods", Rule::kubelet_fine_grained},
    Subresource{"/allocatedPods", "pods", Rule::kubelet_subresource_allocated_pods},
};

constexpr std::array instead_of_proxy = {
    Subresource{"/stats", "stats", Rule::kubelet_subresource},
    Subresource{"/metrics", "metrics", Rule::kubelet_subresource},
    Subresource{"/logs", "log", Rule::kubelet_subresource},
    Subresource{"/spec", "spec", Rule::kubelet_subresource_spec},
    Subresource{"/checkpoint", "checkpoint", Rule::kubelet_subresource_checkpoint},
    Subresource{"/statusz", "statusz", Rule::kubelet_subresource_statusz},
    Subresource{"/flagz", "configz", Rule::kubelet_subresource_statusz},
};

bool is_below(std::string_view path, std::string_view base) {
  return path.starts_with(base) && (path.size() == base.size() || path[base.size()] == '/');
}

template <typename Table>
const Subresource* find(const Table& table, std::string_view path, const RuleSet& rules) {
  for (const Subresource& entry : table) {
    if (is_below(path, entry.path) && rules.in_force(entry.rule)) return &entry;
  }
  return nullptr;
}

std::string_view verb_of(std::string_view method) {
  if (method == "POST") return "create";
  if (method == "GET") return "get";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return "delete";
  return "";
}

}  // namespace

std::vector<Attributes> kubelet_attributes(std::string_view method, std::string_view path, std::string_view node,
                                           const RuleSet& rules) {
  std::vector<std::string_view> subresources;
  if (const Subresource* fine = find(fine_grained, path, rules)) subresources.push_back(fine->name);
  const Subresource* own = find(instead_of_proxy, path, rules);
  subresources.push_back(own == nullptr ? "proxy" : own->name);
  std::vector<Attributes> out;
  for (const std::string_view subresource : subresources) {
    Attributes& one = out.emplace_back();
    one.verb = verb_of(method);
    one.resource_request = true;
    one.api_version = "v1";
    one.resource = "nodes";
    one.subresource = subresource;
    one.name = node;
    one.path = path;
  }
  return out;
}

Rule kubelet_subresource_rule(std::string_view path, const RuleSet& rules) {
  if (const Subresource* fine = find(fine_grained, path, rules)) return fine->rule;
  const Subresource* own = find(instead_of_proxy, path, rules);
  return own == nullptr ? Rule::kubelet_subresource : own->rule;
}

}  // namespace nodebound
