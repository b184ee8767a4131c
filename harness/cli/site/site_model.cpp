#include "harness/cli/site/site_model.h"

#include <algorithm>

#include "harness/simulate/findings/advice.h"
#include "reference/release/minors.h"

namespace nodebound::cli {
namespace {

/// The resources, or subresources, that checks which the rule refuses ask for; those that it decides, not those that
/// only lead to it.
std::set<std::string> kinds_of(Rule rule, const std::vector<RuleUse>& uses) {
  std::set<std::string> out;
  for (const RuleUse& use : uses) {
    for (const Step* step : use.refuses) {
      const RequestText& request = step->check->request;
      if (step->check->rules.front() != rule || request.resource.empty()) continue;
      out.insert(request.resource + (request.subresource.empty() ? "" : "/" + request.subresource));
    }
  }
  return out;
}

SiteRule site_rule(Rule rule, SiteModel& model, RuleHistory& history, const std::vector<Scenario>& scenarios) {
  const RuleEntry& entry = (*model.catalogue)[rule];
  SiteRule out{rule,
               &entry,
               history_of(entry),
               {},
               history.turns(rule),
               uses_of(rule, scenarios),
               {},
               simulate::advice_for(entry.id),
               {}};
  for (const Version& minor : model.minors) out.at.push_back(history.standing(rule, minor));
  for (const Encounter& encounter : model.encounters) {
    if (std::find(encounter.rules.begin(), encounter.rules.end(), rule) != encounter.rules.end()) {
      out.encounters.push_back(&encounter);
    }
  }
  out.kinds = kinds_of(rule, out.uses);
  return out;
}

}  // namespace

Result<SiteModel> site_model(const Catalogue& catalogue, const std::vector<Scenario>& scenarios) {
  SiteModel out{&catalogue, {}, {}, {}};
  Result<std::vector<Encounter>> found = encounters(catalogue);
  if (!found) return tl::unexpected<Error>(found.error());
  out.encounters = std::move(*found);
  out.minors = minors_of(catalogue);
  RuleHistory history(catalogue);
  for (std::size_t rule = 0; rule < catalogue.rules().size(); ++rule) {
    out.rules.push_back(site_rule(static_cast<Rule>(rule), out, history, scenarios));
  }
  return out;
}

}  // namespace nodebound::cli
