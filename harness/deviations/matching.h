#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/deviations/deviation_file.h"

namespace nodebound::deviations {

/// Whether `*` in the pattern can stand for such texts that it becomes the id.
bool matches(std::string_view pattern, std::string_view id);

/// What a failed check did, as a file of deviations says it: an authorizer's opinion, or the answer; and what is wrong
/// with it where the decision is the required one.
std::string observed_of(const CheckResult& check);

/// The checks of a report that one entry is about, by number, sorted by what they mean for it.
struct EntryMatch {
  std::vector<std::size_t> met;       ///< fail, as the entry says
  std::vector<std::size_t> other;     ///< fail otherwise
  std::vector<std::size_t> passed;    ///< need no entry: the requirement is met
  std::vector<std::size_t> upstream;  ///< need no entry: a known defect of the release
  std::vector<std::size_t> unjudged;  ///< say nothing
  std::vector<std::size_t> taken;     ///< an earlier entry is about them, too

  [[nodiscard]] bool empty() const {
    return met.empty() && other.empty() && passed.empty() && upstream.empty() && unjudged.empty() && taken.empty();
  }
  /// Whether all that was judged is as the entry says.
  [[nodiscard]] bool holds() const { return other.empty() && passed.empty() && upstream.empty() && taken.empty(); }
};

/// For each entry of the file. The report is one to which no file has been applied.
std::vector<EntryMatch> match(const Report& report, const DeviationFile& file);

}  // namespace nodebound::deviations
