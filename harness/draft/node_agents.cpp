#include "harness/draft/node_agents.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fakes/scheduler/placement.h"
#include "harness/inspect/pod_spec.h"

namespace nodebound::draft {
namespace {

// What the DaemonSet controller adds to all of its pods (upstream's pkg/controller/daemon/util).
constexpr std::array<std::array<const char*, 2>, 6> added_tolerations = {{
    {"node.kubernetes.io/not-ready", "NoExecute"},
    {"node.kubernetes.io/unreachable", "NoExecute"},
    {"node.kubernetes.io/disk-pressure", "NoSchedule"},
    {"node.kubernetes.io/memory-pressure", "NoSchedule"},
    {"node.kubernetes.io/pid-pressure", "NoSchedule"},
    {"node.kubernetes.io/unschedulable", "NoSchedule"},
}};

Object toleration(const char* taint, const char* effect) {
  return {{"key", taint}, {"operator", "Exists"}, {"effect", effect}};
}

Object pod_of(const inspect::InspectedObject& daemon_set) {
  Object pod = {{"spec", member(daemon_set.object, "spec", "template", "spec")}};
  Object& spec = pod["spec"];
  if (!member(spec, "tolerations").is_array()) spec["tolerations"] = Object::array();
  for (const auto& [taint, effect] : added_tolerations) spec["tolerations"].push_back(toleration(taint, effect));
  if (is_true(spec, "hostNetwork")) {
    spec["tolerations"].push_back(toleration("node.kubernetes.io/network-unavailable", "NoSchedule"));
  }
  return pod;
}

void place(const inspect::InspectedObject& daemon_set, const Census& census, NodeAgent& agent) {
  const Object pod = pod_of(daemon_set);
  for (const CountedPool& pool : census.pools) {
    const auto fitting = static_cast<std::size_t>(
        std::count_if(pool.members.begin(), pool.members.end(),
                      [&](const inspect::InspectedObject* node) { return scheduler::fits(pod, node->object); }));
    if (fitting == 0) continue;
    agent.pools.push_back(pool.name);
    if (fitting == pool.members.size()) continue;
    agent.parts.push_back(std::to_string(fitting) + " of " + std::to_string(pool.nodes) + " nodes of pool " +
                          pool.name);
  }
}

// `flannel` of `docker.io/flannel/flannel:v0.26`, `flanneld` of `/opt/bin/flanneld`.
std::string_view last_part(std::string_view path) {
  path = path.substr(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
  return path.substr(0, path.find_first_of(":@ "));
}

std::set<std::string, std::less<>> names_of(const inspect::InspectedObject& daemon_set) {
  std::set<std::string, std::less<>> out = {std::string(daemon_set.name())};
  inspect::with_pod_spec(daemon_set, [&](const inspect::PodSpec& pod) {
    for (const inspect::InspectedContainer& each : inspect::containers_of(pod)) {
      out.emplace(text(each.container, "name"));
      out.emplace(last_part(text(each.container, "image")));
      const Object& command = member(each.container, "command");
      if (command.is_array() && !command.empty() && command[0].is_string()) {
        out.emplace(last_part(command[0].get_ref<const std::string&>()));
      }
    }
  });
  out.erase("");
  return out;
}

void find_requests(const inspect::InspectedObject& daemon_set, const std::vector<replay::AgentOfNodes>& of_logs,
                   const inspect::InspectionKnowledge& knowledge, NodeAgent& agent) {
  const auto names = names_of(daemon_set);
  for (std::size_t i = 0; i < of_logs.size(); ++i) {
    const std::string& program = of_logs[i].user_agent;
    if (!names.contains(std::string_view(program).substr(0, program.find('/')))) continue;
    agent.of_log = i;
    agent.requests = of_logs[i].requests;
    agent.requests_of = "the log has them of " + program;
    return;
  }
  for (const inspect::InspectionKnowledge::Agent& known : knowledge.agents) {
    const bool is_it = std::any_of(known.words.begin(), known.words.end(), [&](const std::string& word) {
      return std::any_of(names.begin(), names.end(),
                         [&](const std::string& name) { return name.find(word) != std::string::npos; });
    });
    if (!is_it || known.requests.empty()) continue;
    agent.requests.insert(known.requests.begin(), known.requests.end());
    agent.requests_of = "others were hit by them: " + (known.seen_at.empty() ? known.did : known.seen_at.front());
    return;
  }
}

}  // namespace

std::vector<NodeAgent> node_agents(const inspect::Inspected& cluster, const Census& census,
                                   const std::vector<Finding>& with_credentials,
                                   const std::vector<replay::AgentOfNodes>& of_logs,
                                   const inspect::InspectionKnowledge& knowledge) {
  std::vector<NodeAgent> out;
  for (const inspect::InspectedObject& object : cluster.objects) {
    if (object.kind() != "DaemonSet") continue;
    const std::string title = object.title();
    const bool found = std::any_of(with_credentials.begin(), with_credentials.end(),
                                   [&](const Finding& finding) { return finding.place.object == title; });
    if (!found) continue;
    NodeAgent agent;
    agent.title = title;
    agent.name = object.name();
    place(object, census, agent);
    find_requests(object, of_logs, knowledge, agent);
    out.push_back(std::move(agent));
  }
  return out;
}

}  // namespace nodebound::draft
