#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "harness/endpoint/reference_endpoint.h"
#include "harness/failures/failure_kinds.h"
#include "harness/failures/failure_page.h"
#include "harness/failures/request_commands.h"
#include "harness/failures/smallest.h"
#include "harness/run/description.h"
#include "harness/run/runner.h"
#include "harness/test/project.h"

BOOST_AUTO_TEST_SUITE(failure_pages)

using namespace nodebound;
using namespace nodebound::failures;
using namespace nodebound::journal;

namespace {

CheckResult review() {
  CheckResult out;
  out.id = "conformance/x/step@review";
  out.layer = "authorizer";
  out.verdict = Verdict::fail;
  out.rules = {"secret-through-pod"};
  out.expected = "allow: secret-through-pod";
  out.observed = "refused by authorizer (HTTP 201)";
  out.evidence.subject = "system:node:a [system:nodes, system:authenticated]";
  out.evidence.request = "POST /apis/authorization.k8s.io/v1/subjectaccessreviews";
  out.evidence.body = R"({"user":"system:node:it's"})";
  return out;
}

CheckResult patch(const std::string& type) {
  CheckResult out;
  out.layer = "request";
  out.evidence.subject = "system:node:a [system:nodes]";
  out.evidence.request = "PATCH /api/v1/namespaces/shop/pods/web/status?dryRun=All";
  out.evidence.body = R"({"metadata":{}})";
  out.evidence.type = type;
  return out;
}

bool has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  BOOST_TEST_MESSAGE("it says: " << text);
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_word_for_a_shell_is_one_word) {
  BOOST_TEST(shell_word("system:nodes") == "system:nodes");
  BOOST_TEST(shell_word("") == "''");
  BOOST_TEST(shell_word("a b") == "'a b'");
  BOOST_TEST(shell_word("it's $(x)") == "'it'\\''s $(x)'");
}

BOOST_AUTO_TEST_CASE(a_review_is_asked_as_the_target_is) {
  const RequestCommands of_server = commands_of(review(), "binary:/builds");
  BOOST_TEST(has(of_server.curl, "\"$SERVER\"/apis/authorization.k8s.io/v1/subjectaccessreviews"));
  BOOST_TEST(has(of_server.curl, "\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\"system:node:it'\\''s\"}"));
  BOOST_TEST(of_server.curl.find("Impersonate") == std::string::npos);
  BOOST_TEST(has(of_server.kubectl, "kubectl create --raw /apis/authorization.k8s.io/v1/subjectaccessreviews -f -"));
  const RequestCommands of_webhook = commands_of(review(), "authz-webhook:https://127.0.0.1:1/authorize");
  BOOST_TEST(has(of_webhook.curl, "https://127.0.0.1:1/authorize"));
  BOOST_TEST(of_webhook.curl.find("TOKEN") == std::string::npos);
  BOOST_TEST(of_webhook.kubectl == "");
  const RequestCommands of_program = commands_of(review(), "exec:./authorizer --strict");
  BOOST_TEST(has(of_program.pipe, "'{\"id\":1,\"spec\":{\"user\":\"system:node:it'\\''s\"}}' |"));
  BOOST_TEST(of_program.pipe.ends_with("./authorizer --strict"));
  BOOST_TEST(of_program.curl == "");
}

BOOST_AUTO_TEST_CASE(a_request_is_asked_as_its_subject) {
  const RequestCommands merge = commands_of(patch("application/merge-patch+json"), "reference");
  BOOST_TEST(has(merge.curl, "-X PATCH"));
  BOOST_TEST(has(merge.curl, "'/api/v1/namespaces/shop/pods/web/status?dryRun=All'"));
  BOOST_TEST(has(merge.curl, "'Impersonate-User: system:node:a'"));
  BOOST_TEST(has(merge.curl, "'Impersonate-Group: system:nodes'"));
  BOOST_TEST(has(merge.curl, "'Content-Type: application/merge-patch+json'"));
  BOOST_TEST(has(merge.kubectl,
                 "kubectl patch pods web -n shop --subresource status --dry-run=server --as system:node:a --as-group "
                 "system:nodes --type merge"));
  BOOST_TEST(has(commands_of(patch("application/apply-patch+yaml"), "").kubectl, "kubectl apply --server-side"));
  CheckResult read = patch("");
  read.evidence.request = "GET /api/v1/namespaces/shop/secrets/db";
  read.evidence.body.clear();
  const RequestCommands of_read = commands_of(read, "");
  BOOST_TEST(of_read.kubectl ==
             "kubectl get --raw /api/v1/namespaces/shop/secrets/db --as system:node:a --as-group system:nodes");
  BOOST_TEST(of_read.curl.find("--data") == std::string::npos);
  read.evidence.request = "something else";
  BOOST_TEST(commands_of(read, "").curl == "");
}

BOOST_AUTO_TEST_CASE(a_page_names_the_rule_and_its_source_and_holds_no_markup_of_others) {
  CheckResult check = review();
  check.why = "refused <b>what</b> the rule allows";
  check.evidence.message = "```\n# no heading\x1b[31m";
  Report report;
  report.release.version = "1.36.3";
  const std::string page =
      failure_page(check, report, catalogue(), {3, "nodebound run --focus x", "title = \"x\"", "again"});
  BOOST_TEST(has(page, "`secret-through-pod`"));
  BOOST_TEST(has(page, "](https://"));
  BOOST_TEST(has(page, "2 other checks of the same rule fail alike"));
  BOOST_TEST(has(page, "nodebound run --focus x"));
  BOOST_TEST(has(page, "````\nrefused by authorizer"));
  BOOST_TEST(page.find("<b>") == std::string::npos);
  BOOST_TEST(page.find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_failure_is_made_small_without_becoming_another) {
  const RuleSet rules(catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {}));
  // A reference that lets nodes at nothing through pods fails what is allowed: without the pod it would be right.
  for (const Rule broken : {Rule::secret_through_pod, Rule::node_taints}) {
    const RuleSet own = rules.with_flipped(broken);
    const auto faulty = make_reference_endpoint(own, {});
    std::vector<Scenario> scenarios = project_scenarios();
    std::erase_if(scenarios, [](const Scenario& each) {
      return each.server || (each.profile != "node-authorizer" && each.profile != "node-restriction");
    });
    Journal journal;
    RunOptions options;
    options.run_id = "test";
    std::vector<Error> errors;
    Report report = run_scenarios(scenarios, *faulty, rules, journal, options, errors);
    const std::vector<FailureKind> kinds = failure_kinds(report);
    BOOST_REQUIRE(!kinds.empty());
    const CheckResult& failed = report.checks[kinds.front().checks.front()];
    const auto of =
        std::ranges::find_if(scenarios, [&](const Scenario& each) { return failed.id.starts_with(each.id + "/"); });
    BOOST_REQUIRE(of != scenarios.end());
    const auto text = smallest_scenario(*of, failed, {*faulty, rules, 1, std::chrono::seconds(1), 100});
    BOOST_REQUIRE_MESSAGE(text, failed.id);
    const auto fixtures = fixtures_of(project::file("scenarios"));
    const auto profiles = profiles_of(project::file("scenarios"));
    BOOST_REQUIRE(fixtures && profiles);
    const auto small = parse_scenarios(*text, "found.toml", "found", *fixtures, *profiles, catalogue());
    BOOST_REQUIRE_MESSAGE(small, (small ? "" : small.error().text()) << "\n" << *text);
    BOOST_TEST(small->front().steps.size() <= of->steps.size() + of->given.size());
    const auto reference = make_reference_endpoint(rules, {});
    BOOST_TEST(exit_code(run_scenarios(*small, *reference, rules, journal, options, errors)) == 0, *text);
    BOOST_TEST(exit_code(run_scenarios(*small, *faulty, rules, journal, options, errors)) == 1, *text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
