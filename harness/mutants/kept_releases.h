#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "reference/release/version.h"
#include "reference/result.h"
#include "reports/mutation/mutation.h"

namespace nodebound::mutants {

/// A short text that identifies what results depend on: this program, the scenario files, and the caller's `flags`.
Result<std::string> basis_of_outcomes(const std::filesystem::path& scenarios, const std::string& flags);

/// The results of a run, one file for each release. A run over all releases takes an hour or more, so an interrupted
/// one can go on.
class KeptReleases {
 public:
  /// Removes results in the folder that have another basis.
  KeptReleases(const std::filesystem::path& folder, const std::string& basis);

  /// The results at the release; nothing if none are kept, or the file reports another release.
  [[nodiscard]] std::optional<MutationReport> find(const Version& release) const;
  Result<void> keep(const Version& release, const MutationReport& report) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const Version& release) const;

  std::filesystem::path folder_;
};

}  // namespace nodebound::mutants
