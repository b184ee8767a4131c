#include "harness/certify/verification.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <tuple>

#include "fakes/wire/certificates/digest.h"
#include "fakes/wire/timestamp.h"
#include "harness/certify/kubelet/kubelet_tape.h"
#include "harness/certify/replaying_endpoint.h"
#include "harness/deviations/declare.h"
#include "harness/kubelet/kubelet_run.h"
#include "harness/run/description.h"
#include "harness/run/runner.h"
#include "reports/run/json.h"
#include "reports/text.h"

namespace nodebound::certify {
namespace {

tl::unexpected<BundleRefusal> malformed(Error error) {
  return tl::unexpected<BundleRefusal>(BundleRefusal{BundleRefusal::Kind::malformed, std::move(error)});
}

tl::unexpected<BundleRefusal> untrue(std::string where, std::string what, std::string hint = {}) {
  return tl::unexpected<BundleRefusal>(BundleRefusal{
      BundleRefusal::Kind::untrue, {Error::Kind::input, std::move(where), std::move(what), std::move(hint)}});
}

// The gates of the report are those that differ from the release's defaults.
Result<RuleSet> rules_of_report(const Report::Release& stated, const std::string& where, const Catalogue& catalogue) {
  const auto version = Version::parse(stated.version);
  if (!version) return input_error(where, "judges by \"" + printable(stated.version) + "\", which is no release");
  Result<Release> release = Release::make(catalogue, *version, {});
  if (!release) return tl::unexpected<Error>(release.error());
  for (const std::string& setting : stated.feature_gates) {
    const std::size_t equals = setting.find('=');
    const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
    if (value != "true" && value != "false") {
      return input_error(where, "\"" + printable(setting) + "\" is no setting of a feature gate");
    }
    release->gates[setting.substr(0, equals)] = value == "true";
  }
  return RuleSet(catalogue, *release);
}

// The first check of which the two differ.
std::string first_difference(const Report& stated, const Report& recomputed) {
  for (std::size_t i = 0; i < std::min(stated.checks.size(), recomputed.checks.size()); ++i) {
    const CheckResult& one = stated.checks[i];
    const CheckResult& other = recomputed.checks[i];
    if (one.id != other.id) return printable(one.id) + " stands where " + other.id + " must";
    if (one.verdict != other.verdict) {
      return other.id + ": the report says " + to_string(one.verdict) + ", the answers give " +
             to_string(other.verdict);
    }
  }
  if (stated.checks.size() != recomputed.checks.size()) {
    return "the report has " + counted(stated.checks.size(), "check") + ", the answers give " +
           std::to_string(recomputed.checks.size());
  }
  return "verdicts agree, but not all that the report says of the checks";
}

Result<Report> recompute_of_kubelets(const Report& head, const std::string& record, const std::string& where,
                                     std::vector<kubelet_conformance::KubeletScenario> scenarios,
                                     const RuleSet& rules) {
  const auto replay = KubeletReplay::of(record, where);
  if (!replay) return tl::unexpected<Error>(replay.error());
  RecordedKubelets& asked = (*replay)->kubelets();
  const Version& version = rules.release().version;
  GateSettings changed;
  for (const std::string& gate : rules.release().changed_gates()) {
    const std::string name = gate.substr(0, gate.find('='));
    changed[name] = rules.release().gates.at(name);
  }
  kubelet_conformance::narrow_to(scenarios, version, changed);
  Report out = kubelet_conformance::run_kubelet_scenarios(scenarios, *asked.kubelets, *asked.cluster, rules.catalogue(),
                                                          version, {});
  if (Result<void> whole = (*replay)->finish(); !whole) return tl::unexpected<Error>(whole.error());
  out.run = head.run;
  describe_kubelet(out, asked.kubelets->name(), rules);
  return out;
}

}  // namespace

Result<Report> recompute(const Report& head, const std::string& record, const std::string& where, const ClaimedSet& set,
                         const Catalogue& catalogue) {
  const Result<RuleSet> rules = rules_of_report(head.release, where, catalogue);
  if (!rules) return tl::unexpected<Error>(rules.error());
  if (!set.of_kubelets.empty()) return recompute_of_kubelets(head, record, where, set.of_kubelets, *rules);
  const auto replay = RecordReplay::of(record, where);
  if (!replay) return tl::unexpected<Error>(replay.error());
  Endpoint& endpoint = (*replay)->endpoint();
  journal::Journal journal;
  RunOptions options;
  options.run_id = head.run.id;
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Error> errors;
  Report out = run_scenarios(set.scenarios, endpoint, *rules, journal, options, errors);
  if (Result<void> whole = (*replay)->finish(); !whole) return tl::unexpected<Error>(whole.error());
  const std::size_t requests = out.run.requests;
  out.run = head.run;
  out.run.requests = requests;
  describe_target(out, endpoint, *rules);
  return out;
}

std::vector<std::string> ids_of_all_checks(const std::filesystem::path& folder, const ClaimedSet& set,
                                           const RuleSet& rules) {
  if (set.of_kubelets.empty()) {
    return deviations::ids_of_checks(load_scenarios(folder, rules.catalogue()).scenarios, rules);
  }
  return kubelet_conformance::ids_of_checks(folder, rules.catalogue());
}

Result<std::chrono::sys_days> day_of_run(const Report& report, const std::string& where) {
  if (const auto day = deviations::day_of(report.run.started)) return *day;
  return input_error(where, "has no time when it was started");
}

namespace {

// What is declared was declared for the day of the run, and only until its last day.
tl::expected<void, BundleRefusal> apply_declared(const std::string& text, const std::string& where, Report& report,
                                                 const ClaimedSet& set, const VerifyOptions& options) {
  const Result<deviations::DeviationFile> file = deviations::parse_deviations(text, bundle_file::deviations);
  if (!file) return malformed(file.error());
  if (const Result<void> filled_in = deviations::require_filled_in(*file); !filled_in)
    return malformed(filled_in.error());
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<RuleSet> rules = rules_of_report(report.release, where, catalogue);
  if (!rules) return malformed(rules.error());
  const Result<std::chrono::sys_days> day = day_of_run(report, where);
  if (!day) return malformed(day.error());
  deviations::declare(report, *file, *day, [&] { return ids_of_all_checks(options.scenarios, set, *rules); });
  if (outcome_of(report) != Outcome::deviates) return {};
  for (const deviations::DeclaredEntry& entry : file->entries) {
    const auto last = deviations::day_of(entry.deviation.expires);
    if (last && *last >= std::chrono::floor<std::chrono::days>(options.now)) continue;
    return untrue(
        where, "has expired: " + entry.deviation.checks + " was declared to deviate until " + entry.deviation.expires,
        "a new run shows whether it was mended");
  }
  return {};
}

}  // namespace

tl::expected<Verified, BundleRefusal> verify_bundle(const std::filesystem::path& folder, const VerifyOptions& options) {
  const Catalogue& catalogue = Catalogue::built_in();
  const auto name = [&](const char* file) { return (folder / file).string(); };
  const Result<Bundle> bundle = read_bundle(folder);
  if (!bundle) return malformed(bundle.error());

  Verified out;
  out.key_was_given = !options.key.empty();
  const std::string key_file = out.key_was_given ? options.key_file : name(bundle_file::key);
  const std::string& key = out.key_was_given ? options.key : bundle->public_key;
  const Result<std::string> hint = key_hint(key_file, key);
  if (!hint) return malformed(hint.error());
  if (Result<void> signed_by = verify_signature(bundle->envelope, name(bundle_file::envelope), key); !signed_by) {
    const bool other_key = *hint != bundle->envelope.key_id;
    return untrue(name(bundle_file::envelope), signed_by.error().what,
                  other_key ? "it says that it is signed by the key " + printable(bundle->envelope.key_id) +
                                  ", and this is " + *hint
                            : "");
  }
  if (bundle->envelope.payload_type != in_toto_payload || bundle->envelope.key_id != *hint) {
    return untrue(name(bundle_file::envelope), "says something else of its payload or key than is signed");
  }

  const std::string where = name(bundle_file::envelope);
  Result<StatementFacts> facts = read_statement(bundle->envelope.payload, where);
  if (!facts) return malformed(facts.error());
  out.facts = std::move(*facts);
  out.statement_digest = sha256_hex(bundle->envelope.payload);
  const bool declares = !out.facts.deviations_digest.empty();
  for (const auto& [file, bytes, digest] :
       {std::tuple(bundle_file::report, &bundle->report, &out.facts.report_digest),
        {bundle_file::record, &bundle->record, &out.facts.record_digest},
        {bundle_file::deviations, &bundle->deviations, &out.facts.deviations_digest}}) {
    if (digest->empty()) continue;
    if (sha256_hex(*bytes) != *digest) return untrue(name(file), "is not the file that the statement was signed with");
  }

  const Result<ClaimedSet> set = claimed_set(options.scenarios, out.facts.claim, catalogue);
  if (!set) return malformed(set.error());
  std::string differ;
  for (const auto& [what, here, there] :
       {std::tuple("the rule catalogue", &set->catalogue_digest, &out.facts.catalogue_digest),
        {"the profile's list of checks", &set->profile_digest, &out.facts.profile_digest},
        {"the scenarios", &set->scenarios_digest, &out.facts.scenarios_digest}}) {
    if (*here != *there) differ += (differ.empty() ? "" : ", ") + std::string(what);
  }
  if (!differ.empty()) {
    return malformed(input_error(where, "was made with others than this program's: " + differ,
                                 "verify it with Nodebound " + printable(out.facts.tool_version) + ", which made it")
                         .value());
  }

  const Result<Report> stated = report_from_json(bundle->report, name(bundle_file::report));
  if (!stated) return malformed(stated.error());
  const std::optional<std::int64_t> seconds = seconds_of(stated->run.started);
  if (!seconds) return malformed(input_error(name(bundle_file::report), "has no time when it was started").value());
  const auto started = std::chrono::system_clock::time_point(std::chrono::seconds(*seconds));
  if (started > options.now + std::chrono::hours(1)) {
    return untrue(name(bundle_file::report), "is from the future: it was started at " + printable(stated->run.started));
  }
  if (options.now - started > options.max_age) {
    return untrue(name(bundle_file::report),
                  "has expired: it is from " + printable(stated->run.started) + ", and at most " +
                      std::to_string(options.max_age / std::chrono::hours(24)) + " days old are accepted",
                  "--max-age DAYS accepts older ones");
  }

  Result<Report> recomputed = recompute(*stated, bundle->record, name(bundle_file::record), *set, catalogue);
  if (!recomputed) return untrue(recomputed.error().where, recomputed.error().what, recomputed.error().hint);
  out.report = std::move(*recomputed);
  if (declares) {
    auto applied = apply_declared(bundle->deviations, name(bundle_file::deviations), out.report, *set, options);
    if (!applied) return tl::unexpected<BundleRefusal>(applied.error());
  }
  if (to_json(out.report) != bundle->report) {
    return untrue(name(bundle_file::report),
                  "is not what the recorded answers give: " + first_difference(*stated, out.report));
  }
  if (to_statement(out.facts, out.report) != bundle->envelope.payload) {
    return untrue(where, "states something else than the report that it is about");
  }
  return out;
}

}  // namespace nodebound::certify
