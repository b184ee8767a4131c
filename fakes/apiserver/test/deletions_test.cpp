#include <boost/test/unit_test.hpp>
#include <chrono>

#include "fakes/test/whole_cluster.h"

// What kube-apiserver 1.36.3 answered to the same requests.
BOOST_AUTO_TEST_SUITE(deletions)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

struct Maps : WholeCluster {
  Maps() {
    make_shop();
    for (const char* name : {"a", "b", "c", "d", "e"}) {
      post(maps, R"({"metadata":{"name":")" + std::string(name) + R"(","labels":{"x":"y"}}})");
    }
  }

  std::string names(const Object& list) {
    std::string out;
    for (const Object& item : list["items"]) out += text(item, "metadata", "name");
    return out;
  }

  const std::string maps = "/api/v1/namespaces/shop/configmaps";
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_limit_leaves_the_rest, Maps) {
  const Object before = get(maps);
  const Answer first = call(admin, "DELETE", maps + "?limit=2");
  BOOST_TEST(names(first.body) == "ab");
  BOOST_TEST(first.body["metadata"]["remainingItemCount"] == 3);
  BOOST_TEST(text(first.body["metadata"], "resourceVersion") == text(before["metadata"], "resourceVersion"));
  BOOST_TEST(names(get(maps)) == "cde");
  const std::string token(text(get(maps + "?limit=1")["metadata"], "continue"));
  BOOST_TEST(names(call(admin, "DELETE", maps + "?limit=1&continue=" + token).body) == "d");
  BOOST_TEST(names(get(maps)) == "ce");
  BOOST_TEST(names(call(admin, "DELETE", maps + "?labelSelector=x%3Dy").body) == "ce");
}

// NodeRestriction looks for a pod of the request's name, and a request for a collection has none.
BOOST_FIXTURE_TEST_CASE(pods_that_admission_does_not_find_stay_and_are_shown, WholeCluster) {
  make_shop();
  make_pod(R"({"nodeName":"a","containers":[{"name":"c","image":"i"}]})");
  const Subject node{"system:node:a", {"system:nodes", "system:masters"}, "", {}};
  const Answer answer = call(node, "DELETE", pods);
  BOOST_TEST(answer.status == 200);
  BOOST_REQUIRE(answer.body["items"].size() == 1U);
  BOOST_TEST(text(answer.body["items"][0], "metadata", "name") == "p");
  BOOST_TEST(text(get(pods + "/p"), "metadata", "name") == "p");
}

BOOST_FIXTURE_TEST_CASE(preconditions_may_be_in_the_query, Maps) {
  const Answer version = call(admin, "DELETE", maps + "/a?resourceVersion=1");
  BOOST_TEST(version.status == 409);
  BOOST_TEST(
      message(version).starts_with("Operation cannot be fulfilled on ConfigMap \"a\": the ResourceVersion in the "
                                   "precondition (1) does not match the ResourceVersion in record ("));
  BOOST_TEST(call(admin, "DELETE", maps + "/a?uid=x").status == 409);
  BOOST_TEST(call(admin, "DELETE", maps + "?resourceVersion=0").status == 409);
  const Answer orphaned = call(admin, "DELETE", maps + "/a?orphanDependents=true");
  BOOST_TEST(orphaned.body["metadata"]["finalizers"] == Object::parse(R"(["orphan"])"));
  BOOST_TEST(call(admin, "DELETE", maps + "/b?orphanDependents=false").status == 200);
  BOOST_TEST(get(maps + "/b")["code"] == 404);
  BOOST_TEST(call(admin, "DELETE", maps + "/c?orphanDependents=False").status == 200);
  BOOST_TEST(get(maps + "/c")["code"] == 404);
  const Answer empty = call(admin, "DELETE", maps + "/d?orphanDependents=");
  BOOST_TEST(empty.body["metadata"]["finalizers"] == Object::parse(R"(["orphan"])"));
}

BOOST_FIXTURE_TEST_CASE(an_empty_propagation_policy_is_none, Maps) {
  const std::string wrong =
      "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: \"\": supported values: "
      "\"Foreground\", \"Background\", \"Orphan\", \"nil\"";
  BOOST_TEST(message(call(admin, "DELETE", maps + "/a?propagationPolicy=")) == wrong);
  BOOST_TEST(message(call(admin, "DELETE", maps + "/a", R"({"propagationPolicy":""})")) == wrong);
  BOOST_TEST(get(maps + "/a")["kind"] == "ConfigMap");
}

BOOST_FIXTURE_TEST_CASE(nothing_depends_on_an_event, Maps) {
  const std::string events = "/api/v1/namespaces/shop/events";
  post(events, R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","namespace":"shop","name":"p"}})");
  const Answer gone = call(admin, "DELETE", events + "/e?propagationPolicy=Orphan");
  BOOST_TEST(gone.status == 200);
  BOOST_TEST(gone.body["kind"] == "Status");
  BOOST_TEST(gone.body["details"]["name"] == "e");
  BOOST_TEST(get(events + "/e")["code"] == 404);
}

BOOST_FIXTURE_TEST_CASE(a_job_makes_orphans_unless_told_otherwise, Maps) {
  const std::string jobs = "/apis/batch/v1/namespaces/shop/jobs";
  const std::string spec =
      R"("spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i.invalid/i"}]}}}})";
  for (const char* name : {"j", "k"}) {
    BOOST_TEST(post(jobs, R"({"metadata":{"name":")" + std::string(name) + "\"}," + spec).status == 201);
  }
  const Answer waits = call(admin, "DELETE", jobs + "/j");
  BOOST_TEST(waits.body["metadata"]["finalizers"] == Object::parse(R"(["orphan"])"));
  BOOST_TEST(call(admin, "DELETE", jobs + "/j?propagationPolicy=Background").status == 200);
  BOOST_TEST(get(jobs + "/j")["code"] == 404);
  BOOST_TEST(call(admin, "DELETE", jobs + "/k?propagationPolicy=Background").body["kind"] == "Status");
}

BOOST_FIXTURE_TEST_CASE(a_namespace_says_in_its_own_words_which_precondition_fails, Maps) {
  const std::string uid(text(get("/api/v1/namespaces/shop")["metadata"], "uid"));
  BOOST_TEST(
      message(call(admin, "DELETE", "/api/v1/namespaces/shop?uid=x")) ==
      "Operation cannot be fulfilled on namespaces \"shop\": Precondition failed: UID in precondition: x, UID in "
      "object meta: " +
          uid);
  const std::string version(text(get("/api/v1/namespaces/shop")["metadata"], "resourceVersion"));
  BOOST_TEST(message(call(admin, "DELETE", "/api/v1/namespaces/shop?resourceVersion=1")) ==
             "Operation cannot be fulfilled on namespaces \"shop\": Precondition failed: ResourceVersion in "
             "precondition: 1, ResourceVersion in object meta: " +
                 version);
}

BOOST_FIXTURE_TEST_CASE(of_two_mistakes_the_first_is_told, Maps) {
  const auto refused = [&](const char* method, const std::string& target, const char* type, const char* body) {
    HttpRequest request{method, target, type, body};
    request.accept = "application/x";
    const int status = server.handle(admin, request).status;
    request.accept = {};
    return std::pair(status, server.handle(admin, request).status);
  };
  BOOST_TEST((refused("PATCH", maps + "/a", "x/y", "{}") == std::pair(415, 415)));
  BOOST_TEST((refused("POST", maps, "x/y", "{}") == std::pair(406, 415)));
  BOOST_TEST((refused("PUT", maps + "/a?dryRun=x", "x/y", "{}") == std::pair(406, 422)));
  const auto collection = [&](const char* query) {
    return message(call(admin, "DELETE", maps + query, "{", "application/json"));
  };
  BOOST_TEST(collection("?limit=x") == "strconv.ParseInt: parsing \"x\": invalid syntax");
  BOOST_TEST(collection("?fieldSelector=x%3Dy") ==
             "\"x\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
  BOOST_TEST(collection("?resourceVersion=x") ==
             "couldn't get version/kind; json parse error: unexpected end of JSON "
             "input");
}

BOOST_FIXTURE_TEST_CASE(options_of_patches_are_checked, Maps) {
  const auto refusal = [&](const std::string& query) {
    return message(call(admin, "PATCH", maps + "/a" + query, "{}", "application/merge-patch+json"));
  };
  BOOST_TEST(refusal("?force=true") ==
             "PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may not be specified for non-apply patch");
  BOOST_TEST(refusal("?fieldManager=" + std::string(129, 'x')) ==
             "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Too long: may not be more than 128 bytes");
}

BOOST_AUTO_TEST_CASE(changes_are_forgotten_by_their_age) {
  auto now = std::chrono::system_clock::time_point(std::chrono::hours(1));
  const RuleSet rules = test::rules_of("1.36.3", {});
  ApiServer::Options options;
  options.history = 1;
  options.compaction = std::chrono::minutes(5);
  options.clock = [&] { return now; };
  ApiServer server(rules, options);
  const std::string maps = "/api/v1/namespaces/ns/configmaps";
  const auto create = [&](const char* name) {
    const std::string body = R"({"metadata":{"name":")" + std::string(name) + R"("}})";
    return Object::parse(server.handle(admin, {"POST", maps, "application/json", body}).body);
  };
  const auto read = [&](const std::string& version) {
    const std::string target = maps + "?resourceVersionMatch=Exact&resourceVersion=" + version;
    return Object::parse(server.handle(admin, {"GET", target, "", ""}).body);
  };
  server.tick();
  const std::string first(text(create("a"), "metadata", "resourceVersion"));
  for (const char* name : {"b", "c", "d"}) create(name);
  now += std::chrono::minutes(5);
  server.tick();
  BOOST_TEST(read(first)["items"].size() == 1U);
  now += std::chrono::minutes(4);
  server.tick();
  BOOST_TEST(read(first)["items"].size() == 1U);
  now += std::chrono::minutes(1);
  server.tick();
  const Object expired = read(first);
  BOOST_TEST(expired["code"] == 410);
  BOOST_TEST(text(expired, "message") == "The resourceVersion for the provided list is too old.");
}

BOOST_AUTO_TEST_SUITE_END()
