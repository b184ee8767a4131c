#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/share.h"

namespace nodebound {

enum class Verdict { pass, fail, deviation, skip, inconclusive };

inline constexpr Verdict all_verdicts[] = {Verdict::pass, Verdict::fail, Verdict::deviation, Verdict::skip,
                                           Verdict::inconclusive};

/// `pass`, `fail`, `deviation`, `skip` or `inconclusive`.
const char* to_string(Verdict verdict);

/// What an authorizer says in a SubjectAccessReview. An error is none of the three decisions.
enum class AccessOpinion { allow, deny, no_opinion, error };

inline constexpr AccessOpinion all_opinions[] = {AccessOpinion::allow, AccessOpinion::deny, AccessOpinion::no_opinion,
                                                 AccessOpinion::error};

/// `allow`, `deny`, `no opinion` or `error`.
const char* to_string(AccessOpinion opinion);

/// A request and its answer, with enough detail to repeat it by hand. Contains no credential.
struct Evidence {
  std::string subject;   ///< user name, then groups in brackets
  std::string request;   ///< `GET /api/v1/namespaces/…`
  std::string body;      ///< what was sent; empty if nothing. Of a review, its spec
  int status = 0;        ///< HTTP status; 0 if there was no answer
  std::string message;   ///< `message` of the Status, or of the SubjectAccessReview's reason
  std::string layer;     ///< who refused: authentication, authorizer, admission, validation; empty if nobody did
  std::string decision;  ///< `allowed` or `refused`; empty if the answer says neither
  std::optional<AccessOpinion> opinion = {};  ///< in the answer to a SubjectAccessReview; empty for other answers
  std::string type = {};                      ///< media type of the body, unless it is plain JSON
};

/// One check of one scenario, judged.
struct CheckResult {
  std::string id;        ///< permanent: `scenario/step[variant]@probe`
  std::string scenario;  ///< title of its scenario
  std::string title;
  std::string profile;
  std::vector<std::string> rules;  ///< rule ids it exercises, the deciding one first
  std::string layer;               ///< the layer it asks: request, authorizer, admission
  std::string where;               ///< `file:line` of the step
  Verdict verdict = Verdict::inconclusive;
  std::string expected;  ///< one line, for example `deny by admission: node-taints`
  std::string observed;
  std::string why;                   ///< the reason for a skip, deviation, failure or inconclusive verdict
  std::string deviation;             ///< if the verdict is `deviation`: id in deviations.toml, or what was declared
  bool declared = false;             ///< the deviation is the implementer's, and no known defect of upstream
  std::optional<bool> reason_match;  ///< whether the refusal's text matches the catalogue; empty if not compared
  std::string reason_expected;
  /// Skipped although it could be asked: the answer did not let it be judged. Not in `report.json`.
  bool left_open = false;
  std::vector<std::string> leaked;  ///< objects in the answer that the request did not ask for; then the check failed
  Evidence evidence;

  /// The refusal's text differs from the catalogue's, which is no failure.
  [[nodiscard]] bool is_reworded() const { return verdict != Verdict::fail && reason_match == false; }
};

/// A deviation that an implementer declares: what the implementation is known to do wrong until it is mended.
struct DeclaredDeviation {
  std::string checks;    ///< id of a check, in which `*` stands for any text
  std::string observed;  ///< what the implementation does
  std::string reason;
  std::string issue;    ///< URL
  std::string expires;  ///< its last day, `2027-01-31`
  std::size_t met = 0;  ///< how many checks of the run it explains
};

/// How long after a write a target decided on it.
struct Settling {
  std::size_t writes = 0;  ///< that were measured
  double median_seconds = 0;
  double worst_seconds = 0;
};

/// The result model: every writer shows only what is in it.
struct Report {
  /// The only part that differs between two runs with the same inputs.
  struct Run {
    std::string id;
    std::string started;  ///< RFC 3339
    double seconds = 0;
    std::string host;
    std::string tool_version;
    std::size_t requests = 0;
    double request_seconds = 0;  ///< time spent waiting for the target's answers, summed over all jobs
    std::optional<Settling> settling = std::nullopt;  ///< of a target that learns of writes by watching

    /// Of a run with --shard: where its checks stand among those of all shares.
    struct Part {
      Share share;
      std::string selection;  ///< a digest of the scenarios of all shares
      /// Number of each scenario among all, and how many checks it has, in the order of the checks.
      std::vector<std::pair<std::size_t, std::size_t>> scenarios;
    };
    std::optional<Part> part = std::nullopt;
  } run;

  struct Target {
    std::string name;
    std::string version;
    std::map<std::string, bool> feature_gates;
    bool is_authorizer = false;  ///< alone, and not a whole API server: then `chain_fitness` says where it may stand
  } target;

  /// The release by which the target was judged.
  struct Release {
    std::string version;
    std::vector<std::string> feature_gates;  ///< `Name=true` where set apart from the release's default
    std::size_t rules_in_force = 0;
  } release;

  std::vector<CheckResult> checks;  ///< in scenario order, whatever the number of jobs
  std::vector<DeclaredDeviation> declared = {};
  /// `report.json` also tells what passed checks sent and were answered, word for word.
  bool full_evidence = false;

  [[nodiscard]] std::size_t count(Verdict verdict) const;
  /// Checks that deviate as the implementer has declared.
  [[nodiscard]] std::size_t count_declared() const;
  [[nodiscard]] std::size_t reason_differences() const;
  /// Ids of the rules that a failed check names, each once, sorted.
  [[nodiscard]] std::vector<std::string> broken_rules() const;
};

/// The report of the whole run, of all its shares.
Result<Report> merged(std::vector<ReportInFile<Report>> shares);

/// Whether it conforms without any deviation of the implementer's own.
bool is_conformant(const Report& report);

/// 0 conforms, perhaps but for declared deviations · 1 a check failed · 3 nothing failed, but at least one check is
/// inconclusive · 4 nothing was judged.
int exit_code(const Report& report);

}  // namespace nodebound
