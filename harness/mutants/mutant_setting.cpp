#include "harness/mutants/mutant_setting.h"

#include <algorithm>
#include <atomic>

#include "harness/endpoint/reference_endpoint.h"
#include "harness/mutants/faults/faulty_access_control.h"
#include "harness/run/scenario_run.h"
#include "harness/scenario/by_release.h"

namespace nodebound::mutants {
namespace {

std::set<Rule> rules_named_by(const Scenario& scenario) {
  std::set<Rule> rules;
  for (const Step& step : scenario.steps) {
    if (!step.check) continue;
    rules.insert(step.check->rules.begin(), step.check->rules.end());
    for (const auto& [way, rule] : step.check->way_rules) rules.insert(rule);
  }
  return rules;
}

// The loader has already refused settings that a reference does not start with.
std::unique_ptr<Endpoint> for_scenario(std::unique_ptr<Endpoint> endpoint, const Scenario& scenario) {
  return scenario.server ? endpoint->start_with(*scenario.server).value() : std::move(endpoint);
}

bool has(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

MutantSetting::MutantSetting(std::string name, const Catalogue& catalogue, const Release& release,
                             std::set<std::string> disabled_plugins, const std::vector<Scenario>& scenarios,
                             const ReachObserver& observer)
    : name_(std::move(name)),
      rules_(catalogue, release),
      flipped_(rules_),
      disabled_plugins_(std::move(disabled_plugins)),
      resources_(std::make_shared<const ApiResources>(release)),
      observer_(observer) {
  const bool service_account_plugin = !disabled_plugins_.contains("ServiceAccount");
  for (const Scenario& scenario : scenarios) {
    if (!skip_reason(scenario, rules_, service_account_plugin).empty()) continue;
    scenarios_.push_back(at_version(scenario, release.version));
    named_rules_.push_back(rules_named_by(scenarios_.back()));
  }
  walks_.resize(scenarios_.size());
  healthy_.resize(scenarios_.size());
  checks_.resize(scenarios_.size());
}

void MutantSetting::walk(std::size_t scenario) {
  walks_[scenario].reached.assign(observer_.mutants().size(), false);
  auto endpoint = make_judged_reference(rules_, disabled_plugins_, resources_, [&](const HttpRequest*& request) {
    return observer_.access_control({rules_, flipped_, request}, walks_[scenario]);
  });
  endpoint = for_scenario(std::move(endpoint), scenarios_[scenario]);
  healthy_[scenario] = run(*endpoint, scenario, true, {}, &checks_[scenario]);
}

std::vector<std::size_t> MutantSetting::candidates(const Mutant& mutant, std::size_t index, bool likely) const {
  const bool everywhere = !has_reach(mutant);
  std::vector<std::pair<int, std::size_t>> ordered;
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    if (!everywhere && !walks_[i].reached[index]) continue;
    int place = 2;
    for (const Rule rule : mutant.rules) {
      if (walks_[i].deciders[static_cast<std::size_t>(rule)]) place = std::min(place, 1);
      if (named_rules_[i].contains(rule)) place = 0;
    }
    if (place == 2 && everywhere && likely) continue;
    ordered.emplace_back(place, i);
  }
  std::sort(ordered.begin(), ordered.end());
  std::vector<std::size_t> out;
  out.reserve(ordered.size());
  for (const auto& [place, i] : ordered) out.push_back(i);
  return out;
}

Trial MutantSetting::attempt(const Mutant& mutant, std::size_t scenario, bool whole) {
  const auto* flip = std::get_if<Flip>(&mutant.fault);
  const auto* content = std::get_if<WrongContent>(&mutant.fault);
  const RuleSet& rules = flip == nullptr ? rules_ : flipped_.with({flip->rule});
  auto endpoint = make_judged_reference(rules, disabled_plugins_, resources_, [&](const HttpRequest*& request) {
    const bool by_judges = flip == nullptr && content == nullptr;
    return by_judges ? make_faulty_access_control(mutant, {rules_, flipped_, request}) : nullptr;
  });
  endpoint = for_scenario(std::move(endpoint), scenarios_[scenario]);
  if (content != nullptr) endpoint = with_fault(content->fault, std::move(endpoint));
  return run(*endpoint, scenario, whole, healthy_[scenario], nullptr);
}

Trial MutantSetting::run(Endpoint& endpoint, std::size_t scenario, bool whole, const Trial& known,
                         std::vector<std::string>* checks) const {
  Trial trial;
  journal::Journal journal;
  std::atomic<bool> enough = false;
  const auto judged = [&](const CheckResult& result) {
    if (enough) return;
    if (checks != nullptr) checks->push_back(result.id);
    if (result.verdict == Verdict::fail && !has(known.failed, result.id)) {
      trial.failed.push_back(result.id);
      enough = !whole;
    } else if (result.is_reworded()) {
      if (!has(known.reworded, result.id)) trial.reworded.push_back(result.id);
    } else if (result.verdict == Verdict::inconclusive || result.verdict == Verdict::deviation) {
      if (!has(known.unclear, result.id)) trial.unclear.push_back(result.id);
    }
  };
  std::atomic<bool> target_gone = false;
  std::atomic<bool> bookmarks_judged = false;
  // Not fail-fast: counts only failures that do not occur without the fault.
  const RunContext context{.checks = {.can = endpoint.capabilities(), .enough = enough, .judged = judged},
                           .endpoint = endpoint,
                           .rules = rules_,
                           .resources = *resources_,
                           .journal = journal,
                           .run_id = "mutant",
                           .target_gone = target_gone,
                           .bookmarks_judged = bookmarks_judged,
                           .has_target_to_itself = endpoint.disposable()};
  ScenarioRun(context, scenarios_[scenario], scenario).run();
  return trial;
}

}  // namespace nodebound::mutants
