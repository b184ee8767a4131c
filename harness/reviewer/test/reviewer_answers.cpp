#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/reviewer/review_answers.h"
#include "harness/reviewer/review_handler.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(reviewer_answers)

using namespace nodebound;
using namespace nodebound::reviewer;
using nlohmann::json;

namespace {

const RuleSet& rules_of_newest() {
  static const RuleSet rules(Catalogue::built_in(),
                             Release::make(Catalogue::built_in(), *Version::parse("1.36.3"), {}).value());
  return rules;
}

json pod_of(const std::string& name, const std::string& node) {
  return {{"metadata", {{"namespace", "shop"}, {"name", name}}},
          {"spec", {{"nodeName", node}, {"volumes", {{{"name", "s"}, {"secret", {{"secretName", "db"}}}}}}}}};
}

/// A cluster that was listed, with one pod on node a.
struct Reviewed {
  Reviewed() {
    for (const FollowedCollection& collection : cluster.collections()) {
      std::vector<Object> objects;
      if (collection.resource == "pods") objects.push_back(pod_of("web", "a"));
      cluster.listed(collection, std::move(objects));
    }
  }

  [[nodiscard]] const FollowedCollection& pods() const {
    for (const FollowedCollection& collection : cluster.collections()) {
      if (collection.resource == "pods") return collection;
    }
    throw std::logic_error("pods are not followed");
  }

  [[nodiscard]] json answer(const json& review) const {
    const HttpResponse response = answers.answer(review.dump());
    BOOST_TEST_REQUIRE(response.status == 200, response.body);
    return json::parse(response.body);
  }

  [[nodiscard]] json reads_secret(const std::string& node, const std::string& version = "v1") const {
    const char* groups = version == "v1" ? "groups" : "group";
    const json resource = {{"verb", "get"}, {"resource", "secrets"}, {"namespace", "shop"}, {"name", "db"}};
    return answer(
        {{"apiVersion", "authorization.k8s.io/" + version},
         {"kind", "SubjectAccessReview"},
         {"spec", {{"user", "system:node:" + node}, {groups, {"system:nodes"}}, {"resourceAttributes", resource}}}});
  }

  [[nodiscard]] json updates_status(const std::string& user, const std::string& node) const {
    const json object = {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", node}}}};
    return answer({{"apiVersion", "admission.k8s.io/v1"},
                   {"kind", "AdmissionReview"},
                   {"request",
                    {{"uid", "0815"},
                     {"resource", {{"group", ""}, {"version", "v1"}, {"resource", "nodes"}}},
                     {"subResource", "status"},
                     {"name", node},
                     {"operation", "UPDATE"},
                     {"userInfo", {{"username", user}, {"groups", {"system:nodes"}}}},
                     {"object", object},
                     {"oldObject", object}}}});
  }

  FollowedCluster cluster{rules_of_newest(), followed_collections(rules_of_newest())};
  ReviewAnswers answers{rules_of_newest(), cluster, {{AuthorizationMode::node}, {"NodeRestriction"}}};
};

}  // namespace

BOOST_AUTO_TEST_CASE(access_is_decided_by_what_was_seen) {
  Reviewed reviewed;
  for (const char* version : {"v1", "v1beta1"}) {
    BOOST_TEST(reviewed.reads_secret("a", version)["status"]["allowed"] == true);
    const json refused = reviewed.reads_secret("b", version);
    BOOST_TEST(refused["status"]["allowed"] == false);
    BOOST_TEST(!refused["status"].contains("denied"));
    BOOST_TEST(refused["status"]["reason"] == "no relationship found between node 'b' and this object");
    BOOST_TEST(refused["apiVersion"] == std::string("authorization.k8s.io/") + version);
  }
  reviewed.cluster.put(reviewed.pods(), pod_of("other", "b"));
  BOOST_TEST(reviewed.reads_secret("b")["status"]["allowed"] == true);
  reviewed.cluster.erase(reviewed.pods(), pod_of("other", "b"));
  BOOST_TEST(reviewed.reads_secret("b")["status"]["allowed"] == false);
  // A new list leaves out what is gone.
  reviewed.cluster.listed(reviewed.pods(), {pod_of("new", "b")});
  BOOST_TEST(reviewed.reads_secret("a")["status"]["allowed"] == false);
  BOOST_TEST(reviewed.reads_secret("b")["status"]["allowed"] == true);
}

BOOST_AUTO_TEST_CASE(admission_is_decided_by_the_plugins) {
  const Reviewed reviewed;
  const json own = reviewed.updates_status("system:node:a", "a");
  BOOST_TEST(own["response"]["uid"] == "0815");
  BOOST_TEST(own["response"]["allowed"] == true);
  const json others = reviewed.updates_status("system:node:a", "b");
  BOOST_TEST(others["response"]["uid"] == "0815");
  BOOST_TEST(others["response"]["allowed"] == false);
  BOOST_TEST(others["response"]["status"]["code"] == 403);
  BOOST_TEST(!others["response"]["status"]["message"].get<std::string>().empty());
  BOOST_TEST(reviewed.updates_status("alice", "b")["response"]["allowed"] == true);
}

namespace {

/// A namespace whose pods go to certain nodes, and a custom kind of owners.
struct Placed {
  Placed() {
    for (const FollowedCollection& collection : cluster.collections()) {
      std::vector<Object> objects;
      if (collection.resource == "namespaces") {
        objects.push_back({{"metadata",
                            {{"name", "shop"},
                             {"annotations",
                              {{"scheduler.alpha.kubernetes.io/node-selector", "pool=shop"},
                               {"scheduler.alpha.kubernetes.io/defaultTolerations", R"([{"key":"shop"}])"}}}}}});
      }
      if (collection.resource == "customresourcedefinitions") {
        objects.push_back({{"metadata", {{"name", "parts.example.com"}}},
                           {"spec",
                            {{"group", "example.com"},
                             {"scope", "Namespaced"},
                             {"names", {{"plural", "parts"}, {"kind", "Part"}}},
                             {"versions", {{{"name", "v1"}, {"served", true}}}}}}});
      }
      cluster.listed(collection, std::move(objects));
    }
  }

  [[nodiscard]] json asked(ReviewAnswers::Webhook webhook, const json& pod, const std::string& version = "v1") const {
    const json request = {{"uid", "4711"},
                          {"resource", {{"group", ""}, {"version", "v1"}, {"resource", "pods"}}},
                          {"namespace", "shop"},
                          {"operation", "CREATE"},
                          {"userInfo", {{"username", "alice"}}},
                          {"object", pod}};
    const HttpResponse response = answers.answer(
        json{{"apiVersion", "admission.k8s.io/" + version}, {"kind", "AdmissionReview"}, {"request", request}}.dump(),
        webhook);
    BOOST_TEST_REQUIRE(response.status == 200, response.body);
    return json::parse(response.body)["response"];
  }

  const std::set<std::string> plugins = {"OwnerReferencesPermissionEnforcement", "PodNodeSelector",
                                         "PodTolerationRestriction"};
  FollowedCluster cluster{rules_of_newest(), followed_collections(rules_of_newest(), plugins)};
  ReviewAnswers answers{rules_of_newest(),
                        cluster,
                        {{AuthorizationMode::node}, plugins, {.node_selectors = {{"shop", "pool=shop,disk=ssd"}}}}};
};

json pod_selecting(const json& selector) {
  return {{"metadata", {{"name", "web"}, {"namespace", "shop"}}}, {"spec", {{"nodeSelector", selector}}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_mutating_webhook_completes_pods) {
  const Placed placed;
  using enum ReviewAnswers::Webhook;
  for (const char* version : {"v1", "v1beta1"}) {
    const json pod = {{"metadata", {{"name", "web"}, {"namespace", "shop"}}}, {"spec", json::object()}};
    const json answered = placed.asked(mutating, pod, version);
    BOOST_TEST(answered["uid"] == "4711");
    BOOST_TEST(answered["allowed"] == true);
    BOOST_TEST_REQUIRE(answered.value("patchType", "") == "JSONPatch", answered.dump());
    const json spec = pod.patch(json::parse(base64_decode(answered["patch"].get<std::string>()).value()))["spec"];
    BOOST_TEST(spec["nodeSelector"].dump() == R"({"pool":"shop"})");
    BOOST_TEST(spec["tolerations"].dump() == R"([{"key":"shop"}])");
  }
  // What needs no change gets no patch, and a validating webhook gives none.
  json complete = pod_selecting({{"pool", "shop"}, {"disk", "ssd"}});
  complete["spec"]["tolerations"] = {{{"key", "shop"}}};
  BOOST_TEST(!placed.asked(mutating, complete).contains("patch"));
  const json validated = placed.asked(validating, pod_selecting({{"pool", "shop"}}));
  BOOST_TEST(validated["allowed"] == true);
  BOOST_TEST(!validated.contains("patch"));
}

BOOST_AUTO_TEST_CASE(pods_that_select_other_nodes_are_refused) {
  const Placed placed;
  for (const auto webhook : {ReviewAnswers::Webhook::validating, ReviewAnswers::Webhook::mutating}) {
    const json contradicts = placed.asked(webhook, pod_selecting({{"pool", "bank"}}));
    BOOST_TEST(contradicts["allowed"] == false);
    BOOST_TEST(!contradicts.contains("patch"));
    BOOST_TEST(contradicts["status"]["message"] ==
               "pod node label selector conflicts with its namespace node label selector");
    const json not_listed = placed.asked(webhook, pod_selecting({{"zone", "a"}}));
    BOOST_TEST(not_listed["status"]["message"] ==
               "pod node label selector labels conflict with its namespace whitelist");
  }
}

BOOST_AUTO_TEST_CASE(owners_of_custom_kinds_are_known) {
  const Placed placed;
  const auto owned_by = [&](const char* kind) {
    json pod = pod_selecting({{"pool", "shop"}});
    pod["metadata"]["ownerReferences"] = {
        {{"apiVersion", "example.com/v1"}, {"kind", kind}, {"name", "p"}, {"uid", "1"}, {"blockOwnerDeletion", true}}};
    return placed.asked(ReviewAnswers::Webhook::validating, pod)["status"]["message"].get<std::string>();
  };
  BOOST_TEST(owned_by("Part").find("can't set finalizers on") != std::string::npos, owned_by("Part"));
  BOOST_TEST(owned_by("Whole").find("cannot find RESTMapping") != std::string::npos, owned_by("Whole"));
}

BOOST_AUTO_TEST_CASE(what_is_no_review_is_refused) {
  const Reviewed reviewed;
  for (const char* body :
       {"", "{", "[]", "7", R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v2","spec":{}})",
        R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1"})",
        R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"})",
        R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"operation":"PATCH"}})"}) {
    BOOST_TEST(reviewed.answers.answer(body).status == 400, body);
  }
  // Whatever the fields hold, there is an answer.
  for (
      const char* body :
      {R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{"user":7,"groups":"x"}})",
       R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{"resourceAttributes":[]}})",
       R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"operation":"CREATE","object":7}})"}) {
    BOOST_TEST(reviewed.answers.answer(body).status == 200, body);
  }
}

BOOST_AUTO_TEST_CASE(it_is_ready_once_all_was_listed) {
  FollowedCluster cluster(rules_of_newest(), followed_collections(rules_of_newest()));
  const ReviewAnswers answers(rules_of_newest(), cluster, {});
  ReviewHandler handler(answers, cluster, nullptr);
  const auto asked = [&](const char* method, const char* target) {
    return handler.handle({method, target, {}, "{}"}).status;
  };
  BOOST_TEST(asked("GET", "/healthz") == 200);
  BOOST_TEST(asked("GET", "/readyz") == 503);
  BOOST_TEST(asked("POST", "/authorize") == 503);
  for (const FollowedCollection& collection : cluster.collections()) cluster.listed(collection, {});
  BOOST_TEST(asked("GET", "/readyz?verbose") == 200);
  BOOST_TEST(asked("POST", "/authorize") == 400);
  BOOST_TEST(asked("GET", "/authorize") == 404);
  BOOST_TEST(asked("PUT", "/authorize") == 405);
}

BOOST_AUTO_TEST_SUITE_END()
