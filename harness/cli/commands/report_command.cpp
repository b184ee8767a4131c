#include <chrono>
#include <iostream>
#include <memory>

#include "harness/certify/verification.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/replay/replay_output.h"
#include "harness/cli/report_files.h"
#include "harness/cli/scenarios_option.h"
#include "harness/cli/target_run.h"
#include "harness/objects/input_file.h"
#include "reports/changes/changes_writers.h"
#include "reports/files.h"
#include "reports/run/json.h"
#include "reports/run/matrix.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

struct MatrixFlags {
  std::vector<std::string> reports;
  std::string format = "table";
  std::string out;
};

int matrix(const MatrixFlags& flags) {
  std::vector<Report> reports;
  for (const std::string& name : flags.reports) {
    Result<Report> report = read_report(name);
    if (!report) return fail(report.error());
    reports.push_back(std::move(*report));
  }
  const Matrix matrix = matrix_of(reports);
  if (!flags.out.empty()) {
    const std::filesystem::path folder(flags.out);
    for (const auto& [name, text] : {std::pair("matrix.json", to_json(matrix)), {"matrix.md", to_markdown(matrix)}}) {
      if (Result<void> written = write_file(folder / name, text); !written) return fail(written.error());
    }
  }
  std::cout << (flags.format == "json"       ? to_json(matrix)
                : flags.format == "markdown" ? to_markdown(matrix)
                                             : to_terminal(matrix, terminal_style(false)));
  return exit_code(matrix);
}

struct RenderFlags {
  std::string report;
  std::string format = "html";
  std::string out;
};

int render(const RenderFlags& flags) {
  const Result<Report> report = read_report(flags.report);
  if (!report) return fail(report.error());
  const std::string text =
      flags.format == "table" ? to_terminal(*report, terminal_style(false)) : in_form(*report, flags.format);
  if (flags.out.empty()) {
    std::cout << text;
  } else if (Result<void> written = write_file(flags.out, text); !written) {
    return fail(written.error());
  }
  return conforms;
}

struct ChangesFlags {
  std::string before;
  std::string after;
  std::string format = "table";
  bool verbose = false;
};

int compare_reports(const ChangesFlags& flags) {
  const Result<Report> before = read_report(flags.before);
  if (!before) return fail(before.error());
  const Result<Report> after = read_report(flags.after);
  if (!after) return fail(after.error());
  const RunChanges changes = compare_runs(*before, *after);
  std::cout << (flags.format == "json"       ? to_json(changes)
                : flags.format == "markdown" ? to_markdown(changes)
                                             : to_terminal(changes, terminal_style(flags.verbose)));
  return exit_code(changes);
}

void add_render(CLI::App& command, int& exit_code) {
  auto flags = std::make_shared<RenderFlags>();
  CLI::App* of_render = command.add_subcommand("render", "A report in another form: a page, SARIF, a badge, …");
  std::vector<std::string> forms = report_forms();
  forms.emplace_back("table");
  of_render->add_option("REPORT", flags->report, "report.json of a run, or its folder")->required();
  of_render->add_option("--format", flags->format, comma_separated(forms))
      ->check(CLI::IsMember(forms))
      ->capture_default_str();
  of_render->add_option("--out", flags->out, "File to write to, instead of standard output");
  of_render->callback([flags, &exit_code] { exit_code = render(*flags); });
}

void add_compare(CLI::App& command, int& exit_code) {
  auto flags = std::make_shared<ChangesFlags>();
  CLI::App* of_compare = command.add_subcommand(
      "compare", "What became of each check from one run to the next; exit code 1 if one fails that did not");
  of_compare->add_option("BEFORE", flags->before, "report.json of the earlier run, or its folder")->required();
  of_compare->add_option("AFTER", flags->after, "The same of the later run")->required();
  add_format_flag(*of_compare, flags->format);
  of_compare->add_flag("--verbose", flags->verbose, "Show every change");
  of_compare->callback([flags, &exit_code] { exit_code = compare_reports(*flags); });
}

struct MergeFlags {
  std::vector<std::string> reports;
  ReplayOutput output;
};

template <typename R, typename Read>
Result<R> merged_of(const std::vector<ReportInFile<std::string>>& texts, Read read) {
  std::vector<ReportInFile<R>> shares;
  for (const ReportInFile<std::string>& each : texts) {
    Result<R> report = read(each.report, each.file);
    if (!report) return tl::unexpected<Error>(report.error());
    shares.push_back({each.file, std::move(*report)});
  }
  return merged(std::move(shares));
}

// Which of both it is, the first one says; the others are refused if they are something else.
bool is_of_replay(const std::string& text) {
  constexpr std::size_t head = 200;
  return text.substr(0, head).find(replay_schema) != std::string::npos;
}

int merge_reports(const MergeFlags& flags) {
  std::vector<ReportInFile<std::string>> texts;
  for (const std::string& name : flags.reports) {
    Result<ReportInFile<std::string>> text = report_text(name, {"report.json", "replay.json"});
    if (!text) return fail(text.error());
    texts.push_back(std::move(*text));
  }
  if (is_of_replay(texts.front().report)) {
    Result<Replay> whole = merged_of<Replay>(texts, replay_from_json);
    return whole ? flags.output.tell(std::move(*whole)) : fail(whole.error());
  }
  if (!flags.output.accept.empty()) {
    return fail(input_error("--accept", "is for findings of replays", "a run takes --deviations").value());
  }
  const Result<Report> whole = merged_of<Report>(texts, report_from_json);
  if (!whole) return fail(whole.error());
  if (!flags.output.out.empty()) return tell(*whole, flags.output.out, flags.output.verbose, false);
  std::cout << (flags.output.format == "text" ? to_terminal(*whole, terminal_style(flags.output.verbose))
                                              : in_form(*whole, flags.output.format));
  return exit_code(*whole);
}

void add_merge(CLI::App& command, int& exit_code) {
  auto flags = std::make_shared<MergeFlags>();
  CLI::App* of_merge = command.add_subcommand(
      "merge", "The report of the whole, of the reports of all shares: of `run --shard` or of `replay --shard`");
  of_merge->add_option("REPORT", flags->reports, "report.json or replay.json of each share, or its folder")->required();
  flags->output.add_to(*of_merge);
  of_merge->callback([flags, &exit_code] { exit_code = merge_reports(*flags); });
}

struct VerifyFlags {
  std::string bundle;
  std::string scenarios;
  std::string key;
  unsigned max_age = 365;
  std::string summary;
  std::string summary_key;
  bool accept_deviations = false;
};

// What the bundle says of the implementation.
std::string verified_as(certify::Outcome outcome, bool accepts_deviations) {
  if (outcome == certify::Outcome::passed || outcome == certify::Outcome::warned) return "Verified";
  if (outcome != certify::Outcome::deviates) return "Verified, and it says FAILED";
  return std::string("Verified, WITH DECLARED DEVIATIONS, which ") +
         (accepts_deviations ? "are accepted" : "is not conformant (--accept-deviations takes them)");
}

void tell_declared(const Report& report) {
  for (const DeclaredDeviation& each : report.declared) {
    std::cout << "  ~ " << printable(each.checks) << " (" << counted(each.met, "check")
              << "): " << printable(each.observed) << "\n    " << printable(each.reason) << ", "
              << printable(each.issue) << ", until " << printable(each.expires) << "\n";
  }
}

Result<void> write_summary(const VerifyFlags& flags, const certify::Verified& verified) {
  const auto pem = bytes_of_file(flags.summary_key, input_limit::credentials);
  if (!pem) return input_error("--summary-key", flags.summary_key + " cannot be read: " + pem.error());
  const std::string summary =
      certify::to_summary(verified.facts, verified.report, verified.statement_digest, NODEBOUND_VERSION, utc_now());
  const Result<certify::Envelope> envelope = certify::sign(flags.summary_key, *pem, certify::in_toto_payload, summary);
  if (!envelope) return tl::unexpected<Error>(envelope.error());
  return write_file(flags.summary, certify::to_sigstore_bundle(*envelope));
}

int verify(const VerifyFlags& flags) {
  if (flags.summary.empty() != flags.summary_key.empty()) {
    return fail(input_error("--summary", "takes a key that signs it", "give both --summary and --summary-key").value());
  }
  certify::VerifyOptions options;
  options.scenarios = flags.scenarios;
  options.now = std::chrono::system_clock::now();
  options.max_age = std::chrono::hours(24) * flags.max_age;
  if (!flags.key.empty()) {
    auto pem = bytes_of_file(flags.key, input_limit::credentials);
    if (!pem) return fail(input_error("--key", flags.key + " cannot be read: " + pem.error()).value());
    options.key = std::move(*pem);
    options.key_file = flags.key;
  }
  const auto verified = certify::verify_bundle(flags.bundle, options);
  if (!verified) {
    complain(verified.error().error.text());
    return verified.error().kind == certify::BundleRefusal::Kind::untrue ? does_not_conform : bad_input;
  }
  const certify::StatementFacts& facts = verified->facts;
  const certify::Outcome outcome = certify::outcome_of(verified->report);
  const bool conformant = outcome == certify::Outcome::passed || outcome == certify::Outcome::warned ||
                          (outcome == certify::Outcome::deviates && flags.accept_deviations);
  std::cout << verified_as(outcome, flags.accept_deviations) << ": " << printable(facts.subject.name)
            << " sha256:" << facts.subject.sha256 << "\n  " << printable(facts.claim.profile) << "@"
            << facts.claim.version << " " << to_string(facts.claim.level) << ", Kubernetes "
            << printable(verified->report.release.version) << ", " << counted(verified->report.checks.size(), "verdict")
            << " recomputed from " << counted(verified->report.run.requests, "answer") << "\n";
  tell_declared(verified->report);
  if (!verified->key_was_given) {
    std::cout << "  signed by the key that it brings itself: --key PUBLIC.pem says whose signature you trust\n";
  }
  if (!flags.summary.empty()) {
    if (Result<void> written = write_summary(flags, *verified); !written) return fail(written.error());
    std::cout << "Summary: " << printable(flags.summary) << "\n";
  }
  return conformant ? conforms : does_not_conform;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("report", "What to do with reports of earlier runs");
  command->require_subcommand(1);
  auto flags = std::make_shared<MatrixFlags>();
  CLI::App* of_matrix =
      command->add_subcommand("matrix", "Several reports side by side: a row each, a column a profile");
  of_matrix->add_option("REPORT", flags->reports, "report.json of a run, or its folder")->required();
  of_matrix->add_option("--out", flags->out, "Folder for matrix.json and matrix.md");
  add_format_flag(*of_matrix, flags->format);
  of_matrix->callback([flags, &exit_code] { exit_code = matrix(*flags); });

  add_render(*command, exit_code);
  add_compare(*command, exit_code);
  add_merge(*command, exit_code);

  auto verifying = std::make_shared<VerifyFlags>();
  CLI::App* of_bundle = command->add_subcommand(
      "verify", "Check the signature of a certificate, and recompute its verdicts from the recorded answers");
  of_bundle->add_option("BUNDLE", verifying->bundle, "Folder `bundle` of nodebound certify")->required();
  add_scenarios_option(*of_bundle, verifying->scenarios);
  of_bundle->add_option("--key", verifying->key, "Public key, in PEM, that must have signed it");
  of_bundle->add_option("--max-age", verifying->max_age, "How many days old it may be")
      ->check(CLI::Range(1, 36500))
      ->capture_default_str();
  of_bundle->add_flag("--accept-deviations", verifying->accept_deviations,
                      "A certificate with deviations that its implementer declares will do");
  of_bundle->add_option("--summary", verifying->summary,
                        "Write what was verified to this file, as a Sigstore bundle (SVR)");
  of_bundle->add_option("--summary-key", verifying->summary_key, "Private key that signs the summary, in PEM");
  of_bundle->callback([verifying, &exit_code] { exit_code = verify(*verifying); });
}

}  // namespace nodebound::cli
