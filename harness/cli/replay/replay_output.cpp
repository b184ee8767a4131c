#include "harness/cli/replay/replay_output.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <utility>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/target_run.h"
#include "harness/findings/acceptances.h"
#include "reports/files.h"
#include "reports/findings/sarif.h"

namespace nodebound::cli {
namespace {

Result<void> accept_findings(Replay& replay, const std::string& file) {
  Result<Acceptances> acceptances = Acceptances::of_file(file, utc_today());
  if (!acceptances) return tl::unexpected<Error>(acceptances.error());
  for (Replay::Finding& finding : replay.findings) finding.accepted = acceptances->reason_for(common_finding(finding));
  for (Finding& client : replay.clients) client.accepted = acceptances->reason_for(client);
  for (std::string& note : acceptances->notes()) replay.notes.push_back(std::move(note));
  return {};
}

Result<void> write_replay(const Replay& replay, const std::string& folder) {
  for (const auto& [name, text] : {std::pair{"replay.json", to_json(replay)},
                                   {"replay.html", to_html(replay)},
                                   {"replay.md", to_markdown(replay)},
                                   {"replay.sarif", to_sarif(findings_of(replay), NODEBOUND_VERSION)}}) {
    if (Result<void> written = write_file(std::filesystem::path(folder) / name, text); !written) return written;
  }
  return {};
}

int exit_code_of_replay(const Replay& replay, const std::vector<std::string>& fail_on) {
  if (replay.requests == 0) return nothing_ran;
  using Outcome = Replay::Finding::Outcome;
  const auto fails = [&](const char* what, std::size_t count) {
    return count > 0 && std::find(fail_on.begin(), fail_on.end(), what) != fail_on.end();
  };
  if (fails("newly-refused", replay.not_accepted(Outcome::newly_refused)) ||
      fails("newly-allowed", replay.not_accepted(Outcome::newly_allowed)) ||
      fails("disagreement", replay.not_accepted(Outcome::disagrees)) || fails("unknown", replay.unknown)) {
    return does_not_conform;
  }
  return replay.decided() == 0 ? could_not_tell : conforms;
}

}  // namespace

void ReplayOutput::add_to(CLI::App& command) {
  command.add_option("--accept", accept, "File of findings that somebody accepts, with reason and end");
  command.add_option("--fail-on", fail_on, "What ends the command with 1, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"newly-refused", "newly-allowed", "disagreement", "unknown", "nothing"}))
      ->capture_default_str();
  command.add_option("--out", out, "Folder for replay.json, replay.html, replay.md and replay.sarif");
  command.add_option("--format", format, "What is printed")
      ->check(CLI::IsMember({"text", "json", "html", "markdown", "sarif"}))
      ->capture_default_str();
  command.add_flag("--verbose", verbose, "Show every group, and cut nothing");
}

int ReplayOutput::tell(Replay replay) const {
  if (Result<void> accepted = accept_findings(replay, accept); !accepted) return fail(accepted.error());
  if (!out.empty()) {
    if (const Result<void> written = write_replay(replay, out); !written) return fail(written.error());
  }
  if (format == "json") std::cout << to_json(replay);
  if (format == "html") std::cout << to_html(replay);
  if (format == "markdown") std::cout << to_markdown(replay);
  if (format == "sarif") std::cout << to_sarif(findings_of(replay), NODEBOUND_VERSION);
  if (format == "text") std::cout << to_terminal(replay, terminal_style(verbose));
  return exit_code_of_replay(replay, fail_on);
}

}  // namespace nodebound::cli
