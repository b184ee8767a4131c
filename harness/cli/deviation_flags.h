#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "harness/deviations/declare.h"

namespace nodebound::cli {

/// What an implementer declares to do otherwise than the rules require.
struct DeviationFlags {
  std::string file;
  bool fix = false;

  /// `--deviations`, and `--fix` where a run may rewrite the file.
  void add_to(CLI::App& command, bool with_fix);
};

/// The file; nothing if none is named. With --fix it need not be there, nor be filled in.
Result<std::optional<deviations::DeviationFile>> read_deviations(const DeviationFlags& flags);

/// Applies the file to the report of a run; with --fix, rewrites it first. Returns what to tell of that.
Result<std::string> apply_deviations(const DeviationFlags& flags, const std::optional<deviations::DeviationFile>& file,
                                     Report& report, const deviations::KnownChecks& known);

}  // namespace nodebound::cli
