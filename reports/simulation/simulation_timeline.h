#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/simulation/simulation.h"

namespace nodebound {

/// The content of a simulation's picture as numbers: never more than a picture of that width can show, however long the
/// simulation was.
struct Timeline {
  static constexpr std::size_t most_bars = 240;
  static constexpr std::size_t most_rules = 8;
  static constexpr std::size_t most_lanes = 48;
  static constexpr std::size_t most_versions = 6;  ///< shown for a pool at one time

  /// A rule with a colour. The last may be `other rules`, which combines all the rest.
  struct Rule {
    std::string id;
    std::size_t total = 0;
    std::size_t rules = 1;  ///< how many rules it combines
  };
  struct Bar {
    Simulation::Time at{0};
    std::vector<std::size_t> counts;  ///< in the order of `rules`
    std::size_t total = 0;
  };
  struct Share {
    std::size_t version = 0;  ///< in `versions`
    std::size_t members = 0;
  };
  /// Lasts until the next one begins, or to the end.
  struct Stretch {
    Simulation::Time at{0};
    std::vector<Share> shares;  ///< the oldest first; versions without members are left out
    std::size_t members = 0;
  };
  static constexpr std::size_t no_version = static_cast<std::size_t>(-1);
  struct Lane {
    std::string pool;  ///< empty: the control plane
    std::vector<Stretch> stretches;
  };

  Simulation::Time end{1};    ///< of the axis, which begins with the plan; always positive
  Simulation::Time width{1};  ///< of a bar
  std::vector<Rule> rules;    ///< the one with the most refusals first
  std::vector<Bar> bars;      ///< side by side from the beginning to the end
  std::size_t highest = 0;    ///< of all bars
  std::size_t refusals = 0;
  std::vector<std::string> versions;  ///< the oldest first
  std::vector<Lane> lanes;            ///< the control plane first, then pools in the order of their first mention
  std::size_t lanes_left_out = 0;
  /// Nodes that are not ready; each number lasts until the next.
  struct NotReady {
    Simulation::Time at{0};
    std::size_t nodes = 0;
  };
  std::vector<NotReady> not_ready;  ///< empty if all nodes are ready all the time
  std::size_t nodes = 0;            ///< in total

  [[nodiscard]] std::size_t rows() const { return lanes.size() + (not_ready.empty() ? 0 : 1); }
};

/// Each lane's name shortened to so many columns; all results differ.
std::vector<std::string> lane_labels(const Timeline& timeline, std::size_t columns);

/// The version of more than half of the members, or `no_version`.
std::size_t majority_of(const Timeline::Stretch& stretch);

Timeline timeline_of(const Simulation& simulation);

/// Times for the marks of an axis from 0 to `end`: at most eight, at round intervals.
std::vector<Simulation::Time> axis_times(Simulation::Time end);
/// A round number of at least `highest`, whose half is an integer.
std::size_t axis_top(std::size_t highest);

}  // namespace nodebound
