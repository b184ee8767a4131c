#include "harness/explore/episode/cause.h"

#include <algorithm>
#include <functional>

#include "harness/endpoint/reference_endpoint.h"

namespace nodebound::explore {
namespace {

struct Candidate {
  Rule rule;
  DifferenceCause cause;
};

void add_known(const RuleSet& rules, std::vector<Candidate>& out) {
  for (const Deviation& deviation : rules.catalogue().deviations()) {
    const std::optional<Rule> rule = rules.catalogue().find(deviation.rule);
    // Deviations that need many objects cannot occur: an episode's world is small.
    if (!rule || deviation.crowded || !deviation.range.holds(rules.release())) continue;
    out.push_back(
        {*rule, {DifferenceCause::Kind::deviation, deviation.id, deviation.statement + " See " + deviation.issue}});
  }
}

/// The order in which rules are tried as the cause: the narrower a rule, the earlier.
int breadth(const RuleEntry& rule, const std::string& decided) {
  // Some of the graph's rules are edges too, but all other edges depend on them.
  if (rule.id.starts_with("graph-")) return 1;
  if (rule.edge) return 0;
  if (rule.id == decided) return 2;
  return rule.id == "node-authorizer" || rule.id.starts_with("node-identity") ? 4 : 3;
}

// An API server has no rules of a kubelet's own API.
bool decides_on_one_side(Rule rule, const RuleSet& rules_a, const RuleSet& rules_b) {
  return rules_b.catalogue()[rule].layer != Layer::kubelet && rules_a.in_force(rule) != rules_b.in_force(rule);
}

std::vector<Candidate> candidates(const std::string& decided, const RuleSet& rules_a, const RuleSet& rules_b) {
  const Catalogue& catalogue = rules_b.catalogue();
  std::vector<Candidate> out;
  add_known(rules_b, out);
  std::vector<Candidate> others;
  for (std::size_t at = 0; at < rule_count; ++at) {
    const Rule rule = static_cast<Rule>(at);
    if (catalogue[rule].layer == Layer::kubelet) continue;
    const bool on_one_side = decides_on_one_side(rule, rules_a, rules_b);
    const auto kind = on_one_side ? DifferenceCause::Kind::release : DifferenceCause::Kind::defect;
    (on_one_side ? out : others).push_back({rule, {kind, catalogue[rule].id, catalogue[rule].statement}});
  }
  std::stable_sort(others.begin(), others.end(), [&](const Candidate& a, const Candidate& b) {
    return breadth(catalogue[a.rule], decided) < breadth(catalogue[b.rule], decided);
  });
  out.insert(out.end(), others.begin(), others.end());
  return out;
}

// The episode up to the step, without the questions before it that change nothing.
Episode needed_for(const EpisodeDifference& difference) {
  Episode out = difference.episode;
  std::vector<Step>& steps = out.scenario.steps;
  steps.resize(difference.step + 1);
  Step asked = std::move(steps.back());
  steps.pop_back();
  std::erase_if(steps, [](const Step& step) { return step.check && !persists(*step.check); });
  steps.push_back(std::move(asked));
  return out;
}

// The fewest rules of one side with which the reference answers as B does; none if not even all of them do it.
std::vector<Rule> fewest_together(const RuleSet& rules_a, const RuleSet& rules_b,
                                  const std::function<bool(const RuleSet& rules)>& answers_like_b) {
  std::vector<Rule> out;
  for (std::size_t at = 0; at < rule_count; ++at) {
    const Rule rule = static_cast<Rule>(at);
    if (decides_on_one_side(rule, rules_a, rules_b)) out.push_back(rule);
  }
  if (!answers_like_b(rules_a.with_flipped(out))) return {};
  for (std::size_t at = 0; at < out.size();) {
    std::vector<Rule> fewer = out;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
    if (answers_like_b(rules_a.with_flipped(fewer))) {
      out = std::move(fewer);
    } else {
      ++at;
    }
  }
  return out;
}

}  // namespace

std::vector<Heard> heard_of_reference(const RuleSet& rules, const Episode& episode) {
  const std::unique_ptr<Endpoint> endpoint = make_reference_cluster(rules, {}, RuntimeConfig::api_all);
  const ApiResources resources(rules.release());
  journal::Journal journal;
  const ExploredSide side{*endpoint, rules, resources, journal, "reference"};
  Worlds worlds = 0;
  SideWorker worker(side, worlds);
  Result<std::vector<Heard>> heard = worker.run(episode, worlds++, nullptr, Pace::quick);
  return heard ? std::move(*heard) : std::vector<Heard>();
}

DifferenceCause cause_of(const EpisodeDifference& difference, const std::string& decided, const RuleSet& rules_a,
                         const RuleSet& rules_b) {
  // The reference stores and shows what it should, whatever its rules.
  if (!difference.b.mistake.empty()) return {};
  const Episode episode = needed_for(difference);
  const auto answers_like_b = [&](const RuleSet& rules) {
    const std::vector<Heard> heard = heard_of_reference(rules, episode);
    return heard.size() == episode.scenario.steps.size() && agree(heard.back(), difference.b);
  };
  const bool other_release = rules_a.release().version != rules_b.release().version;
  // If the reference of B's release answers as B does, B has no defect.
  const bool as_its_release = other_release && answers_like_b(rules_b);
  for (const Candidate& candidate : candidates(decided, rules_a, rules_b)) {
    if (as_its_release && candidate.cause.kind == DifferenceCause::Kind::defect) break;
    if (answers_like_b(rules_a.with_flipped(candidate.rule))) return candidate.cause;
  }
  if (!as_its_release) return {};
  DifferenceCause out{DifferenceCause::Kind::release, "",
                      "The release of B answers so, but no rule is why: it serves, takes or validates something else."};
  const std::vector<Rule> rules = fewest_together(rules_a, rules_b, answers_like_b);
  if (rules.empty()) return out;
  out.statement.clear();
  for (const Rule rule : rules) {
    const RuleEntry& entry = rules_b.catalogue()[rule];
    out.together.push_back(entry.id);
    out.statement += (out.statement.empty() ? "" : " ") + entry.statement;
  }
  return out;
}

}  // namespace nodebound::explore
