#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/findings/finding.h"
#include "reports/terminal.h"

namespace nodebound {

/// What manifests or a cluster show of what a release will refuse, or lets somebody do too much.
struct Inspection {
  /// What could not be read, and was left out.
  struct Trouble {
    std::string where;
    std::string what;
  };

  struct Run {
    std::string started;
    std::string host;
    std::string tool_version;
  };

  std::string from;  ///< the release one comes from; empty: what mattered before is reported, too
  std::string to;
  std::vector<std::string> gates;    ///< that differ from the defaults: `Name=true`
  std::vector<std::string> sources;  ///< files, or the cluster
  std::size_t files = 0;
  std::size_t objects = 0;
  std::vector<Finding> findings;  ///< errors first
  std::size_t not_new = 0;        ///< findings that mattered at `from` already, and are left out
  std::size_t not_yet = 0;        ///< findings that do not matter at `to`
  std::size_t left_out = 0;       ///< findings beyond as many as are kept
  std::vector<Trouble> troubles;
  std::vector<std::string> notes;
  Run run;

  /// Findings of a level that nobody accepts.
  [[nodiscard]] std::size_t count(Finding::Level level) const;
  [[nodiscard]] std::size_t accepted() const;
};

inline constexpr const char* inspection_schema = "nodebound.dev/inspection/v1";

std::string to_terminal(const Inspection& inspection, const TerminalStyle& style);
/// Apart from the section `run`, the same input gives the same bytes; `inspection.schema.json` describes it.
std::string to_json(const Inspection& inspection);
std::string to_markdown(const Inspection& inspection);

}  // namespace nodebound
