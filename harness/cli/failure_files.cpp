#include "harness/cli/failure_files.h"

#include <algorithm>
#include <filesystem>

#include "harness/failures/failure_kinds.h"
#include "harness/failures/failure_page.h"
#include "harness/failures/request_commands.h"
#include "reports/files.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_pages = 200;
constexpr std::size_t most_made_small = 20;

// One failure of each kind, then a second of each, …
std::vector<std::pair<std::size_t, const failures::FailureKind*>> in_order(
    const std::vector<failures::FailureKind>& kinds) {
  std::vector<std::pair<std::size_t, const failures::FailureKind*>> out;
  bool more = true;
  for (std::size_t round = 0; more && out.size() < most_pages; ++round) {
    more = false;
    for (const failures::FailureKind& kind : kinds) {
      if (round >= kind.checks.size() || out.size() == most_pages) continue;
      out.emplace_back(kind.checks[round], &kind);
      more = true;
    }
  }
  return out;
}

// `001-conformance-node-identity-…`
std::string file_name(std::size_t number, const std::string& id) {
  std::string out = std::to_string(number);
  out.insert(0, 3 - std::min<std::size_t>(3, out.size()), '0');
  out += '-';
  for (const char c : id.substr(0, 100)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || !out.ends_with('-')) out += plain ? c : '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return out;
}

bool is_page_of_earlier_run(const fs::path& file) {
  const std::string name = file.filename().string();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return name.size() > 4 && std::all_of(name.begin(), name.begin() + 3, is_digit) && name[3] == '-' &&
         (file.extension() == ".md" || file.extension() == ".toml");
}

void remove_pages(const fs::path& folder) {
  std::error_code failed;
  for (const fs::path& of : {folder, folder / "smallest" / "found"}) {
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(of, failed)) {
      if (entry.is_regular_file(failed) && is_page_of_earlier_run(entry.path())) old.push_back(entry.path());
    }
    for (const fs::path& file : old) fs::remove(file, failed);
  }
}

Result<void> write_smallest(const fs::path& folder, const std::string& scenarios, const std::string& name,
                            const std::string& text) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  for (const char* beside : {"fixtures.toml", "profiles.toml"}) {
    fs::copy_file(fs::path(scenarios) / beside, folder / beside, fs::copy_options::overwrite_existing, failed);
    if (failed) return input_error((folder / beside).string(), "cannot be written: " + failed.message());
  }
  return write_file(folder / "found" / (name + ".toml"), text);
}

std::string regex_of(const std::string& id) {
  std::string out;
  for (const char c : id) {
    if (std::string_view("[](){}.*+?^$|\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// The id of a check is that of its scenario, and the name of its step.
std::string scenario_of_check(const std::string& id) {
  const std::size_t bracket = std::min(id.find('['), id.size());
  const std::size_t case_end = id.find("]/", bracket);
  const std::size_t slash = case_end == std::string::npos ? id.rfind('/', bracket) : case_end + 1;
  return id.substr(0, slash);
}

}  // namespace

SmallestScenarios smallest_scenarios(const std::vector<Scenario>& scenarios, const Report& report,
                                     const failures::ShrinkSetting& setting) {
  SmallestScenarios out;
  std::size_t tried = 0;
  for (const failures::FailureKind& kind : failures::failure_kinds(report)) {
    if (tried++ == most_made_small) break;
    const CheckResult& check = report.checks[kind.checks.front()];
    const auto of =
        std::ranges::find_if(scenarios, [&](const Scenario& each) { return check.id.starts_with(each.id + "/"); });
    if (of == scenarios.end()) continue;
    if (auto text = failures::smallest_scenario(*of, check, setting)) out.emplace(check.id, std::move(*text));
  }
  return out;
}

Result<std::string> write_failures(const Report& report, const Catalogue& catalogue, const FailureFiles& files) {
  const fs::path folder = fs::path(files.out) / "failures";
  remove_pages(folder);
  const std::vector<failures::FailureKind> kinds = failures::failure_kinds(report);
  if (kinds.empty()) return std::string();
  std::size_t number = 0;
  for (const auto& [at, kind] : in_order(kinds)) {
    const CheckResult& check = report.checks[at];
    const std::string name = file_name(++number, check.id);
    failures::FailureContext context;
    context.of_kind = kind->checks.size();
    context.replay =
        files.replay + " --focus " + failures::shell_word("^" + regex_of(scenario_of_check(check.id)) + "$");
    if (const auto small = files.smallest.find(check.id); small != files.smallest.end()) {
      const fs::path scenarios = folder / "smallest";
      context.smallest = small->second;
      context.smallest_replay = files.replay + " --scenarios " + failures::shell_word(scenarios.string()) +
                                " --focus " + failures::shell_word("^found/" + name + "$");
      if (auto written = write_smallest(scenarios, files.scenarios, name, small->second); !written) {
        return tl::unexpected<Error>(written.error());
      }
    }
    const Result<void> written =
        write_file(folder / (name + ".md"), failures::failure_page(check, report, catalogue, context));
    if (!written) return tl::unexpected<Error>(written.error());
  }
  return "Failures: " + printable(folder.string()) + " (" + counted(number, "page") + ", " +
         counted(kinds.size(), "kind") + ")\n";
}

std::string replay_command(const TargetFlags& flags, const std::string& target, const Report& report,
                           std::uint64_t seed) {
  std::string out = "nodebound run --target " + failures::shell_word(target) + " --release " + report.release.version;
  std::string gates;
  for (const std::string& gate : report.release.feature_gates) gates += (gates.empty() ? "" : ",") + gate;
  if (!gates.empty()) out += " --feature-gates " + failures::shell_word(gates);
  out += flags.access_words();
  return seed == 1 ? out : out + " --seed " + std::to_string(seed);
}

}  // namespace nodebound::cli
