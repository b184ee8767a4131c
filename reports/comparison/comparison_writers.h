#pragma once

#include <string>
#include <vector>

#include "reports/comparison/comparison.h"
#include "reports/terminal.h"

namespace nodebound {

/// The `schema` of what `to_json` writes; `comparison.schema.json` describes it.
inline constexpr const char* comparison_schema = "nodebound.dev/comparison/v1";

/// The full text for a person: rules first, then requests by deciding rule, the outcome last.
std::string to_terminal(const Comparison& comparison, const TerminalStyle& style);

/// Ten lines at most: for whom what is newly refused or allowed, by which rules.
std::string to_brief(const Comparison& comparison, const TerminalStyle& style);
inline constexpr std::size_t most_brief_lines = 6;  ///< of those; the rest are the head and the sums

/// The same comparison gives the same bytes.
std::string to_json(const Comparison& comparison);

/// The full comparison, for a pull request or a wiki.
std::string to_markdown(const Comparison& comparison);

/// A request, and the ways of asking it that had the same two answers.
struct RequestWays {
  const ComparedRequest* shown = nullptr;  ///< the request itself rather than a layer asked alone
  std::vector<const ComparedRequest*> all;
};

struct RuleRequests {
  std::string rule;
  std::vector<RequestWays> requests;
  std::size_t probes = 0;
};

/// The requests of one kind of change by deciding rule, in the order of asking.
std::vector<RuleRequests> requests_by_rule(const Comparison& comparison, ComparedRequest::Change change);

/// Requests grouped by a common reason, the most frequent first.
struct RequestsByReason {
  std::string reason;
  std::vector<const ComparedRequest*> requests;
};

/// Requests without two decisions: asked of one side only, or inconclusive.
std::vector<RequestsByReason> requests_by_reason(const Comparison& comparison, ComparedRequest::Change change);

/// `7580 requests asked of both: 7300 answered alike, 12 now refused`
std::string summary_line(const Comparison& comparison);

}  // namespace nodebound
