#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/explore/episode/episode.h"
#include "harness/explore/episode/heard.h"

namespace nodebound::explore {

/// Which rules decided, and how: `secret-through-pod allowed`. In the order of the steps.
std::vector<std::string> fired(const std::vector<Heard>& heard);

/// How often each of them decided in all counted episodes.
class Coverage {
 public:
  void count(const std::vector<std::string>& features);

  /// Higher if the rules that fired were rare so far. Repetitions within an episode count less each time.
  [[nodiscard]] double rarity(const std::vector<std::string>& features) const;

  [[nodiscard]] const std::map<std::string, std::size_t>& counts() const { return counts_; }

  /// The same by rule, whatever it decided.
  [[nodiscard]] std::map<std::string, std::size_t> by_rule() const;

 private:
  std::map<std::string, std::size_t> counts_;
};

/// The shortest episode for each rule and decision that fired.
class Corpus {
 public:
  void keep(const Episode& episode, const std::vector<std::string>& features);

  [[nodiscard]] bool empty() const { return episodes_.empty(); }

  /// An episode with a rare decision: the rarer, the more likely.
  [[nodiscard]] const Episode& pick(const Coverage& coverage, Chance& chance) const;

 private:
  std::map<std::string, Episode> episodes_;
};

}  // namespace nodebound::explore
