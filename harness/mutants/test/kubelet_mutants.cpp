#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>

#include "harness/endpoint/loopback.h"
#include "harness/kubelet/kubelet_run.h"
#include "harness/mutants/kubelet_mutation_run.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(kubelet_mutants)

using namespace nodebound;
using namespace nodebound::kubelet_conformance;
using namespace nodebound::mutants;

namespace {

const Catalogue& catalogue() {
  return Catalogue::built_in();
}

const std::vector<KubeletScenario>& scenarios() {
  static const auto all = load_kubelet_scenarios(project::file("scenarios"), catalogue());
  BOOST_REQUIRE_MESSAGE(all, (all ? "" : all.error().text()));
  return *all;
}

Release release(const char* version) {
  return Release::make(catalogue(), Version::parse(version).value(), {}).value();
}

std::vector<KubeletMutant> all_mutants() {
  std::vector<KubeletMutant> out = kubelet_flips(catalogue());
  for (KubeletMutant& mutant : kubelet_faults(catalogue())) out.push_back(std::move(mutant));
  return out;
}

KubeletFault fault_named(const std::string& id) {
  for (const KubeletMutant& mutant : kubelet_faults(catalogue())) {
    if (mutant.id == id) return mutant.fault();
  }
  BOOST_FAIL("there is no fault " + id);
  return {};
}

/// The checks of a scenario that fail with an embedded kubelet of 1.36.3.
std::vector<CheckResult> failures(const std::string& scenario, KubeletFault fault) {
  const auto folder = TemporaryDirectory::make();
  BOOST_REQUIRE(folder);
  const auto cluster = SuiteCluster::open(folder->path(), "", kubelet_node);
  BOOST_REQUIRE(cluster);
  EmbeddedKubelets kubelets(folder->path(), **cluster, std::move(fault));
  const auto found = std::find_if(scenarios().begin(), scenarios().end(),
                                  [&](const KubeletScenario& one) { return one.id == scenario; });
  BOOST_REQUIRE(found != scenarios().end());
  const Report report =
      run_kubelet_scenarios({*found}, kubelets, **cluster, catalogue(), release("1.36.3").version, {});
  BOOST_TEST(!report.checks.empty());
  std::vector<CheckResult> out;
  for (const CheckResult& check : report.checks) {
    if (check.verdict == Verdict::fail) out.push_back(check);
  }
  return out;
}

}  // namespace

// Kubelets read no certificate revocation list, so no request can exercise one.
BOOST_AUTO_TEST_CASE(every_rule_that_a_scenario_names_is_broken_by_some_mutant) {
  std::set<Rule> broken = {Rule::kubelet_no_revocation};
  for (const KubeletMutant& mutant : all_mutants()) broken.insert(mutant.rules.begin(), mutant.rules.end());
  for (const KubeletScenario& scenario : scenarios()) {
    for (const KubeletStep& step : scenario.steps) {
      for (const Rule rule : step.rules) BOOST_TEST(broken.contains(rule), step.where);
    }
    for (const KubeletStart& start : scenario.starts) {
      for (const Rule rule : start.rules) BOOST_TEST(broken.contains(rule), start.where);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_rule_of_kubelets_is_named_by_some_scenario) {
  std::set<Rule> named;
  for (const KubeletScenario& scenario : scenarios()) {
    for (const KubeletStep& step : scenario.steps) named.insert(step.rules.begin(), step.rules.end());
    for (const KubeletStart& start : scenario.starts) named.insert(start.rules.begin(), start.rules.end());
  }
  for (std::size_t i = 0; i < rule_count; ++i) {
    const RuleEntry& entry = catalogue().rules()[i];
    if (entry.layer == Layer::kubelet) BOOST_TEST(named.contains(static_cast<Rule>(i)), entry.id);
  }
}

BOOST_AUTO_TEST_CASE(a_review_that_names_somebody_wrongly_is_told_with_its_rule) {
  BOOST_TEST(failures("identity", {}).empty());
  for (const auto& [fault, rule] : {std::pair{"kubelet/first-organization", "kubelet-client-certificate: "},
                                    {"kubelet/extra-left-out", "kubelet-credential-id: "},
                                    {"kubelet/audience", "kubelet-token-audience: "},
                                    {"kubelet/namespace", "kubelet-review-node: "},
                                    {"kubelet/with-path", "kubelet-review-node: "}}) {
    const auto failed = failures("identity", fault_named(fault));
    const bool told = std::any_of(failed.begin(), failed.end(), [&, rule = rule](const CheckResult& check) {
      return check.why.find(rule) != std::string::npos;
    });
    BOOST_TEST(told, fault);
  }
}

BOOST_AUTO_TEST_CASE(faults_are_caught_and_a_scenario_too_few_lets_one_through) {
  std::vector<KubeletMutant> mutants = kubelet_faults(catalogue());
  std::erase_if(mutants, [](const KubeletMutant& one) {
    return one.id != "kubelet/checkpoint-unasked" && one.id != "kubelet/first-organization";
  });
  const auto run = [&](const std::vector<KubeletScenario>& some) {
    MutationReport report;
    const Known known;
    const MutationRunOptions options;
    BOOST_REQUIRE(KubeletMutationRun(mutants, some, known, catalogue(), release("1.36.3"), options).run(report));
    return report;
  };
  const MutationReport all = run(scenarios());
  BOOST_TEST(all.count(MutantResult::Outcome::killed) == 2U);
  BOOST_TEST(all.mistakes.empty());
  std::vector<KubeletScenario> some = scenarios();
  std::erase_if(some, [](const KubeletScenario& one) { return one.id != "starts"; });
  BOOST_TEST(run(some).count(MutantResult::Outcome::survived) == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
