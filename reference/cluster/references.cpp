#include "reference/cluster/references.h"

#include <algorithm>
#include <optional>

namespace nodebound {
namespace {

std::optional<ObjectKind> kind_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(ObjectKind::podcertificaterequest); ++i) {
    if (to_string(static_cast<ObjectKind>(i)) == name) return static_cast<ObjectKind>(i);
  }
  return std::nullopt;
}

// Kinds whose objects themselves name the node they belong to; other kinds are referenced by a pod.
bool names_its_node(ObjectKind kind) {
  return kind == ObjectKind::volumeattachment || kind == ObjectKind::resourceslice ||
         kind == ObjectKind::podcertificaterequest;
}

std::string_view text_at(const Object& object, std::string_view path) {
  if (path.empty()) return {};
  const Object* value = &object;
  while (!path.empty()) {
    if (!value->is_object()) return {};
    const std::string_view name = path.substr(0, path.find('.'));
    value = &member(*value, name);
    path.remove_prefix(std::min(name.size() + 1, path.size()));
  }
  return value->is_string() ? std::string_view(value->get_ref<const std::string&>()) : std::string_view();
}

}  // namespace

ReferenceFinder::ReferenceFinder(const RuleSet& rules) : rules_(rules) {
  const std::vector<RuleEntry>& entries = rules.catalogue().rules();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::optional<EdgeRule>& edge = entries[i].edge;
    const Rule rule = static_cast<Rule>(i);
    if (!edge || !rules.in_force(rule)) continue;
    const std::optional<ObjectKind> kind = kind_named(edge->from);
    if (!kind) continue;
    for (const std::string& path : edge->paths) {
      if (names_its_node(*kind)) {
        node_paths_.push_back({*kind, path, rule});
      } else {
        add_path(path, *kind, rule);
      }
    }
    if (!edge->volume) continue;
    volume_edges_.push_back({*kind, rule, *edge->volume});
    const std::string& namespace_rule = edge->volume->namespace_rule;
    const bool names_namespace = namespace_rule.empty() || rules.in_force(*rules.catalogue().find(namespace_rule));
    if (!names_namespace) volume_edges_.back().path.namespace_.clear();
  }
}

void ReferenceFinder::add_path(std::string_view path, ObjectKind kind, Rule edge) {
  Step* step = &pod_paths_;
  while (!path.empty()) {
    std::string_view name = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(name.size() + 1, path.size()));
    const bool list = name.ends_with("[]");
    if (list) name.remove_suffix(2);
    auto next = std::find_if(step->next.begin(), step->next.end(), [&](const Step& s) { return s.name == name; });
    if (next == step->next.end()) {
      step->next.push_back({std::string(name), list, {}, false, kind, edge});
      next = step->next.end() - 1;
    }
    step = &*next;
  }
  step->leaf = true;
  step->kind = kind;
  step->edge = edge;
}

void ReferenceFinder::walk(const Step& step, const Object& value, std::string_view namespace_, References& found) {
  if (step.leaf) {
    if (!value.is_string()) return;
    const std::string_view name = value.get_ref<const std::string&>();
    if (!name.empty()) found.items.push_back({step.kind, namespace_, name, step.edge});
    return;
  }
  if (!value.is_object()) return;
  for (auto child = value.begin(); child != value.end(); ++child) {
    const auto next =
        std::find_if(step.next.begin(), step.next.end(), [&](const Step& s) { return s.name == child.key(); });
    if (next == step.next.end()) continue;
    if (!next->list) {
      walk(*next, *child, namespace_, found);
    } else if (child->is_array()) {
      for (const Object& item : *child) walk(*next, item, namespace_, found);
    }
  }
}

void ReferenceFinder::claims_of_pod(const Object& pod, std::string_view namespace_, References& found) const {
  if (rules_.in_force(Rule::edge_claim_ephemeral)) {
    for (const Object& volume : member(pod, "spec", "volumes")) {
      if (!member(volume, "ephemeral").is_object()) continue;
      found.made.push_back(std::string(text(pod, "metadata", "name")) + "-" + std::string(text(volume, "name")));
      found.items.push_back(
          {ObjectKind::persistentvolumeclaim, namespace_, found.made.back(), Rule::edge_claim_ephemeral});
    }
  }
  if (!rules_.in_force(Rule::edge_resource_claim_template)) return;
  for (const Object& claim : member(pod, "spec", "resourceClaims")) {
    if (member(claim, "resourceClaimName").is_string() || !member(claim, "resourceClaimTemplateName").is_string()) {
      continue;
    }
    for (const Object& status : member(pod, "status", "resourceClaimStatuses")) {
      const std::string_view name = text(status, "resourceClaimName");
      if (text(status, "name") != text(claim, "name") || name.empty()) continue;
      found.items.push_back({ObjectKind::resourceclaim, namespace_, name, Rule::edge_resource_claim_template});
      break;
    }
  }
}

References ReferenceFinder::of_pod(const Object& pod) const {
  if (rules_.in_force(Rule::graph_mirror_pod_alone) && is_mirror_pod(pod)) return {};
  return named_by(pod);
}

References ReferenceFinder::named_by(const Object& pod) const {
  References found;
  const std::string_view namespace_ = text(pod, "metadata", "namespace");
  found.items.reserve(8);
  walk(pod_paths_, pod, namespace_, found);
  claims_of_pod(pod, namespace_, found);
  return found;
}

std::optional<ReferenceFinder::OwnNode> ReferenceFinder::own_node(ObjectKind kind, const Object& object) const {
  for (const NodePath& path : node_paths_) {
    if (path.kind != kind) continue;
    if (const std::string_view node = text_at(object, path.path); !node.empty()) return {{node, path.edge}};
  }
  return std::nullopt;
}

References ReferenceFinder::of_volume(const Object& volume) const {
  References found;
  const std::string_view claim_namespace = text(volume, "spec", "claimRef", "namespace");
  for (const VolumeEdge& edge : volume_edges_) {
    const std::string_view name = text_at(volume, edge.path.name);
    if (name.empty()) continue;
    std::string_view namespace_ = text_at(volume, edge.path.namespace_);
    if (namespace_.empty() && edge.path.or_namespace_of_claim) namespace_ = claim_namespace;
    found.items.push_back({edge.kind, namespace_, name, edge.edge});
  }
  // Before the graph knew CSI volumes, none of their Secrets led to a node.
  const bool sees_csi = rules_.in_force(Rule::edge_volume_secret_csi_node_stage);
  if (sees_csi && !rules_.in_force(Rule::graph_controller_secrets_hidden)) {
    for (const std::string_view kind : {"controllerPublishSecretRef", "controllerExpandSecretRef"}) {
      const Object& reference = member(volume, "spec", "csi", kind);
      if (text(reference, "name").empty()) continue;
      found.items.push_back({ObjectKind::secret, text(reference, "namespace"), text(reference, "name"),
                             Rule::graph_controller_secrets_hidden});
    }
  }
  return found;
}

}  // namespace nodebound
