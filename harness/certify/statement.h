#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/certify/claim.h"
#include "reference/result.h"
#include "reports/run/report.h"

namespace nodebound::certify {

/// What a run says of a claim.
enum class Outcome {
  passed,
  warned,    ///< passed but for known defects of the release
  deviates,  ///< passed but for what the implementer declares: not the same as conformant
  failed,
  undecided,  ///< nothing failed, but something could not be judged: there is no certificate
  one_sided,  ///< all that was judged must be allowed, or all refused: who always says the same would pass, too
  nothing,    ///< no check was judged
};

Outcome outcome_of(const Report& report);

/// Whether something that must be allowed was judged, and something that must be refused.
bool judges_both(const Report& report);

/// What the statement of a certificate says besides the checks.
struct StatementFacts {
  struct Named {
    std::string name;
    std::string sha256;
  };

  Named subject;  ///< the implementation
  Claim claim;
  std::string tool_version;
  std::string tool_digest;
  std::string catalogue_digest;
  std::string profile_digest;
  std::string scenarios_digest;
  std::string report_digest;  ///< of the files of the bundle
  std::string record_digest;
  std::string deviations_digest = {};  ///< empty if nothing is declared
};

/// The in-toto Statement v1 with predicate test-result v0.1 about a run. The same facts and report give the same bytes.
std::string to_statement(const StatementFacts& facts, const Report& report);

/// The facts of a statement. `where` names it in errors. It does not look at the checks: whoever has the report
/// compares the statement with to_statement().
Result<StatementFacts> read_statement(std::string_view json, const std::string& where);

/// The statement, of type SVR v0.1, of a verifier who has recomputed a certificate. `policy` are the digests that it
/// was verified with.
std::string to_summary(const StatementFacts& facts, const Report& report, const std::string& statement_digest,
                       const std::string& verifier_version, const std::string& verified_at);

}  // namespace nodebound::certify
