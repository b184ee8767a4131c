#pragma once

#include "reports/simulation/simulation.h"

namespace nodebound::test {

inline Simulation::Finding finding(const std::string& who, const std::string& request, const std::string& rule) {
  using namespace std::chrono_literals;
  Simulation::Finding out;
  out.who = who;
  out.request = request;
  out.example = "GET /api/v1/nodes";
  out.status = 403;
  out.reason = "nodes is forbidden";
  out.rule = rule;
  out.nodes = 12;
  out.pods = 1;
  out.count = 48;
  out.first = 1h + 5min;
  out.last = 2h;
  return out;
}

inline Simulation::Loss loss() {
  using namespace std::chrono_literals;
  Simulation::Loss out;
  out.who = "pool blue";
  out.count = 3;
  out.of = 12;
  out.pods = 90;
  out.cause = "kubelet 1.32.0 exits: unknown labels";
  out.first = 1h + 55min;
  out.healed = 2h + 30min;
  out.healed_by_plan = true;
  out.avoided_by = {"step 2 after step 3"};
  out.advice = "Take the labels out.";
  return out;
}

inline Simulation::Step step(std::size_t number, const std::string& what, Simulation::Time at) {
  using namespace std::chrono_literals;
  Simulation::Step out;
  out.number = number;
  out.where = "plan.toml:" + std::to_string(10 * number);
  out.what = what;
  out.at = at;
  out.until = at + 1h;
  out.health.nodes = 12;
  out.health.pods = 360;
  return out;
}

/// Two steps: one breaks agents with the credentials of a node, the other only costs nodes.
inline Simulation simulation() {
  using namespace std::chrono_literals;
  Simulation out;
  out.title = "Shop to 1.32";
  out.file = "plan.toml";
  out.target = "reference";
  out.seed = 7;
  out.length = 3h;
  out.slice = 15min;
  out.run = {"2026-11-22T00:00:00Z", "host", "0.1.0", 1.5, 5000};
  out.steps = {step(0, "", 0s), step(1, "control plane 1.31.0 → 1.32.0", 1h), step(2, "pool blue 1.31.0 → 1.32.0", 2h)};
  Simulation::Finding agent = finding("agent monitoring", "list nodes", "node-read-own");
  agent.statement = "A node lists and watches no Nodes but its own.";
  agent.avoided_by = {"giving the agent a ServiceAccount", "leaving out step 1"};
  agent.advice = "Agents need an identity of their own.";
  Simulation::Finding pool = finding("pool blue", "get pods", "");
  pool.last = pool.first;
  pool.healed = 1h + 20min;
  out.steps[0].findings = {finding("agent inventory", "list secrets", "rbac-role")};
  out.steps[1].findings = {agent, pool};
  out.steps[2].health.nodes_not_ready = 3;
  out.steps[2].health.pods_waiting = 90;
  out.steps[2].health.pods_lost = {"daemonset logging: 3 of 12 nodes"};
  out.versions = {{"blue", 0s, "1.31.0", 12}, {"", 0s, "1.31.0", 1},     {"", 1h, "1.31.0", 0},
                  {"", 1h, "1.32.0", 1},      {"blue", 2h, "1.31.0", 4}, {"blue", 2h, "1.32.0", 8}};
  out.refusals = {{0s, "rbac-role", 2}, {1h, "node-read-own", 40}, {1h, "403", 10}, {75min, "node-read-own", 30}};
  out.notes = {"The policy allows kubelets of 1.29."};
  out.not_simulated = {"Admission webhooks."};
  return out;
}

}  // namespace nodebound::test
