#include <boost/test/unit_test.hpp>

#include "fakes/test/whole_cluster.h"

// What kube-apiserver 1.36.3 answered to the same evictions.
BOOST_AUTO_TEST_SUITE(disruption_budgets)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

// A running pod `p` on a node, and a budget `web` for it.
struct Budgeted : WholeCluster {
  Budgeted() {
    make_shop();
    make_pod(R"({"nodeName":"n"})");
    Object labelled = get(pods + "/p");
    labelled["metadata"]["labels"] = {{"app", "web"}};
    call(admin, "PUT", pods + "/p", labelled.dump());
    set_pod("Running", "True");
    post(budgets, R"({"metadata":{"name":"web"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"web"}}}})");
  }

  void set_pod(const std::string& phase, const std::string& ready) {
    call(admin, "PATCH", pods + "/p/status",
         R"({"status":{"phase":")" + phase + R"(","conditions":[{"type":"Ready","status":")" + ready + R"("}]}})",
         "application/merge-patch+json");
  }
  void set_budget(const std::string& status) {
    call(admin, "PATCH", budgets + "/web/status", R"({"status":)" + status + "}", "application/merge-patch+json");
  }
  Answer evict(const std::string& query = {}) {
    return post(pods + "/p/eviction" + query, R"({"metadata":{"name":"p"}})");
  }
  Object budget() { return get(budgets + "/web"); }
  static std::string cause(const Answer& answer) {
    return std::string(text(answer.body["details"]["causes"][0], "message"));
  }

  const std::string budgets = "/apis/policy/v1/namespaces/shop/poddisruptionbudgets";
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_new_budget_is_not_processed_yet, Budgeted) {
  const Answer refused = evict();
  BOOST_TEST(refused.status == 429);
  BOOST_TEST(message(refused) == "Cannot evict pod as it would violate the pod's disruption budget.");
  BOOST_TEST(cause(refused) == "The disruption budget web is still being processed by the server.");
  BOOST_TEST(refused.body["details"]["retryAfterSeconds"] == 10);
  BOOST_TEST(refused.body["details"]["causes"][0]["reason"] == "DisruptionBudget");
}

BOOST_FIXTURE_TEST_CASE(an_eviction_may_have_the_old_version, Budgeted) {
  set_budget(R"({"observedGeneration":1,"disruptionsAllowed":1,"currentHealthy":2,"desiredHealthy":1})");
  const std::string target = pods + "/p/eviction";
  const Answer other = post(target, R"({"apiVersion":"policy/v1alpha1","kind":"Eviction","metadata":{"name":"p"}})");
  BOOST_TEST(other.status == 400);
  const std::string old = R"({"apiVersion":"policy/v1beta1","kind":"Eviction","metadata":{"name":"p"}})";
  BOOST_TEST(post(target + "?dryRun=All", old).status == 201);
  const Answer strict = post(target + "?dryRun=All&fieldValidation=Strict",
                             R"({"apiVersion":"policy/v1beta1","kind":"Eviction","metadata":{"name":"p"},"x":1})");
  BOOST_TEST(strict.status == 400);
  BOOST_TEST(post(target, old).status == 201);
}

BOOST_FIXTURE_TEST_CASE(a_budget_says_why_it_permits_none, Budgeted) {
  set_budget(R"({"observedGeneration":1,"disruptionsAllowed":0,"currentHealthy":3,"desiredHealthy":3})");
  BOOST_TEST(cause(evict()) == "The disruption budget web needs 3 healthy pods and has 3 currently");
  set_budget(R"({"currentHealthy":5,"conditions":[{"type":"DisruptionAllowed","status":"False",
                 "reason":"InsufficientPods","message":"few","lastTransitionTime":"2020-01-01T00:00:00Z"}]})");
  BOOST_TEST(cause(evict()) ==
             "The disruption budget web does not allow evicting pods currently (InsufficientPods): few");
  set_budget(R"({"conditions":[{"type":"DisruptionAllowed","status":"False","reason":"SyncFailed","message":"no",
                 "lastTransitionTime":"2020-01-01T00:00:00Z"}]})");
  BOOST_TEST(cause(evict()) ==
             "The disruption budget web does not allow evicting pods currently because it failed sync: no");
  set_budget(R"({"conditions":null})");
  BOOST_TEST(cause(evict()) == "The disruption budget web does not allow evicting pods currently");
  BOOST_TEST(get(pods + "/p")["metadata"].contains("deletionTimestamp") == false);
}

BOOST_FIXTURE_TEST_CASE(an_eviction_is_counted_in_the_budget, Budgeted) {
  set_budget(R"({"observedGeneration":1,"disruptionsAllowed":1,"currentHealthy":3,"desiredHealthy":2})");
  BOOST_TEST(evict("?dryRun=All").status == 201);
  BOOST_TEST(budget()["status"]["disruptionsAllowed"] == 1);
  BOOST_TEST(evict().status == 201);
  const Object status = budget()["status"];
  BOOST_TEST(status["disruptionsAllowed"] == 0);
  BOOST_TEST(status["disruptedPods"].contains("p"));
  BOOST_REQUIRE(status["conditions"].size() == 1U);
  BOOST_TEST(status["conditions"][0]["reason"] == "InsufficientPods");
  // A pod that is going away is no further disruption.
  BOOST_TEST(evict().status == 201);
}

BOOST_FIXTURE_TEST_CASE(pods_that_do_not_run_need_no_budget, Budgeted) {
  for (const char* phase : {"Pending", "Succeeded", "Failed"}) {
    set_pod(phase, "False");
    BOOST_TEST(evict("?dryRun=All").status == 201, phase);
  }
}

BOOST_FIXTURE_TEST_CASE(a_pod_that_is_not_ready_goes_while_enough_others_are, Budgeted) {
  set_pod("Running", "False");
  set_budget(R"({"observedGeneration":1,"disruptionsAllowed":0,"currentHealthy":0,"desiredHealthy":1})");
  BOOST_TEST(evict("?dryRun=All").status == 429);
  set_budget(R"({"currentHealthy":1})");
  BOOST_TEST(evict("?dryRun=All").status == 201);
  set_budget(R"({"currentHealthy":0})");
  call(admin, "PATCH", budgets + "/web", R"({"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}})",
       "application/merge-patch+json");
  BOOST_TEST(evict("?dryRun=All").status == 201);
}

BOOST_FIXTURE_TEST_CASE(several_budgets_are_not_supported, Budgeted) {
  post(budgets, R"({"metadata":{"name":"all"},"spec":{"selector":{}}})");
  const Answer refused = evict();
  BOOST_TEST(refused.status == 500);
  BOOST_TEST(message(refused) ==
             "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
  // One without a selector selects nothing.
  call(admin, "DELETE", budgets + "/all");
  post(budgets, R"({"metadata":{"name":"none"},"spec":{}})");
  BOOST_TEST(evict().status == 429);
}

BOOST_AUTO_TEST_SUITE_END()
