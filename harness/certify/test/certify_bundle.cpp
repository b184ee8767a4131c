#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "fakes/wire/certificates/digest.h"
#include "harness/certify/certificate_page.h"
#include "harness/certify/recording_endpoint.h"
#include "harness/certify/verification.h"
#include "harness/deviations/declare.h"
#include "harness/deviations/fix.h"
#include "harness/endpoint/reference_endpoint.h"
#include "harness/run/description.h"
#include "harness/run/runner.h"
#include "harness/test/project.h"
#include "reports/files.h"
#include "reports/run/json.h"

BOOST_AUTO_TEST_SUITE(certify_bundle)

using namespace nodebound;
using namespace nodebound::certify;
using namespace nodebound::deviations;
using namespace nodebound::journal;
namespace fs = std::filesystem;

namespace {

// What to print where an error is not expected.
template <typename T>
std::string why_of_bundle(const Result<T>& result) {
  return result ? std::string() : result.error().text();
}

const fs::path& scenarios_folder() {
  static const fs::path folder = project::file("scenarios");
  return folder;
}

const std::string& vendor_key() {
  static const std::string key = *generate_signing_key(KeyKind::ecdsa_p256);
  return key;
}

const ClaimedSet& webhook_claim() {
  static const auto set = claimed_set(scenarios_folder(), {"authorization-webhook", 1, Level::extended}, catalogue());
  BOOST_REQUIRE_MESSAGE(set, why_of_bundle(set));
  return *set;
}

/// A folder of its own, removed at the end.
struct Folder {
  Folder() : path(fs::temp_directory_path() / ("nodebound-bundle-" + std::to_string(::getpid()))) {
    fs::remove_all(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path path;
};

struct Certified {
  StatementFacts facts;
  Report report;
  std::string record;
  std::string deviations = {};
};

// What `nodebound certify` puts into a bundle, of a reference with one rule flipped perhaps.
Certified certified(std::optional<Rule> broken = std::nullopt) {
  const RuleSet rules(catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {}));
  const RuleSet own = broken ? rules.with_flipped(*broken) : rules;
  const auto reference = make_reference_endpoint(own, {});
  std::vector<std::string> ids;
  for (const Scenario& scenario : webhook_claim().scenarios) ids.push_back(scenario.id);
  RecordWriter writer(ids);
  Certified out;
  {
    const auto recording = make_recording_endpoint(*reference, writer);
    Journal journal;
    RunOptions options;
    options.run_id = "test";
    std::vector<Error> errors;
    out.report = run_scenarios(webhook_claim().scenarios, *recording, rules, journal, options, errors);
  }
  describe_target(out.report, *reference, rules);
  out.report.run.id = "test";
  out.report.run.started = "2026-01-31T12:00:00Z";
  out.record = writer.finish();
  const std::string digest = sha256_hex("program");
  out.facts = {{"implementation", digest},
               webhook_claim().claim,
               "0.1.0",
               digest,
               webhook_claim().catalogue_digest,
               webhook_claim().profile_digest,
               webhook_claim().scenarios_digest,
               "",
               ""};
  return out;
}

// Signs whatever it is given: the digests are right, what they are of need not be.
void write_signed(const fs::path& folder, Certified of, std::string report = {}) {
  if (report.empty()) report = to_json(of.report);
  of.facts.report_digest = sha256_hex(report);
  of.facts.record_digest = sha256_hex(of.record);
  if (!of.deviations.empty()) of.facts.deviations_digest = sha256_hex(of.deviations);
  const auto envelope = sign("key", vendor_key(), in_toto_payload, to_statement(of.facts, of.report));
  BOOST_REQUIRE(envelope);
  BOOST_REQUIRE(write_bundle(folder, {*envelope, report, of.record, *public_half("key", vendor_key()), of.deviations}));
}

VerifyOptions options_of(const std::string& key = *public_half("key", vendor_key())) {
  VerifyOptions options;
  options.scenarios = scenarios_folder();
  options.key = key;
  options.key_file = "vendor.pem";
  // A day after the run.
  options.now = std::chrono::system_clock::time_point(std::chrono::seconds(1769947200));
  return options;
}

struct Refused {
  std::optional<BundleRefusal::Kind> kind;
  std::string why;
};

Refused refusal_of(const fs::path& folder, const VerifyOptions& options = options_of()) {
  const auto verified = verify_bundle(folder, options);
  if (verified) return {};
  return {verified.error().kind, verified.error().error.text()};
}

bool says(const Refused& refused, BundleRefusal::Kind kind, const std::string& why) {
  if (refused.kind == kind && refused.why.find(why) != std::string::npos) return true;
  BOOST_TEST_MESSAGE("refused with: " << refused.why);
  return false;
}

constexpr auto malformed_bundle = BundleRefusal::Kind::malformed;
constexpr auto untrue_bundle = BundleRefusal::Kind::untrue;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put_content(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_bundle_is_verified_by_its_answers) {
  const Folder folder;
  const Certified good = certified();
  BOOST_TEST((outcome_of(good.report) == Outcome::passed));
  write_signed(folder.path, good);
  const auto verified = verify_bundle(folder.path, options_of());
  BOOST_REQUIRE_MESSAGE(verified, refusal_of(folder.path).why);
  BOOST_TEST(verified->report.count(Verdict::pass) == good.report.count(Verdict::pass));
  BOOST_TEST(verified->report.count(Verdict::pass) > 10U);
  BOOST_TEST(verified->key_was_given);
  const auto by_itself = verify_bundle(folder.path, options_of(""));
  BOOST_REQUIRE(by_itself);
  BOOST_TEST(!by_itself->key_was_given);
}

BOOST_AUTO_TEST_CASE(the_folder_around_a_bundle_says_where_the_bundle_is) {
  const Folder folder;
  const std::string name = (folder.path / "bundle").string();
  write_signed(folder.path / "bundle", certified());
  BOOST_TEST(says(refusal_of(folder.path), malformed_bundle, "the bundle is " + name));
  BOOST_TEST(says(refusal_of(folder.path / "none"), malformed_bundle, "that `nodebound certify` writes, whole"));
}

BOOST_AUTO_TEST_CASE(one_bit_of_any_file_is_noticed) {
  const Folder folder;
  write_signed(folder.path, certified());
  for (const char* name : {bundle_file::envelope, bundle_file::sigstore, bundle_file::report, bundle_file::record}) {
    const fs::path file = folder.path / name;
    const std::string bytes = content_of(file);
    for (std::size_t part = 0; part < 40; ++part) {
      std::string changed = bytes;
      const std::size_t at = part * (bytes.size() - 1) / 39;
      changed[at] = static_cast<char>(changed[at] ^ (1 << (part % 7)));
      put_content(file, changed);
      BOOST_TEST(refusal_of(folder.path).kind.has_value(), name << ": a changed byte " << at << " is not noticed");
    }
    for (const std::size_t size : {std::size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
      put_content(file, bytes.substr(0, size));
      BOOST_TEST(refusal_of(folder.path).kind.has_value(), name << " cut off after " << size);
    }
    fs::remove(file);
    const bool is_needed = std::string_view(name) != bundle_file::envelope;
    BOOST_TEST((!is_needed || says(refusal_of(folder.path), malformed_bundle, "cannot be read")));
    put_content(file, bytes);
  }
  BOOST_TEST(!refusal_of(folder.path).kind.has_value());
}

// As protobuf's JSON has it, with the entries that cosign may add.
BOOST_AUTO_TEST_CASE(a_bundle_that_cosign_has_signed_is_verified) {
  const Folder folder;
  write_signed(folder.path, certified());
  const fs::path file = folder.path / bundle_file::sigstore;
  auto bundle = nlohmann::ordered_json::parse(content_of(file));
  bundle["verificationMaterial"]["tlogEntries"] = nlohmann::json::array();
  bundle["verificationMaterial"]["timestampVerificationData"] = nullptr;
  bundle["dsseEnvelope"]["signatures"][0]["keyid"] = "";
  put_content(file, bundle.dump(2));
  BOOST_TEST(says(refusal_of(folder.path), malformed_bundle, "is not the same envelope"));
  fs::remove(folder.path / bundle_file::envelope);
  BOOST_TEST(!refusal_of(folder.path).kind.has_value(), refusal_of(folder.path).why);
  bundle["dsseEnvelope"]["signatures"][0]["sig"] = "MEUCIQ==";
  put_content(file, bundle.dump(2));
  BOOST_TEST(says(refusal_of(folder.path), untrue_bundle, "not signed by this key"));
}

BOOST_AUTO_TEST_CASE(the_key_of_somebody_else_is_refused) {
  const Folder folder;
  write_signed(folder.path, certified());
  const std::string other = *public_half("key", *generate_signing_key(KeyKind::ecdsa_p256));
  BOOST_TEST(says(refusal_of(folder.path, options_of(other)), untrue_bundle, "not signed by this key"));
  BOOST_TEST(says(refusal_of(folder.path, options_of("no key")), malformed_bundle, "vendor.pem"));
}

BOOST_AUTO_TEST_CASE(a_signed_lie_is_found_by_recomputing) {
  const Folder folder;
  // The report of a good implementation with the answers of a faulty one.
  const Certified good = certified();
  Certified lie = certified(Rule::webhook_allows);
  BOOST_REQUIRE((outcome_of(lie.report) == Outcome::failed));
  write_signed(folder.path, lie);
  BOOST_TEST(!refusal_of(folder.path).kind.has_value(), "that a run failed may be stated, too");
  lie.report = good.report;
  write_signed(folder.path, lie);
  BOOST_TEST(says(refusal_of(folder.path), untrue_bundle, "is not what the recorded answers give"));

  Certified without = good;
  without.report.checks.pop_back();
  write_signed(folder.path, without);
  BOOST_TEST(says(refusal_of(folder.path), untrue_bundle, "is not what the recorded answers give"));

  // A statement about another report.
  Certified other = good;
  other.report.checks.pop_back();
  write_signed(folder.path, other, to_json(good.report));
  BOOST_TEST(says(refusal_of(folder.path), untrue_bundle, "states something else"));
}

BOOST_AUTO_TEST_CASE(what_this_program_cannot_judge_is_refused) {
  const Folder folder;
  const Certified good = certified();
  const auto refused = [&](auto change) {
    Certified changed = good;
    change(changed);
    write_signed(folder.path, changed);
    return refusal_of(folder.path);
  };
  BOOST_TEST(says(refused([](Certified& it) { it.facts.claim.profile = "unknown"; }), malformed_bundle,
                  "there is no profile \"unknown\""));
  BOOST_TEST(says(refused([](Certified& it) { it.facts.claim.version = 2; }), malformed_bundle, "has version 1 here"));
  BOOST_TEST(says(refused([](Certified& it) { it.facts.scenarios_digest = sha256_hex("others"); }), malformed_bundle,
                  "was made with others than this program's: the scenarios"));
  BOOST_TEST(says(refused([](Certified& it) { it.facts.catalogue_digest = sha256_hex("others"); }), malformed_bundle,
                  "the rule catalogue"));
  BOOST_TEST(says(refused([](Certified& it) { it.report.release.version = "9.9"; }), untrue_bundle, "9.9"));
}

BOOST_AUTO_TEST_CASE(an_old_bundle_has_expired) {
  const Folder folder;
  write_signed(folder.path, certified());
  VerifyOptions later = options_of();
  later.now += std::chrono::hours(24 * 366);
  BOOST_TEST(says(refusal_of(folder.path, later), untrue_bundle, "has expired"));
  later.max_age = std::chrono::hours(24 * 400);
  BOOST_TEST(!refusal_of(folder.path, later).kind.has_value());
  VerifyOptions earlier = options_of();
  earlier.now -= std::chrono::hours(24 * 10);
  BOOST_TEST(says(refusal_of(folder.path, earlier), untrue_bundle, "from the future"));
}

namespace {

// A faulty implementation whose faults are declared, on the day of the run.
Certified declared_to_deviate() {
  Certified out = certified(Rule::webhook_allows);
  const std::chrono::sys_days day = *day_of_run(out.report, "");
  const auto none = [] { return std::vector<std::string>(); };
  out.deviations = fixed({"", "", {}}, out.report, day, none)->text;
  for (const auto& [from, to] :
       {std::pair("reason = \"\"", "reason = \"Known\""), {"issue = \"\"", "issue = \"https://example.com/1\""}}) {
    for (std::size_t at = 0; (at = out.deviations.find(from)) != std::string::npos;) {
      out.deviations.replace(at, std::string_view(from).size(), to);
    }
  }
  declare(out.report, *parse_deviations(out.deviations, bundle_file::deviations), day, none);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(declared_deviations_are_verified_and_shown) {
  const Folder folder;
  const Certified certificate = declared_to_deviate();
  BOOST_TEST((outcome_of(certificate.report) == Outcome::deviates));
  write_signed(folder.path, certificate);
  const auto verified = verify_bundle(folder.path, options_of());
  BOOST_REQUIRE_MESSAGE(verified, refusal_of(folder.path).why);
  BOOST_TEST((outcome_of(verified->report) == Outcome::deviates));
  BOOST_TEST(verified->report.count_declared() == certificate.report.count_declared());
  const std::string statement = to_statement(verified->facts, verified->report);
  BOOST_TEST(statement.find("\"WARNED\"") != std::string::npos);
  BOOST_TEST(statement.find("declared_deviations") != std::string::npos);
  const std::string summary = to_summary(verified->facts, verified->report, "", "0.1.0", "");
  BOOST_TEST(summary.find("NODEBOUND_DECLARED_DEVIATIONS_") != std::string::npos);
  for (const std::string& page : {certificate_html(certificate.facts, certificate.report),
                                  certificate_markdown(certificate.facts, certificate.report)}) {
    BOOST_TEST(page.find("not the same as conformant") != std::string::npos);
    BOOST_TEST(page.find("https://example.com/1") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(declared_deviations_cannot_be_changed_left_out_or_outlived) {
  const Folder folder;
  const Certified certificate = declared_to_deviate();
  write_signed(folder.path, certificate);
  const fs::path file = folder.path / bundle_file::deviations;
  put_content(file, certificate.deviations + "# more\n");
  BOOST_TEST(says(refusal_of(folder.path), untrue_bundle, "is not the file that the statement was signed with"));
  fs::remove(file);
  BOOST_TEST(says(refusal_of(folder.path), untrue_bundle, "is not the file that the statement was signed with"));

  // Signed anew, with a file that does not declare all that deviates.
  Certified less = certificate;
  less.deviations = "# nothing\n";
  write_signed(folder.path, less);
  BOOST_TEST(says(refusal_of(folder.path), untrue_bundle, "is not what the recorded answers give"));
  less.deviations = "[[deviation]]\n";
  write_signed(folder.path, less);
  BOOST_TEST(says(refusal_of(folder.path), malformed_bundle, "deviations.toml"));
  // Without a file, the report has to say that it failed.
  less.deviations.clear();
  write_signed(folder.path, less);
  BOOST_TEST(says(refusal_of(folder.path), untrue_bundle, "is not what the recorded answers give"));

  write_signed(folder.path, certificate);
  VerifyOptions later = options_of();
  later.now += std::chrono::hours(24 * 120);
  BOOST_TEST(says(refusal_of(folder.path, later), untrue_bundle, "was declared to deviate until"));
}

BOOST_AUTO_TEST_CASE(what_was_left_open_is_no_certificate) {
  Report report;
  BOOST_TEST((outcome_of(report) == Outcome::nothing));
  report.checks.resize(3);
  for (CheckResult& check : report.checks) check.verdict = Verdict::pass;
  for (CheckResult& check : report.checks) check.expected = "allow: any-rule";
  BOOST_TEST((outcome_of(report) == Outcome::one_sided));
  report.checks[2].expected = "deny by authorizer: any-rule";
  BOOST_TEST((outcome_of(report) == Outcome::passed));
  report.checks[1].verdict = Verdict::skip;
  BOOST_TEST((outcome_of(report) == Outcome::passed));
  report.checks[1].left_open = true;
  BOOST_TEST((outcome_of(report) == Outcome::undecided));
  report.checks[1].left_open = false;
  report.checks[1].verdict = Verdict::deviation;
  BOOST_TEST((outcome_of(report) == Outcome::warned));
  report.checks[2].verdict = Verdict::inconclusive;
  BOOST_TEST((outcome_of(report) == Outcome::undecided));
  report.checks[0].verdict = Verdict::fail;
  BOOST_TEST((outcome_of(report) == Outcome::failed));
}

BOOST_AUTO_TEST_CASE(pages_hold_no_markup_of_others) {
  Certified good = certified();
  good.facts.subject.name = "<script>alert(1)</script>\x1b[31m";
  good.report.checks[0].verdict = Verdict::fail;
  good.report.checks[0].why = "<img src=x onerror=y> ![](http://a) \x1b]0;";
  const std::string html = certificate_html(good.facts, good.report);
  BOOST_TEST(html.find("<script") == std::string::npos);
  BOOST_TEST(html.find("<img") == std::string::npos);
  BOOST_TEST(html.find("FAILED") != std::string::npos);
  const std::string markdown = certificate_markdown(good.facts, good.report);
  BOOST_TEST(markdown.find("\\<script") != std::string::npos);
  BOOST_TEST(markdown.find(" <img") == std::string::npos);
  BOOST_TEST(markdown.find("![](") == std::string::npos);
  BOOST_TEST(markdown.find("FAILED") != std::string::npos);
  for (const std::string& page : {html, markdown}) BOOST_TEST(page.find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_checks_of_every_profile_are_the_frozen_ones) {
  const Result<Profiles> profiles = profiles_of(scenarios_folder());
  BOOST_REQUIRE(profiles);
  for (const auto& [name, profile] : *profiles) {
    const auto set = claimed_set(scenarios_folder(), {name, 0, Level::extended}, catalogue());
    BOOST_TEST(set.has_value(), why_of_bundle(set));
    if (!set) continue;
    const auto core = claimed_set(scenarios_folder(), {name, profile.version, Level::core}, catalogue());
    BOOST_REQUIRE(core);
    BOOST_TEST(!core->scenarios.empty(), name);
    BOOST_TEST((core->scenarios.size() == set->scenarios.size()) == profile.extended_gates.empty(), name);
  }
}

BOOST_AUTO_TEST_CASE(a_check_that_vanishes_or_appears_changes_the_list) {
  std::vector<Scenario> scenarios = project_scenarios();
  const auto list = [&] { return checks_of_profile("rbac", 1, scenarios, catalogue()); };
  const std::string before = list();
  const auto any = std::ranges::find_if(scenarios, [](const Scenario& each) {
    return each.profile == "rbac" && !each.steps.empty() && each.steps.back().check.has_value();
  });
  BOOST_REQUIRE(any != scenarios.end());
  const Step step = any->steps.back();
  any->steps.pop_back();
  BOOST_TEST(list() != before);
  any->steps.push_back(step);
  BOOST_TEST(list() == before);
  any->steps.back().check->name = "another";
  BOOST_TEST(list() != before);
}

BOOST_AUTO_TEST_SUITE_END()
