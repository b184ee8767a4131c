#include <algorithm>
#include <tuple>

#include "reports/simulation/simulation_writers.h"

namespace nodebound {
namespace {

constexpr std::size_t most_names = 4;

// What two findings must have in common to be shown as one.
auto shared_by_group(const Simulation::Finding& finding) {
  return std::tie(finding.request, finding.status, finding.rule, finding.statement, finding.refused_by,
                  finding.allowed_by, finding.kubelets, finding.follows, finding.avoided_by, finding.advice,
                  finding.accepted);
}

bool differ_in_who_alone(const Simulation::Finding& a, const Simulation::Finding& b) {
  const auto kind = [](const Simulation::Finding& finding) { return finding.who.substr(0, finding.who.find(' ')); };
  return shared_by_group(a) == shared_by_group(b) && a.healed.has_value() == b.healed.has_value() &&
         kind(a) == kind(b) && a.healed_by_plan == b.healed_by_plan;
}

// `agent a` and others: `agents a, b and 18 more`.
std::string joined_names(const std::vector<std::string>& who) {
  if (who.size() == 1) return who.front();
  const std::size_t blank = who.front().find(' ');
  std::string out = who.front().substr(0, blank) + "s";
  const std::size_t shown = std::min(who.size(), most_names);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string name = blank == std::string::npos ? who[i] : who[i].substr(who[i].find(' ') + 1);
    const bool last = i + 1 == who.size();
    out += (i == 0 ? " " : last ? " and " : ", ") + name;
  }
  return shown == who.size() ? out : out + " and " + std::to_string(who.size() - shown) + " more";
}

void add_to_group(const Simulation::Finding& one, Simulation::Finding& to) {
  to.count += one.count;
  to.nodes = std::max(to.nodes, one.nodes);
  to.pods = std::max(to.pods, one.pods);
  to.first = std::min(to.first, one.first);
  to.last = std::max(to.last, one.last);
  if (one.healed) to.healed = std::max(to.healed.value_or(*one.healed), *one.healed);
}

}  // namespace

std::vector<FindingGroup> grouped(const std::vector<Simulation::Finding>& findings) {
  std::vector<FindingGroup> out;
  std::vector<std::vector<std::string>> who;
  for (const Simulation::Finding& finding : findings) {
    const auto same =
        std::ranges::find_if(out, [&](const FindingGroup& one) { return differ_in_who_alone(one.finding, finding); });
    if (same == out.end()) {
      out.push_back({finding, 1});
      who.push_back({finding.who});
      continue;
    }
    ++same->members;
    add_to_group(finding, same->finding);
    who[static_cast<std::size_t>(same - out.begin())].push_back(finding.who);
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].finding.who = joined_names(who[i]);
  return out;
}

std::string AdviceOnce::operator()(const std::string& advice, const std::string& who) {
  if (advice.empty()) return {};
  const auto [found, is_new] = told_.try_emplace(advice, who);
  return is_new ? advice : "as for " + found->second + ", above";
}

}  // namespace nodebound
