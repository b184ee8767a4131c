#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/explore/episode/episode.h"
#include "harness/explore/episode/heard.h"

namespace nodebound {

/// Which rules decided, and how: `secret-through-pod allowed`. In the order of the steps.
std::vector<std::string> fired(const std::vector<Heard>& heard);

/// How often each of them did, in all episodes that were counted.
class Coverage {
 public:
  void count(const std::vector<std::string>& features);

  /// The more, the less often what fired has fired before; what an episode repeats counts less each time.
  [[nodiscard]] double rarity(const std::vector<std::string>& features) const;

  [[nodiscard]] const std::map<std::string, std::size_t>& counts() const { return counts_; }

  /// The same by rule alone.
  [[nodiscard]] std::map<std::string, std::size_t> by_rule() const;

 private:
  std::map<std::string, std::size_t> counts_;
};

/// For each of what fired the shortest episode that made it fire.
class Corpus {
 public:
  void keep(const Episode& episode, const std::vector<std::string>& features);

  [[nodiscard]] bool empty() const { return episodes_.empty(); }

  /// One that made something fire which fires seldom: the seldomer, the likelier.
  [[nodiscard]] const Episode& pick(const Coverage& coverage, Chance& chance) const;

 private:
  std::map<std::string, Episode> episodes_;
};

}  // namespace nodebound
