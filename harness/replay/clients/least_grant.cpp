#include "harness/replay/clients/least_grant.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include "fakes/wire/yaml/yaml.h"
#include "harness/replay/finding_table.h"
#include "harness/replay/log_files.h"
#include "harness/replay/outcome.h"
#include "harness/replay/replayed_cluster.h"
#include "harness/replay/time_order.h"
#include "reports/text.h"

namespace nodebound::replay {
namespace {

constexpr const char* grant_group = "rbac.authorization.k8s.io";
constexpr const char* account_namespace = "kube-system";

// A name that Kubernetes accepts, from a user agent: `agent/v1` gives `agent`.
std::string account_name(const std::string& user_agent, std::set<std::string>& taken) {
  std::string out;
  for (const char c : user_agent.substr(0, user_agent.find('/'))) {
    const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool fits = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (fits) out += lower;
    if (!fits && !out.empty() && out.back() != '-') out += '-';
  }
  constexpr std::size_t longest = 40;
  out = out.substr(0, longest);
  while (!out.empty() && out.back() == '-') out.pop_back();
  if (out.empty()) out = "agent";
  const std::string stem = out;
  for (int number = 2; !taken.insert(out).second; ++number) out = stem + "-" + std::to_string(number);
  return out;
}

Object policy_rules(const std::set<AskedRight>& rights) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> verbs;  // by group and resource
  std::set<std::pair<std::string, std::string>> paths;
  for (const AskedRight& right : rights) {
    if (right.path.empty()) {
      verbs[{right.group, right.resource}].insert(right.verb);
    } else {
      paths.emplace(right.verb, right.path);
    }
  }
  std::map<std::pair<std::string, std::set<std::string>>, std::set<std::string>> rules;  // by group and verbs
  for (const auto& [what, of] : verbs) rules[{what.first, of}].insert(what.second);
  Object out = Object::array();
  for (const auto& [what, resources] : rules) {
    out.push_back(Object{{"apiGroups", {what.first}}, {"resources", resources}, {"verbs", what.second}});
  }
  for (const auto& [verb, path] : paths) out.push_back(Object{{"nonResourceURLs", {path}}, {"verbs", {verb}}});
  return out;
}

ClusterObject grant_object(const char* kind, const char* resource, const std::string& in, const std::string& name) {
  Object object = {{"apiVersion", std::string(grant_group) + "/v1"}, {"kind", kind}, {"metadata", {{"name", name}}}};
  if (!in.empty()) object["metadata"]["namespace"] = in;
  return {{grant_group, resource, in, name}, std::move(object), ""};
}

void add_role(LeastGrant& grant, const std::string& in, const std::set<AskedRight>& rights) {
  const bool cluster_wide = in.empty();
  ClusterObject role =
      grant_object(cluster_wide ? "ClusterRole" : "Role", cluster_wide ? "clusterroles" : "roles", in, grant.account);
  role.object["rules"] = policy_rules(rights);
  ClusterObject binding = grant_object(cluster_wide ? "ClusterRoleBinding" : "RoleBinding",
                                       cluster_wide ? "clusterrolebindings" : "rolebindings", in, grant.account);
  binding.object["roleRef"] = {
      {"apiGroup", grant_group}, {"kind", cluster_wide ? "ClusterRole" : "Role"}, {"name", grant.account}};
  binding.object["subjects"] =
      Object::array({Object{{"kind", "ServiceAccount"}, {"name", grant.account}, {"namespace", account_namespace}}});
  grant.objects.push_back(std::move(role));
  grant.objects.push_back(std::move(binding));
}

LeastGrant grant_of(const AgentOfNodes& agent, std::set<std::string>& taken) {
  LeastGrant out;
  out.user_agent = agent.user_agent;
  out.account = account_name(agent.user_agent, taken);
  out.incomplete = agent.more_rights;
  Object account = {{"apiVersion", "v1"},
                    {"kind", "ServiceAccount"},
                    {"metadata", {{"name", out.account}, {"namespace", account_namespace}}}};
  out.objects.push_back({{"", "serviceaccounts", account_namespace, out.account}, std::move(account), ""});
  std::map<std::string, std::set<AskedRight>> by_namespace;
  for (const AskedRight& right : agent.rights) by_namespace[right.namespace_].insert(right);
  // What is granted everywhere need not be granted in a namespace again.
  for (const auto& [in, rights] : by_namespace) add_role(out, in, rights);
  return out;
}

Subject account_subject(const std::string& account) {
  const std::string in = account_namespace;
  return {"system:serviceaccount:" + in + ":" + account,
          {"system:serviceaccounts", "system:serviceaccounts:" + in, "system:authenticated"},
          "",
          {}};
}

/// Decides the agents' requests with their new roles.
class GrantTrial {
 public:
  GrantTrial(const ReplayQuestion& question, std::vector<LeastGrant>& grants)
      : question_(question),
        cluster_(*question.from, *question.to, question.cluster, question.to_setting.node_role_bound) {
    for (LeastGrant& grant : grants) {
      by_agent_[grant.user_agent] = &grant;
      for (const ClusterObject& object : grant.objects) cluster_.add_to_target(object);
    }
  }

  void take(const TimeOrder::Moment& moment) {
    cluster_.advance(moment.at);
    if (!moment.decide) return cluster_.apply(*moment.request, moment.at);
    const LoggedRequest& request = *moment.request;
    if (!was_allowed(request) || !is_agent_as_node(*question_.from, request)) return;
    const auto found = by_agent_.find(agent_of(request));
    if (found == by_agent_.end()) return;
    LoggedRequest asked = request;
    asked.subject = account_subject(found->second->account);
    ++found->second->tried;
    if (!decide(*question_.to, cluster_.to().now, question_.to_setting, asked).allowed()) ++found->second->refused;
  }

 private:
  const ReplayQuestion& question_;
  ReplayedCluster cluster_;
  std::map<std::string, LeastGrant*> by_agent_;
};

}  // namespace

Result<std::vector<LeastGrant>> least_grants(const ReplayQuestion& question, const std::vector<AgentOfNodes>& agents) {
  if (std::find(question.logs.begin(), question.logs.end(), "-") != question.logs.end()) {
    return input_error("--propose-rbac", "roles are tried by reading the logs again, and standard input is gone",
                       "name the logs as files");
  }
  std::vector<LeastGrant> out;
  std::set<std::string> taken;
  for (const AgentOfNodes& agent : agents) out.push_back(grant_of(agent, taken));
  const Result<std::unique_ptr<LogFiles>> opened = LogFiles::open(question.logs);
  if (!opened) return tl::unexpected<Error>(opened.error());
  GrantTrial trial(question, out);
  TimeOrder order([&](const TimeOrder::Moment& moment) { trial.take(moment); });
  LoggedRequest request;
  while ((*opened)->next(request)) order.add(std::move(request));
  order.finish();
  return out;
}

std::string to_yaml(const std::vector<LeastGrant>& grants) {
  std::string out;
  for (const LeastGrant& grant : grants) {
    out += "# " + printable(grant.user_agent) + ": of " + counted(grant.tried, "request") + " that the log allowed, " +
           std::to_string(grant.refused) + " would be refused with these roles\n";
    if (grant.incomplete) out += "# It asks for more than these roles grant: only the first requests were kept.\n";
    for (const ClusterObject& object : grant.objects) out += "---\n" + write_yaml(object.object);
  }
  return out;
}

}  // namespace nodebound::replay
