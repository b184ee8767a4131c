#include <boost/test/unit_test.hpp>

#include "harness/certify/statement.h"
#include "harness/check/probe.h"
#include "harness/endpoint/authorizer/authorizer_endpoint.h"
#include "harness/run/description.h"
#include "harness/run/runner.h"
#include "harness/scenario/by_release.h"
#include "harness/test/project.h"

BOOST_AUTO_TEST_SUITE(certify_null)

using namespace nodebound;
using namespace nodebound::certify;
using namespace nodebound::journal;

namespace {

/// An authorizer that always says the same.
class SameAnswer final : public AccessDecider {
 public:
  explicit SameAnswer(AccessAnswer::Opinion opinion) : opinion_(opinion) {}
  Result<AccessAnswer> decide(const std::string& /*spec*/) override { return AccessAnswer{opinion_, ""}; }

 private:
  AccessAnswer::Opinion opinion_;
};

const RuleSet& rules() {
  static const RuleSet rules(catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {}));
  return rules;
}

Report asked(const std::vector<Scenario>& scenarios, Endpoint& endpoint) {
  Journal journal;
  RunOptions options;
  options.run_id = "test";
  std::vector<Error> errors;
  Report out = run_scenarios(scenarios, endpoint, rules(), journal, options, errors);
  describe_target(out, endpoint, rules());
  return out;
}

std::vector<ClaimedSet> all_profiles() {
  std::vector<ClaimedSet> out;
  const Result<Profiles> profiles = profiles_of(project::file("scenarios"));
  BOOST_REQUIRE(profiles);
  for (const auto& [name, profile] : *profiles) {
    auto set = claimed_set(project::file("scenarios"), {name, 0, Level::extended}, catalogue());
    if (set && !set->scenarios.empty()) out.push_back(std::move(*set));
  }
  BOOST_REQUIRE(out.size() > 6U);
  return out;
}

bool is_certified(Outcome outcome) {
  return outcome == Outcome::passed || outcome == Outcome::warned || outcome == Outcome::deviates;
}

}  // namespace

// An authorizer that allows everything meets all that an admission profile can ask of an authorizer.
BOOST_AUTO_TEST_CASE(who_always_says_the_same_passes_no_profile) {
  using Opinion = AccessAnswer::Opinion;
  const std::vector<ClaimedSet> profiles = all_profiles();
  std::size_t judged = 0;
  for (const Opinion opinion : {Opinion::allow, Opinion::deny, Opinion::no_opinion, Opinion::error}) {
    const auto cluster = std::make_shared<AuthorizerCluster>(rules(), options_of_authorizer_cluster(rules()));
    const auto endpoint =
        make_authorizer_endpoint("null", cluster, std::make_shared<SameAnswer>(opinion), ObjectsReach::at_once);
    for (const ClaimedSet& set : profiles) {
      const Report report = asked(set.scenarios, *endpoint);
      const Outcome outcome = outcome_of(report);
      judged += outcome == Outcome::nothing ? 0 : 1;
      BOOST_TEST(!is_certified(outcome), set.claim.profile << " " << static_cast<int>(opinion));
    }
  }
  BOOST_TEST(judged > 8U);
}

BOOST_AUTO_TEST_CASE(every_profile_expects_both_allowances_and_refusals) {
  for (const ClaimedSet& set : all_profiles()) {
    Report all;
    for (const Scenario& each : set.scenarios) {
      const Scenario scenario = at_version(each, rules().release().version);
      for (const Step& step : scenario.steps) {
        if (!step.check) continue;
        for (const Probe& probe : probes_of(*step.check, "", rules())) {
          all.checks.emplace_back().expected = probe.expectation.describe(catalogue());
          all.checks.back().verdict = Verdict::pass;
        }
      }
    }
    BOOST_TEST(judges_both(all), set.claim.profile);
  }
}

BOOST_AUTO_TEST_SUITE_END()
