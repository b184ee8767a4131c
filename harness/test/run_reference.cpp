#include <boost/test/unit_test.hpp>

#include "harness/endpoint/reference_endpoint.h"
#include "harness/run/runner.h"
#include "harness/scenario/loader.h"
#include "reports/json.h"

using namespace nodebound;

namespace {

const Catalogue& catalogue() {
  return Catalogue::built_in();
}

const std::vector<Scenario>& project_scenarios() {
  static const LoadedScenarios loaded = load_scenarios(NODEBOUND_SOURCE_DIR "/scenarios", catalogue());
  return loaded.scenarios;
}

RuleSet reference_rules() {
  return {catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {})};
}

// Judges an endpoint of rules `actual` by the rules `required`.
Report run(const RuleSet& required, const RuleSet& actual, std::size_t jobs = 1) {
  const std::unique_ptr<Endpoint> endpoint = make_reference_endpoint(actual, {});
  Journal journal;
  RunOptions options;
  options.run_id = "test";
  options.jobs = jobs;
  std::vector<Error> errors;
  return run_scenarios(project_scenarios(), *endpoint, required, journal, options, errors);
}

// The part of a report that must not depend on when and where it was made.
std::string lasting_part(Report report) {
  report.run = {};
  return to_json(report);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_reference_conforms_to_its_own_catalogue) {
  const RuleSet rules = reference_rules();
  const Report report = run(rules, rules);
  BOOST_TEST(report.count(Verdict::fail) == 0U);
  BOOST_TEST(report.count(Verdict::inconclusive) == 0U);
  BOOST_TEST(report.count(Verdict::pass) > 400U);
  BOOST_TEST(report.reason_differences() == 0U);
}

BOOST_AUTO_TEST_CASE(the_number_of_jobs_changes_no_byte_of_the_report) {
  const RuleSet rules = reference_rules();
  BOOST_TEST(lasting_part(run(rules, rules, 1)) == lasting_part(run(rules, rules, 7)));
}

BOOST_AUTO_TEST_CASE(a_reference_without_one_rule_is_caught_and_the_rule_is_named) {
  const RuleSet rules = reference_rules();
  for (const Rule rule : {Rule::node_taints, Rule::secret_through_pod, Rule::graph_forgets_deleted,
                          Rule::edge_secret_env, Rule::node_identity_group, Rule::rbac_namespace}) {
    const Report report = run(rules, rules.with_flipped(rule));
    const std::vector<std::string> broken = report.broken_rules();
    const std::string id = catalogue()[rule].id;
    BOOST_TEST((std::find(broken.begin(), broken.end(), id) != broken.end()), id);
    BOOST_TEST(exit_code(report) == 1);
  }
}

BOOST_AUTO_TEST_CASE(an_older_release_that_claims_to_be_newer_fails_on_what_changed) {
  const auto rules_at = [](const char* version) {
    return RuleSet(catalogue(), *Release::make(catalogue(), *Version::parse(version), {}));
  };
  const Report report = run(rules_at("1.32.13"), rules_at("1.32.5"));
  const std::vector<std::string> broken = report.broken_rules();
  BOOST_TEST((std::find(broken.begin(), broken.end(), "node-owner-references") != broken.end() ||
              project_scenarios().size() < 60));
}

BOOST_AUTO_TEST_CASE(what_a_release_does_not_serve_is_skipped_with_that_reason) {
  const RuleSet rules(catalogue(), *Release::make(catalogue(), *Version::parse("1.12.0"), {}));
  const Report report = run(rules, rules);
  BOOST_TEST(std::any_of(report.checks.begin(), report.checks.end(), [](const CheckResult& check) {
    return check.verdict == Verdict::skip && check.why == "the release does not serve pods/ephemeralcontainers";
  }));
}

BOOST_AUTO_TEST_CASE(shards_share_the_scenarios_out_without_loss) {
  std::size_t total = 0;
  for (std::size_t i = 1; i <= 3; ++i) {
    Selection selection;
    selection.shard = i;
    selection.shards = 3;
    total += select(project_scenarios(), selection)->size();
  }
  BOOST_TEST(total == project_scenarios().size());
}

BOOST_AUTO_TEST_CASE(a_selection_that_is_no_regular_expression_is_an_input_error) {
  Selection selection;
  selection.focus = "(";
  const Result<std::vector<Scenario>> selected = select(project_scenarios(), selection);
  BOOST_REQUIRE(!selected.has_value());
  BOOST_TEST(selected.error().where == "--focus");
}
