#pragma once

#include <string>
#include <vector>

#include "reports/run/report.h"

namespace nodebound {

/// Where in an API server's chain of authorizers an authorizer may stand.
enum class ChainPlace {
  alone,        ///< allows all that is required, and nothing else
  behind_node,  ///< allows nothing that must be refused: Node has allowed before it what it would not
  before_node,  ///< as that, and denies nothing that must be allowed: what it denies, Node is not asked
};

inline constexpr ChainPlace all_chain_places[] = {ChainPlace::alone, ChainPlace::behind_node, ChainPlace::before_node};

/// `alone`, `behind Node` or `before Node`.
const char* to_string(ChainPlace place);

/// Whether it may stand in one place, by the checks of its decisions.
struct ChainFitness {
  enum class Safety { safe, unsafe, unknown };

  ChainPlace place = ChainPlace::alone;
  /// Unknown if nothing was judged, or if a question was not decided.
  Safety safety = Safety::unknown;
  std::vector<std::string> against;  ///< ids of the checks whose answers are wrong there, in order
  std::size_t undecided = 0;         ///< checks without a decision
};

/// `safe`, `unsafe` or `unknown`.
const char* to_string(ChainFitness::Safety safety);

/// For each place, in the order of `all_chain_places`.
std::vector<ChainFitness> chain_fitness(const std::vector<CheckResult>& checks);

/// `safe behind Node and before Node; alone it answers 12 questions wrongly`
std::string in_words(const std::vector<ChainFitness>& all);

}  // namespace nodebound
