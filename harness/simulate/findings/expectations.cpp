#include "harness/simulate/findings/expectations.h"

#include <map>
#include <set>
#include <utility>

namespace nodebound::simulate {
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
  out.status = finding.status;
  return out;
}

// A refusal generalised to any request of the same client, as `*` expects it.
Plan::Expectation of_all_requests(Plan::Expectation one) {
  if (!one.request.empty()) one.request = "*";
  return one;
}

// Compares only what the author states.
std::string what_differs(const Plan::Expectation& expected, const Plan::Expectation& happened) {
  if (expected.status != 0 && expected.status != happened.status) {
    return "and that with HTTP " + std::to_string(happened.status) + ", which";
  }
  if (!expected.heals || expected.heals == happened.heals) return {};
  return *expected.heals ? "and that does not heal, which" : "and that heals, which";
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
    auto found = expected.find(in_words(one));
    if (found == expected.end()) found = expected.find(in_words(of_all_requests(one)));
    if (found != expected.end()) missing.erase(found->first);
    const std::string wrong = found == expected.end() ? "which" : what_differs(*found->second, one);
    if (!wrong.empty()) out.push_back(in_words(one) + ", " + wrong + " is not expected");
  }
  for (const std::string& one : missing) out.push_back(one + " is expected, and does not happen");
  return out;
}

}  // namespace nodebound::simulate
