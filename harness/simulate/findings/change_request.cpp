#include "harness/simulate/findings/change_request.h"

#include <algorithm>
#include <set>

#include "fakes/wire/media_type.h"
#include "fakes/wire/resources/api_catalogue.h"
#include "harness/simulate/plan/planned_subject.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::simulate {
namespace {

// A word for a shell: quoted if it contains a special character.
std::string shell_word(const std::string& text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:=,@%+").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

struct ObjectName {
  std::string resource;
  std::string namespace_;
  std::string name;

  /// `clusterrolebindings/system:node`, `secrets/db -n shop`
  [[nodiscard]] std::string words() const {
    return shell_word(resource + "/" + name) + (namespace_.empty() ? "" : " -n " + shell_word(namespace_));
  }
  [[nodiscard]] std::string file(std::size_t step) const {
    std::string out = "before-step-" + std::to_string(step + 1) + "-" + resource + "-" + name + ".yaml";
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c == '/' || c == ':'; }, '-');
    return shell_word(out);
  }
};

ObjectName name_of(const Object& object) {
  const auto version = parse_group_version(text(object, "apiVersion"));
  const std::string kind(text(object, "kind"));
  const auto* resource = version ? ApiCatalogue::built_in().find_kind(version->group, kind) : nullptr;
  return {resource == nullptr ? kind : resource->resource, std::string(text(object, "metadata", "namespace")),
          std::string(text(object, "metadata", "name"))};
}

ObjectName name_of(const ObjectPath& path) {
  return {path.resource, path.namespace_, path.name};
}

// How servers and kubelets are started before a step.
struct PlanState {
  std::vector<Plan::ControlPlane> servers;
  std::vector<Plan::Kubelet> kubelets;

  PlanState(const Plan& plan, std::size_t step) : servers(plan.servers, plan.control_plane) {
    for (const Plan::Pool& pool : plan.pools) kubelets.push_back(pool.kubelet);
    for (std::size_t i = 0; i < step; ++i) {
      for (const Plan::Action& action : plan.steps[i].actions) {
        if (const auto* change = std::get_if<Plan::ChangeControlPlane>(&action)) {
          for (const auto& [server, to] : change->to) servers[server] = to;
        } else if (const auto* pool = std::get_if<Plan::ChangePool>(&action)) {
          kubelets[pool->pool] = pool->to;
        }
      }
    }
  }
};

std::string keep_command(const ObjectName& name, std::size_t step) {
  return "kubectl get " + name.words() + " --ignore-not-found -o yaml > " + name.file(step);
}

std::vector<std::string> keys_of(const Plan::LabelNodes& labels) {
  std::vector<std::string> out;
  for (const auto& [key, value] : labels.labels) out.push_back(key);
  return out;
}

std::string joined_words(const std::vector<std::string>& words, const std::string& between,
                         const std::string& after = "") {
  std::string out;
  for (const std::string& one : words) out += (out.empty() ? "" : between) + shell_word(one) + after;
  return out;
}

struct ChecksBefore {
  const Plan& plan;
  std::size_t step;
  const PlanState& before;
  std::vector<std::string>& out;

  void operator()(const Plan::ChangeControlPlane& change) const {
    out.push_back("kubectl get --raw /version        # v" + before.servers[change.to.begin()->first].version.text());
    out.emplace_back("kubectl get --raw '/readyz?verbose'");
    out.push_back("etcdctl snapshot save before-step-" + std::to_string(step + 1) + ".db");
  }
  void operator()(const Plan::ChangePool& change) const {
    out.push_back(
        "kubectl get nodes -o "
        "'custom-columns=NAME:.metadata.name,KUBELET:.status.nodeInfo.kubeletVersion,READY:.status.conditions[?(@.type="
        "="
        "\"Ready\")].status'        # pool " +
        plan.pools[change.pool].name + ": v" + before.kubelets[change.pool].version.text() + ", True");
  }
  void operator()(const Plan::Apply& apply) const { out.push_back(keep_command(name_of(apply.object), step)); }
  void operator()(const Plan::Delete& gone) const { out.push_back(keep_command(name_of(gone.object), step)); }
  void operator()(const Plan::LabelNodes& labels) const {
    out.push_back("kubectl get nodes -L " + joined_words(keys_of(labels), ","));
  }
  void operator()(const Plan::ChangeDaemonSet& change) const {
    const Plan::DaemonSet& set = plan.daemon_sets[change.daemon_set];
    out.push_back(keep_command({"daemonsets", set.namespace_, set.name}, step));
  }
  void operator()(const Plan::BootstrapToken& token) const {
    out.push_back("kubectl get " + ObjectName{"secrets", "kube-system", "bootstrap-token-" + token.id}.words() +
                  " --ignore-not-found");
  }
  void operator()(const Plan::Certificates& /*certificates*/) const {
    out.emplace_back("openssl x509 -in /etc/kubernetes/pki/ca.crt -noout -enddate");
  }
};

struct Rollback {
  const Plan& plan;
  std::size_t step;
  const PlanState& before;
  std::vector<std::string>& out;

  void operator()(const Plan::ChangeControlPlane& change) const {
    const Plan::ControlPlane& old = before.servers[change.to.begin()->first];
    const Version& to = change.to.begin()->second.version;
    if (old.version == to) {
      out.emplace_back("Start the API servers again with the flags that they had.");
      return;
    }
    out.push_back("Start the API servers of " + old.version.text() +
                  " again, with the flags that they had, while no kubelet is newer than that.");
    out.push_back("If " + old.version.text() + " cannot read what " + to.text() +
                  " has stored: etcdutl snapshot restore before-step-" + std::to_string(step + 1) +
                  ".db, which loses what was written since.");
  }
  void operator()(const Plan::ChangePool& change) const {
    const Plan::Kubelet& old = before.kubelets[change.pool];
    const std::string pool = plan.pools[change.pool].name;
    const std::string version = old.version.text();
    if (change.surge) {
      out.push_back("Put new nodes with kubelet " + version + " in the place of those of pool " + pool + ".");
      return;
    }
    out.push_back("On each node of pool " + pool + ", one after the other: kubectl drain NODE --ignore-daemonsets; " +
                  (old.version == change.to.version ? "give the kubelet the flags that it had"
                                                    : "install kubelet " + version + " with the flags that it had") +
                  " and restart it; kubectl uncordon NODE.");
  }
  void operator()(const Plan::Apply& apply) const {
    const ObjectName name = name_of(apply.object);
    out.push_back("kubectl replace --force -f " + name.file(step) + "; if that file is empty: kubectl delete " +
                  name.words());
  }
  void operator()(const Plan::Delete& gone) const {
    out.push_back("kubectl create -f " + name_of(gone.object).file(step));
  }
  void operator()(const Plan::LabelNodes& labels) const {
    out.push_back("On each node of pool " + plan.pools[labels.pool].name + ": kubectl label node NODE " +
                  joined_words(keys_of(labels), " ", "-") + ", and set those that were there before.");
  }
  void operator()(const Plan::ChangeDaemonSet& change) const {
    const Plan::DaemonSet& set = plan.daemon_sets[change.daemon_set];
    out.push_back("kubectl rollout undo " + ObjectName{"daemonset", set.namespace_, set.name}.words());
  }
  void operator()(const Plan::BootstrapToken& token) const {
    out.push_back("kubectl delete " + ObjectName{"secrets", "kube-system", "bootstrap-token-" + token.id}.words());
  }
  void operator()(const Plan::Certificates& /*certificates*/) const {
    out.emplace_back("Give kube-controller-manager and the API servers the CA and flags that they had.");
  }
};

// The subject of a finding, as on the node `node`.
std::optional<Subject> subject_of_finding(const Plan& plan, const Simulation::Finding& finding,
                                          const std::string& node) {
  for (const Plan::Agent& agent : plan.agents) {
    if (finding.who == "agent " + agent.name && !agent.user.empty()) return subject_of(agent.user, agent.groups, node);
    if (finding.who == "agent " + agent.name && !agent.pools.empty()) {
      const Plan::Kubelet& kubelet = plan.pools[agent.pools.front()].kubelet;
      return subject_of(kubelet.user, kubelet.groups, node);
    }
  }
  for (const Plan::Pool& pool : plan.pools) {
    if (finding.who == "pool " + pool.name) return subject_of(pool.kubelet.user, pool.kubelet.groups, node);
  }
  return std::nullopt;
}

std::vector<std::string> without_repetition(const std::vector<std::string>& lines) {
  std::vector<std::string> out;
  std::set<std::string> known;
  for (const std::string& line : lines) {
    if (known.insert(line).second) out.push_back(line);
  }
  return out;
}

}  // namespace

std::vector<std::string> checks_before(const Plan& plan, std::size_t step) {
  const PlanState before(plan, step);
  std::vector<std::string> out;
  for (const Plan::Action& action : plan.steps[step].actions) {
    std::visit(ChecksBefore{plan, step, before, out}, action);
  }
  return without_repetition(out);
}

std::vector<std::string> rollback_of(const Plan& plan, std::size_t step) {
  const PlanState before(plan, step);
  std::vector<std::string> out;
  // Undoes the last action first.
  const auto& actions = plan.steps[step].actions;
  for (auto action = actions.rbegin(); action != actions.rend(); ++action) {
    std::visit(Rollback{plan, step, before, out}, *action);
  }
  return without_repetition(out);
}

std::string check_of(const Plan& plan, const Simulation::Finding& finding, const std::string& node) {
  const std::optional<Subject> subject = subject_of_finding(plan, finding, node);
  const std::size_t blank = finding.example.find(' ');
  if (!subject || finding.status != 403 || blank == std::string::npos) return {};
  std::string as = " --as=" + shell_word(subject->name);
  for (const std::string& group : subject->groups) as += " --as-group=" + shell_word(group);
  const std::string target = finding.example.substr(blank + 1);
  // A review has no selectors, so a read is repeated as it is.
  if (finding.example.starts_with("GET ")) return "kubectl get --raw " + shell_word(target) + as;
  const Attributes asked = attributes_of(finding.example.substr(0, blank), target);
  if (!asked.resource_request) return {};
  return "kubectl auth can-i " + asked.verb + " " +
         shell_word(asked.resource + (asked.api_group.empty() ? "" : "." + asked.api_group) +
                    (asked.name.empty() ? "" : "/" + asked.name)) +
         (asked.subresource.empty() ? "" : " --subresource=" + shell_word(asked.subresource)) +
         (asked.namespace_.empty() ? "" : " -n " + shell_word(asked.namespace_)) + as;
}

}  // namespace nodebound::simulate
