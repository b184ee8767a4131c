#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sys/stat.h>

#include "fakes/files/private_file.h"
#include "fakes/wire/certificates/digest.h"
#include "harness/certify/certificate_page.h"
#include "harness/certify/digest.h"
#include "harness/certify/kubelet/kubelet_tape.h"
#include "harness/certify/recording_endpoint.h"
#include "harness/certify/verification.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/deviation_flags.h"
#include "harness/cli/failure_files.h"
#include "harness/cli/kubelet_target.h"
#include "harness/cli/scenarios_option.h"
#include "harness/cli/serve/kubelet_connection.h"
#include "harness/cli/target.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/signals.h"
#include "harness/kubelet/kubelet_run.h"
#include "harness/objects/input_file.h"
#include "reports/files.h"
#include "reports/run/json.h"
#include "reports/run/junit.h"
#include "reports/run/progress.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

struct CertifyFlags {
  TargetFlags target;
  RunningKubeletFlags running;
  DeviationFlags deviations;
  std::string scenarios;
  std::string profile;
  std::string level = "extended";
  std::string key;
  std::string generate_key;
  bool ed25519 = false;
  bool print_checks = false;
  std::string subject;
  std::size_t jobs = 1;
  std::uint64_t seed = 1;
  std::string out = "out";
  bool quiet = false;
  bool verbose = false;
};

constexpr const char* own_program = "/proc/self/exe";

Result<std::string> read_key(const std::string& flag, const std::string& file) {
  auto pem = bytes_of_file(file, input_limit::credentials);
  if (pem) return std::move(*pem);
  return input_error(flag, file + " cannot be read: " + pem.error());
}

int make_key(const CertifyFlags& flags) {
  const Result<std::string> key =
      certify::generate_signing_key(flags.ed25519 ? certify::KeyKind::ed25519 : certify::KeyKind::ecdsa_p256);
  if (!key) return fail(key.error());
  const Result<std::string> half = certify::public_half(flags.generate_key, *key);
  if (!half) return fail(half.error());
  const std::string public_file = flags.generate_key + ".pub";
  // A key is never overwritten, and only its owner reads it.
  const Descriptor file(
      ::open(flags.generate_key.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.get() < 0 || !write_all(file.get(), *key)) {
    return fail(input_error(flags.generate_key, std::string("cannot be written: ") + std::strerror(errno)).value());
  }
  if (Result<void> written = write_file(public_file, *half); !written) return fail(written.error());
  std::cout << "Key: " << printable(flags.generate_key) << " (keep it secret), " << printable(public_file)
            << " (give it to whoever verifies)\n";
  return conforms;
}

// The program that starts a kubelet. A running kubelet does not say what it is.
Result<certify::StatementFacts::Named> subject_of_kubelet(const CertifyFlags& flags) {
  const std::string command = flags.target.target.substr(kubelet_target.size());
  const std::filesystem::path program = command.substr(0, command.find(' '));
  if (const Result<std::string> digest = certify::sha256_of_file(program); digest) {
    return certify::StatementFacts::Named{program.filename().string(), *digest};
  }
  return input_error("--subject", "it is not known what a certificate of " + flags.target.target + " would be about",
                     "name it by its digest: --subject NAME=sha256:DIGEST");
}

// What is certified: the file of kube-apiserver, or this program, in which the reference is. Of other targets nothing
// identifies what answers, so the user has to say it.
Result<certify::StatementFacts::Named> subject_of(const CertifyFlags& flags) {
  constexpr std::string_view algorithm = "=sha256:";
  if (!flags.subject.empty()) {
    const std::size_t at = flags.subject.rfind(algorithm);
    if (at != std::string::npos && at > 0 &&
        certify::is_sha256_hex(std::string_view(flags.subject).substr(at + algorithm.size()))) {
      return certify::StatementFacts::Named{flags.subject.substr(0, at), flags.subject.substr(at + algorithm.size())};
    }
    return input_error("--subject", "expected NAME=sha256: and 64 digits", "sha256sum prints them for a file");
  }
  const std::string kind = flags.target.target.substr(0, flags.target.target.find_first_of(":#"));
  if (kind == "reference") {
    const Result<std::string> digest = certify::sha256_of_file(own_program);
    if (!digest) return tl::unexpected<Error>(digest.error());
    return certify::StatementFacts::Named{"nodebound", *digest};
  }
  if (kind == "kubelet") return subject_of_kubelet(flags);
  if (kind == "binary") {
    const std::string folder = flags.target.target.substr(std::min(kind.size() + 1, flags.target.target.size()));
    const Result<std::string> digest = certify::sha256_of_file(std::filesystem::path(folder) / "kube-apiserver");
    if (!digest) return tl::unexpected<Error>(digest.error());
    return certify::StatementFacts::Named{"kube-apiserver", *digest};
  }
  return input_error("--subject", "it is not known what a certificate of " + flags.target.target + " would be about",
                     "name it by its digest: --subject NAME=sha256:DIGEST");
}

Result<certify::Claim> claim_of(const CertifyFlags& flags) {
  if (flags.profile.empty()) return input_error("--profile", "is missing: what is claimed?", "expected NAME[@VERSION]");
  return certify::parse_claim(flags.profile, flags.level == "core" ? certify::Level::core : certify::Level::extended);
}

int print_checks(const CertifyFlags& flags) {
  const Result<certify::Claim> claim = claim_of(flags);
  if (!claim) return fail(claim.error());
  const Result<std::string> checks = certify::checks_of_claim(flags.scenarios, *claim, Catalogue::built_in());
  if (!checks) return fail(checks.error());
  std::cout << *checks;
  return conforms;
}

/// A run for a certificate, recorded.
struct RecordedRun {
  Report report;
  std::string record;
};

RecordedRun run_recorded(const CertifyFlags& flags, const Target& target, const std::vector<Scenario>& scenarios,
                         const std::string& started) {
  std::vector<std::string> ids;
  for (const Scenario& scenario : scenarios) ids.push_back(scenario.id);
  certify::RecordWriter writer(ids);
  RunOptions options;
  options.run_id = make_run_id(*target.endpoint, flags.seed);
  options.jobs = flags.jobs;
  options.settle_within = flags.target.webhook.settle_within;
  ProgressBar progress(std::cerr, count_checks(scenarios, *target.rules), progress_style(flags.quiet));
  options.judged = [&](const CheckResult& result) { progress.advance(result.verdict, result.scenario); };
  RecordedRun out;
  const auto clock_start = std::chrono::steady_clock::now();
  {
    const std::unique_ptr<Endpoint> recording = certify::make_recording_endpoint(*target.endpoint, writer);
    journal::Journal journal;
    std::vector<Error> errors;
    out.report = run_scenarios(scenarios, *recording, *target.rules, journal, options, errors);
  }
  out.report.run.id = options.run_id;
  out.report.run.started = started;
  out.report.run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  out.report.run.host = host_name();
  out.report.run.tool_version = NODEBOUND_VERSION;
  describe_target(out.report, target);
  out.record = writer.finish();
  return out;
}

Result<RecordedRun> run_kubelets_recorded(KubeletConnection& connection, const RuleSet& rules,
                                          const std::vector<kubelet_conformance::KubeletScenario>& scenarios,
                                          const KubeletRunFlags& flags) {
  std::vector<std::string> ids;
  for (const kubelet_conformance::KubeletScenario& scenario : scenarios) ids.push_back(scenario.id);
  certify::RecordWriter writer(ids);
  const auto clock_start = std::chrono::steady_clock::now();
  Result<Report> report = [&] {
    const certify::RecordedKubelets asked = certify::record_kubelets(*connection.kubelets, *connection.cluster, writer);
    return run_kubelets(scenarios, *asked.kubelets, *asked.cluster, rules, flags);
  }();
  if (!report) return tl::unexpected<Error>(report.error());
  report->run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  return RecordedRun{std::move(*report), writer.finish()};
}

Result<void> write_pages(const std::filesystem::path& folder, const certify::StatementFacts& facts,
                         const Report& report) {
  for (const auto& [name, text] : {std::pair("report.json", to_json(report)),
                                   {"junit.xml", to_junit(report)},
                                   {"certificate.md", certify::certificate_markdown(facts, report)},
                                   {"certificate.html", certify::certificate_html(facts, report)}}) {
    if (Result<void> written = write_file(folder / name, text); !written) return written;
  }
  return {};
}

int exit_code_of(certify::Outcome outcome) {
  switch (outcome) {
    case certify::Outcome::passed:
    case certify::Outcome::warned:
    case certify::Outcome::deviates:
      return conforms;
    case certify::Outcome::failed:
      return does_not_conform;
    case certify::Outcome::undecided:
    case certify::Outcome::one_sided:
      return could_not_tell;
    case certify::Outcome::nothing:
      return nothing_ran;
  }
  return could_not_tell;
}

// Empty if there is one.
std::string why_no_bundle(certify::Outcome outcome) {
  switch (outcome) {
    case certify::Outcome::undecided:
      return "not everything could be judged";
    case certify::Outcome::one_sided:
      return "all that this target could be asked of the profile has the same answer, which anybody can give";
    case certify::Outcome::nothing:
      return "no check of the profile was judged";
    default:
      return {};
  }
}

std::string certified_as(certify::Outcome outcome, const Report& report) {
  if (outcome == certify::Outcome::failed) return "No certificate: the bundle says FAILED";
  if (outcome != certify::Outcome::deviates) return "Certified";
  const std::size_t number = report.count_declared();
  return "Certified WITH DECLARED DEVIATIONS, which is not conformant (" + counted(number, "check") + ")";
}

/// What was found out about the target, and the rules that it was judged by.
struct Judged {
  RecordedRun run;
  RuleSet rules;
};

Result<Judged> judge_api_server(const CertifyFlags& flags, const certify::ClaimedSet& set) {
  if (flags.target.target.starts_with(kubelet_target)) {
    return input_error("--profile", set.claim.profile + " says nothing about kubelets",
                       "`nodebound certify --help` and the guide for vendors name the profiles of kubelets");
  }
  const std::string started = utc_now();
  const Result<Target> target = open_target(flags.target, Catalogue::built_in());
  if (!target) return tl::unexpected<Error>(target.error());
  if (!target->endpoint->disposable()) {
    return input_error(target->endpoint->name(), "is a cluster that others use, whose answers nobody can replay",
                       "certify what it runs as binary:DIR; `nodebound run` asks such a cluster");
  }
  Judged out{run_recorded(flags, *target, set.scenarios, started), *target->rules};
  if (Result<void> reliable = target->endpoint->finish(); !reliable) return tl::unexpected<Error>(reliable.error());
  return out;
}

Result<Judged> judge_kubelets(const CertifyFlags& flags, const certify::ClaimedSet& set) {
  if (!flags.target.target.starts_with(kubelet_target)) {
    return input_error("--profile", set.claim.profile + " is about kubelets, and the target is none",
                       "expected --target kubelet:COMMAND or kubelet:URL");
  }
  const std::string started = utc_now();
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<Release> release = release_of_kubelets(flags.target, catalogue);
  if (!release) return tl::unexpected<Error>(release.error());
  const Result<GateSettings> gates = parse_feature_gates(flags.target.feature_gates);
  if (!gates) return tl::unexpected<Error>(gates.error());
  const RuleSet rules(catalogue, *release);
  std::vector<kubelet_conformance::KubeletScenario> scenarios = set.of_kubelets;
  kubelet_conformance::narrow_to(scenarios, release->version, *gates);
  KubeletRunFlags asked;
  asked.target = flags.target;
  asked.running = flags.running;
  asked.scenarios = flags.scenarios;
  asked.seed = flags.seed;
  asked.out = flags.out;
  asked.quiet = flags.quiet;
  Result<KubeletConnection> connection = connect_kubelet(asked, rules);
  if (!connection) return tl::unexpected<Error>(connection.error());
  Result<RecordedRun> run = run_kubelets_recorded(*connection, rules, scenarios, asked);
  const int left = connection->clean_up(asked);
  if (!run) return tl::unexpected<Error>(run.error());
  if (left != conforms) {
    return unreachable_error(flags.target.target, "something was left behind on its cluster",
                             "`nodebound clean` removes it");
  }
  run->report.run.started = started;
  return Judged{std::move(*run), rules};
}

int certify(const CertifyFlags& flags) {
  if (!flags.generate_key.empty()) return make_key(flags);
  if (flags.print_checks) return print_checks(flags);
  const Result<certify::Claim> claim = claim_of(flags);
  if (!claim) return fail(claim.error());
  if (flags.key.empty()) {
    return fail(
        input_error("--key", "is missing: who signs?", "`nodebound certify --generate-key FILE` makes a key").value());
  }
  const Result<std::string> key = read_key("--key", flags.key);
  if (!key) return fail(key.error());
  const Result<std::string> half = certify::public_half(flags.key, *key);
  if (!half) return fail(half.error());
  const Result<certify::ClaimedSet> set = certify::claimed_set(flags.scenarios, *claim, Catalogue::built_in());
  if (!set) return fail(set.error());
  const Result<certify::StatementFacts::Named> subject = subject_of(flags);
  if (!subject) return fail(subject.error());
  const Result<std::string> own_digest = certify::sha256_of_file(own_program);
  if (!own_digest) return fail(own_digest.error());
  auto declared = read_deviations(flags.deviations);
  if (!declared) return fail(declared.error());
  install_signal_handlers();
  const Result<Judged> judged = set->of_kubelets.empty() ? judge_api_server(flags, *set) : judge_kubelets(flags, *set);
  if (!judged) return fail(judged.error());
  RecordedRun run = judged->run;
  const std::string observed = to_json(run.report);
  const std::string declaration = *declared ? (*declared)->text : "";
  // The bundle has the file under its own name.
  if (*declared) (*declared)->name = certify::bundle_file::deviations;
  const auto applied = apply_deviations(flags.deviations, *declared, run.report, [&] {
    return certify::ids_of_all_checks(flags.scenarios, *set, judged->rules);
  });
  if (!applied) return fail(applied.error());
  const std::string report = to_json(run.report);
  const certify::StatementFacts facts{*subject,
                                      set->claim,
                                      NODEBOUND_VERSION,
                                      *own_digest,
                                      set->catalogue_digest,
                                      set->profile_digest,
                                      set->scenarios_digest,
                                      sha256_hex(report),
                                      sha256_hex(run.record),
                                      declaration.empty() ? "" : sha256_hex(declaration)};
  const std::filesystem::path folder(flags.out);
  if (Result<void> written = write_pages(folder, facts, run.report); !written) return fail(written.error());
  std::cout << to_terminal(run.report, terminal_style(flags.verbose));
  // A page of a failure has commands for kubectl, which no kubelet answers.
  if (set->of_kubelets.empty()) {
    const FailureFiles failures{flags.out, flags.scenarios,
                                replay_command(flags.target, run.report.target.name, run.report, flags.seed)};
    const Result<std::string> pages = write_failures(run.report, Catalogue::built_in(), failures);
    if (!pages) return fail(pages.error());
    std::cout << *pages;
  }
  const certify::Outcome outcome = interrupted() ? certify::Outcome::undecided : certify::outcome_of(run.report);
  const std::filesystem::path bundle = folder / "bundle";
  if (const std::string why = why_no_bundle(outcome); !why.empty()) {
    // An older one would be taken for this run's.
    std::error_code ignored;
    std::filesystem::remove(bundle / certify::bundle_file::envelope, ignored);
    complain(why + ", so there is no certificate");
    return exit_code_of(outcome);
  }
  // A certificate that nobody could verify is none.
  const Result<Report> again = certify::recompute(run.report, run.record, "the record", *set, Catalogue::built_in());
  if (!again || to_json(*again) != observed) {
    complain("the record of this run does not give the same verdicts again, so there is no certificate" +
             (again ? "" : ": " + again.error().text()));
    return could_not_tell;
  }
  Result<certify::Envelope> envelope =
      certify::sign(flags.key, *key, certify::in_toto_payload, certify::to_statement(facts, run.report));
  if (!envelope) return fail(envelope.error());
  if (auto written = certify::write_bundle(bundle, {std::move(*envelope), report, run.record, *half, declaration});
      !written) {
    return fail(written.error());
  }
  std::cout << certified_as(outcome, run.report) << ": " << printable(set->claim.profile) << "@" << set->claim.version
            << " " << to_string(set->claim.level) << "\nBundle: " << printable(bundle.string())
            << " (nodebound report verify " << printable(bundle.string())
            << " --key PUBLIC.pem)\nPages: " << printable(flags.out)
            << "/certificate.html, certificate.md, report.json, junit.xml\n";
  return exit_code_of(outcome);
}

}  // namespace

void add_certify_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<CertifyFlags>();
  CLI::App* command = app.add_subcommand(
      "certify", "Run a profile against a target, and sign what comes out together with every answer");
  flags->target.add_to(*command);
  flags->running.add_to(*command);
  flags->deviations.add_to(*command, false);
  add_scenarios_option(*command, flags->scenarios);
  command->add_option("--profile", flags->profile, "What is claimed: NAME, or NAME@VERSION");
  command->add_option("--level", flags->level, "How much of it: core, or extended (with what has gates of its own)")
      ->check(CLI::IsMember({"core", "extended"}))
      ->capture_default_str();
  command->add_option("--key", flags->key, "Private key that signs, in PEM: ECDSA P-256 or Ed25519");
  command->add_option("--generate-key", flags->generate_key,
                      "Make a key in this file, and its public half in FILE.pub, and end");
  command->add_flag("--ed25519", flags->ed25519, "With --generate-key: an Ed25519 key instead of ECDSA P-256");
  command->add_option("--subject", flags->subject,
                      "What is certified, as NAME=sha256:DIGEST (default: the digest of binary:DIR's kube-apiserver, "
                      "or of the program of kubelet:COMMAND)");
  command->add_flag("--print-checks", flags->print_checks, "Print the list of the profile's checks, and end");
  command->add_option("--jobs", flags->jobs, "Scenarios at a time")->check(CLI::Range(1, 64))->capture_default_str();
  command->add_option("--seed", flags->seed, "Names on the target")->capture_default_str();
  command->add_option("--out", flags->out, "Folder for the bundle and its pages")->capture_default_str();
  add_quiet_flag(*command, flags->quiet);
  command->add_flag("--verbose", flags->verbose, "Show all of each failure");
  command->callback([flags, &exit_code] { exit_code = certify(*flags); });
}

}  // namespace nodebound::cli
