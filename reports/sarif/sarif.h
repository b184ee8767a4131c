#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/place.h"
#include "reports/rule_note.h"

namespace nodebound {

/// One result, for a viewer or a service that shows it at a line of a file.
struct SarifResult {
  enum class Level { error, warning, note };

  std::string rule;
  Level level = Level::warning;
  std::string message;
  SourcePlace place;        ///< relative to the root of the sources, or absolute; an empty file if there is none
  std::string fingerprint;  ///< what stays the same from run to run and tells it from all others, such as a check's id
  std::string suppressed;   ///< why it is to be ignored; empty if it is not
  std::string object = {};  ///< the API object that it is about, and the field; empty if there is none
  std::size_t count = 0;    ///< how often it was seen; 0: not counted

  /// A change of the file that mends it.
  struct Fix {
    std::string what;
    /// Lines that take the place of one line, or stand before it.
    struct Edit {
      std::size_t line = 0;
      bool replaces = true;
      std::vector<std::string> lines;
    };
    std::vector<Edit> edits;
  };
  std::vector<Fix> fixes = {};
};

/// What the program found, in the form that code scanning services read.
struct SarifLog {
  std::string tool_version;
  std::vector<RuleNote> rules;  ///< those that no result names, and doublets, are left out
  std::vector<SarifResult> results;
  bool complete = true;    ///< all that was to be asked was asked
  std::string incomplete;  ///< why not
};

/// `error`, `warning` or `note`.
const char* to_string(SarifResult::Level level);

/// The most results in one log; the log says how many more there were. Services refuse longer ones.
inline constexpr std::size_t most_sarif_results = 5000;

/// SARIF 2.1.0. Text of others is cleaned, cut and escaped; the same log gives the same bytes.
std::string to_sarif(const SarifLog& log);

}  // namespace nodebound
