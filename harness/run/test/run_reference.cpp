#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "harness/endpoint/reference_endpoint.h"
#include "harness/run/runner.h"
#include "harness/test/command_line.h"
#include "harness/test/late_endpoint.h"
#include "harness/test/project.h"
#include "harness/test/sanitizers.h"
#include "reports/run/json.h"

BOOST_AUTO_TEST_SUITE(run_reference)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::journal;

namespace {

RuleSet reference_rules() {
  return {catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {})};
}

// Tests an endpoint with rules `actual` against the rules `required`.
Report run(const RuleSet& required, const RuleSet& actual, const RunOptions& options = {.run_id = "test"},
           const std::vector<Scenario>& scenarios = project_scenarios()) {
  const std::unique_ptr<Endpoint> endpoint = make_reference_endpoint(actual, {});
  Journal journal;
  std::vector<Error> errors;
  return run_scenarios(scenarios, *endpoint, required, journal, options, errors);
}

// The part of a report that must not depend on place and time.
std::string lasting_part(Report report) {
  report.run = {};
  return to_json(report);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_reference_conforms_to_its_own_catalogue) {
  const RuleSet rules = reference_rules();
  const Report report = run(rules, rules, {.run_id = "test"}, scenarios_for_whole_runs());
  BOOST_TEST(report.count(Verdict::fail) == 0U);
  BOOST_TEST(report.count(Verdict::inconclusive) == 0U);
  BOOST_TEST(report.count(Verdict::pass) > 400U);
  BOOST_TEST(report.reason_differences() == 0U);
}

BOOST_AUTO_TEST_CASE(the_number_of_jobs_changes_no_byte_of_the_report) {
  const RuleSet rules = reference_rules();
  const std::vector<Scenario> scenarios = scenarios_for_whole_runs();
  BOOST_TEST(lasting_part(run(rules, rules, {.run_id = "test", .jobs = 1}, scenarios)) ==
             lasting_part(run(rules, rules, {.run_id = "test", .jobs = 7}, scenarios)));
}

BOOST_AUTO_TEST_CASE(a_reference_without_one_rule_is_caught_and_the_rule_is_named) {
  const RuleSet rules = reference_rules();
  for (const Rule rule : {Rule::node_taints, Rule::secret_through_pod, Rule::graph_forgets_deleted,
                          Rule::edge_secret_env, Rule::node_identity_group, Rule::rbac_namespace}) {
    if (sanitized && rule != Rule::graph_forgets_deleted) continue;
    const Report report = run(rules, rules.with_flipped(rule), {.run_id = "test"}, scenarios_naming(rule));
    const std::vector<std::string> broken = report.broken_rules();
    const std::string id = catalogue()[rule].id;
    BOOST_TEST((std::find(broken.begin(), broken.end(), id) != broken.end()), id);
    BOOST_TEST(exit_code(report) == 1);
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_fast_asks_no_scenario_after_one_that_failed) {
  const RuleSet rules = reference_rules();
  const RuleSet faulty = rules.with_flipped(Rule::secret_through_pod);
  const std::vector<Scenario> scenarios = scenarios_naming(Rule::secret_through_pod);
  const Report whole = run(rules, faulty, {.run_id = "test"}, scenarios);
  const Report fast = run(rules, faulty, {.run_id = "test", .fail_fast = true}, scenarios);
  const auto failed_scenarios = [](const Report& report) {
    std::set<std::string> out;
    for (const CheckResult& check : report.checks) {
      if (check.verdict == Verdict::fail) out.insert(check.scenario);
    }
    return out;
  };
  BOOST_TEST(failed_scenarios(whole).size() > 1U);
  BOOST_TEST_REQUIRE(failed_scenarios(fast).size() == 1U);
  BOOST_TEST(failed_scenarios(whole).contains(*failed_scenarios(fast).begin()));
  BOOST_TEST(fast.checks.size() < whole.checks.size());
  BOOST_TEST(exit_code(fast) == 1);
}

BOOST_AUTO_TEST_CASE(a_refusal_in_other_words_fails_only_if_words_are_asked_for) {
  const auto rules_at = [](const char* version) {
    return RuleSet(catalogue(), *Release::make(catalogue(), *Version::parse(version), {}));
  };
  const auto reworded = [](const Report& report) {
    return std::ranges::count_if(report.checks, [](const CheckResult& check) {
      return check.verdict == Verdict::fail && check.why.starts_with("refused in other words");
    });
  };
  const RuleSet older = rules_at("1.31.0");
  const RuleSet newer = rules_at("1.37.1");
  const std::vector<Scenario> scenarios = scenarios_naming(Rule::node_read_not_all);
  const Report report = run(newer, older, {.run_id = "test"}, scenarios);
  const Report exact = run(newer, older, {.run_id = "test", .exact_reasons = true}, scenarios);
  BOOST_TEST(report.reason_differences() > 0);
  BOOST_TEST(reworded(report) == 0);
  BOOST_TEST(exact.reason_differences() == 0);
  BOOST_TEST(static_cast<std::size_t>(reworded(exact)) == report.reason_differences());
  BOOST_TEST(exit_code(run(newer, newer, {.run_id = "test", .exact_reasons = true}, scenarios)) == 0);
}

BOOST_AUTO_TEST_CASE(an_older_release_that_claims_to_be_newer_fails_on_what_changed) {
  const auto rules_at = [](const char* version) {
    return RuleSet(catalogue(), *Release::make(catalogue(), *Version::parse(version), {}));
  };
  const Report report =
      run(rules_at("1.32.13"), rules_at("1.32.5"), {.run_id = "test"}, scenarios_naming(Rule::node_owner_references));
  const std::vector<std::string> broken = report.broken_rules();
  BOOST_TEST((std::find(broken.begin(), broken.end(), "node-owner-references") != broken.end()));
}

BOOST_AUTO_TEST_CASE(what_a_release_does_not_serve_is_skipped_with_that_reason) {
  const RuleSet rules(catalogue(), *Release::make(catalogue(), *Version::parse("1.12.0"), {}));
  Selection selection;
  selection.focus = "ephemeral";
  const Report report = run(rules, rules, {.run_id = "test"}, *select(project_scenarios(), selection));
  BOOST_TEST(std::any_of(report.checks.begin(), report.checks.end(), [](const CheckResult& check) {
    return check.verdict == Verdict::skip && check.why == "the release does not serve pods/ephemeralcontainers";
  }));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_bound_leaves_the_rest_undecided) {
  const RuleSet rules = reference_rules();
  // A node that may write bindings has bound the pod before the scenario does.
  const Report report = run(rules, rules.with_flipped(Rule::pod_subresources), {.run_id = "test"},
                            scenarios_naming(Rule::pod_subresources));
  const auto later = std::find_if(report.checks.begin(), report.checks.end(), [](const CheckResult& check) {
    return check.id == "escalations/secret-by-rebinding/what-the-scheduler-gives-it";
  });
  BOOST_REQUIRE((later != report.checks.end()));
  BOOST_TEST((later->verdict == Verdict::inconclusive), later->why);
}

BOOST_AUTO_TEST_CASE(what_a_node_may_be_let_make_is_written_down_and_removed) {
  const RuleSet rules = reference_rules();
  std::vector<std::string> sent;
  const std::unique_ptr<Endpoint> endpoint =
      make_shared_endpoint(rules, [&](const Subject&, const HttpRequest& request) {
        sent.push_back(request.method + " " + request.target);
        return true;
      });
  const command_line::Folder folder;
  std::vector<Error> errors;
  Selection selection;
  selection.focus = "certificate-of-another-node.client";
  const std::unique_ptr<Journal> journal = std::move(*Journal::create(folder.path, {"test", {}}));
  run_scenarios(*select(project_scenarios(), selection), *endpoint, rules, *journal, {.run_id = "test"}, errors);
  std::string written;
  std::ifstream in(journal->file());
  for (std::string line; std::getline(in, line);) written += line + "\n";
  const std::string requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests/";
  BOOST_TEST(written.find(requests + "nb-test-0-thief\"") != std::string::npos);
  BOOST_TEST(written.find(requests + "nb-test-0-own\"") == std::string::npos, "a dry run makes nothing");
  BOOST_TEST((std::find(sent.begin(), sent.end(), "DELETE " + requests + "nb-test-0-own") == sent.end()));
  BOOST_TEST(errors.empty());
  BOOST_TEST(journal->left() == 0U);
}

BOOST_AUTO_TEST_CASE(shards_share_the_scenarios_out_without_loss) {
  std::size_t total = 0;
  for (std::size_t i = 1; i <= 3; ++i) {
    Selection selection;
    selection.share = {i, 3};
    total += select(project_scenarios(), selection)->size();
  }
  BOOST_TEST(total == project_scenarios().size());
}

BOOST_AUTO_TEST_CASE(merged_shares_are_the_report_of_one_run_to_the_byte) {
  const RuleSet rules = reference_rules();
  const std::unique_ptr<Endpoint> endpoint = make_reference_endpoint(rules, {});
  const auto share_of_run = [&](const Share& share) {
    Selection selection;
    selection.focus = "label|csr|secret";
    selection.share = share;
    Journal journal;
    std::vector<Error> errors;
    RunOptions options{.run_id = "test"};
    options.share = share;
    Report out = run_scenarios(*select(project_scenarios(), selection), *endpoint, rules, journal, options, errors);
    out.full_evidence = true;
    const Result<Report> read = report_from_json(to_json(out), to_text(share));
    BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().text()));
    return ReportInFile<Report>{to_text(share), *read};
  };
  const std::string whole = lasting_part(share_of_run({}).report);
  std::vector<ReportInFile<Report>> shares = {share_of_run({3, 3}), share_of_run({1, 3}), share_of_run({2, 3})};
  const Result<Report> joined = merged(shares);
  BOOST_REQUIRE_MESSAGE(joined.has_value(), (joined ? "" : joined.error().text()));
  BOOST_TEST(joined->checks.size() > 100U);
  BOOST_TEST((lasting_part(*joined) == whole));
  shares.pop_back();
  BOOST_TEST(merged(shares).error().text().find("shares are missing: 2/3") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_selection_that_is_no_regular_expression_is_an_input_error) {
  Selection selection;
  selection.focus = "(";
  const Result<std::vector<Scenario>> selected = select(project_scenarios(), selection);
  BOOST_REQUIRE(!selected.has_value());
  BOOST_TEST(selected.error().where == "--focus");
}

namespace {

// What a reference without the plugin, or without a rule, gets wrong of a profile: the rules that the failures name.
std::set<std::string> rules_failed(Endpoint& endpoint, const RuleSet& required, const std::string& focus) {
  Selection selection;
  selection.focus = focus;
  Journal journal;
  std::vector<Error> errors;
  const Report report =
      run_scenarios(*select(project_scenarios(), selection), endpoint, required, journal, {.run_id = "test"}, errors);
  BOOST_TEST(report.count(Verdict::inconclusive) == 0U);
  std::set<std::string> out;
  for (const CheckResult& check : report.checks) {
    if (check.verdict == Verdict::fail) out.insert(check.rules.front());
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_cluster_without_policies_fails_by_the_rules_that_hold_agents_to_their_nodes) {
  const RuleSet rules = reference_rules();
  const auto endpoint = make_reference_endpoint(rules, {"ValidatingAdmissionPolicy"});
  const std::set<std::string> failed = rules_failed(*endpoint, rules, "agent-and-|policies-that");
  BOOST_TEST((failed == std::set<std::string>{"policy-deleted-object", "policy-fails-closed", "policy-validation"}));
}

BOOST_AUTO_TEST_CASE(each_rule_about_node_scoped_service_accounts_is_missed_where_it_is_not_kept) {
  const RuleSet rules = reference_rules();
  for (const Rule rule :
       {Rule::policy_validation, Rule::policy_fails_closed, Rule::policy_deleted_object, Rule::policy_match_conditions,
        Rule::policy_subresources, Rule::policy_actions, Rule::token_names_node_of_pod, Rule::token_names_bound_node,
        Rule::token_of_deleted_object, Rule::claim_binding_permission, Rule::claim_driver_permission,
        Rule::claim_driver_associated_node}) {
    if (sanitized && rule != Rule::policy_validation && rule != Rule::claim_binding_permission) continue;
    const RuleSet faulty = rules.with_flipped(rule);
    const auto endpoint = make_reference_endpoint(faulty, {});
    const std::set<std::string> failed =
        rules_failed(*endpoint, rules, "agent-|policies-that|tokens-of-deleted|claim-(status|allocation)-perm");
    BOOST_TEST(failed.contains(catalogue()[rule].id), catalogue()[rule].id);
  }
}

BOOST_AUTO_TEST_SUITE_END()
