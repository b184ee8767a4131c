#include <boost/test/unit_test.hpp>
#include <fstream>
#include <mutex>

#include "harness/guest/others.h"
#include "harness/guest/rights.h"
#include "harness/run/runner.h"
#include "harness/test/late_endpoint.h"
#include "harness/test/project.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(guest_run)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::guest;
using namespace nodebound::journal;

namespace {

const Subject masters{"admin", {"system:masters"}, "", {}};

RuleSet rules_of(const char* version = "1.36.3") {
  return {catalogue(), *Release::make(catalogue(), *Version::parse(version), {})};
}

/// A cluster that others use, with some of their objects, and a record of its requests.
struct OthersCluster {
  explicit OthersCluster(bool keeps_dry_runs = true)
      : endpoint(make_prompt_shared_endpoint(
            rules, [this, keeps_dry_runs](ApiServer& server, const Subject& subject, HttpRequest request) {
              {
                const std::lock_guard lock(mutex);
                asked.push_back(request);
              }
              if (!keeps_dry_runs) {
                if (const auto query = request.target.find("?dryRun=All"); query != std::string::npos) {
                  request.target.erase(query);
                }
                if (request.method == "DELETE") request.body = "{}";
              }
              return server.handle(subject, request);
            })) {
    make("/api/v1/nodes", R"({"metadata":{"name":"foreign"}})");
    make("/api/v1/nodes", R"({"metadata":{"name":"foreign-too"}})");
    make("/api/v1/namespaces/kube-system/configmaps", R"({"metadata":{"name":"theirs"}})");
    make("/api/v1/namespaces", R"({"metadata":{"name":"shop"}})");
    make("/api/v1/namespaces/shop/serviceaccounts", R"({"metadata":{"name":"default"}})");
    make("/api/v1/namespaces/shop/pods",
         R"({"metadata":{"name":"web"},"spec":{"containers":[{"name":"main","image":"shop/web"}]}})");
    make("/apis/resource.k8s.io/v1/resourceslices",
         R"({"metadata":{"name":"devices"},"spec":{"driver":"d.example.com","nodeName":"foreign",)"
         R"("pool":{"name":"p","generation":1,"resourceSliceCount":1}}})");
    before = objects();
    asked.clear();
  }

  HttpResponse send(const std::string& method, const std::string& target, const std::string& body = "") {
    return endpoint->open_session()->send(masters, {method, target, "application/json", body, false}).value();
  }

  void make(const std::string& collection, const std::string& body) {
    const HttpResponse made = send("POST", collection, body);
    BOOST_REQUIRE_MESSAGE(made.status == 201, made.body);
  }

  /// All objects of others as stored.
  std::string objects() {
    std::string out;
    for (const char* collection : {"/api/v1/nodes", "/api/v1/configmaps", "/api/v1/namespaces", "/api/v1/pods",
                                   "/apis/resource.k8s.io/v1/resourceslices", "/api/v1/serviceaccounts",
                                   "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"}) {
      const Object list = Object::parse(send("GET", collection).body);
      for (const Object& each : list["items"]) {
        // A namespace disappears only when a controller has emptied it.
        const bool own = text(each, "metadata", "labels", "nodebound.dev/run") == "bcdfgh" ||
                         text(each, "metadata", "namespace").find("-bcdfgh-") != std::string_view::npos;
        if (!own) out += each.dump() + "\n";
      }
    }
    return out;
  }

  Report run(const std::vector<Scenario>& scenarios, RunOptions options = {}) {
    options.run_id = "bcdfgh";
    Report report = run_scenarios(scenarios, *endpoint, rules, journal, options, errors);
    return report;
  }

  RuleSet rules = rules_of();
  std::mutex mutex;
  std::vector<HttpRequest> asked;
  std::unique_ptr<Endpoint> endpoint;
  std::string before;
  Journal journal;
  std::vector<Error> errors;
};

std::vector<Scenario> scenario(const std::string& steps) {
  const Profiles profiles = {{"node-authorizer", {}}};
  auto read =
      parse_scenarios("title = \"t\"\nprofile = \"node-authorizer\"\nnodes = [\"a\"]\n" + steps, "stranger.toml",
                      "stranger", fixtures_of(project::file("scenarios")).value(), profiles, catalogue());
  BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().text()));
  return *read;
}

bool writes(const HttpRequest& request) {
  return request.method != "GET" && request.target.find("reviews") == std::string::npos &&
         request.target.find("dryRun=All") == std::string::npos && request.body.find("dryRun") == std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_scenario_of_a_stranger_cannot_leave_its_run) {
  for (const bool keeps_dry_runs : {true, false}) {
    OthersCluster cluster(keeps_dry_runs);
    const Report report = cluster.run(scenario(R"(steps = [
      { name = "a", as = "admin", request = "delete nodes/=foreign", keep = true, allow = "node-own-name" },
      { name = "b", as = "admin", request = "deletecollection configmaps -n kube-system", keep = true, allow = "node-own-name" },
      { name = "c", as = "admin", request = "delete /api/v1/nodes/foreign-too", keep = true, allow = "node-own-name" },
      { name = "d", as = "admin", request = "change nodes/=foreign", keep = true, body = { metadata = { labels = { x = "y" } } }, allow = "node-own-name" },
      { name = "e", as = "widened a", request = "deletecollection nodes", keep = true, allow = "node-own-name" },
      { name = "f", as = "admin", request = "create pods/=web/eviction -n =shop", keep = true, allow = "node-own-name" },
      { name = "g", as = "admin", request = "update nodes/=foreign", keep = true, allow = "node-own-name" },
      { name = "h", as = "admin", request = "apply nodes/=foreign", keep = true, allow = "node-own-name" },
      { name = "i", as = "admin", request = "create clusterrolebindings/x", keep = true, allow = "node-own-name", body = { roleRef = { apiGroup = "rbac.authorization.k8s.io", kind = "ClusterRole", name = "cluster-admin" }, subjects = [{ apiGroup = "rbac.authorization.k8s.io", kind = "Group", name = "system:unauthenticated" }] } },
    ])"));
    BOOST_TEST(cluster.objects() == cluster.before);
    BOOST_TEST(report.count(Verdict::pass) == 0U);
    BOOST_TEST(report.count(Verdict::skip) == report.checks.size());
    for (const CheckResult& check : report.checks) BOOST_TEST(!check.why.empty(), check.id);
  }
}

BOOST_AUTO_TEST_CASE(nor_can_what_it_prepares) {
  for (const char* action :
       {R"("delete nodes/=foreign")", R"("delete configmaps/=theirs -n kube-system")",
        R"({ change = "nodes/=foreign", body = { metadata = { labels = { x = "y" } } } })",
        R"({ make = "pod own", body = { spec = { nodeName = "foreign" } } })",
        R"({ make = "pod own", body = { spec = { containers = [{ name = "main", image = "shop/web" }] } } })",
        R"({ create = "clusterrolebindings/own", body = { roleRef = { apiGroup = "rbac.authorization.k8s.io", )"
        R"(kind = "ClusterRole", name = "cluster-admin" }, subjects = [{ apiGroup = "rbac.authorization.k8s.io", )"
        R"(kind = "Group", name = "system:authenticated" }] } })"}) {
    OthersCluster cluster;
    const Report report = cluster.run(scenario("given = [" + std::string(action) + R"(]
      steps = [{ as = "node a", request = "get nodes/a", allow = "node-read-own" }])"));
    BOOST_TEST(cluster.objects() == cluster.before, action);
    BOOST_TEST(report.count(Verdict::pass) == 0U, action);
  }
}

// If a dry run has an effect and a check wrongly succeeds, it would delete an object of others.
BOOST_AUTO_TEST_CASE(a_target_that_lets_dry_runs_have_an_effect_is_not_asked_about_others) {
  OthersCluster cluster(false);
  const Report report = cluster.run(scenario(R"(steps = [
    { name = "a", as = "widened a", request = "deletecollection resourceslices", deny = "slice-admission-delete" },
    { name = "b", as = "widened a", request = "delete nodes/=foreign", deny = "node-own-name" },
  ])"));
  BOOST_TEST(cluster.objects() == cluster.before);
  BOOST_TEST(report.count(Verdict::skip) == 2U);
}

BOOST_AUTO_TEST_CASE(a_guest_asks_all_that_is_asked_elsewhere_and_makes_nothing_that_can_run) {
  OthersCluster cluster;
  const Report report = cluster.run(project_scenarios(), {.run_id = "", .jobs = 4});
  BOOST_TEST(report.count(Verdict::fail) == 0U);
  BOOST_TEST(report.count(Verdict::inconclusive) == 0U);
  std::size_t about_policies = 0;
  for (const CheckResult& check : report.checks) {
    // A policy is in force for everybody, so a guest makes none.
    const bool makes_policies = check.why.find("validatingadmissionpolic") != std::string::npos;
    if (makes_policies) ++about_policies;
    const bool bad = check.verdict == Verdict::fail || check.verdict == Verdict::inconclusive ||
                     (check.why.find("not sent") != std::string::npos && !makes_policies);
    BOOST_TEST(!bad, check.id << ": " << check.why);
  }
  BOOST_TEST(about_policies > 0U);
  BOOST_TEST(report.count(Verdict::pass) > 9000U);
  BOOST_TEST(cluster.errors.empty());
  BOOST_TEST(cluster.objects() == cluster.before);
  std::size_t nodes = 0;
  std::size_t pods = 0;
  for (const HttpRequest& request : cluster.asked) {
    if (request.method != "POST" || !writes(request)) continue;
    const Object body = Object::parse(request.body, nullptr, false);
    if (request.target == "/api/v1/nodes") {
      ++nodes;
      BOOST_TEST(is_true(body, "spec", "unschedulable"), request.body);
      const Object& taints = member(body, "spec", "taints");
      const bool closed = std::any_of(taints.begin(), taints.end(), [](const Object& taint) {
        return text(taint, "effect") == "NoSchedule" || text(taint, "effect") == "NoExecute";
      });
      BOOST_TEST(closed, request.body);
    } else if (request.target.ends_with("/pods")) {
      ++pods;
      const std::string_view node = text(body, "spec", "nodeName");
      const bool waits = node.empty() ? text(body, "spec", "schedulerName") == "nodebound.invalid"
                                      : node.find("bcdfgh") != std::string_view::npos || node == "nodebound-case";
      BOOST_TEST(waits, request.body);
    }
  }
  BOOST_TEST(nodes > 500U);
  BOOST_TEST(pods > 500U);
}

BOOST_AUTO_TEST_CASE(a_run_that_only_reads_sends_reviews_alone) {
  OthersCluster cluster;
  const Report report = cluster.run(project_scenarios(), {.run_id = "", .read_only = true});
  BOOST_TEST(report.count(Verdict::fail) == 0U);
  BOOST_TEST(report.count(Verdict::inconclusive) == 0U);
  BOOST_TEST(report.count(Verdict::pass) > 500U);
  for (const HttpRequest& request : cluster.asked) {
    const bool review = request.method == "POST" && request.target.ends_with("/subjectaccessreviews");
    BOOST_TEST(review, request.method << ' ' << request.target);
  }
}

// A broken rule must fail a check by review; if all checks were skipped, the run would prove nothing.
BOOST_AUTO_TEST_CASE(reviews_alone_find_what_they_can) {
  const RuleSet faulty = rules_of().with_flipped(Rule::node_read_not_all);
  const auto endpoint = make_prompt_shared_endpoint(
      faulty, [](ApiServer& server, const Subject& s, const HttpRequest& r) { return server.handle(s, r); });
  Journal journal;
  std::vector<Error> errors;
  const RuleSet rules = rules_of();
  const Report report =
      run_scenarios(project_scenarios(), *endpoint, rules, journal, {.run_id = "bcdfgh", .read_only = true}, errors);
  BOOST_TEST(report.count(Verdict::fail) > 0U);
  const auto broken = report.broken_rules();
  BOOST_TEST((std::find(broken.begin(), broken.end(), "node-read-not-all") != broken.end()));
}

BOOST_AUTO_TEST_CASE(what_others_have_there_is_seen) {
  OthersCluster cluster;
  const OthersThere there = others_at(*cluster.endpoint);
  BOOST_TEST(there.any());
  BOOST_TEST(there.nodes == 2U);
  BOOST_TEST(there.pods == 1U);
  BOOST_TEST(there.text() == "2 Nodes and 1 pod outside of kube-system (shop/web among them)");
  const RuleSet rules = rules_of();
  const auto empty = make_prompt_shared_endpoint(
      rules, [](ApiServer& server, const Subject& s, const HttpRequest& r) { return server.handle(s, r); });
  BOOST_TEST(!others_at(*empty).any());
  const auto silent = make_prompt_shared_endpoint(rules, [](ApiServer&, const Subject&, const HttpRequest&) {
    HttpResponse refusal;
    refusal.status = 403;
    return refusal;
  });
  BOOST_TEST(others_at(*silent).any(), "what cannot be seen is taken to be there");
}

namespace {

/// A run by an administrator who has only the rights that --print-rbac prints for its scenarios.
struct RunWithPrintedRights {
  explicit RunWithPrintedRights(const std::vector<Scenario>& scenarios) {
    Rights rights = rights_of_run(IdentityMode::impersonate, false);
    for (const Scenario& each : scenarios) rights.merge(rights_of(each, IdentityMode::impersonate));
    rights.merge(rights_to_widen());
    const Object role = {{"metadata", {{"name", "runner"}}}, {"rules", to_policy_rules(rights)}};
    const Object binding = {
        {"metadata", {{"name", "runner"}}},
        {"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "ClusterRole"}, {"name", "runner"}}},
        {"subjects", {{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "User"}, {"name", "runner"}}}}};
    const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/";
    const auto session = endpoint->open_session();
    for (const auto& [resource, object] : {std::pair{"clusterroles", role}, {"clusterrolebindings", binding}}) {
      const auto made = session->send(masters, {"POST", rbac + resource, "application/json", object.dump(), false});
      BOOST_REQUIRE_MESSAGE(made->status == 201, made->body);
    }
    ready = true;
    BOOST_TEST(missing(*endpoint, rights)->empty());
    report = run_scenarios(scenarios, *endpoint, rules, journal, {.run_id = "bcdfgh"}, errors);
  }

  HttpResponse answer(ApiServer& server, const Subject& subject, const HttpRequest& request) {
    const bool own = ready && subject.name == masters.name;
    HttpResponse answer = server.handle(own ? runner : subject, request);
    if (own && answer.status == 403 && answer.body.find("User \\\"runner\\\"") != std::string::npos) {
      const std::lock_guard lock(mutex);
      refused.push_back(request.method + " " + request.target + "\n  " + answer.body);
    }
    return answer;
  }

  void expect_that_nothing_is_missing() const {
    BOOST_TEST(errors.empty());
    for (std::size_t i = 0; i < refused.size() && i < 20; ++i) BOOST_ERROR(refused[i]);
    BOOST_TEST(report.count(Verdict::pass) > 0U);
    for (const CheckResult& check : report.checks) {
      const bool bad = check.verdict == Verdict::inconclusive || check.verdict == Verdict::fail;
      BOOST_TEST(!bad, check.id << ": " << check.why);
    }
  }

  const Subject runner{"runner", {"system:authenticated"}, "", {}};
  RuleSet rules = rules_of();
  bool ready = false;
  std::mutex mutex;
  std::vector<std::string> refused;
  std::unique_ptr<Endpoint> endpoint = make_awaited_shared_endpoint(
      rules, [this](ApiServer& server, const Subject& subject, const HttpRequest& request) {
        return answer(server, subject, request);
      });
  Journal journal;
  std::vector<Error> errors;
  Report report;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_rights_that_are_printed_are_enough) {
  const RunWithPrintedRights run(project_scenarios());
  run.expect_that_nothing_is_missing();
  BOOST_TEST(!missing(*run.endpoint, {{"delete", "apps", "deployments"}})->empty());
}

// A run waits until RBAC knows a new role by making one more, which needs rights that no object of the scenario needs.
BOOST_AUTO_TEST_CASE(the_rights_that_are_printed_for_one_grant_are_enough) {
  const std::string role = "body = { rules = [{ apiGroups = [''], resources = ['pods'], verbs = ['get'] }] }";
  for (const std::string grant : {"roles/readers", "clusterroles/readers"}) {
    BOOST_TEST_CONTEXT(grant) {
      const RunWithPrintedRights run(scenario(R"(
        given = [{ create = ")" + grant + "\", " +
                                              role + R"( }]
        steps = [{ name = "read", as = "node a", request = "get secrets/db", deny = "secret-through-pod" }]
      )"));
      run.expect_that_nothing_is_missing();
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
