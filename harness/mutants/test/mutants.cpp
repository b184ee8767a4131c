#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "harness/mutants/faults/fault_file.h"
#include "harness/mutants/known.h"
#include "harness/mutants/mutant_setting.h"
#include "harness/mutants/mutation_run.h"
#include "harness/mutants/releases.h"
#include "harness/test/project.h"

BOOST_AUTO_TEST_SUITE(mutants)

using namespace nodebound;
using namespace nodebound::mutants;

namespace {

/// node-taints is not looked at in writes of a Node's status.
const std::string status_unchecked = R"(
[[fault]]
rules = ["node-taints"]
unchecked = ["subresource status"]
)";

std::vector<Scenario> scenarios_named(const std::string& part) {
  std::vector<Scenario> out;
  for (const Scenario& scenario : project_scenarios()) {
    if (scenario.id.find(part) != std::string::npos) out.push_back(scenario);
  }
  return out;
}

std::vector<Mutant> faults(const std::string& text) {
  Result<std::vector<Mutant>> parsed = parse_faults(text, "faults.toml", catalogue());
  BOOST_REQUIRE_MESSAGE(parsed.has_value(), (parsed ? "" : parsed.error().text()));
  return std::move(*parsed);
}

Known equivalents(const std::string& keys) {
  const Result<Known> known = parse_known("[[equivalent]]\nproof = \"none\"\n" + keys, "equivalent.toml");
  BOOST_REQUIRE_MESSAGE(known.has_value(), (known ? "" : known.error().text()));
  return *known;
}

std::string mistake_in(const std::string& text) {
  const Result<std::vector<Mutant>> parsed = parse_faults(text, "faults.toml", catalogue());
  return parsed ? "no mistake" : parsed.error().text();
}

/// Hunts the mutants at 1.36.3 with some of the scenarios.
MutationReport run(const std::vector<Mutant>& mutants, const std::vector<Scenario>& scenarios,
                   const Known& known = {}) {
  const ReachObserver observer(mutants);
  auto settings = settings_of(catalogue(), *Version::parse("1.36.3"), scenarios, observer);
  const MutationRunOptions options;
  MutationReport report;
  MutationRun(mutants, settings, known, options).run(mutants_at(mutants, settings), report);
  return report;
}

MutantResult only(const MutationReport& report) {
  BOOST_REQUIRE(report.mutants.size() == 1U);
  return report.mutants.front();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_known_fault_is_caught_and_named) {
  const auto mutants = faults(status_unchecked);
  const MutantResult result = only(run(mutants, scenarios_named("node-taints")));
  BOOST_TEST(result.id == "node-taints/unchecked:subresource status");
  BOOST_TEST((result.outcome == MutantResult::Outcome::killed));
  BOOST_TEST(result.killer.starts_with("conformance/node-taints[status]/"), result.killer);
}

BOOST_AUTO_TEST_CASE(a_fault_that_no_scenario_meets_survives) {
  const auto mutants = faults(status_unchecked);
  const MutationReport report = run(mutants, scenarios_named("lease-writes"));
  BOOST_TEST((only(report).outcome == MutantResult::Outcome::survived));
  BOOST_TEST(exit_code(report) == 1);
}

BOOST_AUTO_TEST_CASE(a_fault_that_never_shows_changes_nothing) {
  const auto mutants = faults(R"(
[[fault]]
rules = ["node-taints", "secret-through-pod"]
unchecked = ["resource no-such-resource"]
refused = ["resource no-such-resource"]
[[fault]]
rules = ["pod-own-node"]
misread = ["first-of /no/such/path"]
)");
  const ReachObserver observer(mutants);
  auto settings = settings_of(catalogue(), *Version::parse("1.36.3"), project_scenarios(), observer);
  MutantSetting& setting = *settings.front();
  for (const Mutant& mutant : mutants) {
    for (std::size_t i = 0; i < setting.scenarios().size(); i += 7) {
      const Trial trial = setting.attempt(mutant, i, true);
      BOOST_TEST(trial.failed.empty(), mutant.id << " fails " << setting.scenarios()[i].id);
      BOOST_TEST(trial.reworded.empty(), mutant.id << " says something else in " << setting.scenarios()[i].id);
      BOOST_TEST(trial.unclear.empty(), mutant.id << " is unclear in " << setting.scenarios()[i].id);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_the_scout_does_not_reach_no_scenario_catches) {
  const Result<std::vector<Mutant>> mutants = built_in_faults(catalogue());
  BOOST_REQUIRE(mutants.has_value());
  const ReachObserver observer(*mutants);
  const std::vector<Scenario> scenarios = scenarios_named("lease");
  auto settings = settings_of(catalogue(), *Version::parse("1.36.3"), scenarios, observer);
  MutantSetting& setting = *settings.front();
  std::size_t tried = 0;
  for (std::size_t s = 0; s < setting.scenarios().size(); ++s) {
    setting.walk(s);
    for (std::size_t i = s; i < mutants->size(); i += 17) {
      const Mutant& mutant = (*mutants)[i];
      if (!has_reach(mutant) || !applies(mutant, setting.rules()) || setting.walked(s).reached[i]) continue;
      ++tried;
      BOOST_TEST(setting.attempt(mutant, s, true).failed.empty(), mutant.id);
    }
  }
  BOOST_TEST(tried > 50U);
}

BOOST_AUTO_TEST_CASE(a_deleted_pod_that_still_leads_is_caught_by_edge) {
  const auto mutants = faults(R"(
[[graph]]
edges = ["edge-secret-env"]
faults = ["after-pod-deletion", "every-node", "every-namespace", "after-replacement"]
)");
  const MutationReport report = run(mutants, scenarios_named("secret-through-pod[env]"));
  BOOST_TEST(report.count(MutantResult::Outcome::killed) == 4U);
  // A pod that references the Secret in another way leads nowhere by that edge.
  const MutationReport other = run(mutants, scenarios_named("secret-through-pod[volume]"));
  BOOST_TEST(other.count(MutantResult::Outcome::killed) == 0U);
}

BOOST_AUTO_TEST_CASE(callers_taken_for_others_are_caught) {
  const auto mutants = faults(R"(
[[identity]]
slips = ["after-last-colon", "name-from-group"]
)");
  BOOST_TEST(run(mutants, scenarios_named("node-identity")).count(MutantResult::Outcome::killed) == 4U);
}

BOOST_AUTO_TEST_CASE(a_listed_equivalent_that_is_caught_is_a_mistake) {
  const auto mutants = faults(status_unchecked);
  const Known known = equivalents(R"(mutants = ["node-taints/*"])");
  const MutationReport report = run(mutants, scenarios_named("node-taints"), known);
  BOOST_REQUIRE(report.mistakes.size() == 1U);
  BOOST_TEST(report.mistakes.front().starts_with("equivalent.toml lists node-taints/unchecked:subresource status"));
  BOOST_TEST(exit_code(report) == 1);
}

// In the first scenario another rule refuses in other words; in a later one none does.
BOOST_AUTO_TEST_CASE(a_listed_equivalent_is_asked_on_after_it_was_worded_differently) {
  const auto all = flips(catalogue());
  std::vector<Mutant> mutants;
  std::copy_if(all.begin(), all.end(), std::back_inserter(mutants),
               [](const Mutant& mutant) { return mutant.id == "off:pod-references-configmaps"; });
  const Known known = equivalents(R"(mutants = ["off:pod-references-configmaps"]
worded = true)");
  const MutationReport report = run(mutants, scenarios_named("mirror-pod-configmaps"), known);
  BOOST_REQUIRE(report.mistakes.size() == 1U);
  BOOST_TEST(report.mistakes.front().find("catches at") != std::string::npos, report.mistakes.front());
  BOOST_TEST((only(report).outcome == MutantResult::Outcome::killed));
}

BOOST_AUTO_TEST_CASE(a_list_of_what_there_is_not_is_a_mistake) {
  const Known known = equivalents(R"(mutants = ["off:a*", "off:gone"]
until = "1.36")");
  MutationReport report;
  report.mutants.resize(2);
  report.mutants[0].id = "off:ab";
  report.mutants[0].release = "1.35.4";
  report.mutants[1].id = "off:gone";
  report.mutants[1].release = "1.36.3";
  note_unused_patterns(known, report);
  BOOST_REQUIRE(report.mistakes.size() == 1U);
  BOOST_TEST(report.mistakes.front() == "equivalent.toml lists off:gone, and there is no such mutant");
}

BOOST_AUTO_TEST_CASE(a_check_that_fails_at_one_release_is_not_idle_at_the_next) {
  const auto mutants = faults(status_unchecked);
  const ReachObserver observer(mutants);
  MutationRunOptions options;
  options.checks = true;
  MutationReport report;
  const std::vector<std::vector<std::size_t>> picked = {{0}, {}};
  const Known known;
  std::size_t idle = 0;
  for (const char* release : {"1.36.3", "1.35.4"}) {
    auto settings = settings_of(catalogue(), *Version::parse(release), scenarios_named("node-taints"), observer);
    MutationRun(mutants, settings, known, options).run(picked[report.releases.size()], report);
    if (idle == 0) idle = report.idle_checks().size();
  }
  BOOST_TEST(report.releases.size() == 2U);
  BOOST_TEST(report.idle_checks().size() < report.checks.size());
  BOOST_TEST(report.idle_checks().size() == idle);
}

BOOST_AUTO_TEST_CASE(files_are_read_strictly) {
  const std::string taints = "[[fault]]\nrules = [\"node-taints\"]\n";
  BOOST_TEST(
      mistake_in(taints + "uncheked = [\"dry-run\"]\n").starts_with("faults.toml:3:12: unknown key \"uncheked\""),
      mistake_in(taints + "uncheked = [\"dry-run\"]\n"));
  BOOST_TEST(mistake_in("[[fault]]\nrules = [\"node-taint\"]\n").find("there is no rule \"node-taint\"") !=
             std::string::npos);
  BOOST_TEST(mistake_in(taints + "unchecked = [\"dry-runs\"]\n")
                 .find("there is no condition \"dry-runs\"; did you mean \"dry-run\"?") != std::string::npos);
  BOOST_TEST(mistake_in(taints + "misread = [\"first-of\"]\n").find("expects a JSON pointer") != std::string::npos);
  for (const char* pointer : {"spec/x", "/spec~2x", "/spec~"}) {
    const std::string mistake = mistake_in(taints + "unchecked = [\"has " + std::string(pointer) + "\"]\n");
    BOOST_TEST(mistake.starts_with("faults.toml:3"), mistake);
    BOOST_TEST(mistake.find("\"has\" expects a JSON pointer") != std::string::npos, mistake);
  }
  BOOST_TEST(mistake_in(taints + "unchecked = [\"has /a~1b~0c/0\"]\n") == "no mistake");
  BOOST_TEST(mistake_in("[[graph]]\nedges = [\"edge-secret-env\"]\nfaults = [\"always\"]\n")
                 .find("there is no fault of the graph \"always\"") != std::string::npos);
  BOOST_TEST(mistake_in("[[identity]]\nslips = [\"anybody\"]\n").find("there is no slip \"anybody\"") !=
             std::string::npos);
  BOOST_TEST(mistake_in("[[fault]]\nrules = [\"node-taints\", \"node-taints\"]\nunchecked = [\"dry-run\"]\n")
                 .find("there is a mutant node-taints/unchecked:dry-run already") != std::string::npos);
  const Result<Known> known = parse_known("[[equivalent]]\nmutants = [\"a\"]\nproof = \"b\"\nwhy = \"c\"\n", "e.toml");
  BOOST_REQUIRE(!known.has_value());
  BOOST_TEST(known.error().where.starts_with("e.toml:4"), known.error().text());
}

BOOST_AUTO_TEST_CASE(the_parts_of_the_built_in_faults_are_many) {
  const Result<std::vector<Mutant>> mutants = built_in_faults(catalogue());
  BOOST_REQUIRE_MESSAGE(mutants.has_value(), (mutants ? "" : mutants.error().text()));
  std::set<std::string> parts;
  for (const Mutant& mutant : *mutants) parts.insert(mutant.part);
  BOOST_TEST(mutants->size() > 400U);
  BOOST_TEST(parts.size() > 9U);
  BOOST_TEST(built_in_known().has_value());
}

BOOST_AUTO_TEST_CASE(a_gate_that_puts_a_rule_in_force_alone_is_off_alone) {
  const auto mutants = faults(status_unchecked);
  const ReachObserver observer(mutants);
  // csinodeinfo-admission-gate is in force without KubeletPluginsWatcher, and without CSINodeInfo.
  const auto has_ground = [&](const std::string& release) {
    const auto settings = settings_of(catalogue(), *Version::parse(release), {}, observer);
    return std::any_of(settings.begin(), settings.end(), [](const auto& setting) {
      const auto& gates = setting->rules().release().gates;
      return gates.at("CSINodeInfo") && gates.contains("KubeletPluginsWatcher") && !gates.at("KubeletPluginsWatcher");
    });
  };
  BOOST_TEST(has_ground("1.12.0"));
  // There it is locked.
  BOOST_TEST(!has_ground("1.14.0"));
}

BOOST_AUTO_TEST_SUITE_END()
