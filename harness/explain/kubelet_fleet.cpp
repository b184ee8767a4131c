#include "harness/explain/kubelet_fleet.h"

#include <algorithm>
#include <array>
#include <set>

#include "harness/explain/kubelet_explanation.h"
#include "harness/explain/kubelet_proposal.h"
#include "reference/authorizer/policy.h"

namespace nodebound::explain {
namespace {

using BindingSubject = RbacObjects::BindingSubject;

constexpr std::array verbs = {"get", "create", "update", "patch", "delete"};

std::string described(const BindingSubject& subject) {
  switch (subject.kind) {
    case BindingSubject::Kind::user:
      return "User " + subject.name;
    case BindingSubject::Kind::group:
      return "Group " + subject.name;
    case BindingSubject::Kind::service_account:
      break;
  }
  return "ServiceAccount " + subject.namespace_ + "/" + subject.name;
}

// A subject that the binding covers.
Subject asking(const BindingSubject& subject) {
  switch (subject.kind) {
    case BindingSubject::Kind::user:
      return {subject.name, {"system:authenticated"}, "", {}};
    case BindingSubject::Kind::group:
      return {"nodebound:member", {subject.name, "system:authenticated"}, "", {}};
    case BindingSubject::Kind::service_account:
      break;
  }
  return {"system:serviceaccount:" + subject.namespace_ + ":" + subject.name,
          {"system:serviceaccounts", "system:serviceaccounts:" + subject.namespace_, "system:authenticated"},
          "",
          {}};
}

class FleetLook {
 public:
  FleetLook(const RuleSet& server, const FleetQuestion& question) : server_(server), question_(question) {}

  Result<KubeletFleet> look(const Catalogue& catalogue) {
    objects_ = question_.objects;
    std::erase_if(objects_, [](const ClusterObject& one) {
      return one.key.group != rbac_group && (one.key.resource != "nodes" || !one.key.group.empty());
    });
    Cluster cluster(server_);
    if (Result<void> loaded = load(objects_, cluster); !loaded) return tl::unexpected(loaded.error());
    if (Result<void> counted = count_kubelets(); !counted) return tl::unexpected(counted.error());
    if (Result<void> prepared = prepare(catalogue); !prepared) return tl::unexpected(prepared.error());
    for (const std::string& line : question_.needs) {
      if (Result<void> added = add_needs(line); !added) return tl::unexpected(added.error());
    }
    find_holders(cluster);
    fleet_.dangers = dangers();
    const Fleet fleet{catalogue, server_,   question_.gates, objects_,      cluster,
                      kubelets_, requests_, fleet_.needs,    fleet_.holders};
    std::set<std::string> roles;
    for (const ProxyHolder& holder : fleet_.holders) {
      if (!holder.is_given || holder.by_wildcard || !roles.insert(holder.role).second) continue;
      auto proposal = propose(fleet, holder.role);
      if (!proposal) return tl::unexpected(proposal.error());
      fleet_.proposals.push_back(std::move(*proposal));
    }
    return std::move(fleet_);
  }

 private:
  Result<void> count_kubelets() {
    std::map<Version, KubeletsOfRelease> found;
    for (const ClusterObject& entry : objects_) {
      if (entry.key.resource != "nodes") continue;
      const auto kubelet = find_kubelet(entry.key.name, {entry});
      if (!kubelet) return tl::unexpected(kubelet.error());
      KubeletsOfRelease& of = found[kubelet->version];
      if (of.count++ == 0) of.example = entry.key.name;
    }
    for (const Version& version : question_.kubelets) found[version];
    if (found.empty()) {
      return input_error("--cluster", "there are no Nodes among the objects, so no kubelets",
                         "give them with --cluster, or releases with --kubelet");
    }
    for (auto& [version, of] : found) {
      of.version = version;
      fleet_.kubelets.push_back(std::move(of));
    }
    return {};
  }

  Result<void> prepare(const Catalogue& catalogue) {
    for (const KubeletsOfRelease& of : fleet_.kubelets) {
      const auto release = Release::make(catalogue, of.version, Release::taken(catalogue, of.version, question_.gates));
      if (!release) return tl::unexpected(release.error());
      const RuleSet rules(catalogue, *release);
      kubelets_.push_back({rules, usual_settings(rules)});
    }
    return {};
  }

  Result<void> add_needs(const std::string& line) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    const auto request = read_kubelet_request(
        "anonymous", {line.substr(0, blank), blank < line.size() ? line.substr(blank + 1) : ""}, "");
    if (!request) {
      return input_error("--needs", "\"" + line + "\" is no request to a kubelet", "give it as: \"GET /pods\"");
    }
    requests_.push_back(*request);
    for (const FleetKubelet& kubelet : kubelets_) fleet_.needs.push_back(need_of(*request, kubelet));
    return {};
  }

  void find_holders(const Cluster& cluster) {
    for (const auto& [key, kept] : cluster.rbac().bindings()) {
      const RbacObjects::Binding& binding = *kept;
      const std::vector<PolicyRule>* role = cluster.rbac().role("", binding.role);
      if (!binding.namespace_.empty() || role == nullptr) continue;
      ProxyHolder holder;
      for (const char* verb : verbs) {
        if (covered(*role, verb)) holder.verbs.emplace_back(verb);
      }
      if (holder.verbs.empty()) continue;
      holder.binding = binding.name;
      holder.role = binding.role;
      holder.by_wildcard =
          std::none_of(role->begin(), role->end(), [](const PolicyRule& rule) { return has(rule.resources, proxy); });
      holder.is_given = is_own(cluster.find(rbac_group, "clusterroles", "", binding.role));
      for (const BindingSubject& subject : binding.subjects) {
        holder.subjects.push_back(described(subject));
        holder.as.push_back(asking(subject));
      }
      fleet_.holders.push_back(std::move(holder));
    }
  }

  [[nodiscard]] bool covered(const std::vector<PolicyRule>& role, const char* verb) const {
    return std::any_of(role.begin(), role.end(), [&](const PolicyRule& rule) {
      Attributes asked;
      asked.resource_request = true;
      asked.verb = verb;
      asked.api_version = "v1";
      asked.resource = "nodes";
      asked.subresource = "proxy";
      if (!rule.names.empty()) asked.name = rule.names.front();
      return covers(server_, rule, asked);
    });
  }

  // Not a role that the API server reconciles, or that a controller aggregates from others: those undo changes.
  static bool is_own(const ObjectPtr& role) {
    if (role == nullptr || role->contains("aggregationRule")) return false;
    return text(*role, "metadata", "labels", "kubernetes.io/bootstrapping") != "rbac-defaults";
  }

  const RuleSet& server_;
  const FleetQuestion& question_;
  std::vector<ClusterObject> objects_;
  std::vector<FleetKubelet> kubelets_;
  std::vector<KubeletRequest> requests_;
  KubeletFleet fleet_;
};

}  // namespace

const std::vector<std::string>& usual_needs() {
  static const std::vector<std::string> out = {"GET /metrics",          "GET /metrics/cadvisor", "GET /metrics/probes",
                                               "GET /metrics/resource", "GET /stats/summary",    "GET /pods",
                                               "GET /healthz"};
  return out;
}

Result<KubeletFleet> look_at_fleet(const Catalogue& catalogue, const FleetQuestion& question) {
  const auto release = Release::make(catalogue, question.server, {});
  if (!release) return tl::unexpected(release.error());
  const RuleSet server(catalogue, *release);
  return FleetLook(server, question).look(catalogue);
}

}  // namespace nodebound::explain
