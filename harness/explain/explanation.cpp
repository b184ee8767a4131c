#include "harness/explain/explanation.h"

#include <algorithm>
#include <utility>

#include "harness/explain/advice.h"
#include "harness/explain/gaps.h"
#include "reference/identity/node_identity.h"

namespace nodebound::explain {
namespace {

std::optional<Tie> tie_of(const RuleSet& rules, const Cluster& cluster, const Question& question,
                          const ReferenceAnswer& answer) {
  if (answer.opinions.empty() || question.attributes.name.empty()) return std::nullopt;
  const std::optional<std::string_view> node = node_identity(rules, question.subject);
  const Rule rule = answer.opinions.front().decision.rule.value();
  const std::optional<ObjectKind> kind = tied_kind(rule);
  if (!node || !kind || !rules.in_force(rule)) return std::nullopt;
  const Attributes& attributes = question.attributes;
  // Constructed in one step: otherwise GCC 12 at -O3 warns that a throwing member would destroy uninitialised others.
  PathStep from{*kind, attributes.namespace_, attributes.name};
  std::string name(*node);
  Tie tie{std::move(from), std::move(name), {}, {}, false};
  tie.given =
      cluster.find(attributes.api_group, attributes.resource, attributes.namespace_, attributes.name) != nullptr;
  tie.path = path_to_node(rules, cluster, tie.from, *node);
  if (tie.path.empty()) tie.misses = near_misses(rules, cluster, tie.from, *node);
  return tie;
}

/// The release of that version with the gates that it accepts, or with none if they conflict.
Release release_at(const Catalogue& catalogue, const Version& version, const GateSettings& set) {
  Result<Release> release = Release::make(catalogue, version, Release::taken(catalogue, version, set));
  return release ? *release : *Release::make(catalogue, version, {});
}

bool same_outcome(const ReferenceAnswer& a, const ReferenceAnswer& b) {
  return a.allowed == b.allowed && a.rule == b.rule;
}

void append(std::vector<AnswerSpan>& ranges, const Version& version, ReferenceAnswer answer) {
  if (ranges.empty() || !same_outcome(ranges.back().answer, answer)) {
    if (!ranges.empty()) ranges.back().until = version;
    ranges.push_back({{version, version, std::nullopt, false}, std::move(answer), {}});
    return;
  }
  AnswerSpan& range = ranges.back();
  range.last = version;
  range.answer.rule_in_force = range.answer.rule_in_force || answer.rule_in_force;
  const std::string& last = range.reasons.empty() ? range.answer.reason : range.reasons.back().second;
  if (last != answer.reason) range.reasons.emplace_back(version, answer.reason);
}

Result<std::vector<AnswerSpan>> over_releases(const Catalogue& catalogue, const Release& asked, const GateSettings& set,
                                              const Question& question) {
  std::vector<Version> versions = catalogue.turning_points();
  versions.push_back(asked.version);
  std::sort(versions.begin(), versions.end());
  versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
  std::vector<AnswerSpan> ranges;
  for (const Version& version : versions) {
    const RuleSet rules(catalogue, release_at(catalogue, version, set));
    Cluster cluster(rules);
    if (Result<void> loaded = load(question.objects, cluster); !loaded) return tl::unexpected<Error>(loaded.error());
    Result<ReferenceAnswer> found = answer(rules, cluster, question);
    if (!found) return tl::unexpected<Error>(found.error());
    append(ranges, version, std::move(*found));
    if (version == asked.version) ranges.back().asked = true;
  }
  return ranges;
}

std::string cause_text(const NearMiss& miss, const RuleSet& rules) {
  const PathStep& last = miss.steps.back();
  const std::string kind(to_string(last.kind));
  switch (miss.cause) {
    case NearMiss::Cause::not_there:
      return "there is no such " + kind + " in the cluster";
    case NearMiss::Cause::unnamed:
      return last.kind == ObjectKind::secret ? "no pod and no volume references it" : "no pod references it";
    case NearMiss::Cause::unclaimed:
      return "the volume is bound to no claim";
    case NearMiss::Cause::other_node:
      return last.kind == ObjectKind::pod ? "the pod is bound to node " + miss.node : "it is of node " + miss.node;
    case NearMiss::Cause::unbound:
      return last.kind == ObjectKind::pod ? "the pod is not bound to a node yet" : "it names no node";
    case NearMiss::Cause::mirror_pod:
      return "the pod is a mirror pod: what it references is not tied to its node";
    case NearMiss::Cause::hidden_secret:
      return "the volume names it only for controllers, in " + field_of(rules.catalogue(), miss.rule);
    case NearMiss::Cause::not_in_force:
      break;
  }
  return "needs the rule " + rules.catalogue()[miss.rule].id + ", which is not in force at " +
         rules.release().version.text();
}

}  // namespace

std::string ReleaseSpan::text() const {
  const std::string from = first.short_text();
  const Version end = until ? until->previous() : last;
  if (until && until->patch > 0) return end == first ? first.text() : from + " – " + end.text();
  if (!end.same_minor(first)) return from + " – " + end.minor_text();
  return first.patch == 0 ? from : from + " and later " + first.minor_text();
}

Result<Explanation> explain(const Catalogue& catalogue, const Release& release, const GateSettings& set,
                            const Question& question) {
  Result<Explanation> explanation = explain_without_advice(catalogue, release, set, question);
  if (explanation) explanation->advice = advice_for(catalogue, set, question, *explanation);
  return explanation;
}

Result<Explanation> explain_without_advice(const Catalogue& catalogue, const Release& release, const GateSettings& set,
                                           const Question& question) {
  const RuleSet rules(catalogue, release);
  Cluster cluster(rules);
  if (Result<void> loaded = load(question.objects, cluster); !loaded) return tl::unexpected<Error>(loaded.error());
  Result<ReferenceAnswer> found = answer(rules, cluster, question);
  if (!found) return tl::unexpected<Error>(found.error());
  std::optional<Tie> tie = tie_of(rules, cluster, question, *found);
  Result<std::vector<AnswerSpan>> ranges = over_releases(catalogue, release, set, question);
  if (!ranges) return tl::unexpected<Error>(ranges.error());
  std::vector<Gap> gaps = gaps_in(question, *found, tie);
  return Explanation{rules, std::move(*found), std::move(tie), std::move(*ranges), std::move(gaps), {}};
}

std::string headline(const Explanation& explanation) {
  const std::string answer = headline(explanation.answer);
  return explanation.certain() ? answer : "cannot tell; with what was given, " + answer;
}

std::string headline(const ReferenceAnswer& answer) {
  const auto name = [](const std::string& by) {
    if (by == "node") return std::string("the Node authorizer");
    return by == "rbac" ? std::string("RBAC") : by;
  };
  if (answer.allowed) {
    const bool unasked = !answer.why_not_admission.empty();
    const std::string then = answer.admission_asked ? ", and admitted" : unasked ? "; admission was not asked" : "";
    if (answer.by == "system:masters") return "allowed to members of system:masters" + then;
    return "allowed by " + name(answer.by) + then;
  }
  if (answer.layer == Layer::validation) return "refused by validation";
  if (answer.layer == Layer::admission) return "refused by the admission plugin " + answer.by;
  return answer.by.empty() ? "refused: no authorizer allows it" : "refused by " + name(answer.by);
}

std::string described(const PathStep& step) {
  return std::string(to_string(step.kind)) + " " + (step.namespace_.empty() ? "" : step.namespace_ + "/") + step.name;
}

std::string described(const NearMiss& miss, const RuleSet& rules) {
  std::string out = miss.steps.size() == 1 ? described(miss.steps.front()) : "";
  for (std::size_t i = 1; i < miss.steps.size(); ++i) {
    out +=
        (i == 1 ? "" : " <- ") + described(miss.steps[i]) + " (" + rules.catalogue()[miss.steps[i - 1].edge].id + ")";
  }
  return out + ": " + cause_text(miss, rules);
}

}  // namespace nodebound::explain
