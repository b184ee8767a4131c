#include "harness/simulate/stock/stock_kubelets.h"

#include <boost/test/unit_test.hpp>

#include "harness/endpoint/loopback.h"
#include "harness/simulate/stock/asked.h"
#include "reference/release/catalogue.h"

BOOST_AUTO_TEST_SUITE(stock_kubelets)

using namespace nodebound;
using namespace nodebound::simulate;

namespace {

std::string event(const std::string& user, const std::string& verb, const std::string& target,
                  const std::string& about) {
  return R"({"user":{"username":")" + user + R"("},"verb":")" + verb + R"(","requestURI":")" + target + "\"" +
         (about.empty() ? "" : R"(,"objectRef":{)" + about + "}") + "}\n";
}

std::vector<std::string> asked(const std::string& log, const std::string& node = "n1") {
  const auto out = asked_by("system:node:" + node, node, log, "audit.log");
  if (!out) BOOST_FAIL(out.error().text());
  return *out;
}

const std::string node_user = "system:node:n1";

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_is_told_by_what_it_wants) {
  const std::string secrets = R"("resource":"secrets","namespace":"default","name":"password","apiVersion":"v1")";
  const std::string log =
      event(node_user, "watch",
            "/api/v1/namespaces/default/secrets?fieldSelector=metadata.name%3Dpassword&sendInitialEvents=true&"
            "timeoutSeconds=478&watch=true",
            secrets) +
      event(node_user, "patch", "/api/v1/nodes/n1/status?timeout=10s",
            R"("resource":"nodes","name":"n1","apiVersion":"v1","subresource":"status")") +
      event(node_user, "update", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1",
            R"("resource":"leases","namespace":"kube-node-lease","name":"n1","apiGroup":"coordination.k8s.io",)"
            R"("apiVersion":"v1")") +
      event(node_user, "get", "/healthz?timeout=10s", "");
  const std::vector<std::string> expected{
      "watch v1 secrets default/password?fieldSelector=metadata.name=password&sendInitialEvents=true",
      "patch v1 nodes/status NODE", "update coordination.k8s.io/v1 leases kube-node-lease/NODE", "get /healthz"};
  BOOST_TEST(asked(log) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_request_is_told_once_and_of_its_user_alone) {
  const std::string nodes = R"("resource":"nodes","name":"n1","apiVersion":"v1")";
  const std::string one = event(node_user, "get", "/api/v1/nodes/n1?resourceVersion=0", nodes);
  const std::string again = event(node_user, "get", "/api/v1/nodes/n1", nodes);
  const std::string others = event("system:node:n10", "list", "/api/v1/nodes", R"("resource":"nodes")");
  BOOST_TEST(asked(one + others + again) == std::vector<std::string>{"get v1 nodes NODE"},
             boost::test_tools::per_element());
  BOOST_TEST(asked(event(node_user, "create", "/api/v1/nodes", nodes)) == std::vector<std::string>{"create v1 nodes"},
             boost::test_tools::per_element());
  const std::string events = R"("resource":"events","namespace":"default","apiVersion":"v1","name":")";
  BOOST_TEST(asked(event(node_user, "patch", "/api/v1/namespaces/default/events/a.1", events + "a.1\"") +
                   event(node_user, "patch", "/api/v1/namespaces/default/events/a.2", events + "a.2\"")) ==
                 std::vector<std::string>{"patch v1 events default/"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_no_event_is_refused_with_its_line) {
  const auto out = asked_by(node_user, "n1", event(node_user, "get", "/", "") + "\nnonsense\n", "audit.log");
  BOOST_REQUIRE(!out);
  BOOST_TEST(out.error().where == "audit.log:3");
  // Events may lack whatever they are said to have.
  BOOST_TEST(asked("{}\n{\"user\":[],\"verb\":7}\n").empty());
}

BOOST_AUTO_TEST_CASE(differences_name_who_asked) {
  const std::vector<std::string> expected{"only the stock kubelet: list v1 nodes",
                                          "only the fake kubelet: watch v1 nodes"};
  BOOST_TEST(asked_differently({"get v1 pods", "list v1 nodes"}, {"watch v1 nodes", "get v1 pods"}) == expected,
             boost::test_tools::per_element());
  BOOST_TEST(asked_differently({"get v1 pods"}, {"get v1 pods"}).empty());
}

BOOST_AUTO_TEST_CASE(kubelets_of_a_plan_are_those_of_pools_and_steps) {
  const auto plan = read_plan(
      "title = \"t\"\n[control-plane]\nrelease = \"1.36.3\"\n[[pool]]\nname = \"a\"\nnodes = 1\nkubelet = \"1.34.0\"\n"
      "[[pool]]\nname = \"b\"\nnodes = 1\nkubelet = \"1.34.0\"\n[[step]]\nat = \"+1h\"\n"
      "pools = [{ name = \"b\", kubelet = \"1.36.3\" }]\n",
      "plan.toml", Catalogue::built_in());
  if (!plan) BOOST_FAIL(plan.error().text());
  std::string versions;
  for (const Version& version : kubelets_of(*plan)) versions += version.text() + " ";
  BOOST_TEST(versions == "1.34.0 1.36.3 ");
}

BOOST_AUTO_TEST_CASE(a_folder_without_a_kubelet_is_named) {
  const auto folder = TemporaryDirectory::make();
  BOOST_REQUIRE(folder);
  const auto found = find_stock_kubelets({folder->path().string()});
  BOOST_REQUIRE(!found);
  BOOST_TEST(found.error().what.find((folder->path() / "kubelet").string()) != std::string::npos);
  BOOST_TEST(found.error().hint.find("ci/real-components") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
