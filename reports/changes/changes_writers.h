#pragma once

#include <string>

#include "reports/changes/changes.h"
#include "reports/terminal.h"

namespace nodebound {

/// The `schema` of two compared runs; `changes.schema.json` describes it.
inline constexpr const char* changes_schema = "nodebound.dev/changes/v1";

std::string to_terminal(const RunChanges& changes, const TerminalStyle& style);
std::string to_json(const RunChanges& changes);
std::string to_markdown(const RunChanges& changes);

/// `Newly failing`, …
const char* title_of(CheckChange::Kind kind);
/// `NOTHING FAILS THAT DID NOT`, …
std::string verdict_line(const RunChanges& changes);
/// `each request took 0.42 ms before and 0.40 ms after`; empty where neither run says.
std::string pace_of(const RunChanges& changes);

}  // namespace nodebound
