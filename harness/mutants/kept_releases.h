#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "reference/release/version.h"
#include "reference/result.h"
#include "reports/mutation.h"

namespace nodebound {

/// What outcomes depend on, as a short text: this program, the files of scenarios, and the `flags` of the caller.
Result<std::string> basis_of_outcomes(const std::filesystem::path& scenarios, const std::string& flags);

/// What a hunt has shown at each release, kept as a file each: a hunt over all releases takes an hour or more, and one
/// that was interrupted goes on.
class KeptReleases {
 public:
  /// Drops what was kept in the folder on another basis.
  KeptReleases(const std::filesystem::path& folder, const std::string& basis);

  /// What was shown at the release; nothing if it was not kept, or is no report of that release.
  [[nodiscard]] std::optional<MutationReport> find(const Version& release) const;
  Result<void> keep(const Version& release, const MutationReport& report) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const Version& release) const;

  std::filesystem::path folder_;
};

}  // namespace nodebound
