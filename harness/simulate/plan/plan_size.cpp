#include "harness/simulate/plan/plan_size.h"

#include <algorithm>
#include <cmath>

#include "harness/simulate/plan/representatives.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {
namespace {

// Requests of a kubelet with few pods in an hour, with sampled status and Lease.
constexpr double requests_of_a_node_hour = 120;

double hours(Plan::Time time) {
  return std::chrono::duration<double, std::ratio<3600>>(time).count();
}

std::size_t simulated_nodes(const Plan& plan, const Plan::Pool& pool) {
  return std::min(pool.nodes.size(), most_nodes_of_a_pool(plan.pools.size()));
}

double requests_of(const Plan& plan, const Plan::Agent& agent, Plan::Time length) {
  std::size_t clients = agent.pools.empty() ? 1 : 0;
  for (const std::size_t pool : agent.pools) clients += simulated_nodes(plan, plan.pools[pool]);
  const auto asked = static_cast<double>(clients * (agent.requests.size() + agent.kubelet_requests.size()));
  return asked * hours(length) / hours(agent.every);
}

// `120,000,000`
std::string with_commas(double number) {
  std::string out = std::to_string(std::llround(number));
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

const Plan::Step* last_to_end(const Plan& plan) {
  const Plan::Step* out = nullptr;
  for (const Plan::Step& step : plan.steps) {
    if (out == nullptr || end_of(plan, step) > end_of(plan, *out)) out = &step;
  }
  return out;
}

}  // namespace

Plan::Time end_of(const Plan& plan, const Plan::Step& step) {
  Plan::Time out = step.at;
  for (const Plan::Action& action : step.actions) {
    if (const auto* pool = std::get_if<Plan::ChangePool>(&action)) {
      out = std::max(out, step.at + pool->after(plan.pools[pool->pool].nodes.size() - 1));
    } else if (const auto* servers = std::get_if<Plan::ChangeControlPlane>(&action)) {
      out = std::max(out, step.at + servers->after(servers->to.size() - 1));
    }
  }
  return out;
}

Plan::Time end_of_last_change(const Plan& plan) {
  Plan::Time out{0};
  for (const Plan::Step& step : plan.steps) out = std::max(out, end_of(plan, step));
  return out;
}

double expected_requests(const Plan& plan) {
  const Plan::Time length = end_of_last_change(plan) + plan.settle;
  double out = 0;
  for (const Plan::Pool& pool : plan.pools) {
    out += static_cast<double>(simulated_nodes(plan, pool)) * hours(length) * requests_of_a_node_hour;
  }
  for (const Plan::Agent& agent : plan.agents) out += requests_of(plan, agent, length);
  return out;
}

Result<void> check_size(const Plan& plan) {
  const double requests = expected_requests(plan);
  if (requests <= most_requests) return {};
  const Plan::Time length = end_of_last_change(plan) + plan.settle;
  const Plan::Agent* busiest = nullptr;
  for (const Plan::Agent& agent : plan.agents) {
    if (busiest == nullptr || requests_of(plan, agent, length) > requests_of(plan, *busiest, length)) busiest = &agent;
  }
  const std::string size = "the plan lasts " + length_text(length) + " and takes about " + with_commas(requests) +
                           " requests to simulate, more than the " + with_commas(most_requests) + " that are allowed";
  if (busiest != nullptr && requests_of(plan, *busiest, length) > requests / 2) {
    return input_error(plan.file, size,
                       "most are of agent " + busiest->name + ", every " + length_text(busiest->every) +
                           ": have it ask less often, or the plan be shorter");
  }
  const Plan::Step* last = last_to_end(plan);
  const bool goes_on = last != nullptr && end_of(plan, *last) > last->at;
  return input_error(last == nullptr ? plan.file : last->where, size,
                     goes_on ? "this step goes on for " + length_text(end_of(plan, *last) - last->at) +
                                   ": expected a shorter `apart`, or more at a time (`at-once`)"
                             : "this is the last step, at " + to_text(last == nullptr ? length : last->at) +
                                   ": expected a shorter plan, or fewer pools");
}

}  // namespace nodebound::simulate
