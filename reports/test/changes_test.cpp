#include "reports/changes/changes.h"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reference/test/project_paths.h"
#include "reports/changes/changes_writers.h"
#include "reports/test/sample.h"
#include "reports/test/schema.h"

BOOST_AUTO_TEST_SUITE(reports_changes)

using namespace nodebound;
using Kind = CheckChange::Kind;

namespace {

Report of(const std::vector<std::pair<std::string, Verdict>>& checks) {
  Report out = test::sample();
  out.checks.clear();
  for (const auto& [id, verdict] : checks) out.checks.push_back(test::check(id, verdict));
  return out;
}

Kind only_change(Verdict before, Verdict after) {
  const RunChanges changes = compare_runs(of({{"a", before}}), of({{"a", after}}));
  BOOST_REQUIRE(changes.changes.size() == 1U);
  return changes.changes.front().kind;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_change_of_a_verdict_has_its_kind) {
  BOOST_TEST((only_change(Verdict::pass, Verdict::fail) == Kind::newly_failing));
  BOOST_TEST((only_change(Verdict::deviation, Verdict::fail) == Kind::newly_failing));
  BOOST_TEST((only_change(Verdict::fail, Verdict::fail) == Kind::still_failing));
  BOOST_TEST((only_change(Verdict::fail, Verdict::pass) == Kind::newly_passing));
  BOOST_TEST((only_change(Verdict::inconclusive, Verdict::pass) == Kind::newly_passing));
  BOOST_TEST((only_change(Verdict::pass, Verdict::inconclusive) == Kind::undecided));
  BOOST_TEST((only_change(Verdict::fail, Verdict::skip) == Kind::no_longer_asked));
  BOOST_TEST((only_change(Verdict::skip, Verdict::pass) == Kind::otherwise));
  BOOST_TEST((only_change(Verdict::fail, Verdict::deviation) == Kind::otherwise));
}

BOOST_AUTO_TEST_CASE(the_exit_code_says_whether_it_became_worse) {
  BOOST_TEST(exit_code(compare_runs(of({{"a", Verdict::fail}}), of({{"a", Verdict::fail}}))) == 0);
  BOOST_TEST(exit_code(compare_runs(of({{"a", Verdict::pass}}), of({{"a", Verdict::fail}}))) == 1);
  BOOST_TEST(exit_code(compare_runs(of({{"a", Verdict::pass}}), of({{"a", Verdict::inconclusive}}))) == 3);
  BOOST_TEST(exit_code(compare_runs(of({{"a", Verdict::pass}}), of({{"b", Verdict::pass}}))) == 4);
  BOOST_TEST(exit_code(compare_runs(of({}), of({}))) == 4);
}

BOOST_AUTO_TEST_CASE(checks_of_one_run_only_are_told) {
  const auto before = of({{"a", Verdict::pass}, {"old", Verdict::pass}});
  const auto after = of({{"a", Verdict::pass}, {"new", Verdict::pass}, {"bad", Verdict::fail}});
  const RunChanges changes = compare_runs(before, after);
  BOOST_TEST(changes.same == 1U);
  BOOST_TEST(changes.count(Kind::gone) == 1U);
  BOOST_TEST(changes.count(Kind::added) == 1U);
  BOOST_TEST(changes.of(Kind::newly_failing).at(0)->id == "bad");
  const std::string text = to_terminal(changes, {false, 80, false});
  BOOST_TEST(text.find("Newly failing: 1 check") != std::string::npos);
  BOOST_TEST(text.find("WORSE: 1 check newly failing") != std::string::npos);
  BOOST_TEST(to_markdown(changes).find("### Gone (1)\n\n| check |") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(json_is_as_its_schema_says) {
  std::ifstream file(project::file("reports/changes/changes.schema.json"));
  const auto schema = nlohmann::json::parse(file);
  Report after = test::sample();
  for (CheckResult& check : after.checks) check.verdict = Verdict::fail;
  after.checks.back().id = "another";
  const auto document = nlohmann::json::parse(to_json(compare_runs(test::sample(), after)));
  BOOST_TEST(test::violations(schema, document).empty());
  BOOST_TEST(document["summary"]["newly_failing"] == 4);
  BOOST_TEST(document["summary"]["gone"] == 1);
}

BOOST_AUTO_TEST_CASE(the_pace_is_told_where_both_runs_asked) {
  Report before = test::sample();
  before.run.request_seconds = 0.7;
  Report after = before;
  after.run.request_seconds = 1.4;
  BOOST_TEST(pace_of(compare_runs(before, after)) == "A request took 100.00 ms before and 200.00 ms after, on average");
  after.run.requests = 0;
  BOOST_TEST(pace_of(compare_runs(before, after)).empty());
}

BOOST_AUTO_TEST_SUITE_END()
