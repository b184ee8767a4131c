#include "harness/simulate/findings/trial_plan.h"

#include <algorithm>

#include "harness/simulate/control_plane/load_balancer.h"
#include "harness/simulate/plan/plan_size.h"

namespace nodebound::simulate {
namespace {

constexpr std::size_t nodes_of_trial = 2;
constexpr std::size_t pools_with_several = 8;  ///< with more pools, one node of each suffices
constexpr std::size_t pods_of_trial = 2;

// Long enough for a loss to show: a node counts as lost a quarter of an hour after it was last heard of.
constexpr auto losses_show_after = std::chrono::minutes(25);
constexpr auto at_least = std::chrono::minutes(12);

bool is_bound_to_time(const Plan& plan) {
  const auto joins = [](const Plan::Pool& pool) { return pool.kubelet.join.has_value(); };
  const auto ends = [](const Plan::Agent& agent) { return agent.token_lasts.has_value(); };
  return plan.certificates.authority_ends.has_value() || !plan.bootstrap_tokens.empty() ||
         std::any_of(plan.pools.begin(), plan.pools.end(), joins) ||
         std::any_of(plan.agents.begin(), plan.agents.end(), ends) ||
         std::any_of(plan.steps.begin(), plan.steps.end(), [](const Plan::Step& step) {
           return std::any_of(step.actions.begin(), step.actions.end(), [](const Plan::Action& action) {
             return std::holds_alternative<Plan::BootstrapToken>(action) ||
                    std::holds_alternative<Plan::Certificates>(action);
           });
         });
}

// The indices of the pools in the trial.
using Numbers = std::map<std::size_t, std::size_t>;

// False if it is left out.
bool renumber(Plan::Action& action, const Numbers& pools, bool daemon_sets) {
  const auto keeps = [&](std::size_t& pool) {
    const auto found = pools.find(pool);
    if (found == pools.end()) return false;
    pool = found->second;
    return true;
  };
  if (auto* pool = std::get_if<Plan::ChangePool>(&action)) {
    pool->at_once = SIZE_MAX;
    return keeps(pool->pool);
  }
  if (auto* labels = std::get_if<Plan::LabelNodes>(&action)) return keeps(labels->pool);
  return daemon_sets || !std::holds_alternative<Plan::ChangeDaemonSet>(action);
}

void keep_pools(Plan& plan, const TrialScope& scope) {
  Numbers numbers;
  std::vector<Plan::Pool> kept;
  const std::size_t nodes = scope.pools.size() > pools_with_several ? 1 : nodes_of_trial;
  for (const std::size_t number : scope.pools) {
    numbers[number] = kept.size();
    Plan::Pool pool = std::move(plan.pools[number]);
    if (pool.nodes.size() > nodes) pool.nodes.resize(nodes);
    pool.pods = std::min(pool.pods, pods_of_trial);
    kept.push_back(std::move(pool));
  }
  plan.pools = std::move(kept);
  for (Plan::Step& step : plan.steps) {
    std::erase_if(step.actions, [&](Plan::Action& action) { return !renumber(action, numbers, scope.daemon_sets); });
  }
  std::vector<Plan::Agent> agents;
  for (const std::size_t number : scope.agents) {
    Plan::Agent agent = std::move(plan.agents[number]);
    const bool of_nodes = !agent.pools.empty();
    std::erase_if(agent.pools, [&](std::size_t pool) { return !numbers.contains(pool); });
    for (std::size_t& pool : agent.pools) pool = numbers.at(pool);
    if (!of_nodes || !agent.pools.empty()) agents.push_back(std::move(agent));
  }
  plan.agents = std::move(agents);
  if (!scope.daemon_sets) plan.daemon_sets.clear();
}

void shorten(Plan& plan, const TrialScope& scope) {
  const Plan::Time round = LoadBalancer::connection_lasts * static_cast<std::int64_t>(plan.servers);
  Plan::Time enough = std::max<Plan::Time>(at_least, plan.servers == 1 ? Plan::Time(0) : round);
  for (const Plan::Agent& agent : plan.agents) enough = std::max(enough, 2 * agent.every);
  if (scope.losses) enough = std::max<Plan::Time>(enough, losses_show_after);
  Plan::Time before{0};
  Plan::Time end{0};
  for (Plan::Step& step : plan.steps) {
    for (Plan::Action& action : step.actions) {
      auto* servers = std::get_if<Plan::ChangeControlPlane>(&action);
      if (servers != nullptr) servers->apart = std::min(servers->apart, round);
    }
    const Plan::Time apart = step.at - std::exchange(before, step.at);
    step.at = end + std::min(apart, enough);
    end = end_of(plan, step);
  }
  plan.settle = std::min(plan.settle, enough);
}

}  // namespace

TrialScope TrialScope::all_of(const Plan& plan) {
  TrialScope out;
  for (std::size_t i = 0; i < plan.pools.size(); ++i) out.pools.insert(i);
  for (std::size_t i = 0; i < plan.agents.size(); ++i) out.agents.insert(i);
  out.daemon_sets = true;
  return out;
}

void TrialScope::add(const Plan& plan, const std::string& who) {
  for (std::size_t i = 0; i < plan.pools.size(); ++i) {
    if (who == "pool " + plan.pools[i].name) pools.insert(i);
  }
  for (std::size_t i = 0; i < plan.agents.size(); ++i) {
    if (who != "agent " + plan.agents[i].name) continue;
    agents.insert(i);
    pools.insert(plan.agents[i].pools.begin(), plan.agents[i].pools.end());
  }
  if (!who.starts_with("daemonset ")) return;
  daemon_sets = true;
  for (std::size_t i = 0; i < plan.pools.size(); ++i) pools.insert(i);
}

Plan trial_of(const Plan& plan, const TrialScope& scope) {
  Plan out = plan;
  keep_pools(out, scope);
  if (!is_bound_to_time(plan)) shorten(out, scope);
  return out;
}

bool matters(const Plan::Step& step, const TrialScope& scope) {
  return std::any_of(step.actions.begin(), step.actions.end(), [&](const Plan::Action& action) {
    if (const auto* pool = std::get_if<Plan::ChangePool>(&action)) return scope.pools.contains(pool->pool);
    if (const auto* labels = std::get_if<Plan::LabelNodes>(&action)) return scope.pools.contains(labels->pool);
    return scope.daemon_sets || !std::holds_alternative<Plan::ChangeDaemonSet>(action);
  });
}

}  // namespace nodebound::simulate
