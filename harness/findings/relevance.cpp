#include "harness/findings/relevance.h"

#include <algorithm>
#include <set>

#include "reference/release/catalogue.h"

namespace nodebound {

Relevance Upgrade::relevance(const std::vector<ReleaseRange>& ranges) const {
  Relevance out;
  if (ranges.empty()) {
    out.before = from_.has_value();
    out.then = true;
    return out;
  }
  out.before = from_ && any_holds(ranges, *from_);
  out.then = any_holds(ranges, to_);
  if (!out.then) return out;
  out.since = since(ranges);
  out.put_off_by = put_off_by(ranges);
  return out;
}

std::string Upgrade::since(const std::vector<ReleaseRange>& ranges) const {
  const std::vector<Version> points = catalogue_.turning_points();
  std::string out = to_.version.short_text();
  // From the end: what matters is since when it has been as it is at the end.
  for (auto version = std::make_reverse_iterator(std::upper_bound(points.begin(), points.end(), to_.version));
       version != points.rend(); ++version) {
    const Result<Release> release = Release::make(catalogue_, *version, Release::taken(catalogue_, *version, gates_));
    if (!release || !any_holds(ranges, *release)) return out;
    out = version->short_text();
  }
  return {};
}

std::vector<std::string> Upgrade::put_off_by(const std::vector<ReleaseRange>& ranges) const {
  std::set<std::string> gates;
  for (const ReleaseRange& range : ranges) {
    for (const auto* some : {&range.gates, &range.any_gate, &range.unless_gates})
      gates.insert(some->begin(), some->end());
  }
  std::vector<std::string> out;
  for (const std::string& gate : gates) {
    GateSettings settings = gates_;
    const bool on = !to_.is_on(gate);
    settings[gate] = on;
    const Result<Release> release = Release::make(catalogue_, to_.version, settings);
    if (release && !any_holds(ranges, *release)) out.push_back(gate + (on ? "=true" : "=false"));
  }
  return out;
}

}  // namespace nodebound
