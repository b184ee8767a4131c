#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/release/version.h"
#include "reference/result.h"

namespace nodebound {

/// Mutants that nobody can tell from the reference by what it decides.
struct Equivalent {
  std::vector<std::string> mutants;  ///< ids, in which `*` stands for anything
  VersionRange holds;
  /// The mutant refuses in other words: that must show, or the entry is out of date.
  bool worded = false;
  std::string proof;

  [[nodiscard]] bool is_about(const std::string& mutant, const Version& release) const;
};

/// Scenarios or checks that kill no mutant and are kept.
struct Stays {
  std::vector<std::string> ids;  ///< in which `*` stands for anything
  std::string why;
};

struct Known {
  std::vector<Equivalent> equivalents;
  std::vector<Stays> stays;

  [[nodiscard]] const Equivalent* equivalent(const std::string& mutant, const Version& release) const;
  /// Why the scenario or check stays; empty if nothing is said of it.
  [[nodiscard]] std::string stays_because(const std::string& id) const;
};

/// Reads `equivalent.toml`. An unknown key is an error with its line.
Result<Known> parse_known(std::string_view text, const std::string& file);

/// The list that this binary was built with.
Result<Known> built_in_known();

/// Whether the text is the pattern, in which `*` stands for any text.
bool is_id_of(std::string_view pattern, std::string_view text);

}  // namespace nodebound
