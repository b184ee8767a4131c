#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/release/release_range.h"
#include "reference/result.h"

namespace nodebound::mutants {

/// Mutants whose decisions cannot be distinguished from the reference's.
struct Equivalent {
  std::vector<std::string> mutants;  ///< ids; `*` stands for any text
  ReleaseRange holds;
  /// The mutant refuses in other words. This must be observed, or the entry is out of date.
  bool worded = false;
  std::string proof;

  [[nodiscard]] bool is_about(const std::string& mutant, const Version& release) const;
};

/// Scenarios or checks that are kept although they kill no mutant.
struct Stays {
  std::vector<std::string> ids;  ///< `*` stands for any text
  std::string why;
};

struct Known {
  std::vector<Equivalent> equivalents;
  std::vector<Stays> stays;

  [[nodiscard]] const Equivalent* equivalent(const std::string& mutant, const Version& release) const;
  /// Why the scenario or check is kept; empty if it is not listed.
  [[nodiscard]] std::string stays_because(const std::string& id) const;
};

/// Reads `equivalent.toml`. An unknown key is an error with its line.
Result<Known> parse_known(std::string_view text, const std::string& file);

/// The list that is compiled into this binary.
Result<Known> built_in_known();

/// Whether the text matches the pattern, in which `*` stands for any text.
bool is_id_of(std::string_view pattern, std::string_view text);

}  // namespace nodebound::mutants
