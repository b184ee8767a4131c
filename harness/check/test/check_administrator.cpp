#include <boost/test/unit_test.hpp>
#include <thread>

#include "harness/check/administrator.h"
#include "harness/test/late_endpoint.h"

BOOST_AUTO_TEST_SUITE(check_administrator)

using namespace nodebound;
using namespace nodebound::journal;

namespace {

/// An administrator at a cluster that others use, and its requests.
struct Shared {
  Shared()
      : endpoint(make_shared_endpoint(rules,
                                      [this](const Subject&, const HttpRequest& request) {
                                        sent.push_back(request.method + " " + request.target);
                                        return true;
                                      })),
        session(endpoint->open_session()) {}

  [[nodiscard]] bool deleted(const std::string& path) const {
    return std::find(sent.begin(), sent.end(), "DELETE " + path) != sent.end();
  }

  Result<void> perform(Action::Kind kind, const std::string& request) {
    return administrator.perform({kind, *parse_request(request), Object::object(), {}, 0});
  }

  RuleSet rules{Catalogue::built_in(), *Release::make(Catalogue::built_in(), *Version::parse("1.36.3"), {})};
  std::vector<std::string> sent;
  std::unique_ptr<Endpoint> endpoint;
  std::unique_ptr<Session> session;
  ApiResources resources{rules.release()};
  Names names{"test", 0, {endpoint->observed().api_versions, resources}};
  Journal journal;
  Administrator administrator{*endpoint, *session, names, journal};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_collection_is_never_deleted, Shared) {
  JournaledSession journaled(*endpoint, *session, journal, "test");
  for (const char* path : {"/apis/storage.k8s.io/v1/csidrivers", "/api/v1/nodes", "/api/v1/namespaces",
                           "/api/v1/namespaces/shop/pods", "/healthz"}) {
    BOOST_TEST(!journaled.remove(path), path);
  }
  BOOST_TEST(!perform(Action::Kind::remove, "delete csidrivers"));
  BOOST_TEST(administrator.clean_up().empty());
  BOOST_TEST(sent.empty());
}

BOOST_FIXTURE_TEST_CASE(what_others_may_have_is_left_alone_unless_it_was_made_here, Shared) {
  for (const char* target : {"nodes/=theirs", "clusterroles/system:node", "namespaces/kube-system"}) {
    BOOST_TEST(!perform(Action::Kind::remove, std::string("delete ") + target), target);
    BOOST_TEST(!perform(Action::Kind::change, std::string("patch ") + target), target);
  }
  BOOST_TEST(administrator.clean_up().empty());
  BOOST_TEST(sent.empty());
  BOOST_TEST(perform(Action::Kind::create, "create nodes/=ours").has_value());
  BOOST_TEST(perform(Action::Kind::remove, "delete nodes/=ours").has_value());
  BOOST_TEST(deleted("/api/v1/nodes/ours"));
}

BOOST_FIXTURE_TEST_CASE(a_claim_that_a_controller_made_for_a_pod_gets_what_the_scenario_wants, Shared) {
  const auto create = [&](const std::string& request, const Object& spec) {
    return administrator.create(*parse_request(request), {{"spec", spec}});
  };
  BOOST_TEST(create("create pods/web", {{"containers", {{{"name", "main"}, {"image", "registry.invalid/none"}}}}})
                 .has_value());
  const std::string pods = names.path(*parse_request("get pods/web"));
  const std::string claims = names.path(*parse_request("list persistentvolumeclaims"));
  const auto controller_makes = [&](const std::string& name, const std::string& owner) {
    const Object claim = {
        {"metadata",
         {{"name", name},
          {"ownerReferences",
           {{{"apiVersion", "v1"}, {"kind", "Pod"}, {"name", "web"}, {"uid", owner}, {"controller", true}}}}}},
        {"spec", {{"accessModes", {"ReadWriteOnce"}}, {"resources", {{"requests", {{"storage", "1Gi"}}}}}}}};
    const auto made = session->send(endpoint->administrator(), {"POST", claims, "application/json", claim.dump()});
    BOOST_TEST_REQUIRE(made.has_value());
    BOOST_TEST_REQUIRE(made->status == 201, made->body);
  };
  const Object wanted = {
      {"accessModes", {"ReadWriteOnce"}}, {"resources", {{"requests", {{"storage", "2Gi"}}}}}, {"volumeName", "pv"}};
  const auto pod = administrator.get(*parse_request("get pods/web"));
  BOOST_TEST_REQUIRE(pod.has_value(), pods);
  controller_makes("web-scratch", std::string(text(*pod, "metadata", "uid")));
  controller_makes("web-other", "00000000-0000-4000-8000-000000000000");
  const auto done = create("create persistentvolumeclaims/web-scratch", wanted);
  BOOST_TEST(done.has_value(), (done ? "" : done.error().text()));
  const auto claim = administrator.get(*parse_request("get persistentvolumeclaims/web-scratch"));
  BOOST_TEST_REQUIRE(claim.has_value());
  BOOST_TEST(text(*claim, "spec", "volumeName") == "pv");
  BOOST_TEST(text(*claim, "spec", "resources", "requests", "storage") == "1Gi");
  BOOST_TEST(!create("create persistentvolumeclaims/web-other", wanted).has_value());
}

BOOST_FIXTURE_TEST_CASE(what_was_made_is_removed_whoever_made_it, Shared) {
  BOOST_TEST(perform(Action::Kind::create, "create nodes/a").has_value());
  BOOST_TEST(administrator.ensure_namespace("shop").has_value());
  const HttpRequest read{"GET", "/api/v1/nodes/nb-test-0-a", "", "", false};
  const Object own = Object::parse(session->send(endpoint->administrator(), read)->body);
  const Object owner = {{"apiVersion", "v1"},
                        {"kind", "Node"},
                        {"name", "nb-test-0-a"},
                        {"uid", own["metadata"]["uid"]},
                        {"controller", true}};
  const Object pod = {{"metadata",
                       {{"name", "web"},
                        {"annotations", {{"kubernetes.io/config.mirror", "x"}}},
                        {"ownerReferences", Object::array({owner})}}},
                      {"spec", {{"nodeName", "nb-test-0-a"}, {"containers", {{{"name", "c"}, {"image", "i"}}}}}}};
  const Subject node{"system:node:nb-test-0-a", {"system:nodes"}, "", {}};
  const std::string pods = "/api/v1/namespaces/nb-test-0-shop/pods";
  // Waits until the authorizers know it.
  Result<HttpResponse> made = unreachable_error("", "");
  for (int attempt = 0; attempt < 100 && (!made || made->status != 201); ++attempt) {
    made = administrator.session().send(node, {"POST", pods, "application/json", pod.dump(), false});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  BOOST_TEST(made->status == 201, made->body);
  BOOST_TEST(administrator.clean_up().empty());
  BOOST_TEST(deleted("/api/v1/nodes/nb-test-0-a"));
  BOOST_TEST(deleted(pods + "/web"));
}

// If others made a namespace first, it is theirs, with everything in it.
BOOST_FIXTURE_TEST_CASE(a_namespace_that_others_were_first_to_make_is_not_used, Shared) {
  const HttpRequest request{"POST", "/api/v1/namespaces", "application/json",
                            R"({"metadata":{"name":"nb-test-0-shop"}})", false};
  BOOST_TEST(session->send(endpoint->administrator(), request)->status == 201);
  for (int attempt = 0; attempt < 2; ++attempt) {
    BOOST_TEST(!perform(Action::Kind::create, "create secrets/db"));
  }
  BOOST_TEST(administrator.clean_up().empty());
  BOOST_TEST(!deleted("/api/v1/namespaces/nb-test-0-shop"));
}

BOOST_AUTO_TEST_SUITE_END()
