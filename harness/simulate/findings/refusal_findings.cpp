#include "harness/simulate/findings/refusal_findings.h"

#include <algorithm>
#include <utility>

#include "harness/findings/relevance.h"
#include "harness/simulate/findings/change_request.h"
#include "harness/simulate/findings/rule_sources.h"

namespace nodebound::simulate {
namespace {

using Seen = RefusalLedger::Seen;

// Replaces the node's name in `text`, so that messages to several nodes can be compared.
std::string without_node(std::string text, const std::string& node) {
  if (node.empty()) return text;
  for (std::size_t at = text.find(node); at != std::string::npos; at = text.find(node, at))
    text.replace(at, node.size(), "");
  return text;
}

}  // namespace

std::vector<Simulation::Finding> RefusalFindings::after(std::size_t step) const {
  std::vector<Simulation::Finding> out;
  const auto& kinds = ledger_.kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const New refusal{i, step};
    std::optional<Simulation::Finding> finding = counted(refusal);
    if (!finding) continue;
    finding->request = request_in_short(kinds[i].attributes);
    finding->status = kinds[i].status;
    finding->who = kinds[i].who;
    if (kinds[i].kubelet) {
      tell_kubelets(refusal, *finding);
    } else {
      tell_servers(refusal, *finding);
    }
    tell_words(refusal, *finding);
    tell_rule(refusal, *finding);
    out.push_back(std::move(*finding));
  }
  return out;
}

void RefusalFindings::each_seen(const New& refusal, const Visit& visit) const {
  for (const RefusalLedger::Client& client : ledger_.clients()) {
    for (const Seen& seen : client.seen) {
      if (seen.kind == refusal.kind && seen.step == refusal.step) visit(client, seen);
    }
  }
}

// Counts all clients that are newly refused; nothing if there is none.
std::optional<Simulation::Finding> RefusalFindings::counted(const New& refusal) const {
  Simulation::Finding out;
  std::set<std::string> nodes;
  bool first = true;
  bool healed = true;
  each_seen(refusal, [&](const RefusalLedger::Client& client, const Seen& seen) {
    if (!client.node.empty()) nodes.insert(client.node);
    out.count += seen.count;
    out.first = first ? seen.first : std::min(out.first, seen.first);
    out.last = first ? seen.last : std::max(out.last, seen.last);
    healed = healed && seen.healed.has_value();
    if (seen.healed) out.healed = std::max(out.healed.value_or(*seen.healed), *seen.healed);
    first = false;
  });
  if (first) return std::nullopt;
  if (!healed) out.healed.reset();
  for (const std::string& node : nodes) {
    out.nodes += fleet_.weight_of(node);
    out.pods += fleet_.weight_of(node) * fleet_.pods_on(node);
  }
  out.first = std::max(out.first, Simulation::Time(0));
  out.last = std::max(out.last, Simulation::Time(0));
  return out;
}

void RefusalFindings::tell_kubelets(const New& refusal, Simulation::Finding& finding) const {
  std::set<KubeletKind> refused_by;
  each_seen(refusal, [&](const RefusalLedger::Client&, const Seen& seen) {
    refused_by.insert(seen.kubelets.begin(), seen.kubelets.end());
  });
  for (const KubeletKind& kubelet : refused_by) finding.kubelets.push_back(kubelet.name());
}

// The API servers that refuse it while others allow it.
void RefusalFindings::tell_servers(const New& refusal, Simulation::Finding& finding) const {
  std::set<std::size_t> refused_by;
  std::set<std::size_t> allowed_by;
  bool by_all = true;
  each_seen(refusal, [&](const RefusalLedger::Client&, const Seen& seen) {
    refused_by.insert(seen.refused_by.begin(), seen.refused_by.end());
    allowed_by.insert(seen.allowed_by.begin(), seen.allowed_by.end());
    if (seen.allowed_by.empty()) return;
    by_all = by_all && seen.by_all.has_value();
    if (seen.by_all) finding.by_all = std::max(finding.by_all.value_or(*seen.by_all), *seen.by_all);
  });
  if (!by_all) finding.by_all.reset();
  std::erase_if(refused_by, [&](std::size_t server) { return allowed_by.contains(server); });
  if (refused_by.empty() || allowed_by.empty()) return;
  finding.refused_by = names_of(refused_by);
  finding.allowed_by = names_of(allowed_by);
}

std::vector<std::string> RefusalFindings::names_of(const std::set<std::size_t>& kinds_of_servers) const {
  std::vector<std::string> out;
  out.reserve(kinds_of_servers.size());
  for (const std::size_t kind : kinds_of_servers) out.push_back(balancer_.name_of(kind));
  return out;
}

// The first message, and the different ones of other kinds of servers.
void RefusalFindings::tell_words(const New& refusal, Simulation::Finding& finding) const {
  const std::vector<RefusalLedger::Told>& told = ledger_.told(refusal.kind, refusal.step);
  finding.example = told.front().example;
  finding.body = told.front().body;
  finding.reason = told.front().reason;
  finding.check = check_of(plan_, finding, told.front().node);
  std::set<std::string> known;
  for (const RefusalLedger::Told& one : told) {
    if (!known.insert(without_node(one.reason, one.node)).second || &one == &told.front()) continue;
    finding.other_reasons.push_back({balancer_.name_of(one.servers), one.reason});
  }
}

void RefusalFindings::tell_rule(const New& refusal, Simulation::Finding& finding) const {
  finding.rule = ledger_.kinds()[refusal.kind].rule;
  const auto rule = catalogue_.find(finding.rule);
  if (!rule) return;
  finding.statement = catalogue_[*rule].statement;
  finding.sources = sources_of(catalogue_[*rule], release_of(refusal));
  tell_when(refusal, catalogue_[*rule], finding);
}

// Since when the rule refuses, up to the release of who refused first. A rule that grants refuses nothing: what lacks
// it is refused by something else.
void RefusalFindings::tell_when(const New& refusal, const RuleEntry& rule, Simulation::Finding& finding) const {
  if (rule.effect != Effect::restriction) return;
  const RefusalLedger::Told& first = ledger_.told(refusal.kind, refusal.step).front();
  const Version version = first.kubelet ? first.kubelet->version : balancer_.settings_of(first.servers).version;
  const GateSettings gates = first.kubelet ? first.kubelet->gates : balancer_.settings_of(first.servers).gates;
  const Result<Release> release = Release::make(catalogue_, version, Release::taken(catalogue_, version, gates));
  if (!release) return;
  const Relevance relevance = Upgrade(catalogue_, std::nullopt, *release, gates).relevance(rule.in_force);
  finding.since = relevance.since;
  finding.put_off_by = relevance.put_off_by;
}

// The release of the server or kubelet that refused first.
std::string RefusalFindings::release_of(const New& refusal) const {
  const RefusalLedger::Told& first = ledger_.told(refusal.kind, refusal.step).front();
  if (first.kubelet) return first.kubelet->version.text();
  const std::string name = balancer_.name_of(first.servers);
  return name.substr(0, name.find(' '));
}

}  // namespace nodebound::simulate
