#include "reference/cluster/path.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace nodebound {
namespace {

/// Group and resource of the kinds whose objects themselves name their node or claim.
std::optional<std::pair<std::string_view, std::string_view>> resource_of(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::pod:
      return {{"", "pods"}};
    case ObjectKind::persistentvolume:
      return {{"", "persistentvolumes"}};
    case ObjectKind::volumeattachment:
      return {{"storage.k8s.io", "volumeattachments"}};
    case ObjectKind::resourceslice:
      return {{"resource.k8s.io", "resourceslices"}};
    case ObjectKind::podcertificaterequest:
      return {{"certificates.k8s.io", "podcertificaterequests"}};
    default:
      return std::nullopt;
  }
}

/// The rules with every edge of any release in force, to find edges that the release lacks, too.
RuleSet with_every_edge(const RuleSet& rules) {
  RuleSet all = rules;
  const std::vector<RuleEntry>& entries = rules.catalogue().rules();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Rule rule = static_cast<Rule>(i);
    const bool edge = entries[i].edge || rule == Rule::edge_claim_ephemeral ||
                      rule == Rule::edge_resource_claim_template || rule == Rule::edge_node_config_source;
    if (edge && !all.in_force(rule)) all = all.with_flipped(rule);
  }
  const Rule hiding = Rule::graph_controller_secrets_hidden;
  return all.in_force(hiding) ? all.with_flipped(hiding) : all;
}

/// Follows all ways from an object over the objects that reference it, to objects that name a node.
class Search {
 public:
  /// Called at the end of each way; returns false to end the search.
  using Visit = std::function<bool(const NearMiss& end)>;

  Search(const Cluster& cluster, const ReferenceFinder& finder, Visit visit)
      : cluster_(cluster), finder_(finder), visit_(std::move(visit)) {}

  void from(const PathStep& start) {
    steps_.push_back(start);
    follow();
    steps_.pop_back();
  }

 private:
  using Cause = NearMiss::Cause;

  void end(Cause cause, std::string_view node = {}) {
    done_ = !visit_({steps_, cause, Rule::graph_pod_bound, std::string(node)});
  }

  void go_on(Rule edge, ObjectKind kind, std::string_view namespace_, std::string_view name) {
    if (done_) return;
    steps_.back().edge = edge;
    from({kind, std::string(namespace_), std::string(name)});
  }

  void follow() {
    const PathStep at = steps_.back();
    if (at.kind == ObjectKind::persistentvolume) return follow_volume(at);
    if (resource_of(at.kind)) return follow_owned(at);
    bool named = follow_pods_naming(at);
    if (at.kind == ObjectKind::secret) named = follow_volumes_naming(at) || named;
    if (at.kind == ObjectKind::configmap) named = follow_nodes_naming(at) || named;
    if (!named && !done_) end(Cause::unnamed);
  }

  [[nodiscard]] ObjectPtr object(const PathStep& at) const {
    const auto [group, resource] = *resource_of(at.kind);
    return cluster_.find(group, resource, at.namespace_, at.name);
  }

  void follow_owned(const PathStep& at) {
    const ObjectPtr found = object(at);
    if (found == nullptr) return end(Cause::not_there);
    const auto node = at.kind == ObjectKind::pod
                          ? ReferenceFinder::OwnNode{text(*found, "spec", "nodeName"), Rule::graph_pod_bound}
                          : finder_.own_node(at.kind, *found).value_or(ReferenceFinder::OwnNode());
    if (node.name.empty()) return end(Cause::unbound);
    steps_.back().edge = node.edge;
    end(Cause::other_node, node.name);
  }

  void follow_volume(const PathStep& at) {
    const ObjectPtr found = object(at);
    if (found == nullptr) return end(Cause::not_there);
    const Object& claim = member(*found, "spec", "claimRef");
    if (text(claim, "name").empty()) return end(Cause::unclaimed);
    go_on(Rule::edge_volume_claim_ref, ObjectKind::persistentvolumeclaim, text(claim, "namespace"),
          text(claim, "name"));
  }

  bool follow_pods_naming(const PathStep& at) {
    return follow_naming(at, ObjectKind::pod, at.namespace_, [&](const Object& pod) { return finder_.named_by(pod); });
  }

  bool follow_volumes_naming(const PathStep& at) {
    return follow_naming(at, ObjectKind::persistentvolume, {},
                         [&](const Object& volume) { return finder_.of_volume(volume); });
  }

  // Follows Nodes whose configuration is the ConfigMap.
  bool follow_nodes_naming(const PathStep& at) {
    bool any = false;
    cluster_.each("", "nodes", {}, [&](const ObjectKey& key, const Object& node) {
      const Object& source = member(node, "spec", "configSource", "configMap");
      if (done_ || text(source, "namespace") != at.namespace_ || text(source, "name") != at.name) return;
      any = true;
      steps_.back().edge = Rule::edge_node_config_source;
      end(Cause::other_node, key.name);
    });
    return any;
  }

  bool follow_naming(const PathStep& at, ObjectKind by, std::string_view in,
                     const std::function<References(const Object&)>& named_by) {
    bool any = false;
    cluster_.each("", resource_of(by)->second, in, [&](const ObjectKey& key, const Object& object) {
      if (done_) return;
      const References named = named_by(object);
      for (const NodeGraph::Reference& item : named.items) {
        if (item.kind != at.kind || item.namespace_ != at.namespace_ || item.name != at.name) continue;
        any = true;
        go_on(item.edge, by, key.namespace_, key.name);
      }
    });
    return any;
  }

  const Cluster& cluster_;
  const ReferenceFinder& finder_;
  Visit visit_;
  std::vector<PathStep> steps_;
  bool done_ = false;
};

/// Why a way does not lead to the node; nothing if it does.
std::optional<NearMiss> miss_of(const RuleSet& rules, const Cluster& cluster, NearMiss way, std::string_view node) {
  using Cause = NearMiss::Cause;
  const auto because = [&](Cause cause, Rule rule) {
    way.cause = cause;
    way.rule = rule;
    return way;
  };
  const Rule hiding = Rule::graph_controller_secrets_hidden;
  // Before the graph knew CSI volumes, their Secrets for controllers led nowhere either.
  const bool hidden = rules.in_force(hiding) || !rules.in_force(Rule::edge_volume_secret_csi_node_stage);
  if (way.steps.front().edge == hiding && way.steps.size() > 1 && hidden) {
    way.steps.resize(2);  // how the way would continue does not matter
    way.node.clear();
    return because(Cause::hidden_secret, hiding);
  }
  if (way.cause != Cause::other_node || way.node != node) return way;
  for (const PathStep& step : way.steps) {
    if (step.edge != hiding && !rules.in_force(step.edge)) return because(Cause::not_in_force, step.edge);
  }
  const PathStep& last = way.steps.back();
  const bool through_pod = last.kind == ObjectKind::pod && way.steps.size() > 1;
  if (through_pod && rules.in_force(Rule::graph_mirror_pod_alone) &&
      is_mirror_pod(*cluster.find("", "pods", last.namespace_, last.name))) {
    return because(Cause::mirror_pod, Rule::graph_mirror_pod_alone);
  }
  if (last.edge == Rule::edge_node_config_source) return std::nullopt;
  if (!cluster.graph().leads(last.kind, last.namespace_, last.name, node)) {
    return because(Cause::not_in_force, Rule::graph_terminated_pod_counts);
  }
  return std::nullopt;
}

bool same_objects(const std::vector<PathStep>& a, const std::vector<PathStep>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PathStep& x, const PathStep& y) {
    return x.kind == y.kind && x.namespace_ == y.namespace_ && x.name == y.name;
  });
}

}  // namespace

std::vector<PathStep> path_to_node(const RuleSet& rules, const Cluster& cluster, const PathStep& from,
                                   std::string_view node) {
  std::vector<PathStep> path;
  Search(cluster, cluster.references(), [&](const NearMiss& way) {
    if (!miss_of(rules, cluster, way, node)) path = way.steps;
    return path.empty();
  }).from(from);
  return path;
}

std::vector<NearMiss> near_misses(const RuleSet& rules, const Cluster& cluster, const PathStep& from,
                                  std::string_view node) {
  std::vector<NearMiss> misses;
  const RuleSet every_edge = with_every_edge(rules);
  const ReferenceFinder finder(every_edge);
  Search(cluster, finder, [&](const NearMiss& way) {
    std::optional<NearMiss> miss = miss_of(rules, cluster, way, node);
    // A pod that references an object in several fields counts as one near miss.
    const bool again = miss && !misses.empty() && same_objects(misses.back().steps, miss->steps);
    if (miss && !again) misses.push_back(std::move(*miss));
    return true;
  }).from(from);
  return misses;
}

std::string field_of(const Catalogue& catalogue, Rule edge) {
  switch (edge) {
    case Rule::edge_volume_claim_ref:
      return "spec.claimRef";
    case Rule::edge_claim_ephemeral:
      return "spec.volumes[].ephemeral";
    case Rule::edge_node_config_source:
      return "spec.configSource.configMap of the node";
    case Rule::edge_resource_claim_template:
      return "status.resourceClaimStatuses[].resourceClaimName";
    case Rule::graph_controller_secrets_hidden:
      return "spec.csi.controllerPublishSecretRef or spec.csi.controllerExpandSecretRef";
    default:
      break;
  }
  const std::optional<EdgeRule>& rule = catalogue[edge].edge;
  if (rule && rule->volume) return rule->volume->name;
  std::string fields;
  if (rule) {
    for (const std::string& path : rule->paths) fields += (fields.empty() ? "" : " or ") + path;
  }
  return fields.empty() ? "spec.nodeName" : fields;
}

std::optional<ObjectKind> tied_kind(Rule rule) {
  switch (rule) {
    case Rule::secret_through_pod:
      return ObjectKind::secret;
    case Rule::configmap_through_pod:
      return ObjectKind::configmap;
    case Rule::claim_through_pod:
    case Rule::claim_status_through_pod:
      return ObjectKind::persistentvolumeclaim;
    case Rule::volume_through_claim:
      return ObjectKind::persistentvolume;
    case Rule::token_through_pod:
    case Rule::service_account_through_pod:
      return ObjectKind::serviceaccount;
    case Rule::resource_claim_through_pod:
      return ObjectKind::resourceclaim;
    case Rule::attachment_of_node:
      return ObjectKind::volumeattachment;
    case Rule::slice_of_node:
      return ObjectKind::resourceslice;
    case Rule::pod_of_node:
      return ObjectKind::pod;
    case Rule::pcr_of_node:
      return ObjectKind::podcertificaterequest;
    default:
      return std::nullopt;
  }
}

}  // namespace nodebound
