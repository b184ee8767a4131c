#include "harness/draft/draft.h"

#include <algorithm>
#include <set>

#include "fakes/wire/yaml/yaml.h"
#include "harness/draft/node_agents.h"
#include "harness/draft/upgrade_steps.h"
#include "reference/identity/node_identity.h"
#include "reports/text.h"

namespace nodebound::draft {
namespace {

constexpr std::size_t most_agents = 100;

// A string of TOML: its escapes are JSON's.
std::string toml_text(std::string_view text) {
  return Object(std::string(text)).dump(-1, ' ', true, Object::error_handler_t::replace);
}

std::string comment(std::string_view text) {
  return "# " + printable(text) + "\n";
}

/// Roles and bindings that nodes have, without which the plan would refuse them what the cluster allows.
class NodeGrants {
 public:
  explicit NodeGrants(const inspect::Inspected& cluster) {
    for (const inspect::InspectedObject& object : cluster.objects) {
      if (binds_nodes(object)) add_with_role(cluster, object);
    }
  }

  [[nodiscard]] const std::string& yaml() const { return yaml_; }

 private:
  static bool binds_nodes(const inspect::InspectedObject& object) {
    if (object.kind() != "ClusterRoleBinding" && object.kind() != "RoleBinding") return false;
    const Object& subjects = member(object.object, "subjects");
    return subjects.is_array() && std::any_of(subjects.begin(), subjects.end(), [](const Object& subject) {
             const std::string_view name = text(subject, "name");
             return name == nodes_group || name.starts_with(node_user_prefix);
           });
  }

  void add_with_role(const inspect::Inspected& cluster, const inspect::InspectedObject& binding) {
    const std::string_view kind = text(binding.object, "roleRef", "kind");
    const std::string_view name = text(binding.object, "roleRef", "name");
    for (const inspect::InspectedObject& object : cluster.objects) {
      const bool same_place = kind == "ClusterRole" || text(object.object, "metadata", "namespace") ==
                                                           text(binding.object, "metadata", "namespace");
      const bool own = text(object.object, "metadata", "labels", "kubernetes.io/bootstrapping") != "rbac-defaults";
      if (object.kind() == kind && object.name() == name && same_place && own) add(object);
    }
    add(binding);
  }

  void add(const inspect::InspectedObject& object) {
    if (!added_.insert(object.title()).second) return;
    Object out = object.object;
    Object metadata = {{"name", object.name()}};
    if (const Object& in = member(out, "metadata", "namespace"); in.is_string()) metadata["namespace"] = in;
    out["metadata"] = std::move(metadata);
    yaml_ += "---\n" + write_yaml(out);
  }

  std::set<std::string> added_;
  std::string yaml_;
};

std::string pool_table(const CountedPool& pool) {
  std::string out = "\n[[pool]]\nname = " + toml_text(pool.name) + "\nnodes = " + std::to_string(pool.nodes) +
                    "\nkubelet = " + toml_text(pool.kubelet.text()) + "\npods = 3\n";
  if (pool.labels.empty()) return out;
  out += "node-labels = {";
  const char* lead = " ";
  for (const auto& [key, value] : pool.labels) {
    out += lead + toml_text(key) + " = " + toml_text(value);
    lead = ", ";
  }
  return out + " }\n";
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + toml_text(name);
  return "[" + out + "]";
}

std::vector<std::string> names_of_pools(const Census& census) {
  std::vector<std::string> out;
  for (const CountedPool& pool : census.pools) out.push_back(pool.name);
  return out;
}

std::string agent_table(const std::string& about, const std::string& name, const std::vector<std::string>& pools,
                        const std::set<std::string>& requests) {
  std::string out = "\n[[agent]] # " + printable(about) + "\nname = " + toml_text(name) + "\npool = " + list_of(pools) +
                    "\nrequests = [\n";
  for (const std::string& request : requests) out += "  " + toml_text(request) + ",\n";
  return out + "]\n";
}

std::string agent_name(const std::string& user_agent, std::set<std::string>& taken) {
  std::string stem;
  for (const char c : user_agent.substr(0, user_agent.find('/'))) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    if (plain) stem += c;
    if (!plain && !stem.empty() && stem.back() != '-') stem += '-';
  }
  while (!stem.empty() && stem.back() == '-') stem.pop_back();
  if (stem.empty()) stem = "agent";
  std::string out = stem;
  for (int number = 2; !taken.insert(out).second; ++number) out = stem + "-" + std::to_string(number);
  return out;
}

/// The tables of agents, as far as a plan can have them, and comments about the others.
class AgentTables {
 public:
  explicit AgentTables(const DraftQuestion& question, const Census& census) : question_(question), census_(census) {}

  std::string text() {
    std::string out;
    const std::vector<NodeAgent> of_daemon_sets =
        node_agents(question_.cluster, census_, question_.with_credentials, question_.agents,
                    inspect::InspectionKnowledge::built_in());
    std::set<std::size_t> placed;
    for (const NodeAgent& agent : of_daemon_sets) {
      out += daemon_set(agent);
      if (agent.of_log && !agent.pools.empty()) placed.insert(*agent.of_log);
    }
    for (std::size_t i = 0; i < question_.agents.size(); ++i) {
      if (!placed.contains(i)) out += of_log(question_.agents[i]);
    }
    if (left_out_ > 0) out += "\n# Further agents are left out.\n";
    return out + others(of_daemon_sets);
  }

 private:
  [[nodiscard]] bool is_full() {
    left_out_ += taken_.size() >= most_agents ? 1U : 0U;
    return taken_.size() >= most_agents;
  }

  std::string daemon_set(const NodeAgent& agent) {
    const std::string holds = agent.title + ", with the credentials of nodes";
    if (agent.pools.empty()) return "\n" + comment(holds + ": its pods fit no Node.");
    if (is_full()) return {};
    std::string out;
    for (const std::string& part : agent.parts) out += comment("Its pods fit " + part + "; a plan has it on all.");
    if (!agent.requests.empty()) {
      return agent_table(holds + "; " + agent.requests_of, agent_name(agent.name, taken_), agent.pools,
                         agent.requests) +
             out;
    }
    return "\n" + comment(holds + ". What it asks for, an audit log says (--log); with it, it is an agent:") +
           "# [[agent]]\n" + comment("name = " + toml_text(agent.name)) + comment("pool = " + list_of(agent.pools)) +
           comment("requests = [\"GET /api/v1/nodes/{node}\"]") + out;
  }

  std::string of_log(const replay::AgentOfNodes& agent) {
    if (agent.requests.empty()) {
      return "\n" + comment(agent.user_agent +
                            " asks as a node, and only writes what a plan cannot have: its requests are left out.");
    }
    if (is_full()) return {};
    return agent_table(agent.user_agent + ", with the credentials of nodes", agent_name(agent.user_agent, taken_),
                       names_of_pools(census_), agent.requests);
  }

  // Other workloads have no pools, and what is no workload asks for nothing.
  [[nodiscard]] std::string others(const std::vector<NodeAgent>& told) const {
    std::string out;
    for (const Finding& finding : question_.with_credentials) {
      const bool known = std::any_of(told.begin(), told.end(),
                                     [&](const NodeAgent& agent) { return agent.title == finding.place.object; });
      if (!known) out += comment("  " + finding.who + " " + finding.what + " (" + finding.place.text() + ")");
    }
    if (out.empty()) return {};
    return "\n# Others with the kubelet's credentials. What they ask for, an audit log says (--log):\n" + out;
  }

  const DraftQuestion& question_;
  const Census& census_;
  std::set<std::string> taken_;
  std::size_t left_out_ = 0;
};

// Rolling changes that end within the hour until the next step.
std::string rolling_text(std::size_t members) {
  constexpr std::size_t minutes = 45;
  const std::size_t at_once = (members + minutes - 1) / minutes;
  const std::size_t turns = std::max<std::size_t>(1, (members + at_once - 1) / std::max<std::size_t>(1, at_once));
  constexpr std::size_t longest = 10;
  const std::size_t apart = std::clamp<std::size_t>(minutes / turns, 1, longest);
  return "at-once = " + std::to_string(std::max<std::size_t>(1, at_once)) + ", apart = \"" + std::to_string(apart) +
         "m\"";
}

std::string steps_text(const std::vector<UpgradeStep>& steps, const Census& census) {
  std::string out;
  std::size_t hour = 1;
  for (const UpgradeStep& step : steps) {
    out += "\n[[step]]\nat = \"+" + std::to_string(hour) + "h\"\n";
    if (step.pool.empty()) {
      out += "control-plane = { release = " + toml_text(step.to.text()) + ", " + rolling_text(census.servers) + " }\n";
    } else {
      const auto pool = std::find_if(census.pools.begin(), census.pools.end(),
                                     [&](const CountedPool& one) { return one.name == step.pool; });
      out += "pools = [{ name = " + toml_text(step.pool) + ", kubelet = " + toml_text(step.to.text()) + ", " +
             rolling_text(pool->nodes) + " }]\n";
    }
    ++hour;
  }
  return out;
}

std::string head_text(const DraftQuestion& question, const Census& census, const std::string& objects) {
  std::string out =
      comment("Drafted by `nodebound plan` from " + question.name + ". `nodebound simulate` says what it comes to.");
  out += "# Change the times, the pools and their order to what you mean to do.\n\ntitle = " +
         toml_text("From " + question.from.text() + " to " + question.to.text() + ": " + question.name) + "\n";
  if (!objects.empty()) out += "objects = [" + toml_text(objects) + "]\n";
  out += "\n[control-plane]\nrelease = " + toml_text(question.from.text()) + "\n";
  if (census.servers > 1) out += "servers = " + std::to_string(census.servers) + "\n";
  if (!question.gates.empty()) {
    out += "feature-gates = {";
    const char* lead = " ";
    for (const auto& [gate, on] : question.gates) {
      out += lead + gate + (on ? " = true" : " = false");
      lead = ", ";
    }
    out += " }\n";
  }
  return out;
}

}  // namespace

Result<DraftedPlan> draft_plan(const Catalogue& catalogue, const DraftQuestion& question,
                               const std::string& objects_file) {
  const Census census = take_census(question.cluster, question.pool_label);
  if (census.pools.empty()) {
    return input_error(question.name, "there are no Nodes that say the version of their kubelet",
                       "a dump needs what `kubectl get nodes -o yaml` prints");
  }
  const auto steps = upgrade_steps(catalogue, census.pools, question.from, question.to);
  if (!steps) return tl::unexpected<Error>(steps.error());
  DraftedPlan out;
  out.objects = NodeGrants(question.cluster).yaml();
  out.notes = census.notes;
  out.plan = head_text(question, census, out.objects.empty() ? "" : objects_file);
  for (const std::string& note : census.notes) out.plan += comment(note);
  for (const CountedPool& pool : census.pools) out.plan += pool_table(pool);
  out.plan += AgentTables(question, census).text();
  out.plan += steps_text(*steps, census);
  return out;
}

}  // namespace nodebound::draft
