#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/explore/episode/explored_side.h"
#include "harness/explore/episode/shrink.h"

namespace nodebound::explore {

/// Why two sides differ. Found by trial: with one rule removed or added, the reference answers as B does.
struct DifferenceCause {
  enum class Kind {
    none,
    deviation,  ///< a known defect of B's release that breaks this rule
    release,    ///< the rule is in force on one side only, or the releases serve or accept different things
    defect,     ///< neither: B, or else the reference, behaves as if the rule were inverted
  };

  Kind kind = Kind::none;
  std::string by;  ///< id of the deviation or rule; empty if no single rule explains it
  std::string statement;
  std::vector<std::string> together = {};  ///< ids of the rules that explain it only together
};

/// `rules_a` and `rules_b` are those of the sides, `decided` the id of the deciding rule. If several rules explain the
/// difference, names the narrowest: first an edge of the graph, then the deciding rule, then any other.
DifferenceCause cause_of(const EpisodeDifference& difference, const std::string& decided, const RuleSet& rules_a,
                         const RuleSet& rules_b);

/// The answers of a reference with these rules to each step, in a cluster of its own.
std::vector<Heard> heard_of_reference(const RuleSet& rules, const Episode& episode);

}  // namespace nodebound::explore
