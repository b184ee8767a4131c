#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/simulation.h"

namespace nodebound {

/// What the picture of a simulation shows, as numbers: never more of them than a picture of that width can show,
/// however long the simulation was.
struct Timeline {
  static constexpr std::size_t most_bars = 240;
  static constexpr std::size_t most_rules = 8;
  static constexpr std::size_t most_lanes = 48;
  static constexpr std::size_t most_versions = 6;  ///< of a pool at one time

  /// A rule with a colour; the last may be `other rules`, which stands for all the rest.
  struct Rule {
    std::string id;
    std::size_t total = 0;
    std::size_t rules = 1;  ///< that it stands for
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
  /// Until the next one begins, or the end.
  struct Stretch {
    Simulation::Time at{0};
    std::vector<Share> shares;  ///< the oldest first; those of no member left out
    std::size_t members = 0;
  };
  static constexpr std::size_t no_version = static_cast<std::size_t>(-1);
  struct Lane {
    std::string pool;  ///< empty: the control plane
    std::vector<Stretch> stretches;
  };

  Simulation::Time end{1};    ///< of the axis, which begins with the plan; always after it
  Simulation::Time width{1};  ///< of a bar
  std::vector<Rule> rules;    ///< those of the most refusals first
  std::vector<Bar> bars;      ///< side by side from the begin to the end
  std::size_t highest = 0;    ///< bar
  std::size_t refusals = 0;
  std::vector<std::string> versions;  ///< the oldest first
  std::vector<Lane> lanes;            ///< the control plane first, then in the order in which pools are named
  std::size_t lanes_left_out = 0;
  /// Nodes that are not ready, each number until the next one.
  struct NotReady {
    Simulation::Time at{0};
    std::size_t nodes = 0;
  };
  std::vector<NotReady> not_ready;  ///< empty if all are ready all the time
  std::size_t nodes = 0;            ///< that there are

  [[nodiscard]] std::size_t rows() const { return lanes.size() + (not_ready.empty() ? 0 : 1); }
};

/// What of each lane's name fits into so many columns; no two of them are alike.
std::vector<std::string> lane_labels(const Timeline& timeline, std::size_t columns);

/// The version that more than half of the members have, or `no_version`.
std::size_t majority_of(const Timeline::Stretch& stretch);

Timeline timeline_of(const Simulation& simulation);

/// Times for the marks of an axis from 0 to `end`, at most eight, a round length apart.
std::vector<Simulation::Time> axis_times(Simulation::Time end);
/// A round number that is not below `highest`, with an integral half.
std::size_t axis_top(std::size_t highest);

}  // namespace nodebound
