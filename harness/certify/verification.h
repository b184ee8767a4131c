#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/certify/bundle.h"
#include "harness/certify/claim.h"
#include "harness/certify/statement.h"
#include "reference/result.h"
#include "reports/run/report.h"

namespace nodebound::certify {

struct VerifyOptions {
  std::filesystem::path scenarios;
  /// The key that must have signed, in PEM, and the name of its file; empty: the one that the bundle brings.
  std::string key;
  std::string key_file;
  std::chrono::system_clock::time_point now;
  std::chrono::hours max_age{24 * 365};
};

/// A bundle of which everything was checked.
struct Verified {
  StatementFacts facts;
  Report report;  ///< recomputed
  std::string statement_digest;
  bool key_was_given = false;
};

/// Why a bundle is not accepted.
struct BundleRefusal {
  enum class Kind {
    malformed,  ///< no bundle, or not one that this program can judge
    untrue,     ///< a bundle that does not hold what it must
  };
  Kind kind;
  Error error;
};

/// Checks signature, digests, age, profile and scenarios, and recomputes every verdict from the recorded answers.
tl::expected<Verified, BundleRefusal> verify_bundle(const std::filesystem::path& folder, const VerifyOptions& options);

/// The ids of all checks of the folder that are of the same kind as the claim's.
std::vector<std::string> ids_of_all_checks(const std::filesystem::path& folder, const ClaimedSet& set,
                                           const RuleSet& rules);

/// The day on which a report's run was started, by which declared deviations expire.
Result<std::chrono::sys_days> day_of_run(const Report& report, const std::string& where);

/// Recomputes a report from its record. `head` gives what a run does not find out: id, times, host and release.
Result<Report> recompute(const Report& head, const std::string& record, const std::string& where, const ClaimedSet& set,
                         const Catalogue& catalogue);

}  // namespace nodebound::certify
