#include "harness/inspect/found.h"

#include <algorithm>
#include <utility>

namespace nodebound::inspect {

const Relevance& FoundList::relevance_of(std::string_view inspection) {
  const auto known = relevances_.find(inspection);
  if (known != relevances_.end()) return known->second;
  return relevances_.emplace(inspection, upgrade_.relevance(knowledge_.entry(inspection).ranges)).first->second;
}

bool FoundList::is_wanted(std::string_view inspection) {
  const Relevance& relevance = relevance_of(inspection);
  return relevance.then && !relevance.before;
}

void FoundList::add(Found found) {
  const InspectionKnowledge::Entry& entry = knowledge_.entry(found.inspection);
  const Relevance& relevance = relevance_of(found.inspection);
  if (!relevance.then || relevance.before) {
    ++(relevance.then ? not_new_ : not_yet_);
    return;
  }
  if (findings_.size() >= most_findings) {
    ++left_out_;
    return;
  }
  Finding out;
  out.id = entry.id;
  out.level = found.level.value_or(entry.level);
  out.statement = entry.statement;
  out.rules = found.rules.empty() ? entry.rules : std::move(found.rules);
  out.advice = found.advice.empty() ? entry.advice : std::move(found.advice);
  out.seen_at = std::move(found.seen_at);
  for (const std::string& issue : entry.seen_at) {
    if (std::find(out.seen_at.begin(), out.seen_at.end(), issue) == out.seen_at.end()) out.seen_at.push_back(issue);
  }
  out.since = relevance.since;
  out.put_off_by = relevance.put_off_by;
  out.what = std::move(found.what);
  if (found.object != nullptr) out.place = found.object->place(found.field);
  if (found.place) out.place = std::move(*found.place);
  out.who = found.who.empty() ? out.place.object : std::move(found.who);
  if (found.fix) out.fixes.push_back(std::move(*found.fix));
  findings_.push_back(std::move(out));
}

std::vector<Finding> FoundList::findings() && {
  const auto order = [&](const Finding& finding) {
    const auto at = std::find_if(knowledge_.entries.begin(), knowledge_.entries.end(),
                                 [&](const auto& entry) { return entry.id == finding.id; });
    return std::pair(finding.level, at - knowledge_.entries.begin());
  };
  std::stable_sort(findings_.begin(), findings_.end(),
                   [&](const Finding& a, const Finding& b) { return order(a) < order(b); });
  return std::move(findings_);
}

}  // namespace nodebound::inspect
