#include <boost/test/unit_test.hpp>

#include "harness/explain/explanation.h"
#include "harness/objects/cluster_file.h"
#include "harness/simulate/test/simulated_plan.h"

BOOST_AUTO_TEST_SUITE(simulate_words)

using namespace nodebound;
using namespace nodebound::explain;
using namespace nodebound::simulate;
using test::begin_at;

namespace {

const Catalogue& catalogue = Catalogue::built_in();

// The objects of the plan below, as far as its agent's requests depend on them.
constexpr const char* objects = R"(apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
- {apiVersion: v1, kind: ServiceAccount, metadata: {name: payments, namespace: shop}}
- {apiVersion: v1, kind: Secret, metadata: {name: db, namespace: shop}}
- apiVersion: v1
  kind: Pod
  metadata: {name: payments, namespace: shop, uid: UID}
  spec: {nodeName: blue-1, serviceAccountName: payments, containers: [{name: main, image: registry.example/payments}]}
)";

constexpr const char* cluster_of_plan = R"([[object]]
apiVersion = "v1"
kind = "Namespace"
metadata = { name = "shop" }
[[object]]
apiVersion = "v1"
kind = "ServiceAccount"
metadata = { name = "payments", namespace = "shop" }
[[object]]
apiVersion = "v1"
kind = "Secret"
metadata = { name = "db", namespace = "shop" }
[[object]]
apiVersion = "v1"
kind = "Pod"
metadata = { name = "payments", namespace = "shop" }
spec = { nodeName = "blue-1", serviceAccountName = "payments", containers = [{ name = "main", image = "registry.example/payments" }] }
[[agent]]
name = "greedy"
pool = "blue"
requests = [
  "GET /api/v1/nodes",
  "GET /api/v1/namespaces/shop/secrets/db",
  '''POST /api/v1/namespaces/shop/serviceaccounts/payments/token {"apiVersion": "authentication.k8s.io/v1",
    "kind": "TokenRequest", "spec": {"audiences": ["vault"],
    "boundObjectRef": {"apiVersion": "v1", "kind": "Pod", "name": "payments", "uid": "{uid shop/pods/payments}"}}}''',
]
)";

// At each release everything is allowed for an hour and then nothing, so that each release refuses anew.
std::string plan_over(const std::vector<std::string>& releases) {
  std::string out = begin_at(releases.front(), "nodes = 1\n") + cluster_of_plan;
  int hour = 0;
  const auto step = [&] { return "[[step]]\nat = \"+" + std::to_string(++hour) + "h\"\n"; };
  for (const std::string& release : releases) {
    out +=
        step() + "control-plane = { release = \"" + release +
        "\", node-restriction = false }\napply = [{ apiVersion = \"rbac.authorization.k8s.io/v1\", kind = "
        "\"ClusterRoleBinding\", metadata = { name = \"all\" }, roleRef = { apiGroup = \"rbac.authorization.k8s.io\", "
        "kind = \"ClusterRole\", name = \"cluster-admin\" }, subjects = [{ apiGroup = \"rbac.authorization.k8s.io\", "
        "kind = \"Group\", name = \"system:nodes\" }] }]\n";
    out += step() + "control-plane = { node-restriction = true }\npools = [{ name = \"blue\", kubelet = \"" + release +
           "\" }]\ndelete = [\"clusterrolebindings/all\"]\n";
  }
  return out;
}

// The reason that explain reports for the caller.
std::string explained(const Simulation::Finding& finding, const std::string& release) {
  const std::size_t blank = finding.example.find(' ');
  const std::string method = finding.example.substr(0, blank);
  const std::string target = finding.example.substr(blank + 1);
  Question question{*parse_subject("node:blue-1"), "", method, target, false,
                    attributes_of(method, target), {}, "",     {},     {}};
  std::string given = objects;
  if (!finding.body.empty()) {
    question.body = Object::parse(finding.body);
    // The server generates the UID; explain gets the same one.
    const std::string uid(text(*question.body, "spec", "boundObjectRef", "uid"));
    given.replace(given.find("UID"), 3, uid);
  }
  question.set_cluster(*read_cluster_objects(given, "objects.yaml"));
  const Release as = Release::make(catalogue, *Version::parse(release), {}).value();
  const Result<Explanation> out = explain::explain(catalogue, as, {}, question);
  if (!out) BOOST_FAIL(out.error().text());
  return out->answer.allowed ? "allowed" : out->answer.reason;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_step_tells_the_words_of_its_own_release) {
  const std::vector<std::string> releases = {"1.31.0", "1.32.0", "1.33.3", "1.34.0", "1.35.0", "1.36.0", "1.37.1"};
  const Simulation simulation = test::simulated(plan_over(releases));
  std::set<std::string> texts;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    const Simulation::Step& step = simulation.steps[2 * i + 2];
    std::size_t explained_findings = 0;
    for (const Simulation::Finding& finding : step.findings) {
      if (finding.who != "agent greedy") continue;
      const std::string expected = explained(finding, releases[i]);
      BOOST_TEST(!expected.empty());
      BOOST_TEST(finding.reason.ends_with(expected),
                 releases[i] << ": " << finding.reason << "\nexplain says: " << expected);
      texts.insert(expected);
      ++explained_findings;
    }
    BOOST_TEST(explained_findings >= 1U, releases[i]);
  }
  // The wording for a missing path changed in 1.37, for audiences in 1.33 and 1.37, for nodes in 1.37.
  BOOST_TEST(texts.size() >= 7U);
}

BOOST_AUTO_TEST_CASE(a_finding_that_goes_on_says_in_what_other_words_it_does) {
  const std::string agent = "[[agent]]\nname = \"monitoring\"\npool = \"blue\"\nrequests = [\"GET /api/v1/nodes\"]\n";
  const Simulation simulation =
      test::simulated(begin_at("1.35.0") + agent +
                      "[[step]]\nat = \"+1h\"\ncontrol-plane = { release = \"1.36.0\" }\n"
                      "[[step]]\nat = \"+2h\"\npools = [{ name = \"blue\", kubelet = \"1.36.0\" }]\n"
                      "[[step]]\nat = \"+3h\"\ncontrol-plane = { release = \"1.37.1\" }\n");
  BOOST_REQUIRE_EQUAL(simulation.steps[0].findings.size(), 1U);
  const Simulation::Finding& finding = simulation.steps[0].findings[0];
  BOOST_TEST(finding.reason.find("node: ") == std::string::npos, finding.reason);
  BOOST_REQUIRE_EQUAL(finding.other_reasons.size(), 1U);
  BOOST_TEST(finding.other_reasons[0].servers == "1.37.1");
  BOOST_TEST(finding.other_reasons[0].reason.find("scope: node: ") != std::string::npos,
             finding.other_reasons[0].reason);
}

BOOST_AUTO_TEST_CASE(a_rule_is_named_with_the_pages_where_it_is_written) {
  const std::string agent = "[[agent]]\nname = \"monitoring\"\npool = \"blue\"\nrequests = [\"GET /api/v1/nodes\"]\n";
  const Simulation simulation = test::simulated(begin_at("1.34.2") + agent);
  BOOST_REQUIRE_EQUAL(simulation.steps[0].findings.size(), 1U);
  const auto& sources = simulation.steps[0].findings[0].sources;
  BOOST_REQUIRE_EQUAL(sources.size(), 2U);
  BOOST_TEST(sources[0].name == "KEP-4601");
  BOOST_TEST(sources[0].url == "https://github.com/kubernetes/enhancements/issues/4601");
  BOOST_TEST(
      sources[1].url ==
      "https://github.com/kubernetes/kubernetes/blob/v1.34.2/plugin/pkg/auth/authorizer/node/node_authorizer.go");
}

// Kubelets have said `subresource(s)` since 1.32.
BOOST_AUTO_TEST_CASE(words_and_pages_are_of_the_kubelet_that_refused_first) {
  const auto pool = [](const std::string& name, const std::string& release) {
    return "[[pool]]\nname = \"" + name + "\"\nkubelet = \"" + release + "\"\nnodes = 1\n";
  };
  const std::string agent = "user = \"system:serviceaccount:monitoring:agent\"\nkubelet-requests = [\"GET /pods\"]\n";
  const Simulation simulation =
      test::simulated("title = \"t\"\n[control-plane]\nrelease = \"1.33.0\"\n" + pool("new", "1.33.0") +
                      pool("old", "1.30.0") + "[[agent]]\nname = \"monitoring\"\npool = [\"new\", \"old\"]\n" + agent);
  BOOST_REQUIRE_EQUAL(simulation.steps[0].findings.size(), 1U);
  const Simulation::Finding& finding = simulation.steps[0].findings[0];
  BOOST_TEST((finding.kubelets == std::vector<std::string>{"1.30.0", "1.33.0"}));
  BOOST_TEST(finding.reason.find("subresource(s)") != std::string::npos, finding.reason);
  BOOST_REQUIRE(!finding.sources.empty());
  BOOST_TEST(finding.sources.back().url ==
             "https://github.com/kubernetes/kubernetes/blob/v1.33.0/pkg/kubelet/server/server.go");
}

// KEP-4601: the gate can be turned off in 1.32 and 1.33, and is locked from 1.34 on.
BOOST_AUTO_TEST_CASE(a_finding_says_from_which_release_on_and_which_gate_puts_it_off) {
  const auto told_of_step = [](const std::string& from, const std::string& gates, const std::string& to) {
    const Simulation simulation =
        test::simulated("title = \"t\"\n[control-plane]\nrelease = \"" + from + "\"\n" + gates +
                        "[[pool]]\nname = \"blue\"\nkubelet = \"" + from +
                        "\"\nnodes = 1\n"
                        "[[agent]]\nname = \"lister\"\npool = \"blue\"\nrequests = [\"GET /api/v1/nodes\"]\n"
                        "[[step]]\nat = \"+1h\"\ncontrol-plane = { release = \"" +
                        to + "\", feature-gates = {} }\n");
    BOOST_TEST(simulation.steps.front().findings.empty());
    BOOST_REQUIRE(simulation.steps.back().findings.size() == 1U);
    const Simulation::Finding& finding = simulation.steps.back().findings.front();
    return finding.since + (finding.put_off_by.empty() ? "" : ", " + finding.put_off_by.front());
  };
  BOOST_TEST(told_of_step("1.31.4", "", "1.32.0") == "1.32, AuthorizeNodeWithSelectors=false");
  BOOST_TEST(told_of_step("1.33.5", "feature-gates = { AuthorizeNodeWithSelectors = false }\n", "1.34.0") == "1.32");
}

BOOST_AUTO_TEST_SUITE_END()
