#include <nlohmann/json.hpp>

#include "harness/check/probe.h"
#include "harness/cli/site/site_writers.h"
#include "harness/scenario/by_release.h"
#include "reference/release/minors.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

using Json = nlohmann::ordered_json;

// A refusal in nothing but another program's words does not tell its rule.
bool is_anothers_words(const std::string& pattern) {
  return pattern.starts_with('{') && pattern.find('}') == pattern.size() - 1;
}

Json rule_json(const SiteRule& rule) {
  Json out;
  out["id"] = rule.entry->id;
  out["statement"] = rule.entry->statement;
  out["history"] = rule.history;
  out["kinds"] = rule.kinds;
  out["advice"] = rule.advice;
  out["hit"] = Json::array();
  for (const Encounter* one : rule.encounters) {
    for (const std::string& where : one->where) out["hit"].push_back(where);
  }
  out["refusals"] = Json::array();
  for (const auto& [since, text] : rule.entry->refusal) {
    if (is_anothers_words(text.pattern())) continue;
    out["refusals"].push_back({{"since", beginning_of(since)}, {"text", text.pattern()}});
  }
  return out;
}

/// The answers to one question from release to release; a span begins where the answer changes.
struct AskedCheck {
  std::string ask;
  std::string about;
  Json spans = Json::array();

  void answered(std::size_t minor, const Json& answer) {
    Json span = Json::array({minor, answer[0], answer[1]});
    if (spans.empty() ? answer[0].is_null() : spans.back()[1] == answer[0] && spans.back()[2] == answer[1]) return;
    spans.push_back(std::move(span));
  }
};

/// Questions of plain nodes, answered by the rules of each minor at its default gates.
class AskedChecks {
 public:
  AskedChecks(const SiteModel& model, const std::vector<Scenario>& scenarios) : model_(model), scenarios_(scenarios) {
    for (std::size_t minor = 0; minor < model.minors.size(); ++minor) add_minor(minor);
  }

  [[nodiscard]] Json json() const {
    Json out = Json::array();
    for (const auto& [key, check] : checks_) {
      if (!check.spans.empty()) out.push_back({{"ask", check.ask}, {"about", check.about}, {"spans", check.spans}});
    }
    return out;
  }

 private:
  void add_minor(std::size_t minor) {
    const Result<Release> release = Release::make(*model_.catalogue, model_.minors[minor], {});
    if (!release) return;
    const RuleSet rules(*model_.catalogue, *release);
    std::set<std::string> seen;
    for (const Scenario& scenario : scenarios_) {
      if (scenario.server || !scenario.holds.holds(*release)) continue;
      if (!std::all_of(scenario.gates.begin(), scenario.gates.end(),
                       [&](const auto& gate) { return release->is_on(gate); }))
        continue;
      const Scenario here = at_version(scenario, release->version);
      for (const Step& step : here.steps) {
        if (asks(step)) seen.insert(add(here, step, minor, rules));
      }
    }
    for (auto& [key, check] : checks_) {
      if (!seen.contains(key)) check.answered(minor, Json::array({nullptr, 0}));
    }
  }

  static bool asks(const Step& step) {
    return step.check && step.check->subject.kind == SubjectText::Kind::node && !step.check->complete &&
           !step.check->lists && step.check->deviation.empty() && !step.check->invalid;
  }

  std::string add(const Scenario& scenario, const Step& step, std::size_t minor, const RuleSet& rules) {
    const Expectation expectation = expectation_of(*step.check, rules);
    const Rule rule = step.check->rules.front();
    std::string key = scenario.id + "/" + step.name + "/" + step.check->name;
    AskedCheck& check = checks_[key];
    check.ask = to_text(step.check->request);
    // Names are in braces in scenarios.
    std::erase_if(check.ask, [](char c) { return c == '{' || c == '}'; });
    check.about = "by " + to_text(step.check->subject) + ": " + scenario.title + " (" + step.check->name + ")";
    check.answered(minor, Json::array({expectation.allow, static_cast<std::size_t>(rule)}));
    return key;
  }

  const SiteModel& model_;
  const std::vector<Scenario>& scenarios_;
  std::map<std::string, AskedCheck> checks_;
};

}  // namespace

std::string catalogue_script(const SiteModel& model, const std::vector<Scenario>& scenarios) {
  Json out;
  out["releases"] = Json::array();
  for (const Version& minor : model.minors) out["releases"].push_back(minor.minor_text());
  out["rules"] = Json::array();
  for (const SiteRule& rule : model.rules) out["rules"].push_back(rule_json(rule));
  out["checks"] = AskedChecks(model, scenarios).json();
  return "\"use strict\";\nconst catalogue = " + printable_json(out.dump()) +
         ";\nif (typeof module !== \"undefined\") module.exports = catalogue;\n";
}

}  // namespace nodebound::cli
