#include "harness/cli/target_run.h"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <random>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/cli/console.h"
#include "harness/endpoint/signals.h"
#include "harness/scenario/loader.h"
#include "reports/files.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/terminal.h"

namespace nodebound {

Result<std::vector<Scenario>> selected_scenarios(const std::string& folder, const Selection& selection,
                                                 const Catalogue& catalogue) {
  LoadedScenarios loaded = load_scenarios(folder, catalogue);
  if (!loaded.mistakes.empty()) {
    Error first = loaded.mistakes.front();
    if (loaded.mistakes.size() > 1) {
      first.hint = std::to_string(loaded.mistakes.size() - 1) + " more; `nodebound lint` lists them all";
    }
    return tl::unexpected<Error>(first);
  }
  return select(std::move(loaded.scenarios), selection);
}

std::string make_run_id(const Endpoint& endpoint, std::uint64_t seed) {
  return endpoint.disposable() ? make_run_id(seed) : make_run_id();
}

std::string make_run_id(std::optional<std::uint64_t> seed) {
  static constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz";
  std::random_device device;
  std::mt19937_64 random(seed ? *seed : (static_cast<std::uint64_t>(device()) << 32U) | device());
  std::string id;
  for (int i = 0; i < 6; ++i) id += letters[random() % letters.size()];
  return id;
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

Result<std::unique_ptr<Journal>> journal_for(const Endpoint& endpoint, const std::string& folder) {
  if (endpoint.disposable()) return std::make_unique<Journal>();
  return Journal::open(std::filesystem::path(folder) / "journal.txt");
}

Result<SideJournal> side_journal(const Endpoint& endpoint, const std::string& out, const char* side) {
  const std::string folder = (std::filesystem::path(out) / side).string();
  Result<std::unique_ptr<Journal>> journal = journal_for(endpoint, folder);
  if (!journal) return tl::unexpected<Error>(journal.error());
  return SideJournal{std::move(*journal), folder};
}

std::size_t count_rules(const RuleSet& rules, bool of_kubelets) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < rule_count; ++i) {
    const Rule rule = static_cast<Rule>(i);
    const bool is_kubelets = rules.catalogue()[rule].layer == Layer::kubelet;
    out += is_kubelets == of_kubelets && rules.in_force(rule) ? 1 : 0;
  }
  return out;
}

void describe_target(Report& report, const Target& target) {
  report.target = {target.endpoint->name(), target.endpoint->observed().version, {}};
  for (const auto& [gate, on] : target.endpoint->observed().feature_gates) {
    if (target.rules->catalogue().find_gate(gate) != nullptr) report.target.feature_gates[gate] = on;
  }
  const Release& release = target.rules->release();
  report.release = {release.version.text(), release.changed_gates(target.rules->catalogue()),
                    count_rules(*target.rules)};
}

int tell(const Report& report, const std::string& out, bool verbose, bool fail_fast) {
  const std::filesystem::path folder(out);
  for (const auto& [name, text] : {std::pair{"report.json", to_json(report)}, {"junit.xml", to_junit(report)}}) {
    if (Result<void> written = write_file(folder / name, text); !written) return fail(written.error());
  }
  std::cout << to_terminal(report, terminal_style(verbose));
  if (fail_fast && exit_code(report) == does_not_conform) {
    std::cout << "Stopped at the first failure (--fail-fast): what comes after it was not asked\n";
  }
  std::cout << "Reports: " << out << "/report.json, " << out << "/junit.xml\n";
  return interrupted() ? could_not_tell : exit_code(report);
}

int report_clean_up(const std::vector<Error>& errors, Journal& journal, const std::string& target,
                    const std::string& folder) {
  if (errors.empty()) {
    journal.close_empty();
    return conforms;
  }
  for (const Error& error : errors) std::cerr << "nodebound: clean-up: " << error.text() << '\n';
  std::cerr << "nodebound: something was left on the cluster; `nodebound clean --target " << target << " --out "
            << folder << "` tries again\n";
  return could_not_tell;
}

int report_clean_up(const std::vector<Error>& errors, const SideJournal& of, const std::string& target) {
  return report_clean_up(errors, *of.journal, target, of.folder);
}

}  // namespace nodebound
