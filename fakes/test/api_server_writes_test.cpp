#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/test/api_server_world.h"

BOOST_AUTO_TEST_SUITE(api_server_writes)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::test;

BOOST_FIXTURE_TEST_SUITE(patches, World)

BOOST_AUTO_TEST_CASE(each_kind_of_patch_changes_the_object) {
  pod();
  BOOST_TEST(call(admin, "PATCH", pods + "/p", R"({"metadata":{"labels":{"a":"1"}}})", "application/merge-patch+json")
                 .status == 200);
  BOOST_TEST(call(admin, "PATCH", pods + "/p", R"({"metadata":{"labels":{"b":"2"}}})",
                  "application/strategic-merge-patch+json")
                 .status == 200);
  BOOST_TEST(call(admin, "PATCH", pods + "/p", R"([{"op":"add","path":"/metadata/labels/c","value":"3"}])",
                  "application/json-patch+json")
                 .status == 200);
  BOOST_TEST(call(admin, "PATCH", pods + "/p?fieldManager=x",
                  "kind: Pod\napiVersion: v1\nmetadata:\n  labels: {d: '4'}\n", "application/apply-patch+yaml")
                 .status == 200);
  BOOST_TEST(get(pods + "/p").body["metadata"]["labels"] == (Object{{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}}));
}

BOOST_AUTO_TEST_CASE(a_pods_status_has_no_field_that_the_release_has_not) {
  for (const auto& [version, status] : {std::pair("1.28.0", 200), std::pair("1.36.3", 422)}) {
    World world(version);
    world.pod();
    const Answer answer =
        world.call(admin, "PATCH", pods + "/p/status", R"({"status":{"extendedResourceClaimStatus":{}}})",
                   "application/merge-patch+json");
    BOOST_TEST(answer.status == status, version);
    BOOST_TEST(member(answer.body, "status", "extendedResourceClaimStatus").is_null());
  }
}

BOOST_AUTO_TEST_CASE(a_patch_leaves_the_api_version) {
  const std::string map = "/api/v1/namespaces/ns/configmaps";
  post(map, R"({"metadata":{"name":"c"}})");
  const auto patched = [&](const char* patch, const char* type) {
    return call(admin, "PATCH", map + "/c", patch, type);
  };
  const Answer merged = patched(R"({"apiVersion":null})", "application/merge-patch+json");
  BOOST_TEST(merged.status == 400);
  BOOST_TEST(merged.message() == "the name of the object (c based on URL) was undeterminable: name must be provided");
  BOOST_TEST(patched(R"([{"op":"remove","path":"/apiVersion"}])", "application/json-patch+json").status == 400);
  BOOST_TEST(patched(R"({"kind":null})", "application/merge-patch+json").status == 200);
  BOOST_TEST(patched(R"({"apiVersion":null})", "application/strategic-merge-patch+json").status == 200);
}

BOOST_AUTO_TEST_CASE(an_apply_makes_what_is_not_there) {
  const std::string target = "/api/v1/namespaces/ns/configmaps/c?fieldManager=x";
  const std::string kind = "kind: ConfigMap\napiVersion: v1\n";
  const Answer nameless = call(admin, "PATCH", target, kind, "application/apply-patch+yaml");
  BOOST_TEST(nameless.status == 400);
  BOOST_TEST(nameless.message() == "the name of the object (c based on URL) was undeterminable: name must be provided");
  BOOST_TEST(call(admin, "PATCH", target, kind + "metadata: {name: c}\n", "application/apply-patch+yaml").status ==
             201);
  BOOST_TEST(get("/api/v1/namespaces/ns/configmaps/c").status == 200);
}

BOOST_AUTO_TEST_CASE(what_has_not_the_types_of_its_kind_is_not_applied) {
  pod();
  const auto apply = [this](const std::string& name, const std::string& fields) {
    return call(admin, "PATCH", pods + "/p?fieldManager=x",
                "{apiVersion: v1, kind: Pod, metadata: {name: " + name + "}, " + fields + "}",
                "application/apply-patch+yaml");
  };
  const Answer text = apply("p", "spec: {containers: [x]}");
  BOOST_TEST(text.status == 500);
  BOOST_TEST(
      text.message() ==
      "failed to create typed patch object (/p; /v1, Kind=Pod): .spec.containers: element 0: associative list with "
      "keys may not have non-map elements");
  BOOST_TEST(apply("other", "spec: 3").status == 500);
  BOOST_TEST(apply("other", "spec: {}").status == 400);
  const Answer fraction = apply("p", "spec: {priority: 1.5}");
  BOOST_TEST(fraction.status == 500);
  BOOST_TEST(
      fraction.message() ==
      "failed to convert new object (/p; /v1, Kind=Pod) to proper version: unable to convert unstructured object "
      "to /v1, Kind=Pod: cannot convert float64 to int32");
  const Answer owners = call(admin, "PATCH", pods + "/p?fieldManager=x",
                             "{apiVersion: v1, kind: Pod, metadata: {name: p, managedFields: []}, spec: 3}",
                             "application/apply-patch+yaml");
  BOOST_TEST(owners.status == 400);
  BOOST_TEST(owners.message() == "metadata.managedFields must be nil");
}

BOOST_AUTO_TEST_CASE(an_apply_of_a_field_that_the_release_does_not_have_is_refused) {
  const std::string body =
      "{apiVersion: v1, kind: Pod, metadata: {name: p}, status: {extendedResourceClaimStatus: {}}}";
  for (const auto& [release, status] : {std::pair("1.32.5", 500), std::pair("1.36.3", 422)}) {
    World other(release);
    other.pod();
    const Answer answer =
        other.call(admin, "PATCH", pods + "/p/status?fieldManager=x", body, "application/apply-patch+yaml");
    BOOST_TEST(answer.status == status, release);
  }
}

BOOST_AUTO_TEST_CASE(a_null_in_a_map_of_texts_is_an_empty_one) {
  pod();
  const std::string labels = R"({"metadata":{"labels":{"a":null}}})";
  const std::string added = R"([{"op":"add","path":"/metadata/labels","value":{"a":null}}])";
  const std::string applied = R"({"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"a":null}}})";
  BOOST_TEST(call(admin, "PATCH", pods + "/p", labels, "application/merge-patch+json").status == 200);
  BOOST_TEST(member(get(pods + "/p").body, "metadata", "labels").empty());
  for (const auto& [body, type] :
       {std::pair(added, "application/json-patch+json"), std::pair(applied, "application/apply-patch+yaml")}) {
    BOOST_TEST(call(admin, "PATCH", pods + "/p?fieldManager=x", body, type).status == 200, type);
    BOOST_TEST(member(get(pods + "/p").body, "metadata", "labels") == Object::parse(R"({"a":""})"), type);
  }
}

BOOST_AUTO_TEST_CASE(a_patch_that_cannot_be_read_or_done_is_an_error) {
  pod();
  BOOST_TEST(call(admin, "PATCH", pods + "/p", "{", "application/merge-patch+json").status == 400);
  BOOST_TEST(call(admin, "PATCH", pods + "/p", "{}", "application/json-patch+json").status == 400);
  BOOST_TEST(
      call(admin, "PATCH", pods + "/p", R"([{"op":"remove","path":"/gone"}])", "application/json-patch+json").status ==
      422);
  const Answer unknown = call(admin, "PATCH", pods + "/p", "{}", "text/plain");
  BOOST_TEST(unknown.status == 415);
  BOOST_TEST(unknown.reason() == "UnsupportedMediaType");
}

BOOST_AUTO_TEST_CASE(a_patch_with_an_old_version_conflicts) {
  pod();
  const auto patched = [&](const std::string& version) {
    const std::string body = R"({"metadata":{"resourceVersion":")" + version + "\"}}";
    return call(admin, "PATCH", pods + "/p", body, "application/merge-patch+json").status;
  };
  BOOST_TEST(patched("1") == 409);
  // That is none, as in a list.
  BOOST_TEST(patched("0") == 200);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(dry_runs, World)

BOOST_AUTO_TEST_CASE(nothing_is_stored) {
  pod();
  post("/api/v1/namespaces/ns/pods", R"({"metadata":{"name":"unbound"}})");
  const std::string before = get("/api/v1/pods").body["items"].dump();
  const std::string dry = "?dryRun=All";
  BOOST_TEST(post(pods + dry, R"({"metadata":{"name":"q"}})").status == 201);
  Object labelled = get(pods + "/p").body;
  labelled["metadata"]["labels"] = {{"a", "b"}};
  BOOST_TEST(put(pods + "/p" + dry, labelled).status == 200);
  BOOST_TEST(put(pods + "/p/status" + dry, {{"metadata", {{"name", "p"}}}, {"status", {{"phase", "x"}}}}).status ==
             200);
  BOOST_TEST(
      call(admin, "PATCH", pods + "/p" + dry, R"({"metadata":{"labels":{"a":"b"}}})", "application/merge-patch+json")
          .status == 200);
  BOOST_TEST(call(admin, "DELETE", pods + "/p" + dry).status == 200);
  BOOST_TEST(call(admin, "DELETE", pods + dry).status == 200);
  BOOST_TEST(post(pods + "/p/eviction" + dry, R"({"metadata":{"name":"p"}})").status == 201);
  BOOST_TEST(post(pods + "/p/eviction", R"({"metadata":{"name":"p"},"deleteOptions":{"dryRun":["All"]}})").status ==
             201);
  BOOST_TEST(
      post(pods + "/unbound/binding" + dry, R"({"metadata":{"name":"unbound"},"target":{"name":"n1"}})").status == 201);
  BOOST_TEST(get("/api/v1/pods").body["items"].dump() == before);
}

BOOST_AUTO_TEST_CASE(the_answer_is_that_of_a_real_run) {
  BOOST_TEST(text(post(pods + "?dryRun=All", R"({"metadata":{"name":"q"},"spec":{"nodeName":"n1"}})").body, "spec",
                  "nodeName") == "n1");
  const Answer refused =
      call(node, "POST", pods + "?dryRun=All", R"({"metadata":{"name":"q"},"spec":{"nodeName":"n1"}})");
  BOOST_TEST(refused.status == 403);
}

BOOST_AUTO_TEST_CASE(a_dry_bound_pod_leads_nowhere) {
  post(pods, R"({"metadata":{"name":"u"},"spec":{"volumes":[{"name":"v","secret":{"secretName":"s"}}]}})");
  post("/api/v1/namespaces/ns/secrets", R"({"metadata":{"name":"s"}})");
  post(pods + "/u/binding?dryRun=All", R"({"metadata":{"name":"u"},"target":{"name":"n1"}})");
  BOOST_TEST(call(node, "GET", "/api/v1/namespaces/ns/secrets/s").status == 403);
  post(pods + "/u/binding", R"({"metadata":{"name":"u"},"target":{"name":"n1"}})");
  BOOST_TEST(call(node, "GET", "/api/v1/namespaces/ns/secrets/s").status == 200);
}

BOOST_AUTO_TEST_SUITE_END()

// pkg/registry/core/node/strategy.go: the gates decide of what a Node is created with, and not of what is written
// through its status.
BOOST_AUTO_TEST_CASE(a_new_node_keeps_what_gates_let_it_say) {
  const std::string status = R"({"metadata":{"name":"n1"},"status":{"runtimeHandlers":[{"name":"r"}],
      "features":{"supplementalGroupsPolicy":true},"declaredFeatures":["A"],"config":{"error":"e"}}})";
  const std::string merge = "application/merge-patch+json";
  const auto said = [](const Answer& answer) {
    std::string out;
    for (const char* field : {"config", "declaredFeatures", "features", "runtimeHandlers"}) {
      if (!member(answer.body, "status", field).is_null()) out += std::string(field) + " ";
    }
    return out;
  };
  World on("1.36.3");
  BOOST_TEST(said(on.post("/api/v1/nodes", status)) == "declaredFeatures features runtimeHandlers ");
  World older("1.30.0");
  BOOST_TEST(said(older.post("/api/v1/nodes", status)) == "");
  World off("1.35.0");
  BOOST_TEST(said(off.post("/api/v1/nodes", status)) == "features runtimeHandlers ");
  const auto written = off.call(off.node, "PATCH", "/api/v1/nodes/n1/status", status, merge);
  BOOST_TEST(said(written) == "declaredFeatures features runtimeHandlers ");
  // An update of the Node drops the handlers that were written through its status.
  BOOST_TEST(said(older.call(older.node, "PATCH", "/api/v1/nodes/n1/status", status, merge)) == "runtimeHandlers ");
  BOOST_TEST(said(older.call(admin, "PATCH", "/api/v1/nodes/n1", R"({"metadata":{"labels":{"a":"b"}}})", merge)) == "");
  for (const bool gate : {true, false}) {
    World rootless("1.37.1", {{"KubeletInUserNamespace", gate}});
    rootless.post("/api/v1/nodes", R"({"metadata":{"name":"n1"}})");
    const Answer told = rootless.call(rootless.node, "PATCH", "/api/v1/nodes/n1/status",
                                      R"({"status":{"nodeInfo":{"runningInUserNamespace":true}}})", merge);
    BOOST_TEST(member(told.body, "status", "nodeInfo", "runningInUserNamespace").is_null() != gate);
  }
  World configured("1.21.0");
  BOOST_TEST(said(configured.post("/api/v1/nodes", status)) == "config ");
}

BOOST_AUTO_TEST_SUITE_END()
