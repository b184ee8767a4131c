#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "harness/simulate/findings/expectations.h"
#include "harness/simulate/simulation.h"

BOOST_AUTO_TEST_SUITE(simulate_bootstrap)

using namespace nodebound;
using namespace nodebound::simulate;
using namespace std::chrono_literals;

namespace {

const Catalogue& catalogue = Catalogue::built_in();

std::string binding(const std::string& name, const std::string& role, const std::string& group) {
  return "[[object]]\napiVersion = \"rbac.authorization.k8s.io/v1\"\nkind = \"ClusterRoleBinding\"\nmetadata = { name "
         "= \"" +
         name + "\" }\nroleRef = { apiGroup = \"rbac.authorization.k8s.io\", kind = \"ClusterRole\", name = \"" + role +
         "\" }\nsubjects = [{ apiGroup = \"rbac.authorization.k8s.io\", kind = \"Group\", name = \"" + group +
         "\" }]\n";
}

const std::string requests = "system:certificates.k8s.io:certificatesigningrequests:";
const std::string bindings = binding("bootstrap", "system:node-bootstrapper", "system:bootstrappers") +
                             binding("first", requests + "nodeclient", "system:bootstrappers") +
                             binding("renewal", requests + "selfnodeclient", "system:nodes");

// One node that joins with a token.
std::string plan_text(const std::string& release, const std::string& token, const std::string& rest) {
  return "title = \"t\"\nsettle = \"2d\"\n[control-plane]\nrelease = \"" + release +
         "\"\n[[pool]]\nname = \"blue\"\nnodes = 1\njoin = { token = \"abcdef\" }\nkubelet = \"" + release +
         "\"\n[[bootstrap-token]]\nid = \"abcdef\"\n" + token + rest;
}

Plan plan_of(const std::string& text) {
  Result<Plan> plan = read_plan(text, "plan.toml", catalogue);
  if (!plan) BOOST_FAIL(plan.error().text());
  return *plan;
}

Simulation simulated(const std::string& text) {
  Result<Simulation> out = simulate_without_remedies(plan_of(text), catalogue);
  if (!out) BOOST_FAIL(out.error().text());
  return *out;
}

std::string mistake_in(const std::string& text) {
  const Result<Plan> plan = read_plan(text, "plan.toml", catalogue);
  return plan ? "no mistake" : plan.error().text();
}

std::vector<std::string> refused(const Simulation& simulation, std::size_t step) {
  std::vector<std::string> out;
  for (const auto& finding : simulation.steps[step].findings) {
    out.push_back(finding.request + " " + std::to_string(finding.status) + " " + finding.rule);
  }
  return out;
}

const std::string restart = "[[step]]\nat = \"+1h\"\ncontrol-plane = { authorization = [\"RBAC\", \"Node\"] }\n";

}  // namespace

// Before 1.18 requests have no signer, before 1.19 they are v1beta1, and since 1.12 kubelets probe /healthz.
BOOST_AUTO_TEST_CASE(kubelets_of_any_release_join_and_renew) {
  for (const char* release :
       {"1.8.0", "1.11.0", "1.12.0", "1.17.0", "1.18.0", "1.19.0", "1.22.0", "1.31.0", "1.37.0"}) {
    const Simulation simulation =
        simulated(plan_text(release, "", "[certificates]\nlast = \"10h\"\n" + bindings + restart));
    BOOST_TEST_CONTEXT(release) {
      BOOST_TEST(refused(simulation, 0).empty());
      BOOST_TEST(refused(simulation, 1).empty());
      BOOST_TEST(simulation.steps[1].health.nodes_not_ready == 0U);
    }
  }
}

BOOST_AUTO_TEST_CASE(without_an_approval_the_node_is_lost_when_its_certificate_ends) {
  const std::string unbind = "[[step]]\nat = \"+1h\"\ndelete = [\"clusterrolebindings/renewal\"]\n";
  const Simulation simulation =
      simulated(plan_text("1.33.0", "ttl = \"1h\"\n", "[certificates]\nlast = \"20h\"\n" + bindings + unbind));
  const auto& findings = simulation.steps[1].findings;
  const auto of = [&](const std::string& request) {
    const auto found =
        std::find_if(findings.begin(), findings.end(), [&](const auto& one) { return one.request == request; });
    BOOST_REQUIRE(found != findings.end());
    return *found;
  };
  const auto renewal = of("create certificatesigningrequests/selfnodeclient");
  // The certificate is issued at bootstrap, minutes before the plan begins, and renewed after 70 to 90 % of its time.
  BOOST_TEST((renewal.first > 13h && renewal.first < 18h));
  BOOST_TEST(renewal.status == 403);
  const auto lease = of("update leases");
  BOOST_TEST(lease.status == 401);
  BOOST_TEST((lease.first > 19h && lease.first <= 20h + 5min));
  BOOST_TEST(lease.reason == "Unauthorized (the client certificate has expired)");
  // Then the kubelet restarts with only an expired token.
  const auto bootstrap = of("create certificatesigningrequests");
  BOOST_TEST(bootstrap.reason == "Unauthorized (the bootstrap token has expired, or is not there)");
  BOOST_TEST((bootstrap.first > 19h + 50min));
  BOOST_TEST(simulation.steps[1].health.nodes_not_ready == 1U);
}

// The node lifecycle controller waits 40 s for a heartbeat, from 1.32 on 50 s, and five more minutes before it evicts
// pods.
BOOST_AUTO_TEST_CASE(a_refused_heartbeat_says_what_follows) {
  const auto follows = [](const std::string& release, const std::string& ends) {
    const std::string text = plan_text(release, "", "[certificates]\nlast = \"20h\"\n" + bindings + restart + ends);
    Plan plan = plan_of(text);
    plan.pools[0].pods = 3;
    const auto simulation = simulate_without_remedies(plan, catalogue);
    BOOST_REQUIRE(simulation);
    std::vector<std::string> out;
    for (const auto& step : simulation->steps) {
      for (const auto& finding : step.findings) {
        if (!finding.follows.empty()) out.push_back(finding.request + ": " + finding.follows);
      }
    }
    return out;
  };
  const std::string ends = "[[step]]\nat = \"+2h\"\ncertificates = { client-ca-ends = \"+3h\" }\n";
  const std::string taint = "1 node tainted node.kubernetes.io/unreachable after ";
  const auto expect = [&](const std::string& request, const std::string& grace, const std::string& all) {
    return std::vector<std::string>{request + ": " + taint + grace + "; 3 pods evicted from 1 node after " + all};
  };
  BOOST_TEST((follows("1.33.0", ends) == expect("patch nodes/status", "50s", "5m50s")));
  BOOST_TEST((follows("1.31.0", ends) == expect("patch nodes/status", "40s", "5m40s")));
  // This kubelet gets its Node before it sends a status.
  BOOST_TEST((follows("1.20.0", ends) == expect("get nodes", "40s", "5m40s")));
  const std::string mended = ends + "[[step]]\nat = \"+3h3m\"\ncertificates = { client-ca-ends = \"+900h\" }\n";
  const std::vector<std::string> back = {"patch nodes/status: " + taint + "40s, back before pods are evicted"};
  BOOST_TEST((follows("1.31.0", mended) == back));
}

BOOST_AUTO_TEST_CASE(an_upgrade_in_place_keeps_the_certificate_and_its_end) {
  const std::string upgrade = "[[step]]\nat = \"+2h\"\npools = [{ name = \"blue\", kubelet = \"1.33.1\" }]\n";
  const std::string unbind = "[[step]]\nat = \"+3h\"\ndelete = [\"clusterrolebindings/first\"]\n";
  const Simulation simulation = simulated(
      plan_text("1.33.1", "ttl = \"1h\"\n", "[certificates]\nlast = \"10h\"\n" + bindings + upgrade + unbind));
  for (std::size_t step = 0; step <= 2; ++step) BOOST_TEST(refused(simulation, step).empty());
  BOOST_TEST(simulation.steps[2].health.nodes_not_ready == 0U);
}

BOOST_AUTO_TEST_CASE(an_agent_with_the_credentials_of_its_node_goes_as_far_as_these) {
  const std::string agent = "[[agent]]\nname = \"a\"\npool = \"blue\"\nrequests = [\"GET /api/v1/nodes/{node}\"]\n";
  const Simulation simulation = simulated(
      plan_text("1.33.0", "ttl = \"1h\"\n", agent + "[certificates]\nclient-ca-ends = \"+5h\"\n" + bindings + restart));
  const auto& findings = simulation.steps[1].findings;
  const auto found =
      std::find_if(findings.begin(), findings.end(), [](const auto& one) { return one.who == "agent a"; });
  BOOST_REQUIRE(found != findings.end());
  BOOST_TEST(found->status == 401);
  BOOST_TEST(found->reason == "Unauthorized (the client CA has expired)");
  BOOST_TEST((found->first >= 5h && found->first <= 5h + 5min));
}

BOOST_AUTO_TEST_CASE(all_requests_of_somebody_can_be_expected_at_once) {
  const std::string text =
      plan_text("1.33.0", "ttl = \"1h\"\n", "[certificates]\nclient-ca-ends = \"+5h\"\n" + bindings + restart);
  const auto told = [&](const std::string& expect) {
    const std::string not_ready = "[[expect]]\nstep = 1\nnot-ready = 1\n";
    return unexpected(
        plan_of(text + not_ready + "[[expect]]\nstep = 1\nwho = \"pool blue\"\nrequest = \"*\"\n" + expect),
        simulated(text));
  };
  BOOST_TEST(told("status = 401\n").empty());
  BOOST_TEST(!told("status = 403\n").empty());
  BOOST_TEST(!told("rule = \"rbac-resource\"\n").empty());
}

BOOST_AUTO_TEST_CASE(mistakes_about_credentials_have_their_line) {
  const auto contains = [](const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
  };
  BOOST_TEST(contains(mistake_in(plan_text("1.33.0", "ttl = \"soon\"\n", "")), "plan.toml:12:"));
  BOOST_TEST(
      contains(mistake_in(plan_text("1.33.0", "", "[[bootstrap-token]]\nid = \"ABCDEF\"\n")), "six of a-z and 0-9"));
  BOOST_TEST(contains(mistake_in(plan_text("1.33.0", "", "[certificates]\nlast = \"5m\"\n")), "ten minutes or more"));
  BOOST_TEST(
      contains(mistake_in("title = \"t\"\n[control-plane]\nrelease = \"1.33\"\n[[pool]]\nname = \"b\"\nnodes = 1\n"
                          "kubelet = \"1.33\"\nuser = \"x\"\njoin = { token = \"abcdef\" }\n"),
               "expected no user or groups"));
}

BOOST_AUTO_TEST_SUITE_END()
