#include <algorithm>
#include <set>

#include "reference/admission/node_restriction.h"

namespace nodebound {
namespace {

constexpr std::string_view restricted_domain = "node-restriction.kubernetes.io";

bool in_domain(std::string_view domain, std::string_view parent) {
  if (domain == parent) return true;
  return domain.size() > parent.size() && domain.ends_with(parent) && domain[domain.size() - parent.size() - 1] == '.';
}

// The part of a label key before the slash; empty if there is none.
std::string_view label_domain(std::string_view key) {
  const std::size_t slash = key.find('/');
  return slash == std::string_view::npos ? std::string_view() : key.substr(0, slash);
}

bool is_kubernetes_label(std::string_view key) {
  return in_domain(label_domain(key), "kubernetes.io") || in_domain(label_domain(key), "k8s.io");
}

std::set<std::string> changed_keys(const Object& before, const Object& after) {
  std::set<std::string> changed;
  const auto collect = [&](const Object& from, const Object& other) {
    if (!from.is_object()) return;
    for (auto label = from.begin(); label != from.end(); ++label) {
      if (member(other, label.key()) != *label) changed.insert(label.key());
    }
  };
  collect(before, after);
  collect(after, before);
  return changed;
}

bool lists(const RuleEntry& rule, std::string_view key) {
  const auto covers = [&](const std::string& domain) { return in_domain(label_domain(key), domain); };
  return std::find(rule.label_keys.begin(), rule.label_keys.end(), key) != rule.label_keys.end() ||
         std::any_of(rule.label_domains.begin(), rule.label_domains.end(), covers);
}

}  // namespace

Admission NodeRestriction::node(std::string_view self, const AdmissionRequest& request) const {
  const std::string_view name = request.operation == Operation::create ? text(request.object, "metadata", "name")
                                                                       : std::string_view(request.name);
  const bool name_first = rules_.in_force(Rule::node_own_name_first) || request.operation != Operation::create;
  const auto name_refused = [&] {
    return name == self ? Admission() : refuse(rules_, Rule::node_own_name, {{"node", self}, {"name", name}});
  };
  if (name_first) {
    if (Admission refusal = name_refused()) return refusal;
    return contents(self, request);
  }
  if (Admission refusal = contents(self, request)) return refusal;
  return name_refused();
}

Admission NodeRestriction::contents(std::string_view self, const AdmissionRequest& request) const {
  if (request.operation == Operation::remove) return std::nullopt;
  const Object& before = request.old_object;
  const Object& after = request.object;
  const Object& config_source = member(after, "spec", "configSource");
  if (request.operation == Operation::create) {
    if (!config_source.is_null()) {
      if (Admission refusal = refuse(rules_, Rule::node_config_source_create, {{"node", self}})) return refusal;
    }
    return labels(self, after, before, request.operation);
  }
  if (!config_source.is_null() && config_source != member(before, "spec", "configSource")) {
    if (Admission refusal = refuse(rules_, Rule::node_config_source_update, {{"node", self}})) return refusal;
  }
  if (!same_entries(member(before, "spec", "taints"), member(after, "spec", "taints"))) {
    if (Admission refusal = refuse(rules_, Rule::node_taints, {{"node", self}})) return refusal;
  }
  if (!same_entries(member(before, "metadata", "ownerReferences"), member(after, "metadata", "ownerReferences"))) {
    if (Admission refusal = refuse(rules_, Rule::node_owner_references, {{"node", self}})) return refusal;
  }
  return labels(self, after, before, request.operation);
}

bool NodeRestriction::allowed_label(std::string_view key) const {
  const std::vector<RuleEntry>& all = rules_.catalogue().rules();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (lists(all[i], key) && all[i].effect == Effect::grant && rules_.in_force(static_cast<Rule>(i))) return true;
  }
  return false;
}

Admission NodeRestriction::labels(std::string_view self, const Object& object, const Object& old_object,
                                  Operation operation) const {
  const bool create = operation == Operation::create;
  const Rule restricted_rule = create ? Rule::node_restricted_labels_create : Rule::node_restricted_labels_update;
  const Rule kubernetes_rule = create ? Rule::node_kubernetes_labels_create : Rule::node_kubernetes_labels_update;
  std::string forbidden;
  std::optional<Rule> rule;
  for (const std::string& key :
       changed_keys(member(old_object, "metadata", "labels"), member(object, "metadata", "labels"))) {
    const bool restricted = rules_.in_force(restricted_rule) && in_domain(label_domain(key), restricted_domain);
    const bool unlisted = rules_.in_force(kubernetes_rule) && is_kubernetes_label(key) && !allowed_label(key);
    if (!restricted && !unlisted) continue;
    if (restricted || !rule) rule = restricted ? restricted_rule : kubernetes_rule;
    forbidden += (forbidden.empty() ? "" : ", ") + key;
  }
  return rule ? refuse(rules_, *rule, {{"node", self}, {"labels", forbidden}}) : Admission();
}

}  // namespace nodebound
