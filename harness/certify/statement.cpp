#include "harness/certify/statement.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/certify/bounded_json.h"
#include "harness/certify/bundle.h"
#include "harness/certify/digest.h"
#include "reports/text.h"

namespace nodebound::certify {
namespace {

using StatementJson = nlohmann::ordered_json;

constexpr const char* statement_type = "https://in-toto.io/Statement/v1";
constexpr const char* test_result = "https://in-toto.io/attestation/test-result/v0.1";
constexpr const char* verification_result = "https://in-toto.io/attestation/svr/v0.1";
// The predicate has no field for what else a certificate says; its specification wants a URI as the name.
constexpr const char* certificate_field = "https://nodebound.dev/certificate/v1";

const char* result_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "PASSED";
    case Outcome::warned:
    case Outcome::deviates:
      return "WARNED";
    default:
      return "FAILED";
  }
}

StatementJson descriptor(const std::string& name, const std::string& sha256) {
  StatementJson out;
  out["name"] = name;
  out["digest"]["sha256"] = sha256;
  return out;
}

StatementJson ids_with(const Report& report, Verdict verdict) {
  StatementJson out = StatementJson::array();
  for (const CheckResult& check : report.checks) {
    if (check.verdict == verdict) out.push_back(check.id);
  }
  return out;
}

// Why checks were skipped, with their number: nobody should take them for passed.
StatementJson skips_of(const Report& report) {
  std::map<std::string, std::size_t> reasons;
  for (const CheckResult& check : report.checks) {
    if (check.verdict == Verdict::skip) ++reasons[valid_utf8(check.why)];
  }
  return reasons;
}

// Whoever reads the statement alone must see what it passes over.
StatementJson declared_by(const Report& report) {
  StatementJson out = StatementJson::array();
  for (const DeclaredDeviation& each : report.declared) {
    out.push_back({{"checks", each.checks},
                   {"observed", each.observed},
                   {"reason", each.reason},
                   {"issue", each.issue},
                   {"expires", each.expires},
                   {"met", each.met}});
  }
  return out;
}

/// Reads members of a stranger's JSON and keeps the name of the first that is missing.
class Members {
 public:
  using Value = nlohmann::json;

  const Value& at(const Value& object, const std::string& pointer) {
    static const Value absent;
    const Value::json_pointer path(pointer);
    if (object.is_object() && object.contains(path)) return object.at(path);
    note(pointer);
    return absent;
  }

  std::string text(const Value& object, const std::string& pointer) {
    const Value& value = at(object, pointer);
    if (value.is_string()) return value.get<std::string>();
    note(pointer);
    return {};
  }

  std::string digest(const Value& object, const std::string& pointer) {
    std::string out = text(object, pointer);
    if (!is_sha256_hex(out)) note(pointer);
    return out;
  }

  void note(const std::string& pointer) {
    if (missing.empty()) missing = pointer;
  }

  std::string missing;
};

}  // namespace

Outcome outcome_of(const Report& report) {
  const std::size_t passed = report.count(Verdict::pass);
  if (report.count(Verdict::fail) > 0) return Outcome::failed;
  const bool open =
      std::any_of(report.checks.begin(), report.checks.end(), [](const CheckResult& check) { return check.left_open; });
  if (open || report.count(Verdict::inconclusive) > 0) return Outcome::undecided;
  if (passed == 0) return Outcome::nothing;
  if (!judges_both(report)) return Outcome::one_sided;
  if (report.count_declared() > 0) return Outcome::deviates;
  return report.count(Verdict::deviation) > 0 ? Outcome::warned : Outcome::passed;
}

bool judges_both(const Report& report) {
  const auto judged = [&](std::string_view expected, std::string_view decision) {
    return std::ranges::any_of(report.checks, [&](const CheckResult& check) {
      if (check.verdict == Verdict::skip || check.verdict == Verdict::inconclusive) return false;
      // What a kubelet must answer is not expected in these words.
      const bool was_right = check.verdict == Verdict::pass && check.evidence.decision == decision;
      return was_right || check.expected.starts_with(expected);
    });
  };
  return judged("allow", "allowed") && judged("deny", "refused");
}

std::string to_statement(const StatementFacts& facts, const Report& report) {
  StatementJson out;
  out["_type"] = statement_type;
  out["subject"] = StatementJson::array({descriptor(facts.subject.name, facts.subject.sha256)});
  out["predicateType"] = test_result;
  StatementJson& predicate = out["predicate"];
  predicate["result"] = result_word(outcome_of(report));
  predicate["configuration"] = StatementJson::array({descriptor("nodebound " + facts.tool_version, facts.tool_digest),
                                                     descriptor("catalogue", facts.catalogue_digest),
                                                     descriptor("profile", facts.profile_digest),
                                                     descriptor("scenarios", facts.scenarios_digest)});
  predicate["passedTests"] = ids_with(report, Verdict::pass);
  predicate["warnedTests"] = ids_with(report, Verdict::deviation);
  predicate["failedTests"] = ids_with(report, Verdict::fail);
  StatementJson& more = predicate[certificate_field];
  more["profile"]["name"] = facts.claim.profile;
  more["profile"]["version"] = facts.claim.version;
  more["profile"]["level"] = to_string(facts.claim.level);
  more["release"]["version"] = report.release.version;
  more["release"]["feature_gates"] = report.release.feature_gates;
  more["target"]["name"] = report.target.name;
  more["target"]["version"] = report.target.version;
  more["started"] = report.run.started;
  more["skipped"] = skips_of(report);
  if (!report.declared.empty()) more["declared_deviations"] = declared_by(report);
  more["files"] = StatementJson::array(
      {descriptor(bundle_file::report, facts.report_digest), descriptor(bundle_file::record, facts.record_digest)});
  if (!facts.deviations_digest.empty()) {
    more["files"].push_back(descriptor(bundle_file::deviations, facts.deviations_digest));
  }
  return printable_json(out.dump(-1, ' ', false, StatementJson::error_handler_t::replace));
}

Result<StatementFacts> read_statement(std::string_view json, const std::string& where) {
  const auto document = parse_bounded_object(json);
  if (!document) return input_error(where, "signs something that is no JSON");
  Members in;
  if (in.text(*document, "/_type") != statement_type || in.text(*document, "/predicateType") != test_result) {
    return input_error(where, "signs no test result of in-toto",
                       "expected a Statement v1 with the predicate test-result v0.1");
  }
  StatementFacts out;
  const auto named = [&](const std::string& list, std::size_t place) {
    const std::string pointer = list + "/" + std::to_string(place);
    return StatementFacts::Named{in.text(*document, pointer + "/name"),
                                 in.digest(*document, pointer + "/digest/sha256")};
  };
  out.subject = named("/subject", 0);
  const StatementFacts::Named tool = named("/predicate/configuration", 0);
  constexpr std::string_view tool_prefix = "nodebound ";
  if (!tool.name.starts_with(tool_prefix)) in.note("/predicate/configuration/0/name");
  out.tool_version = tool.name.substr(std::min(tool.name.size(), tool_prefix.size()));
  out.tool_digest = tool.sha256;
  out.catalogue_digest = named("/predicate/configuration", 1).sha256;
  out.profile_digest = named("/predicate/configuration", 2).sha256;
  out.scenarios_digest = named("/predicate/configuration", 3).sha256;
  const nlohmann::json& predicate = in.at(*document, "/predicate");
  static const nlohmann::json absent;
  const auto found = predicate.is_object() ? predicate.find(certificate_field) : predicate.end();
  const bool has_more = predicate.is_object() && found != predicate.end();
  if (!has_more) in.note(std::string("/predicate/") + certificate_field);
  const nlohmann::json& more = has_more ? *found : absent;
  out.claim.profile = in.text(more, "/profile/name");
  const nlohmann::json& number = in.at(more, "/profile/version");
  if (number.is_number_unsigned() && number <= 1'000'000) {
    out.claim.version = number.get<int>();
  } else {
    in.note("/profile/version");
  }
  const std::string level = in.text(more, "/profile/level");
  if (level != to_string(Level::core) && level != to_string(Level::extended)) in.note("/profile/level");
  out.claim.level = level == to_string(Level::core) ? Level::core : Level::extended;
  out.report_digest = in.digest(more, "/files/0/digest/sha256");
  out.record_digest = in.digest(more, "/files/1/digest/sha256");
  if (in.missing.empty() && more.at("files").size() > 2) {
    out.deviations_digest = in.digest(more, "/files/2/digest/sha256");
  }
  if (in.missing.empty()) return out;
  return input_error(where, "is no certificate of Nodebound: it lacks, or has another value than expected in, " +
                                printable(in.missing));
}

std::string to_summary(const StatementFacts& facts, const Report& report, const std::string& statement_digest,
                       const std::string& verifier_version, const std::string& verified_at) {
  StatementJson out;
  out["_type"] = statement_type;
  out["subject"] = StatementJson::array({descriptor(facts.subject.name, facts.subject.sha256)});
  out["predicateType"] = verification_result;
  StatementJson& predicate = out["predicate"];
  predicate["verifier"]["id"] = "https://nodebound.dev/verifier/" + verifier_version;
  predicate["timeCreated"] = verified_at;
  const std::string profile = facts.claim.profile + "@" + std::to_string(facts.claim.version);
  predicate["properties"] = StatementJson::array({std::string("NODEBOUND_") + result_word(outcome_of(report)),
                                                  "NODEBOUND_PROFILE_" + profile + "_" + to_string(facts.claim.level),
                                                  "NODEBOUND_KUBERNETES_" + report.release.version});
  if (const std::size_t declared = report.count_declared(); declared > 0) {
    predicate["properties"].push_back("NODEBOUND_DECLARED_DEVIATIONS_" + std::to_string(declared));
  }
  StatementJson& more = predicate[certificate_field];
  more["statement"]["digest"]["sha256"] = statement_digest;
  more["verdicts_recomputed"] = report.checks.size();
  return printable_json(out.dump(-1, ' ', false, StatementJson::error_handler_t::replace));
}

}  // namespace nodebound::certify
