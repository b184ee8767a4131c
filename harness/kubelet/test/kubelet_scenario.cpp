#include "harness/kubelet/kubelet_scenario.h"

#include <boost/test/unit_test.hpp>
#include <set>

#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(kubelet_scenario)

using namespace nodebound;
using namespace nodebound::kubelet_conformance;

namespace {

const std::string step =
    "[[step]]\nname = \"a\"\nas = \"nobody\"\nrequest = \"GET /pods\"\nexpect = 401\nrules = [\"kubelet-verbs\"]\n";
const std::string head = "title = \"t\"\nprofile = \"p\"\n";

std::string mistake(const std::string& text) {
  const auto read = parse_kubelet_scenario(text, "file", "id", Catalogue::built_in());
  return read ? "" : read.error().text();
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_scenarios_of_the_project_can_be_read_and_run_at_every_release) {
  const auto all = load_kubelet_scenarios(project::file("scenarios"), Catalogue::built_in());
  BOOST_REQUIRE_MESSAGE(all, (all ? "" : all.error().text()));
  BOOST_TEST(all->size() > 10U);
  for (const KubeletScenario& scenario : *all) {
    std::set<std::string> names;
    for (const KubeletStart& one : scenario.starts) {
      BOOST_TEST(names.insert(one.name).second, one.where << " has the name of another");
    }
    for (const KubeletStep& one : scenario.steps) {
      BOOST_TEST(names.insert(one.name).second, one.where << " has the name of another step");
      for (const Rule rule : one.rules) BOOST_TEST((Catalogue::built_in()[rule].layer == Layer::kubelet), one.where);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_scenario_is_read_whole) {
  const auto read =
      parse_kubelet_scenario(head +
                                 "since = \"1.30\"\n[tokens]\nx = { user = \"u\", groups = [\"g\"], uid = \"1\", "
                                 "extra = { e = [\"v\"] } }\n" +
                                 replaced(step, "expect = 401",
                                          "expect = \"forbidden\"\nwait-seconds = 2\n"
                                          "access-reviews = [\"get pods\"]\n"
                                          "port = \"read-only\"\ngroup-grants = { g = [\"get pods\"] }\n"
                                          "where = [\"kubelet-verbs\"]\n"
                                          "fails = { \"get pods\" = { status = \"reset\", times = 2 } }"),
                             "file", "id", Catalogue::built_in());
  BOOST_REQUIRE_MESSAGE(read, (read ? "" : read.error().text()));
  BOOST_TEST(read->id == "id");
  BOOST_TEST((read->tokens.at("x").verdict.subject == Subject{"u", {"g"}, "1", {{"e", {"v"}}}}));
  const KubeletStep& one = read->steps.at(0);
  BOOST_TEST((one.expect == KubeletStep::Expect::forbidden));
  BOOST_TEST(one.wait.count() == 2000);
  BOOST_TEST(one.access_reviews->at(0) == "get pods");
  BOOST_TEST((one.fails.at("get pods") == FailedReview{0, "", 2}));
  BOOST_TEST((one.port == KubeletPort::read_only));
  BOOST_TEST(one.group_grants.at("g").at(0) == "get pods");
  BOOST_TEST((one.holds.where == std::vector<Rule>{Rule::kubelet_verbs}));
  BOOST_TEST(one.where == "file:6");
}

BOOST_AUTO_TEST_CASE(a_mistake_has_its_line) {
  BOOST_TEST(mistake(head + step).empty());
  for (const auto& [text, expected] : {std::pair{head, "expected a [[step]] or [[start]]"},
                                       {head + step + "port = \"main\"\n", "read-only or healthz"},
                                       {head + step + "client-ca = \"none\"\n", "expected other"},
                                       {head + step + "unless = [\"kubelet-verb\"]\n", "there is no rule"},
                                       {head + step + "fails = { \"get pods\" = { times = 1 } }\n", "status"},
                                       {head + "[[start]]\nname = \"a\"\n", "expected the rules"},
                                       {step, "title"},
                                       {head + replaced(step, "nobody", "somebody"), "file:5:"},
                                       {head + replaced(step, "GET /pods", "GET pods"), "METHOD /target"},
                                       {head + replaced(step, "401", "99"), "from 100 to 599"},
                                       {head + replaced(step, "401", "\"never\""), "expected allowed"},
                                       {head + replaced(step, "kubelet-verbs", "kubelet-verb"), "there is no rule"},
                                       {head + step + "grants = [\"pods\"]\n", "VERB SUBRESOURCE"},
                                       {head + step + "colour = 1\n", "colour"},
                                       {head + "feature-gates = { A = 1 }\n" + step, "true or false"},
                                       {head + "[tokens]\nx = 1\n" + step, "expected a table"},
                                       {head + "title = \n", "file:3"}}) {
    BOOST_TEST(mistake(text).find(expected) != std::string::npos, text << "\n  gives " << mistake(text));
  }
}

BOOST_AUTO_TEST_SUITE_END()
