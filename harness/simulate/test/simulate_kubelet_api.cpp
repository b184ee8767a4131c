#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "harness/simulate/control_plane/planned_tokens.h"
#include "harness/simulate/findings/expectations.h"
#include "harness/simulate/simulation.h"

BOOST_AUTO_TEST_SUITE(simulate_kubelet_api)

using namespace nodebound;
using namespace nodebound::fake_kubelet;
using namespace nodebound::simulate;
using namespace std::chrono_literals;

namespace {

const Catalogue& catalogue = Catalogue::built_in();

std::string binding(const std::string& verb = "[[object]]") {
  return verb +
         "\napiVersion = \"rbac.authorization.k8s.io/v1\"\nkind = \"ClusterRoleBinding\"\nmetadata = { name = \"m\" }\n"
         "roleRef = { apiGroup = \"rbac.authorization.k8s.io\", kind = \"ClusterRole\", name = \"m\" }\n"
         "subjects = [{ kind = \"ServiceAccount\", name = \"agent\", namespace = \"monitoring\" }]\n";
}

std::string role(const std::string& resources) {
  return "[[object]]\napiVersion = \"rbac.authorization.k8s.io/v1\"\nkind = \"ClusterRole\"\n"
         "metadata = { name = \"m\" }\nrules = [{ apiGroups = [\"\"], resources = [" +
         resources + "], verbs = [\"get\"] }]\n";
}

// An agent that asks the kubelet of its node every minute.
std::string plan_text(const std::string& rest, const std::string& release = "1.33.0", const std::string& pool = "") {
  return "title = \"t\"\n[control-plane]\nrelease = \"" + release + "\"\n[[pool]]\nname = \"blue\"\nkubelet = \"" +
         release + "\"\nnodes = 1\n" + pool +
         "[[agent]]\nname = \"monitoring\"\npool = \"blue\"\nevery = \"1m\"\n"
         "user = \"system:serviceaccount:monitoring:agent\"\nkubelet-requests = [\"GET /pods\"]\n" +
         rest;
}

Plan plan_of(const std::string& text) {
  Result<Plan> plan = read_plan(text, "plan.toml", catalogue);
  if (!plan) BOOST_FAIL(plan.error().text());
  return *plan;
}

Simulation simulated(const std::string& text) {
  Result<Simulation> out = simulate_on_reference(plan_of(text), catalogue);
  if (!out) BOOST_FAIL(out.error().text());
  return *out;
}

std::string mistake_in(const std::string& text) {
  const Result<Plan> plan = read_plan(text, "plan.toml", catalogue);
  return plan ? "no mistake" : plan.error().text();
}

const std::string unbind = "[[step]]\nat = \"+1h\"\ndelete = [\"clusterrolebindings/m\"]\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_kubelet_remembers_what_was_allowed_and_for_less_long_what_was_not) {
  const Simulation simulation = simulated(
      plan_text(role("\"nodes/pods\"") + binding() + unbind + "[[step]]\nat = \"+2h\"\n" + binding("[[step.apply]]")));
  BOOST_REQUIRE_EQUAL(simulation.steps[1].findings.size(), 1U);
  const Simulation::Finding& finding = simulation.steps[1].findings[0];
  BOOST_TEST(finding.rule == "kubelet-authorization");
  BOOST_TEST((finding.kubelets == std::vector<std::string>{"1.33.0"}));
  // A kubelet remembers an allowance for five minutes.
  BOOST_TEST((finding.first > 1h && finding.first <= 1h + 5min));
  BOOST_REQUIRE(finding.healed.has_value());
  BOOST_TEST((*finding.healed >= 2h && *finding.healed <= 2h + 1min));
}

BOOST_AUTO_TEST_CASE(a_kubelet_that_is_started_anew_has_forgotten) {
  const std::string restart = "[[step]]\nat = \"+1h\"\npools = [{ name = \"blue\", kubelet = \"1.33.1\" }]\n";
  const Simulation simulation = simulated(plan_text(role("\"nodes/pods\"") + binding() + unbind + restart, "1.33.1"));
  BOOST_REQUIRE_EQUAL(simulation.steps[2].findings.size(), 1U);
  BOOST_TEST((simulation.steps[2].findings[0].first <= 1h + 1min));
}

BOOST_AUTO_TEST_CASE(the_rule_is_the_one_that_would_have_it_otherwise) {
  const auto rule_at = [](const std::string& release, const std::string& pool, const std::string& grants) {
    const Simulation simulation = simulated(plan_text(role(grants) + binding() +
                                                          "[[step]]\nat = \"+1h\"\nlabel-nodes = [{ pool = \"blue\", "
                                                          "labels = { a = \"b\" } }]\n",
                                                      release, pool));
    const auto& findings = simulation.steps[0].findings;
    return findings.empty() ? std::string() : findings[0].rule;
  };
  const std::string off = "feature-gates = { KubeletFineGrainedAuthz = false }\n";
  BOOST_TEST(rule_at("1.33.0", "", "\"nodes/pods\"").empty());
  BOOST_TEST(rule_at("1.33.0", off, "\"nodes/pods\"") == "kubelet-fine-grained");
  BOOST_TEST(rule_at("1.31.0", "", "\"nodes/pods\"") == "kubelet-fine-grained");
  BOOST_TEST(rule_at("1.31.0", "", "\"nodes/proxy\"").empty());
  BOOST_TEST(rule_at("1.33.0", "", "\"nodes/proxy\"").empty());
  BOOST_TEST(rule_at("1.33.0", "", "\"nodes/stats\"") == "kubelet-authorization");
}

BOOST_AUTO_TEST_CASE(a_gate_of_kubelets_is_offered_where_it_mends) {
  const std::string narrow =
      "[[step]]\nat = \"+1h\"\n[[step.apply]]\napiVersion = \"rbac.authorization.k8s.io/v1\"\nkind = \"ClusterRole\"\n"
      "metadata = { name = \"m\" }\nrules = [{ apiGroups = [\"\"], resources = [\"nodes/pods\"], verbs = [\"get\"] "
      "}]\n";
  const auto remedies = [&](const std::string& release) {
    const Simulation simulation = simulated(plan_text(role("\"nodes/proxy\"") + binding() + narrow, release));
    BOOST_REQUIRE_EQUAL(simulation.steps[1].findings.size(), 1U);
    BOOST_TEST(simulation.steps[1].findings[0].advice.starts_with("Take nodes/proxy out of the role only when"));
    return simulation.steps[1].findings[0].avoided_by;
  };
  const std::string on = "feature gate KubeletFineGrainedAuthz on at kubelets";
  BOOST_TEST(remedies("1.32.0") == std::vector<std::string>{on}, boost::test_tools::per_element());
  BOOST_TEST(remedies("1.31.0").empty());
}

BOOST_AUTO_TEST_CASE(whether_it_heals_is_compared_where_the_author_says) {
  const std::string expect =
      "[[expect]]\nstep = 1\nwho = \"agent monitoring\"\nrequest = \"get /pods\"\nrule = \"kubelet-authorization\"\n"
      "kubelets = [\"1.33.0\"]\n";
  const auto told = [&](const std::string& heals) {
    const std::string text = plan_text(role("\"nodes/pods\"") + binding() + unbind + expect + heals);
    return unexpected(plan_of(text), simulated(text));
  };
  BOOST_TEST(told("").empty());
  BOOST_TEST(told("heals = false\n").empty());
  const std::vector<std::string> wrong = told("heals = true\n");
  BOOST_REQUIRE_EQUAL(wrong.size(), 1U);
  BOOST_TEST(wrong[0].find("and that does not heal, which is not expected") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_token_is_good_until_it_ends) {
  const KubeletTime end{1000s};
  const Object spec = {{"token", planned_token({"system:serviceaccount:a:b", {"g"}, "7", {}}, end)}};
  const Object good = review_planned_token(spec, end - 1ms);
  BOOST_TEST(good["authenticated"].get<bool>());
  BOOST_TEST(text(good, "user", "username") == "system:serviceaccount:a:b");
  BOOST_TEST(text(good, "user", "uid") == "7");
  const Object late = review_planned_token(spec, end);
  BOOST_TEST(!late.contains("authenticated"));
  BOOST_TEST(text(late, "error") == "[invalid bearer token, service account token has expired]");
  for (const char* wrong : {"", "x", "e30", "bnVsbA"}) {
    BOOST_TEST(!review_planned_token({{"token", wrong}}, end).contains("authenticated"), wrong);
  }
}

BOOST_AUTO_TEST_CASE(mistakes_about_kubelets_own_api_have_their_line) {
  const auto contains = [](const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
  };
  BOOST_TEST(contains(mistake_in(plan_text("", "1.33.0", "api = { authorization = \"ABAC\" }\n")),
                      "plan.toml:8:25: expected Webhook or AlwaysAllow"));
  BOOST_TEST(contains(mistake_in(plan_text("", "1.33.0", "api = { anonymus = true }\n")), "anonymus"));
  BOOST_TEST(contains(mistake_in(plan_text("", "1.36.0", "feature-gates = { KubeletFineGrainedAuthz = false }\n")),
                      "KubeletFineGrainedAuthz"));
  BOOST_TEST(
      contains(mistake_in(plan_text("[[agent]]\nname = \"a\"\nuser = \"u\"\nkubelet-requests = [\"GET /pods\"]\n")),
               "an agent asks the kubelet of its node: expected a pool"));
  BOOST_TEST(
      contains(mistake_in(plan_text("[[agent]]\nname = \"a\"\npool = [\"blue\", \"blue\"]\nrequests = [\"GET /\"]\n")),
               "is there already"));
  BOOST_TEST(
      contains(mistake_in(plan_text("[[agent]]\nname = \"a\"\npool = \"blue\"\n")), "the agent asks for nothing"));
}

BOOST_AUTO_TEST_SUITE_END()
