#pragma once

#include <string>
#include <string_view>

#include "reference/result.h"
#include "reports/mutation/mutation.h"
#include "reports/terminal.h"

namespace nodebound {

/// The `schema` of what `to_json` writes; `mutants.schema.json` describes it.
inline constexpr const char* mutation_schema = "nodebound.dev/mutants/v1";

/// The text for a person: the score by part, then survivors and outdated entries, the outcome last.
std::string to_terminal(const MutationReport& report, const TerminalStyle& style);

/// The same report gives the same bytes.
std::string to_json(const MutationReport& report);

/// Reads a report without checks that `to_json` wrote; `where` names the text in errors. Refuses unknown keys, and
/// counts that do not match the mutants.
Result<MutationReport> mutation_report_from_json(std::string_view text, const std::string& where);

/// The full report, for a page in the tree or a wiki.
std::string to_markdown(const MutationReport& report);

/// Mutants of one part at all releases of the report.
struct PartScore {
  std::string part;
  std::size_t mutants = 0;
  std::size_t killed = 0;
  std::size_t survived = 0;
  std::size_t equivalent = 0;
};
/// In the order in which parts first occur.
std::vector<PartScore> parts_of(const MutationReport& report);

/// `99.52 %`, never rounded up to 100.
std::string percent(double score);

}  // namespace nodebound
