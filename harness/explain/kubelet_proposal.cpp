#include "harness/explain/kubelet_proposal.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "reports/text.h"

namespace nodebound::explain {
namespace {

// Requests by which a holder of nodes/proxy takes over the pods of a node.
constexpr std::array<std::pair<const char*, const char*>, 6> dangerous = {{{"POST", "/run/ns/pod/container"},
                                                                           {"POST", "/exec/ns/pod/container"},
                                                                           {"GET", "/exec/ns/pod/container"},
                                                                           {"GET", "/attach/ns/pod/container"},
                                                                           {"GET", "/portForward/ns/pod"},
                                                                           {"GET", "/containerLogs/ns/pod/container"}}};

void add(std::vector<std::string>& list, const std::string& text) {
  if (!has(list, text)) list.push_back(text);
}

/// Dangerous requests that are not refused, by the API server's review.
struct Possibility {
  std::vector<std::string> requests;
  std::vector<std::string> kubelets;
};
using Possible = std::map<std::string, Possibility>;

class Proposing {
 public:
  Proposing(const Fleet& fleet, std::string role) : fleet_(fleet), role_(std::move(role)) {}

  Result<Proposal> propose() {
    Proposal out;
    out.role = role_;
    out.object = *fleet_.cluster.find(rbac_group, "clusterroles", "", role_);
    for (const char* field : {"managedFields", "resourceVersion", "uid", "creationTimestamp", "generation"}) {
      out.object["metadata"].erase(field);
    }
    if (out.object["metadata"].contains("annotations")) {
      out.object["metadata"]["annotations"].erase("kubectl.kubernetes.io/last-applied-configuration");
    }
    out.object["apiVersion"] = std::string(rbac_group) + "/v1";
    out.object["kind"] = "ClusterRole";
    out.object["rules"] = narrowed(member(out.object, "rules"));
    explain_what_stays(out);
    std::vector<ClusterObject> objects = fleet_.objects;
    objects.push_back({{rbac_group, "clusterroles", "", role_}, out.object, ""});
    Cluster after(fleet_.server);
    if (Result<void> loaded = load(objects, after); !loaded) return tl::unexpected(loaded.error());
    try_out(out, after);
    return out;
  }

 private:
  [[nodiscard]] Object narrowed(const Object& rules) const {
    Object out = Object::array();
    for (const Object& rule : rules) {
      const std::vector<std::string> resources = strings_of(member(rule, "resources"));
      if (!has(resources, proxy)) {
        out.push_back(rule);
        continue;
      }
      Object rest = rule;
      std::vector<std::string> others = resources;
      std::erase(others, proxy);
      rest["resources"] = others;
      if (!others.empty()) out.push_back(std::move(rest));
      for (Object& needed : rules_instead_of(rule)) out.push_back(std::move(needed));
    }
    return out;
  }

  // By verb: which needed requests the rule allowed.
  [[nodiscard]] Object rules_instead_of(const Object& rule) const {
    const std::vector<std::string> allowed = strings_of(member(rule, "verbs"));
    std::map<std::string, std::set<std::string>> needed;
    for (const Need& need : fleet_.needs) {
      const std::size_t blank = need.review.find(' ');
      const std::string verb = need.review.substr(0, blank);
      if (need.is_served && (has(allowed, verb) || has(allowed, "*"))) {
        needed[verb].insert(need.review.substr(blank + 1));
      }
    }
    Object out = Object::array();
    for (const auto& [verb, resources] : needed) {
      Object one = rule;
      one["resources"] = resources;
      one["verbs"] = {verb};
      out.push_back(std::move(one));
    }
    return out;
  }

  void explain_what_stays(Proposal& proposal) const {
    std::map<std::string, std::vector<std::string>> releases;
    for (const Need& need : fleet_.needs) {
      if (need.is_served && need.is_proxy) releases[need.line].push_back(need.version.text());
    }
    std::optional<Version> last;
    bool for_good = false;
    for (const auto& [line, of] : releases) {
      proposal.kept.push_back(line + " on kubelets " + comma_separated(of));
      const auto since = without_proxy_since(line);
      for_good = for_good || !since;
      if (since && (!last || *since > *last)) last = since;
    }
    if (!for_good) proposal.until = last;
  }

  // From which release on the request never needs nodes/proxy; nothing if it always does.
  [[nodiscard]] std::optional<Version> without_proxy_since(const std::string& line) const {
    const auto request = std::find_if(fleet_.requests.begin(), fleet_.requests.end(),
                                      [&](const KubeletRequest& one) { return one.line() == line; });
    std::optional<Version> out;
    for (const Version& version : fleet_.catalogue.turning_points()) {
      const auto release =
          Release::make(fleet_.catalogue, version, Release::taken(fleet_.catalogue, version, fleet_.gates));
      if (!release) continue;
      const RuleSet rules(fleet_.catalogue, *release);
      if (need_of(*request, {rules, usual_settings(rules)}).is_proxy) {
        out.reset();
      } else if (!out) {
        out = version;
      }
    }
    return out;
  }

  void try_out(Proposal& proposal, const Cluster& after) const {
    std::set<std::string> taken;
    Possible possible;
    for (const ProxyHolder& holder : fleet_.holders) {
      if (holder.role != proposal.role) continue;
      for (const Subject& subject : holder.as) {
        for (const FleetKubelet& kubelet : fleet_.kubelets) {
          try_needs(subject, kubelet, after, taken);
          try_dangers(subject, kubelet, after, possible);
        }
      }
    }
    proposal.taken.assign(taken.begin(), taken.end());
    for (const auto& [why, what] : possible) {
      proposal.still_possible.push_back(comma_separated(what.requests) + " on kubelets " +
                                        comma_separated(what.kubelets) + ": " + why);
    }
  }

  void try_needs(const Subject& subject, const FleetKubelet& kubelet, const Cluster& after,
                 std::set<std::string>& taken) const {
    for (const KubeletRequest& request : fleet_.requests) {
      KubeletRequest own = request;
      own.subject = subject;
      const bool had =
          !kubelet_answer(kubelet.rules, kubelet.settings, fleet_.server, fleet_.cluster, own).is_refused();
      const bool has_now = !kubelet_answer(kubelet.rules, kubelet.settings, fleet_.server, after, own).is_refused();
      if (had && !has_now) {
        taken.insert(request.line() + " of " + subject.name + " on kubelets " + kubelet.rules.release().version.text());
      }
    }
  }

  void try_dangers(const Subject& subject, const FleetKubelet& kubelet, const Cluster& after,
                   Possible& possible) const {
    for (const auto& [method, path] : dangerous) {
      const KubeletAnswer answer =
          kubelet_answer(kubelet.rules, kubelet.settings, fleet_.server, after, {subject, method, path, ""});
      if (!answer.route.is_guarded() || answer.is_refused()) continue;
      Possibility& of = possible[answer.reviews.back().decision.reason];
      add(of.requests, std::string(method) + " " + std::string(path).substr(0, std::string_view(path).find('/', 1)));
      add(of.kubelets, kubelet.rules.release().version.text());
    }
  }

  const Fleet& fleet_;
  std::string role_;
};

}  // namespace

Need need_of(const KubeletRequest& request, const FleetKubelet& kubelet) {
  const KubeletRoute route = KubeletRoutes(kubelet.rules, kubelet.settings).find(request.method, request.target);
  const std::string path = request.target.substr(0, request.target.find('?'));
  const Attributes narrowest = kubelet_attributes(request.method, path, request.node, kubelet.rules).front();
  return {request.line(), kubelet.rules.release().version, narrowest.verb + " nodes/" + narrowest.subresource,
          narrowest.subresource == "proxy", route.is_guarded()};
}

std::vector<std::string> dangers() {
  std::vector<std::string> out;
  out.reserve(dangerous.size());
  for (const auto& [method, path] : dangerous) out.push_back(std::string(method) + " " + path);
  return out;
}

Result<Proposal> propose(const Fleet& fleet, const std::string& role) {
  return Proposing(fleet, role).propose();
}

}  // namespace nodebound::explain
