#include <map>
#include <set>
#include <utility>

#include "harness/simulate/simulation.h"

namespace nodebound {
namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : " and ") + text;
  return out;
}

std::string in_words(const Plan::Expectation& what) {
  const std::string step = "step " + std::to_string(what.step) + ": ";
  if (!what.lost.empty()) return step + "lost: " + what.lost;
  if (what.not_ready > 0) return step + std::to_string(what.not_ready) + " nodes are not ready any more";
  const std::string servers = joined(what.refused_by);
  const std::string kubelets = joined(what.kubelets);
  return step + what.who + " is refused `" + what.request + "`" + (what.rule.empty() ? "" : " by " + what.rule) +
         (servers.empty() ? "" : " at the API servers of " + servers + " alone") +
         (kubelets.empty() ? "" : " at kubelets of " + kubelets);
}

Plan::Expectation happened(std::size_t step) {
  Plan::Expectation out;
  out.step = step;
  return out;
}

Plan::Expectation happened(std::size_t step, const Simulation::Finding& finding) {
  Plan::Expectation out = happened(step);
  out.who = finding.who;
  out.request = finding.request;
  out.rule = finding.rule;
  out.refused_by = finding.refused_by;
  out.kubelets = finding.kubelets;
  out.heals = finding.healed.has_value();
  return out;
}

std::vector<Plan::Expectation> all_that_happened(const Simulation& simulation) {
  std::vector<Plan::Expectation> out;
  std::size_t not_ready = 0;
  for (const Simulation::Step& step : simulation.steps) {
    for (const Simulation::Finding& finding : step.findings) out.push_back(happened(step.number, finding));
    for (const std::string& lost : step.health.pods_lost) {
      out.push_back(happened(step.number));
      out.back().lost = lost;
    }
    const std::size_t before = std::exchange(not_ready, step.health.nodes_not_ready);
    if (not_ready <= before) continue;
    out.push_back(happened(step.number));
    out.back().not_ready = not_ready - before;
  }
  return out;
}

}  // namespace

std::vector<std::string> unexpected(const Plan& plan, const Simulation& simulation) {
  if (!plan.expectations) return {};
  std::map<std::string, const Plan::Expectation*> expected;
  for (const Plan::Expectation& one : *plan.expectations) expected[in_words(one)] = &one;
  std::set<std::string> missing;
  for (const auto& [words, one] : expected) missing.insert(words);
  std::vector<std::string> out;
  for (const Plan::Expectation& one : all_that_happened(simulation)) {
    const std::string words = in_words(one);
    missing.erase(words);
    const auto found = expected.find(words);
    if (found == expected.end()) {
      out.push_back(words + ", which is not expected");
    } else if (found->second->heals.value_or(one.heals.value_or(false)) != one.heals.value_or(false)) {
      out.push_back(words + (*one.heals ? ", and that heals" : ", and that does not heal") + ", which is not expected");
    }
  }
  for (const std::string& one : missing) out.push_back(one + " is expected, and does not happen");
  return out;
}

}  // namespace nodebound
