#include "harness/cli/explore_report.h"

#include <filesystem>

#include "harness/cli/target_run.h"
#include "harness/explore/episode/scenario_file.h"
#include "reports/files.h"

namespace nodebound::cli {
namespace {

using Explained = Exploration::Difference::Explained;

Explained explained(explore::DifferenceCause::Kind kind) {
  switch (kind) {
    case explore::DifferenceCause::Kind::none:
      return Explained::no;
    case explore::DifferenceCause::Kind::deviation:
      return Explained::deviation;
    case explore::DifferenceCause::Kind::release:
      return Explained::release;
    case explore::DifferenceCause::Kind::defect:
      return Explained::defect;
  }
  return Explained::no;
}

std::string rule_of(const explore::DifferenceFound& found) {
  const std::size_t at = found.difference.step;
  return at < found.by_rules.size() ? found.by_rules[at].rule : found.difference.a.rule;
}

Exploration::Difference difference_of(const explore::DifferenceFound& found) {
  Exploration::Difference out;
  out.count = found.count;
  out.episode = found.difference.episode.number;
  out.steady = found.steady;
  out.small = found.small;
  out.rule = rule_of(found);
  out.explained = explained(found.cause.kind);
  out.by = found.cause.by;
  out.together = found.cause.together;
  out.statement = found.cause.statement;
  const std::vector<Step>& steps = found.difference.episode.scenario.steps;
  for (std::size_t at = 0; at <= found.difference.step; ++at) out.steps.push_back(explore::to_text(steps[at]));
  out.a = to_text(found.difference.a);
  out.b = to_text(found.difference.b);
  out.message_a = explore::comparable_message(found.difference.a);
  out.message_b = explore::comparable_message(found.difference.b);
  return out;
}

// Edges, graph rules and roles decide nothing themselves: other rules decide by them.
bool can_decide(const RuleEntry& rule) {
  return rule.layer != Layer::kubelet && !rule.edge && !rule.role && rule.effect != Effect::reason &&
         rule.unreachable.empty() && !rule.id.starts_with("graph-") && !rule.id.starts_with("edge-");
}

Result<void> put_beside(const std::string& from, const std::string& folder, const char* name) {
  const std::filesystem::path to = std::filesystem::path(folder) / name;
  std::error_code failed;
  if (std::filesystem::exists(to, failed)) return {};
  std::filesystem::create_directories(folder, failed);
  std::filesystem::copy_file(std::filesystem::path(from) / name, to, failed);
  if (failed) return input_error(to.string(), "cannot be written: " + failed.message());
  return {};
}

}  // namespace

Exploration::Side described_side(const Target& target) {
  const Release& release = target.rules->release();
  return {target.endpoint->name(), target.endpoint->observed().version, release.version.text(),
          count_rules(*target.rules)};
}

Exploration exploration_of(const explore::ExplorationOutcome& outcome, const RuleSet& rules, std::uint64_t seed) {
  Exploration out;
  out.seed = seed;
  out.requests = outcome.requests;
  out.episodes = outcome.episodes;
  out.reworded = outcome.reworded;
  out.rules_fired = outcome.coverage.by_rule();
  for (std::size_t at = 0; at < rule_count; ++at) {
    const Rule rule = static_cast<Rule>(at);
    const RuleEntry& entry = rules.catalogue()[rule];
    const bool could = rules.in_force(rule) && can_decide(entry);
    if (could && !out.rules_fired.contains(entry.id)) out.rules_not_fired.push_back(entry.id);
  }
  for (const explore::DifferenceFound& found : outcome.differences) out.differences.push_back(difference_of(found));
  return out;
}

Result<void> write_scenarios(const explore::ExplorationOutcome& outcome, const std::string& fixtures_folder,
                             const std::string& folder, const Catalogue& catalogue, Exploration& exploration) {
  for (const char* name : {"fixtures.toml", "profiles.toml"}) {
    if (Result<void> put = put_beside(fixtures_folder, folder, name); !put) return put;
  }
  for (std::size_t at = 0; at < outcome.differences.size(); ++at) {
    const explore::DifferenceFound& found = outcome.differences[at];
    Exploration::Difference& told = exploration.differences[at];
    const std::string about = "A: " + told.a + ". B: " + told.b + ". Seed " + std::to_string(exploration.seed) +
                              ", episode " + std::to_string(told.episode) + ".";
    const Result<std::string> text =
        found.small ? explore::scenario_of(found.difference, found.by_rules, {.about = about}, catalogue)
                    : input_error("", "it was not made small");
    if (!text) {
      told.no_scenario = text.error().what;
      continue;
    }
    const std::string name =
        told.rule + "-" + std::to_string(exploration.seed) + "-" + std::to_string(at + 1) + ".toml";
    const std::filesystem::path file = std::filesystem::path(folder) / "found" / name;
    if (Result<void> written = write_file(file, *text); !written) return written;
    told.scenario = file.string();
  }
  return {};
}

}  // namespace nodebound::cli
