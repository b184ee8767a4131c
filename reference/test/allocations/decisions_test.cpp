// What a decision of the Node authorizer allocates: nothing, where it allows and where it refuses.
#include <boost/test/unit_test.hpp>

#include "reference/authorizer/authorizer_chain.h"
#include "reference/authorizer/node_authorizer.h"
#include "reference/benchmark/heap.h"
#include "reference/benchmark/topology.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(allocations)

using namespace nodebound;
using nodebound::test::rules_of;

namespace {

/// Two nodes with a pod each: both pods use the Secret `shared`, each has a Secret and a long name of its own.
struct TwoNodes {
  TwoNodes() {
    for (const std::string node : {"n1", "n2"}) {
      const std::string own = "a-name-that-is-too-long-to-be-kept-in-the-string-itself-" + node;
      const std::vector<NodeGraph::Reference> references = {
          {ObjectKind::secret, "ns", own, Rule::edge_secret_volume},
          {ObjectKind::configmap, "ns", own, Rule::edge_secret_volume},
          {ObjectKind::persistentvolumeclaim, "ns", own, Rule::edge_secret_volume},
          {ObjectKind::serviceaccount, "ns", own, Rule::edge_secret_volume},
          {ObjectKind::secret, "ns", "shared", Rule::edge_secret_volume}};
      graph.put_pod("ns", own, node, references);
      graph.put_volume(own, "ns", own, {});
      graph.put_owned(ObjectKind::volumeattachment, "", own, node);
      for (const char* const resource :
           {"secrets", "configmaps", "persistentvolumeclaims", "serviceaccounts", "pods"}) {
        requests.emplace_back("n1", "", resource, "ns", own);
      }
      requests.emplace_back("n1", "", "persistentvolumes", "", own);
      requests.emplace_back("n1", "storage.k8s.io", "volumeattachments", "", own);
    }
    for (const std::string node : {"n1", "n2", "a-node-with-a-rather-long-name-that-nobody-knows"}) {
      requests.emplace_back(node, "", "secrets", "ns", "shared");
      requests.emplace_back(node, "", "nodes", "", "n2");
      requests.emplace_back(node, "coordination.k8s.io", "leases", "kube-node-lease", "n1");
      requests.emplace_back(node, "", "secrets", "ns", "");  // no name: refused
      requests.emplace_back(node, "apps", "deployments", "ns", "x");
      requests.emplace_back(node, "", "services", "ns", "x");
    }
  }

  /// How many blocks `ask` allocates for one request.
  template <typename Ask>
  static std::uint64_t allocated(Ask ask) {
    const Heap before = Heap::now();
    ask();
    return Heap::now().allocations - before.allocations;
  }

  const RuleSet rules = rules_of("1.36.3");
  NodeGraph graph;
  const NodeAuthorizer authorizer{rules, graph};
  std::vector<Request> requests;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(no_decision_allocates, TwoNodes) {
  std::size_t allowed = 0;
  for (const Request& request : requests) {
    Decision decision;
    const std::uint64_t blocks = allocated([&] { decision = authorizer.decide(request.subject, request.attributes); });
    BOOST_TEST(blocks == 0U, request.line());
    allowed += decision.allowed() ? 1 : 0;
  }
  BOOST_TEST(allowed > 5U);
  BOOST_TEST(requests.size() - allowed > 5U);
}

BOOST_FIXTURE_TEST_CASE(a_chain_that_allows_allocates_nothing, TwoNodes) {
  const AuthorizerChain chain(rules, {&authorizer});
  for (const Request& request : requests) {
    if (!authorizer.decide(request.subject, request.attributes).allowed()) continue;
    BOOST_TEST(allocated([&] { static_cast<void>(chain.authorize(request.subject, request.attributes)); }) == 0U,
               request.line());
  }
}

BOOST_FIXTURE_TEST_CASE(a_reason_is_written_when_it_is_asked_for, TwoNodes) {
  const Request refused("n2", "", "secrets", "ns", "nobody-uses-it");
  Decision decision = authorizer.decide(refused.subject, refused.attributes);
  BOOST_TEST(decision.reason.empty());
  BOOST_TEST(allocated([&] { authorizer.explain(decision, refused.subject, refused.attributes); }) > 0U);
  BOOST_TEST(decision.reason == "no relationship found between node 'n2' and this object");
  BOOST_TEST(authorizer.authorize(refused.subject, refused.attributes).reason == decision.reason);
}

BOOST_AUTO_TEST_SUITE_END()
