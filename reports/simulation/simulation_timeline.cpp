#include "reports/simulation/simulation_timeline.h"

#include <algorithm>
#include <limits>
#include <map>

#include "reports/text.h"

namespace nodebound {
namespace {

using Time = Simulation::Time;
using Stretch = Timeline::Stretch;

Time within(Time time, Time end) {
  return std::clamp(time, Time(0), end);
}

/// The end of the axis. A target may report arbitrary times, and all of them must fit.
Time end_of(const Simulation& simulation) {
  Time end = std::max(simulation.length, Time(1));
  for (const Simulation::Step& step : simulation.steps) end = std::max(end, step.at);
  for (const Simulation::VersionChange& change : simulation.versions) end = std::max(end, change.at);
  for (const Simulation::Slice& slice : simulation.refusals) end = std::max(end, slice.at);
  // Limited so that the sum of two times does not overflow.
  return std::min(end, Time(std::numeric_limits<std::int64_t>::max() / 4));
}

/// The width of a bar in whole slices, such that there are few enough bars.
Time bar_width(Time slice, Time end) {
  const std::int64_t bars = Timeline::most_bars;
  const std::int64_t least = (end.count() + bars - 1) / bars;
  if (slice.count() <= 0 || slice > end) return Time(slice.count() <= 0 ? least : end.count());
  const std::int64_t slices = (least + slice.count() - 1) / slice.count();
  return Time(std::max<std::int64_t>(slices, 1) * slice.count());
}

std::vector<Timeline::Rule> rules_by_total(const Simulation& simulation) {
  std::map<std::string, std::size_t> totals;
  for (const Simulation::Slice& slice : simulation.refusals) totals[slice.rule] += slice.count;
  std::vector<Timeline::Rule> rules;
  for (const auto& [id, total] : totals) {
    if (total > 0) rules.push_back({id, total});
  }
  std::ranges::stable_sort(rules, std::ranges::greater{}, &Timeline::Rule::total);
  if (rules.size() <= Timeline::most_rules + 1) return rules;
  Timeline::Rule rest = {"other rules", 0, 0};
  for (std::size_t i = Timeline::most_rules; i < rules.size(); ++i, ++rest.rules) rest.total += rules[i].total;
  rules.resize(Timeline::most_rules);
  rules.push_back(rest);
  return rules;
}

void add_bars(Timeline& timeline, const Simulation& simulation) {
  timeline.rules = rules_by_total(simulation);
  timeline.width = bar_width(simulation.slice, timeline.end);
  const auto number =
      static_cast<std::size_t>((timeline.end.count() + timeline.width.count() - 1) / timeline.width.count());
  std::map<std::string, std::size_t> colour;
  for (std::size_t i = 0; i < timeline.rules.size(); ++i) {
    if (timeline.rules[i].rules == 1) colour[timeline.rules[i].id] = i;
  }
  for (std::size_t i = 0; i < number; ++i) {
    timeline.bars.push_back({timeline.width * static_cast<std::int64_t>(i), {}, 0});
    timeline.bars.back().counts.resize(timeline.rules.size());
  }
  for (const Simulation::Slice& slice : simulation.refusals) {
    if (slice.count == 0) continue;
    const auto at = static_cast<std::size_t>(within(slice.at, timeline.end).count() / timeline.width.count());
    Timeline::Bar& bar = timeline.bars[std::min(at, number - 1)];
    const auto known = colour.find(slice.rule);
    bar.counts[known == colour.end() ? timeline.rules.size() - 1 : known->second] += slice.count;
    bar.total += slice.count;
    timeline.refusals += slice.count;
  }
  for (const Timeline::Bar& bar : timeline.bars) timeline.highest = std::max(timeline.highest, bar.total);
}

/// Removes the number at the beginning of `text` and returns it without leading zeros.
std::string_view take_digits(std::string_view& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  while (digits.starts_with('0')) digits.remove_prefix(1);
  return digits;
}

/// Orders 1.9 before 1.10. Texts that are no versions are ordered too.
bool is_older(std::string_view a, std::string_view b) {
  const std::string_view all_of_a = a;
  const std::string_view all_of_b = b;
  while (!a.empty() && !b.empty()) {
    const std::string_view number_a = take_digits(a);
    const std::string_view number_b = take_digits(b);
    if (number_a.size() != number_b.size()) return number_a.size() < number_b.size();
    if (number_a != number_b) return number_a < number_b;
    if (a.empty() || b.empty()) break;
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.empty() == b.empty() ? all_of_a < all_of_b : a.empty();
}

Stretch stretch_of(Time at, const std::map<std::size_t, std::size_t>& members) {
  Stretch stretch{at, {}, 0};
  for (const auto& [version, number] : members) {
    if (number == 0) continue;
    stretch.shares.push_back({version, number});
    stretch.members += number;
  }
  if (stretch.shares.size() <= Timeline::most_versions) return stretch;
  // Leaves out shares that would be too small to see.
  std::ranges::stable_sort(stretch.shares, std::ranges::greater{}, &Timeline::Share::members);
  stretch.shares.resize(Timeline::most_versions);
  std::ranges::sort(stretch.shares, {}, &Timeline::Share::version);
  return stretch;
}

/// Merges changes that follow too quickly to be seen, keeping the state after the last one.
std::vector<Stretch> stretches_of(const std::vector<const Simulation::VersionChange*>& changes,
                                  const std::map<std::string, std::size_t>& index, Time end, Time least) {
  std::map<std::size_t, std::size_t> members;
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    members[index.at(changes[i]->version)] = changes[i]->members;
    const Time at = within(changes[i]->at, end);
    if (i + 1 < changes.size() && within(changes[i + 1]->at, end) == at) continue;
    const bool is_new = stretches.empty() || at - stretches.back().at >= least;
    Stretch next = stretch_of(is_new ? at : stretches.back().at, members);
    if (is_new) {
      stretches.push_back(std::move(next));
    } else {
      stretches.back() = std::move(next);
    }
  }
  return stretches;
}

void add_lanes(Timeline& timeline, const Simulation& simulation) {
  for (const Simulation::VersionChange& change : simulation.versions) timeline.versions.push_back(change.version);
  std::ranges::sort(timeline.versions, is_older);
  timeline.versions.erase(std::ranges::unique(timeline.versions).begin(), timeline.versions.end());
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < timeline.versions.size(); ++i) index[timeline.versions[i]] = i;

  std::vector<std::string> pools;
  std::map<std::string, std::vector<const Simulation::VersionChange*>> changes;
  for (const Simulation::VersionChange& change : simulation.versions) {
    std::vector<const Simulation::VersionChange*>& of_pool = changes[change.pool];
    if (of_pool.empty()) pools.push_back(change.pool);
    of_pool.push_back(&change);
  }
  std::ranges::stable_sort(pools, std::ranges::greater{}, &std::string::empty);
  if (pools.size() > Timeline::most_lanes) timeline.lanes_left_out = pools.size() - Timeline::most_lanes;
  pools.resize(std::min(pools.size(), Timeline::most_lanes));
  // With many pools, less of each is shown, so that the page stays small enough to open.
  constexpr std::size_t in_full = 16;
  const std::size_t stretches = Timeline::most_bars * in_full / std::max(pools.size(), in_full);
  const Time least = timeline.end / static_cast<std::int64_t>(stretches);
  for (const std::string& pool : pools) {
    std::ranges::stable_sort(changes[pool], {}, &Simulation::VersionChange::at);
    timeline.lanes.push_back({pool, stretches_of(changes[pool], index, timeline.end, least)});
  }
}

/// A hostile target may report more lost nodes than exist.
void add_not_ready(Timeline& timeline, const Simulation& simulation) {
  for (const Simulation::Step& step : simulation.steps) timeline.nodes = std::max(timeline.nodes, step.health.nodes);
  const Time least = timeline.end / static_cast<std::int64_t>(Timeline::most_bars);
  bool any = false;
  for (const Simulation::NotReady& change : simulation.not_ready) {
    const Time at = within(change.at, timeline.end);
    timeline.nodes = std::max(timeline.nodes, change.nodes);
    any = any || change.nodes > 0;
    if (!timeline.not_ready.empty() && at - timeline.not_ready.back().at < least) {
      // Of changes that follow too quickly to be seen, shows the worst.
      timeline.not_ready.back().nodes = std::max(timeline.not_ready.back().nodes, change.nodes);
    } else {
      timeline.not_ready.push_back({at, change.nodes});
    }
  }
  if (!any) timeline.not_ready.clear();
}

/// The end of a name, which distinguishes it from others with the same beginning.
std::string last_columns(std::string_view name, std::size_t most) {
  if (columns(name) <= most) return std::string(name);
  std::size_t left = columns(name);
  while (left >= most) {
    take_code_point(name);
    --left;
  }
  return "…" + std::string(name);
}

}  // namespace

std::vector<std::string> lane_labels(const Timeline& timeline, std::size_t most) {
  std::vector<std::string> out;
  for (const Timeline::Lane& lane : timeline.lanes) {
    const std::string pool = printable(lane.pool);
    const std::string name = lane.pool.empty() ? "control plane" : "pool " + pool;
    out.push_back(columns(name) <= most ? name : clip(pool, most));
  }
  const auto is_taken = [&](std::size_t i) { return std::ranges::count(out, out[i]) > 1; };
  std::vector<std::size_t> alike;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (is_taken(i)) alike.push_back(i);
  }
  for (const std::size_t i : alike) out[i] = last_columns(printable(timeline.lanes[i].pool), most);
  return out;
}

std::size_t majority_of(const Timeline::Stretch& stretch) {
  for (const Timeline::Share& share : stretch.shares) {
    if (share.members > stretch.members / 2) return share.version;
  }
  return Timeline::no_version;
}

Timeline timeline_of(const Simulation& simulation) {
  Timeline timeline;
  timeline.end = end_of(simulation);
  add_bars(timeline, simulation);
  add_lanes(timeline, simulation);
  add_not_ready(timeline, simulation);
  return timeline;
}

std::vector<Time> axis_times(Time end) {
  static constexpr std::int64_t round_lengths[] = {
      1,         10,        100,       1'000,      5'000,      15'000,     30'000,     60'000,      300'000,    900'000,
      1'800'000, 3'600'000, 7'200'000, 10'800'000, 21'600'000, 43'200'000, 86'400'000, 172'800'000, 604'800'000};
  constexpr std::int64_t most = 7;
  std::int64_t apart = 0;
  for (const std::int64_t length : round_lengths) {
    apart = length;
    if (end.count() / apart <= most) break;
  }
  while (end.count() / apart > most) apart *= 2;
  std::vector<Time> times;
  for (std::int64_t i = 0; i <= end.count() / apart; ++i) times.emplace_back(i * apart);
  return times;
}

std::size_t axis_top(std::size_t highest) {
  for (std::size_t scale = 1; scale < std::numeric_limits<std::size_t>::max() / 100; scale *= 10) {
    for (const std::size_t round : {2U, 4U, 6U, 8U, 10U}) {
      if (round * scale >= highest) return round * scale;
    }
  }
  return highest;
}

}  // namespace nodebound
