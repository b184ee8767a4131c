#include "fakes/apiserver/policies/matched_write.h"

#include <algorithm>
#include <optional>

#include "fakes/apiserver/call.h"
#include "reference/cluster/label_selector.h"

// staging/src/k8s.io/apiserver/pkg/admission/plugin: webhook/predicates/ and policy/matching/matching.go

namespace nodebound::apiserver {
namespace {

bool lists(const Object& list, std::string_view wanted) {
  return std::any_of(list.begin(), list.end(), [&](const Object& item) { return item == "*" || item == wanted; });
}

bool lists_exactly(const Object& list, std::string_view wanted) {
  return std::any_of(list.begin(), list.end(), [&](const Object& item) { return item == wanted; });
}

bool is_namespace(const ApiResource& resource) {
  return resource.group.empty() && resource.resource == "namespaces";
}

bool in_scope(const Object& rule, const MatchedWrite& write) {
  const std::string_view scope = text(rule, "scope");
  if (scope.empty() || scope == "*") return true;
  const bool namespaced = !is_namespace(write.resource) && !write.namespace_.empty();
  return (scope == "Namespaced") == namespaced;
}

bool names_resource(const Object& rule, std::string_view resource, std::string_view subresource) {
  const Object& all = member(rule, "resources");
  return std::any_of(all.begin(), all.end(), [&](const Object& item) {
    if (!item.is_string()) return false;
    const std::string_view entry = item.get_ref<const std::string&>();
    const std::size_t slash = entry.find('/');
    const std::string_view first = entry.substr(0, slash);
    const std::string_view second = slash == std::string_view::npos ? std::string_view() : entry.substr(slash + 1);
    return (first == "*" || first == resource) && (second == "*" || second == subresource);
  });
}

// A rule of a policy may name objects, too.
bool names_object(const Object& rule, const MatchedWrite& write) {
  const Object& names = member(rule, "resourceNames");
  return names.empty() || lists_exactly(names, write.name);
}

bool rule_matches(const Object& rule, const MatchedWrite& write, const ApiResource& resource) {
  return in_scope(rule, write) && lists(member(rule, "operations"), to_string(write.operation)) &&
         lists(member(rule, "apiGroups"), resource.group) && lists(member(rule, "apiVersions"), resource.version) &&
         names_resource(rule, resource.resource, write.subresource) && names_object(rule, write);
}

bool selects(const Object& selector, const Object& object) {
  const std::optional<LabelSelector> parsed = LabelSelector::of(selector);
  return parsed && parsed->matches(object);
}

bool is_everything(const Object& selector) {
  return member(selector, "matchLabels").empty() && member(selector, "matchExpressions").empty();
}

}  // namespace

MatchedWrite matched_write(const Call& call, const ReviewedWrite& write) {
  std::string in = call.attributes.namespace_;
  if (in.empty() && is_namespace(*call.resource)) in = write.name;
  return {write.operation, *call.resource,  call.attributes.subresource, std::move(in), write.name,
          write.object,    write.old_object};
}

const ApiResource* matched_by_rules(const Object& rules, std::string_view match_policy, const MatchedWrite& write,
                                    const ApiResources& resources) {
  for (const Object& rule : rules) {
    if (rule_matches(rule, write, write.resource)) return &write.resource;
  }
  if (match_policy == "Exact") return nullptr;
  for (const Object& rule : rules) {
    for (const ApiResource& other : resources.all()) {
      const bool same = other.group == write.resource.group && other.resource == write.resource.resource;
      if (same && rule_matches(rule, write, other)) return &other;
    }
  }
  return nullptr;
}

Selected namespace_selected(const Object& selector, const MatchedWrite& write, const Cluster& cluster) {
  if (write.namespace_.empty() && !is_namespace(write.resource)) return Selected::yes;
  if (is_everything(selector)) return Selected::yes;
  const bool written = is_namespace(write.resource) && write.subresource.empty() &&
                       (write.operation == Operation::create || write.operation == Operation::update);
  const auto selected = [&](const Object& namespace_) {
    return selects(selector, namespace_) ? Selected::yes : Selected::no;
  };
  if (written) return selected(write.object);
  const ObjectPtr found = cluster.find("", "namespaces", "", write.namespace_);
  return found == nullptr ? Selected::no_namespace : selected(*found);
}

bool object_selected(const Object& selector, const MatchedWrite& write) {
  if (is_everything(selector)) return true;
  const auto selected = [&](const Object& object) {
    return member(object, "metadata").is_object() && selects(selector, object);
  };
  return selected(write.object) || selected(write.old_object);
}

}  // namespace nodebound::apiserver
