#pragma once

#include <optional>
#include <string>

#include "harness/explore/episode/explored_side.h"
#include "harness/explore/episode/shrink.h"

namespace nodebound {

/// Why two sides differ, found by trying out: the reference answers as B does once one rule is taken out or put in.
struct DifferenceCause {
  enum class Kind {
    none,
    deviation,  ///< a known defect of B's release, which breaks that rule
    release,    ///< the rule is in force on one side only, or the releases serve or take something else
    defect,     ///< neither: B, or else the reference, is as if the rule were turned round
  };

  Kind kind = Kind::none;
  std::string by;  ///< id of the deviation or rule; empty where the releases differ in no single rule
  std::string statement;
};

/// `rules_a` and `rules_b` are those of the sides, `decided` the id of the rule that decides. Of several rules that
/// would do, the narrowest is named: an edge of the graph before the rule that decides, and that before any other.
DifferenceCause cause_of(const EpisodeDifference& difference, const std::string& decided, const RuleSet& rules_a,
                         const RuleSet& rules_b);

/// What the reference of these rules says to each step, in a cluster of its own.
std::vector<Heard> heard_of_reference(const RuleSet& rules, const Episode& episode);

}  // namespace nodebound
