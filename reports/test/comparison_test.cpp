#include "reports/comparison/comparison.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "reference/test/project_paths.h"
#include "reports/comparison/comparison_writers.h"
#include "reports/test/sample.h"
#include "reports/test/schema.h"

BOOST_AUTO_TEST_SUITE(reports_comparison)

using namespace nodebound;
using Change = ComparedRequest::Change;

namespace {

CheckResult answered(const std::string& id, const std::string& decision, int status, const std::string& layer = {},
                     const std::string& message = {}) {
  // Expectations do not matter: all results have the same verdict.
  CheckResult check = test::check(id, Verdict::fail);
  check.evidence = {"system:node:a [system:nodes]", "GET /api/v1/nodes/b", "", status, message, layer, decision};
  return check;
}

CheckResult allowed(const std::string& id) {
  return answered(id, "allowed", 200);
}

CheckResult refused(const std::string& id, const std::string& layer = "authorizer", const std::string& text = "no") {
  return answered(id, "refused", 403, layer, text);
}

CheckResult skipped(const std::string& id) {
  CheckResult check = test::check(id, Verdict::skip);
  check.why = "the feature gate X is off";
  return check;
}

CheckResult silent(const std::string& id) {
  CheckResult check = test::check(id, Verdict::inconclusive);
  check.why = "no answer: connection refused";
  return check;
}

Comparison between(std::vector<CheckResult> a, std::vector<CheckResult> b) {
  Report before;
  before.checks = std::move(a);
  before.target = {"reference", "v1.31.0", {}};
  before.release = {"1.31.0", {}, 80};
  Report after;
  after.checks = std::move(b);
  after.target = {"binary:/x", "v1.32.1+k3s1", {}};
  after.release = {"1.32.1", {"X=true"}, 81};
  return compare_answers(before, after);
}

Comparison sample() {
  Comparison comparison =
      between({allowed("s/one"), allowed("s/one@authorizer"), refused("s/two"), refused("s/three"), refused("s/four"),
               allowed("s/five"), skipped("s/six"), silent("s/seven"), skipped("s/eight")},
              {refused("s/one"), refused("s/one@authorizer"), allowed("s/two"), refused("s/three", "admission"),
               refused("s/four", "authorizer", "never"), allowed("s/five"), allowed("s/six"), refused("s/seven"),
               skipped("s/eight")});
  comparison.rules_in = {{"node-labels",
                          "A node sets | no label.",
                          "restriction",
                          "since 1.32",
                          {"feature gate X: off in A, on in B"},
                          "",
                          "",
                          "node"}};
  comparison.rules_reworded = {{"other", "Other.", "restriction", "since 1.7", {}, "old", "new {node:q}", "node"}};
  comparison.b.notes = {"note"};
  return comparison;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(answers_are_compared_whatever_was_expected) {
  const Comparison comparison = sample();
  BOOST_TEST(comparison.same == 1U);
  BOOST_TEST(comparison.asked_nowhere == 1U);
  BOOST_TEST(comparison.count(Change::now_refused) == 2U);
  BOOST_TEST(comparison.count(Change::now_allowed) == 1U);
  BOOST_TEST(comparison.count(Change::answered_otherwise) == 1U);
  BOOST_TEST(comparison.count(Change::reworded) == 1U);
  BOOST_TEST(comparison.count(Change::undecided) == 1U);
  BOOST_TEST(comparison.count(Change::only_b) == 1U);
  BOOST_TEST(comparison.asked_of_both() == 7U);
}

BOOST_AUTO_TEST_CASE(the_text_of_what_is_allowed_is_not_compared) {
  CheckResult worded = allowed("s/one");
  worded.evidence.message = "RBAC: allowed by something";
  BOOST_TEST(between({allowed("s/one")}, {worded}).same == 1U);
}

BOOST_AUTO_TEST_CASE(a_missing_object_on_both_sides_is_the_same_answer_and_an_overloaded_server_is_none) {
  BOOST_TEST(between({answered("s/x", "", 404)}, {answered("s/x", "", 404)}).same == 1U);
  for (const int status : {0, 429, 500, 503}) {
    const Comparison comparison = between({answered("s/x", "", status)}, {answered("s/x", "", status)});
    BOOST_TEST(comparison.count(Change::undecided) == 1U, status);
  }
}

BOOST_AUTO_TEST_CASE(a_check_in_one_report_only_was_asked_there_only) {
  const Comparison comparison = between({allowed("s/a")}, {refused("s/b")});
  BOOST_TEST(comparison.count(Change::only_a) == 1U);
  BOOST_TEST(comparison.count(Change::only_b) == 1U);
  BOOST_TEST(comparison.changed.front().b.why == "there is no such check");
  BOOST_TEST(exit_code(comparison) == 4);
}

BOOST_AUTO_TEST_CASE(targets_that_differ_fail_and_releases_inform) {
  Comparison comparison = sample();
  BOOST_TEST(exit_code(comparison) == 1);
  comparison.releases = true;
  BOOST_TEST(exit_code(comparison) == 0);
  BOOST_TEST(exit_code(between({allowed("s/a")}, {allowed("s/a")})) == 0);
  BOOST_TEST(exit_code(between({refused("s/a")}, {refused("s/a", "authorizer", "other")})) == 0);
  BOOST_TEST(exit_code(between({allowed("s/a"), silent("s/b")}, {allowed("s/a"), allowed("s/b")})) == 3);
  Comparison silence = between({silent("s/b")}, {allowed("s/b")});
  silence.releases = true;
  BOOST_TEST(exit_code(silence) == 3);
  BOOST_TEST(exit_code(between({}, {})) == 4);
}

BOOST_AUTO_TEST_CASE(ways_of_one_request_are_shown_together) {
  const std::vector<RuleRequests> rules = requests_by_rule(sample(), Change::now_refused);
  BOOST_REQUIRE(rules.size() == 1U);
  BOOST_TEST(rules[0].probes == 2U);
  BOOST_REQUIRE(rules[0].requests.size() == 1U);
  BOOST_TEST(rules[0].requests[0].all.size() == 2U);
}

BOOST_AUTO_TEST_CASE(terminal_golden) {
  BOOST_TEST(to_terminal(sample(), {}) == R"(A         reference
          80 rules in force
B         binary:/x
          observed as v1.32.1+k3s1, 81 rules of 1.32.1 in force, X=true
          note

+ Rules that come into force: 1
  node-labels
    A node sets | no label.
    since 1.32
    feature gate X: off in A, on in B

~ Rules that refuse in other words: 1
  other
    A         old
    B         new {node:q}

✗ Now refused: 2 requests, by rule
  node-labels: 2 requests
    Labels a node may set
      check     s/one
      and so    @authorizer
      subject   system:node:a [system:nodes]
      request   GET /api/v1/nodes/b
      A         allowed (HTTP 200)
      B         refused by authorizer (HTTP 403)
      B says    no

✓ Now allowed: 1 request, by rule
  node-labels: 1 request
    Labels a node may set
      check     s/two
      subject   system:node:a [system:nodes]
      request   GET /api/v1/nodes/b
      A         refused by authorizer (HTTP 403)
      B         allowed (HTTP 200)
      A says    no

~ The same decision by another layer or with another status: 1 request, by rule
  node-labels: 1 request
    Labels a node may set
      check     s/three
      subject   system:node:a [system:nodes]
      request   GET /api/v1/nodes/b
      A         refused by authorizer (HTTP 403)
      B         refused by admission (HTTP 403)
      A says    no
      B says    no

? Without two decisions: 1 request, by reason
  1 request: in A: no answer: connection refused
    s/seven

- Asked of B only: 1 request, by reason
  1 request: the feature gate X is off; allowed (HTTP 200) in B
    s/six

7 requests asked of both: 1 answered alike, 2 now refused, 1 now allowed, 1
answered otherwise, 1 refused in other words, 1 without two decisions
✗ THEY DECIDE DIFFERENTLY
)");
}

BOOST_AUTO_TEST_CASE(the_json_satisfies_its_schema_and_has_every_change) {
  std::ifstream file(project::file("reports/comparison/comparison.schema.json"));
  const nlohmann::json document = nlohmann::json::parse(to_json(sample()));
  const std::vector<std::string> violations = test::violations(nlohmann::json::parse(file), document);
  BOOST_TEST(violations.empty(), (violations.empty() ? "" : violations.front()));
  BOOST_TEST(document["requests"]["now_refused"].size() == 2U);
  BOOST_TEST(document["requests"]["now_refused"][0]["a"]["decision"] == "allowed");
  BOOST_TEST(document["requests"]["now_refused"][0]["b"]["layer"] == "authorizer");
  BOOST_TEST(document["requests"]["only_b"][0]["a"]["why"] == "the feature gate X is off");
  BOOST_TEST(document["summary"]["exit_code"] == 1);
}

BOOST_AUTO_TEST_CASE(the_markdown_has_a_table_that_bars_do_not_break) {
  const std::string text = to_markdown(sample());
  BOOST_TEST(has(text, "A node sets \\| no label."));
  BOOST_TEST(has(text, "## Now refused (2 requests)"));
  BOOST_TEST(has(text, "`s/one@authorizer`"));
  BOOST_TEST(has(text, "`new {node:q}`"));
}

namespace {

RuleChange rule_change(const std::string& id, const std::string& effect, const std::string& hits) {
  RuleChange change;
  change.id = id;
  change.effect = effect;
  change.hits = hits;
  return change;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

BOOST_AUTO_TEST_CASE(in_brief_it_is_said_who_is_hit) {
  Comparison comparison = sample();
  comparison.rules_in = {rule_change("node-read-own", "restriction", "node"),
                         rule_change("kubelet-fine-grained", "grant", "kubelet")};
  comparison.rules_out = {rule_change("role-node", "grant", "role")};
  comparison.rules_reworded = {rule_change("pod-of-node", "restriction", "node")};
  for (ComparedRequest& request : comparison.changed) request.rule = "node-read-own";
  const std::string text = to_brief(comparison, {false, 120, false});
  BOOST_TEST(text.find("a node's credentials    ✗ refused  node-read-own; 2 requests\n") != std::string::npos, text);
  BOOST_TEST(text.find("who asks a kubelet      ✓ allowed  kubelet-fine-grained\n") != std::string::npos, text);
  BOOST_TEST(text.find("holders of roles        ✗ refused  role-node\n") != std::string::npos, text);
  BOOST_TEST(text.find("~ 1 rule refuses in other words") != std::string::npos, text);
  BOOST_TEST(text.find(summary_line(comparison)) != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(in_brief_there_are_ten_lines_however_much_changes) {
  Comparison comparison = sample();
  for (const char* hits : {"node", "kubelet", "pod", "certificate", "role"}) {
    for (int i = 0; i < 40; ++i) {
      comparison.rules_in.push_back(rule_change("rule-" + std::to_string(i), "restriction", hits));
      comparison.rules_out.push_back(rule_change("gone-" + std::to_string(i), "restriction", hits));
    }
  }
  comparison.rules_reworded = comparison.rules_in;
  const std::string text = to_brief(comparison, {false, 80, false});
  BOOST_TEST(lines_of(text) <= 10U, text);
  BOOST_TEST(text.find("and 37 more") != std::string::npos, text);
  BOOST_TEST(
      to_brief(between({allowed("s/one")}, {allowed("s/one")}), {false, 80, false}).find("No rule comes or goes") !=
      std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
