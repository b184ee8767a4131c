#include "harness/replay/finding_table.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <utility>

#include "fakes/wire/resources/api_catalogue.h"
#include "fakes/wire/timestamp.h"
#include "harness/replay/clients/pool_labels.h"
#include "harness/simulate/findings/advice.h"
#include "reference/identity/node_identity.h"

namespace nodebound::replay {
namespace {

using Kind = Replay::Finding::Outcome;

constexpr std::size_t kLongestText = 300;

std::string shortened(std::string text) {
  if (text.size() > kLongestText) text = text.substr(0, kLongestText) + "…";
  return text;
}

std::string recorded_text(const LoggedRequest& request) {
  const std::string code = request.code ? " (HTTP " + std::to_string(*request.code) + ")" : "";
  switch (recorded(request)) {
    case Recorded::allowed:
      return "allowed" + code;
    case Recorded::authorized:
      return "authorized" + code;
    case Recorded::refused_by_authorizer:
      return "refused by the authorizers" + code;
    case Recorded::refused_later:
      return "authorized, then refused" + code;
    case Recorded::refused:
      return "refused" + code;
    case Recorded::unknown:
      break;
  }
  return "unknown" + code;
}

std::string example_of(const LoggedRequest& request) {
  const Attributes& attributes = request.attributes;
  std::string out = request_text(attributes);
  if (attributes.resource_request && !attributes.name.empty()) out += " " + attributes.name;
  if (!attributes.namespace_.empty()) out += " -n " + attributes.namespace_;
  for (const FieldRequirement& term : attributes.field_selector) {
    out += " --field-selector " + term.field + term.op + term.value;
  }
  return shortened(out + " as " + request.subject.name);
}

// All objects of a cluster in another, which follows other rules.
void copy(const Cluster& from, Cluster& to) {
  for (const ApiResourceEntry& resource : ApiCatalogue::built_in().entries()) {
    from.each_shared(
        resource.group, resource.resource, "",
        [&](const std::string& namespace_, const std::string& name, const std::shared_ptr<const Object>& object) {
          to.put_shared({std::string(resource.group), std::string(resource.resource), namespace_, name}, object);
        });
  }
}

std::set<std::string> gates_of(const RuleEntry& rule) {
  std::set<std::string> out;
  for (const ReleaseRange& range : rule.in_force) {
    for (const auto* gates : {&range.gates, &range.any_gate, &range.unless_gates})
      out.insert(gates->begin(), gates->end());
  }
  return out;
}

}  // namespace

std::string time_text(LoggedRequest::Micros micros) {
  return timestamp_of(std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::microseconds(micros))));
}

std::string request_text(const Attributes& attributes) {
  return shortened(attributes.verb + " " +
                   (attributes.resource_request ? attributes.full_resource() : attributes.path));
}

std::string agent_of(const LoggedRequest& request) {
  return shortened(request.user_agent.substr(0, request.user_agent.find(' ')));
}

std::string pool_of(const LoggedRequest& request, const Cluster& cluster, const std::string& pool_label) {
  if (!request.subject.name.starts_with(node_user_prefix)) return {};
  const ObjectPtr node = cluster.find("", "nodes", "", request.subject.name.substr(node_user_prefix.size()));
  if (node == nullptr) return {};
  const Object& labels = member(*node, "metadata", "labels");
  return shortened(std::string(pool_of_labels(labels, pool_label)));
}

bool FindingTable::answers_anew(const Release& release, const Outcome& outcome) const {
  const RuleSet rules(to_.catalogue(), release);
  Cluster cluster(rules);
  copy(*outcome.to_state, cluster);
  return decide(rules, cluster, to_setting_, *outcome.then).allowed() == outcome.to.allowed();
}

const FindingTable::Turning& FindingTable::turning(const Outcome& outcome, const std::string& sort) {
  const auto [found, added] = turnings_.try_emplace(sort);
  if (!added) return found->second;
  Turning& out = found->second;
  const Catalogue& catalogue = to_.catalogue();
  const Version& from = from_.release().version;
  const Version& to = to_.release().version;
  out.since = to.short_text();
  const auto release_at = [&](const Version& version) {
    return Release::make(catalogue, version, Release::taken(catalogue, version, gates_));
  };
  const std::vector<Version> turning_points = catalogue.turning_points();
  const auto first = std::upper_bound(turning_points.begin(), turning_points.end(), from);
  const auto last = std::lower_bound(turning_points.begin(), turning_points.end(), to);
  std::vector<Version> between;
  if (first < last) between.assign(first, last);
  // From the end: what matters is since when the answer has been what it is at the end.
  for (auto version = between.rbegin(); version != between.rend(); ++version) {
    const Result<Release> release = release_at(*version);
    if (!release || !answers_anew(*release, outcome)) break;
    out.since = version->short_text();
  }
  std::set<std::string> gates = gates_of(catalogue[outcome.to.rule]);
  gates.merge(gates_of(catalogue[outcome.from.rule]));
  for (const std::string& gate : gates) {
    GateSettings settings = gates_;
    const bool off = !to_.release().is_on(gate);
    settings[gate] = off;
    const Result<Release> release = Release::make(catalogue, to, settings);
    if (release && !answers_anew(*release, outcome)) out.put_off_by.push_back(gate + (off ? "=true" : "=false"));
  }
  return out;
}

Replay::Finding FindingTable::begun(const LoggedRequest& request, const Outcome& outcome, Kind kind) const {
  const Decided& decided = kind == Kind::disagrees ? outcome.from : outcome.to;
  const RuleEntry& rule = to_.catalogue()[decided.rule];
  Replay::Finding out;
  out.outcome = kind;
  out.rule = rule.id;
  out.statement = rule.statement;
  out.layer = to_string(decided.authorized && !decided.allowed() ? rule.layer : Layer::authorizer);
  out.by = decided.by;
  out.recorded = recorded_text(request);
  out.request = request_text(request.attributes);
  out.example = example_of(request);
  out.where = request.where;
  if (kind == Kind::newly_refused) out.advice = simulate::advice_for(rule.id);
  return out;
}

const Replay::Finding* FindingTable::add(const LoggedRequest& request, const Outcome& outcome, std::size_t order) {
  const Kind kind = outcome.kind == Outcome::Kind::newly_refused   ? Kind::newly_refused
                    : outcome.kind == Outcome::Kind::newly_allowed ? Kind::newly_allowed
                                                                   : Kind::disagrees;
  const Decided& decided = kind == Kind::disagrees ? outcome.from : outcome.to;
  const std::string& rule = to_.catalogue()[decided.rule].id;
  const std::string asked = request_text(request.attributes);
  const std::string agent = agent_of(request);
  const bool node = node_identity(to_, request.subject).has_value();
  const std::string who = node ? "nodes" : shortened(request.subject.name);
  const std::string pool = pool_of(request, *outcome.to_state, pool_label_);
  const Key key{kind, rule, asked, agent, who, pool};
  auto found = groups_.find(key);
  const bool is_new = found == groups_.end();
  if (is_new) {
    if (groups_.size() >= kMostGroups) {
      ++left_out_;
      return nullptr;
    }
    Group group{begun(request, outcome, kind), request.received, request.received, {}};
    group.finding.order = order;
    group.finding.user_agent = agent;
    group.finding.who = who;
    group.finding.pool = pool;
    if (kind != Kind::disagrees) {
      const Turning& turned = turning(outcome, rule + " " + asked);
      group.finding.since = turned.since;
      group.finding.put_off_by = turned.put_off_by;
    }
    found = groups_.emplace(key, std::move(group)).first;
  }
  Group& group = found->second;
  ++group.finding.count;
  group.first = std::min(group.first, request.received);
  group.last = std::max(group.last, request.received);
  if (group.subjects.size() < most_counted_subjects) {
    group.subjects.insert(std::hash<std::string>()(request.subject.name));
  } else if (!group.subjects.contains(std::hash<std::string>()(request.subject.name))) {
    group.finding.more_subjects = true;
  }
  return is_new ? &group.finding : nullptr;
}

std::vector<Replay::Finding> FindingTable::findings() const {
  std::vector<Replay::Finding> out;
  for (const auto& [key, group] : groups_) {
    out.push_back(group.finding);
    out.back().first = time_text(group.first);
    out.back().last = time_text(group.last);
    out.back().subjects = group.subjects.size();
  }
  sort_findings(out);
  return out;
}

}  // namespace nodebound::replay
