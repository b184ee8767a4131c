#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/test/api_server_world.h"
#include "fakes/test/signing_request.h"

BOOST_AUTO_TEST_SUITE(api_server)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::test;

BOOST_FIXTURE_TEST_SUITE(objects, World)

BOOST_AUTO_TEST_CASE(an_object_is_made_read_listed_changed_and_deleted) {
  const Answer made = post("/api/v1/namespaces/ns/configmaps", R"({"metadata":{"name":"c"},"data":{"a":"1"}})");
  BOOST_TEST(made.status == 201);
  BOOST_TEST(text(made.body, "kind") == "ConfigMap");
  BOOST_TEST(text(made.body, "apiVersion") == "v1");
  BOOST_TEST(text(made.body, "metadata", "namespace") == "ns");
  BOOST_TEST(!text(made.body, "metadata", "uid").empty());
  BOOST_TEST(!text(made.body, "metadata", "resourceVersion").empty());
  BOOST_TEST(get("/api/v1/namespaces/ns/configmaps/c").body == made.body);

  Object changed = made.body;
  changed["data"]["a"] = "2";
  const Answer updated = put("/api/v1/namespaces/ns/configmaps/c", changed);
  BOOST_TEST(updated.status == 200);
  BOOST_TEST(text(updated.body, "metadata", "uid") == text(made.body, "metadata", "uid"));
  BOOST_TEST(text(updated.body, "metadata", "resourceVersion") != text(made.body, "metadata", "resourceVersion"));

  const Answer list = get("/api/v1/configmaps");
  BOOST_TEST(list.status == 200);
  BOOST_TEST(text(list.body, "kind") == "ConfigMapList");
  BOOST_TEST(list.body["items"].size() == 1U);
  BOOST_TEST(get("/api/v1/namespaces/other/configmaps").body["items"].empty());

  BOOST_TEST(call(admin, "DELETE", "/api/v1/namespaces/ns/configmaps/c").status == 200);
  BOOST_TEST(get("/api/v1/namespaces/ns/configmaps/c").status == 404);
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_not_found) {
  for (const char* method : {"GET", "DELETE"}) {
    const Answer answer = call(admin, method, pods + "/gone");
    BOOST_TEST(answer.status == 404);
    BOOST_TEST(answer.reason() == "NotFound");
    BOOST_TEST(answer.message() == R"(pods "gone" not found)");
  }
  BOOST_TEST(put(pods + "/gone", {{"metadata", {{"name", "gone"}}}}).status == 404);
  BOOST_TEST(call(admin, "PATCH", pods + "/gone", "{}", "application/merge-patch+json").status == 404);
  BOOST_TEST(get("/apis/coordination.k8s.io/v1/namespaces/ns/leases/gone").message() ==
             R"(leases.coordination.k8s.io "gone" not found)");
}

BOOST_AUTO_TEST_CASE(what_the_api_does_not_have_is_not_found) {
  for (const char* target :
       {"/api/v1/unicorns", "/api/v2/pods", "/api/v1/namespaces/ns/pods/p/unicorn", "/apis/apps/v1/pods",
        "/apis/certificates.k8s.io/v1beta1/namespaces/ns/podcertificaterequests"}) {
    const Answer answer = get(target);
    BOOST_TEST(answer.status == 404, target);
    BOOST_TEST(answer.message() == "the server could not find the requested resource");
  }
  // Paths outside of all served groups get a plain 404, not a Status.
  for (const char* target : {"/apis/example.com/v1/things", "/nothing"}) {
    const HttpResponse response = server.handle(admin, {"GET", target, {}, {}});
    BOOST_TEST(response.status == 404, target);
    BOOST_TEST(response.body == "404 page not found\n");
    BOOST_TEST(response.content_type == "text/plain; charset=utf-8");
  }
  World gated("1.36.3", {{"PodCertificateRequest", true}});
  BOOST_TEST(gated.get("/apis/certificates.k8s.io/v1beta1/namespaces/ns/podcertificaterequests").status == 200);
}

BOOST_AUTO_TEST_CASE(a_method_that_does_not_fit_is_not_allowed) {
  pod();
  for (const auto& [method, target] : {std::pair<const char*, std::string>{"OPTIONS", pods},
                                       {"POST", pods + "/p"},
                                       {"PUT", pods},
                                       {"PATCH", pods},
                                       {"POST", "/api/v1/pods"}}) {
    const Answer answer = call(admin, method, target, R"({"metadata":{"name":"q"}})");
    BOOST_TEST(answer.status == 405, method << " " << target);
    BOOST_TEST(answer.reason() == "MethodNotAllowed");
  }
}

BOOST_AUTO_TEST_CASE(a_name_is_taken_once) {
  pod();
  const Answer again = post(pods, R"({"metadata":{"name":"p"}})");
  BOOST_TEST(again.status == 409);
  BOOST_TEST(again.reason() == "AlreadyExists");
  BOOST_TEST(again.message() == R"(pods "p" already exists)");
}

BOOST_AUTO_TEST_CASE(a_name_is_made_up_where_a_beginning_is_given) {
  for (const char* metadata : {R"({"generateName":"web-"})", R"({"name":"","generateName":"web-"})"}) {
    const Answer first = post(pods, R"({"metadata":)" + std::string(metadata) + "}");
    const Answer second = post(pods, R"({"metadata":)" + std::string(metadata) + "}");
    BOOST_TEST(first.status == 201);
    BOOST_TEST(text(first.body, "metadata", "name").starts_with("web-"));
    BOOST_TEST(text(first.body, "metadata", "name").size() == 9U);
    BOOST_TEST(text(first.body, "metadata", "name") != text(second.body, "metadata", "name"));
    BOOST_TEST(get(pods + "/" + std::string(text(first.body, "metadata", "name"))).status == 200);
  }
  BOOST_TEST(post(pods, R"({"metadata":{}})").status == 422);
  BOOST_TEST(post(pods, R"({})").message() ==
             R"(Pod "" is invalid: metadata.name: Required value: name or generateName is required)");
}

BOOST_AUTO_TEST_CASE(an_old_version_conflicts) {
  const Object old = pod();
  Object fresh = old;
  fresh["metadata"]["labels"]["a"] = "b";
  BOOST_TEST(put(pods + "/p", fresh).status == 200);
  const Answer answer = put(pods + "/p", old);
  BOOST_TEST(answer.status == 409);
  BOOST_TEST(answer.reason() == "Conflict");
  BOOST_TEST(
      answer.message() ==
      R"(Operation cannot be fulfilled on pods "p": the object has been modified; please apply your changes to the latest version and try again)");
  Object unconditional = old;
  unconditional["metadata"].erase("resourceVersion");
  BOOST_TEST(put(pods + "/p", unconditional).status == 200);
}

BOOST_AUTO_TEST_CASE(the_name_in_the_body_must_be_the_one_in_the_path) {
  pod();
  const Answer answer = put(pods + "/p", {{"metadata", {{"name", "q"}}}});
  BOOST_TEST(answer.status == 400);
  BOOST_TEST(answer.message() == "the name of the object (q) does not match the name on the URL (p)");
}

BOOST_AUTO_TEST_CASE(uid_and_creation_time_cannot_be_changed) {
  const Object before = pod();
  Object after = before;
  after["metadata"]["uid"] = "mine";
  after["metadata"]["creationTimestamp"] = "1970-01-01T00:00:00Z";
  put(pods + "/p", after);
  BOOST_TEST(text(get(pods + "/p").body, "metadata", "uid") == text(before, "metadata", "uid"));
  BOOST_TEST(text(get(pods + "/p").body, "metadata", "creationTimestamp") ==
             text(before, "metadata", "creationTimestamp"));
}

BOOST_AUTO_TEST_CASE(a_status_is_written_through_the_status_alone) {
  post("/api/v1/nodes", R"({"metadata":{"name":"n1"},"spec":{"podCIDR":"10.0.0.0/24"},"status":{"phase":"x"}})");
  // A kubelet creates its Node with a status; other objects are created without.
  BOOST_TEST(text(get("/api/v1/nodes/n1").body, "status", "phase") == "x");
  post(pods, R"({"metadata":{"name":"p"},"spec":{"serviceAccountName":"sa"},"status":{"phase":"x"}})");
  BOOST_TEST(text(get(pods + "/p").body, "status", "phase") == "Pending");
  Object object = get("/api/v1/nodes/n1").body;
  object["spec"]["podCIDR"] = "10.9.9.0/24";
  object["status"]["phase"] = "y";
  BOOST_TEST(put("/api/v1/nodes/n1/status", object).status == 200);
  BOOST_TEST(text(get("/api/v1/nodes/n1").body, "spec", "podCIDR") == "10.0.0.0/24");
  BOOST_TEST(text(get("/api/v1/nodes/n1").body, "status", "phase") == "y");

  object = get("/api/v1/nodes/n1").body;
  object["spec"]["unschedulable"] = true;
  object["status"]["phase"] = "z";
  BOOST_TEST(put("/api/v1/nodes/n1", object).status == 200);
  BOOST_TEST(is_true(get("/api/v1/nodes/n1").body, "spec", "unschedulable"));
  BOOST_TEST(text(get("/api/v1/nodes/n1").body, "status", "phase") == "y");
}

BOOST_AUTO_TEST_CASE(the_status_of_a_pod_does_not_change_its_owners) {
  Object object = pod();
  object["metadata"]["ownerReferences"] = Object::array({{{"uid", "x"}}});
  object["metadata"]["annotations"]["a"] = "b";
  const Answer answer = put(pods + "/p/status", object);
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(!answer.body["metadata"].contains("ownerReferences"));
  BOOST_TEST(text(answer.body, "metadata", "annotations", "a") == "b");
}

BOOST_AUTO_TEST_CASE(lists_are_narrowed_by_fields) {
  pod("a", "n1");
  pod("b", "n2");
  const auto names = [&](const std::string& query) {
    std::string out;
    const Answer answer = get("/api/v1/pods?" + query);
    for (const Object& item : answer.body["items"]) out += text(item, "metadata", "name");
    return out;
  };
  BOOST_TEST(names("") == "ab");
  BOOST_TEST(names("fieldSelector=spec.nodeName%3Dn1") == "a");
  BOOST_TEST(names("fieldSelector=spec.nodeName!=n1") == "b");
  BOOST_TEST(names("fieldSelector=metadata.name=b") == "b");
  BOOST_TEST(names("fieldSelector=metadata.name=b,spec.nodeName=n1") == "");
  const std::string then = "&resourceVersionMatch=Exact&resourceVersion=" +
                           std::string(text(get("/api/v1/pods").body, "metadata", "resourceVersion"));
  call(admin, "DELETE", pods + "/a?gracePeriodSeconds=0");
  pod("c", "n1");
  BOOST_TEST(names("fieldSelector=spec.nodeName=n1") == "c");
  BOOST_TEST(names("fieldSelector=spec.nodeName=n1" + then) == "a");
  BOOST_TEST(names("fieldSelector=spec.nodeName=n2" + then) == "b");
  BOOST_TEST(names("fieldSelector=metadata.name=a" + then) == "a");
  BOOST_TEST(names("fieldSelector=metadata.name=c" + then) == "");
}

BOOST_AUTO_TEST_CASE(a_collection_is_deleted_as_far_as_it_is_selected) {
  pod("a", "n1");
  pod("b", "n2");
  BOOST_TEST(call(admin, "DELETE", pods + "?fieldSelector=spec.nodeName=n1&gracePeriodSeconds=0").status == 200);
  BOOST_TEST(get(pods + "/a").status == 404);
  BOOST_TEST(get(pods + "/b").status == 200);
}

BOOST_AUTO_TEST_CASE(a_namespace_takes_along_what_is_in_it) {
  post("/api/v1/namespaces", R"({"metadata":{"name":"ns"}})");
  pod();
  post("/api/v1/namespaces/other/pods", R"({"metadata":{"name":"p"}})");
  BOOST_TEST(call(admin, "DELETE", "/api/v1/namespaces/ns").status == 200);
  BOOST_TEST(get(pods + "/p").status == 404);
  BOOST_TEST(get("/api/v1/namespaces/other/pods/p").status == 200);
}

BOOST_AUTO_TEST_CASE(an_approval_changes_the_status_alone) {
  const std::string path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const Object submitted = {
      {"metadata", {{"name", "c"}}},
      {"spec",
       {{"signerName", "example.com/s"}, {"request", signing_request}, {"usages", Object::array({"client auth"})}}}};
  Object request = post(path, submitted.dump()).body;
  request["spec"]["signerName"] = "example.com/other";
  request["status"]["conditions"] = {{{"type", "Approved"}, {"status", "True"}}};
  BOOST_TEST(put(path + "/c/approval", request).status == 200);
  BOOST_TEST(text(get(path + "/c").body, "spec", "signerName") == "example.com/s");
  BOOST_TEST(get(path + "/c").body["status"]["conditions"].size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_object_is_the_same_in_every_version_of_its_group) {
  World old("1.20.0");
  const std::string v1 = "/apis/coordination.k8s.io/v1/namespaces/ns/leases";
  const std::string v1beta1 = "/apis/coordination.k8s.io/v1beta1/namespaces/ns/leases";
  BOOST_TEST(text(old.post(v1beta1, R"({"metadata":{"name":"l"}})").body, "apiVersion") ==
             "coordination.k8s.io/v1beta1");
  Object lease = old.get(v1 + "/l").body;
  BOOST_TEST(text(lease, "apiVersion") == "coordination.k8s.io/v1");
  BOOST_TEST(text(old.get(v1).body, "apiVersion") == "coordination.k8s.io/v1");
  // In this release only the list, not its items, has an apiVersion.
  BOOST_TEST(!old.get(v1).body["items"][0].contains("apiVersion"));
  lease["spec"]["leaseDurationSeconds"] = 7;
  BOOST_TEST(text(old.put(v1 + "/l", lease).body, "apiVersion") == "coordination.k8s.io/v1");
  BOOST_TEST(old.get(v1beta1 + "/l").body["spec"]["leaseDurationSeconds"] == 7);
  const Answer patched = old.call(admin, "PATCH", v1beta1 + "/l", "{}", "application/merge-patch+json");
  BOOST_TEST(text(patched.body, "apiVersion") == "coordination.k8s.io/v1beta1");
  const Answer mixed = old.put(v1beta1 + "/l", lease);
  BOOST_TEST(mixed.status == 400);
  BOOST_TEST(mixed.message() ==
             "the API version in the data (coordination.k8s.io/v1) does not match the expected API version "
             "(coordination.k8s.io/v1beta1)");
  BOOST_TEST(text(old.call(admin, "DELETE", v1beta1 + "/l").body, "status") == "Success");
  BOOST_TEST(World("1.22.0").get(v1beta1).status == 404);
}

BOOST_AUTO_TEST_CASE(a_namespace_takes_along_what_was_written_through_any_version) {
  World old("1.20.0");
  old.post("/api/v1/namespaces", R"({"metadata":{"name":"ns"}})");
  old.post("/apis/policy/v1beta1/namespaces/ns/poddisruptionbudgets", R"({"metadata":{"name":"b"}})");
  old.call(admin, "DELETE", "/api/v1/namespaces/ns");
  BOOST_TEST(old.get("/apis/policy/v1beta1/poddisruptionbudgets").body["items"].empty());
}

BOOST_AUTO_TEST_CASE(an_update_that_makes_needs_the_right_to_create) {
  post("/apis/rbac.authorization.k8s.io/v1/clusterroles",
       R"({"metadata":{"name":"r"},"rules":[{"apiGroups":[""],"resources":["services"],"verbs":["get","update"]}]})");
  post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
       R"({"metadata":{"name":"b"},"roleRef":{"kind":"ClusterRole","name":"r"},
           "subjects":[{"kind":"User","name":"u"}]})");
  const Subject user{"u", {}, "", {}};
  const std::string path = "/api/v1/namespaces/ns/services/s";
  const std::string service = R"({"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}})";
  const Answer refused = call(user, "PUT", path, service);
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(refused.message().find("cannot create resource \"services\"") != std::string::npos);
  BOOST_TEST(call(admin, "PUT", path, service).status == 201);
  BOOST_TEST(call(user, "PUT", path, service).status == 200);
}

BOOST_AUTO_TEST_CASE(a_connection_changes_no_object) {
  const Object node_object = post("/api/v1/nodes", R"({"metadata":{"name":"n1"}})").body;
  BOOST_TEST(put("/api/v1/nodes/n1/proxy", {{"metadata", {{"name", "n1"}}}}).status == 500);
  BOOST_TEST(call(admin, "DELETE", "/api/v1/nodes/n1/proxy").status == 500);
  BOOST_TEST(get("/api/v1/nodes/n1").body == node_object);
}

BOOST_AUTO_TEST_CASE(leases_are_made_by_an_update_too) {
  const std::string lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1";
  BOOST_TEST(call(node, "PUT", lease, R"({"metadata":{"name":"n1"}})").status == 201);
  BOOST_TEST(call(node, "PUT", lease, R"({"metadata":{"name":"n1"}})").status == 422);
  BOOST_TEST(call(node, "PUT", lease, get(lease).body.dump()).status == 200);
}

BOOST_AUTO_TEST_CASE(the_server_knows_its_version_and_health) {
  BOOST_TEST(text(get("/version").body, "gitVersion") == "v1.36.3");
  BOOST_TEST(server.handle(admin, {"GET", "/healthz", "", ""}).body == "ok");
  BOOST_TEST(server.handle({"system:anonymous", {}, "", {}}, {"GET", "/readyz", "", ""}).status == 200);
}

BOOST_AUTO_TEST_CASE(log_files_are_listed_to_whoever_takes_anything) {
  World old("1.28.0");
  for (const auto& [accept, status] :
       {std::pair("", 200), std::pair("text/html,*/*", 200), std::pair("application/json", 406)}) {
    HttpRequest request{"GET", "/logs/", "", ""};
    request.accept = accept;
    BOOST_TEST(old.server.handle(admin, request).status == status, accept);
  }
}

BOOST_AUTO_TEST_CASE(the_same_writes_give_the_same_bytes) {
  World other;
  const auto history = [](World& world) {
    world.pod("a");
    world.call(admin, "DELETE", pods + "/a?gracePeriodSeconds=0");
    world.pod("a", "n2");
    world.post(pods, R"({"metadata":{"generateName":"x"}})");
    return world.get("/api/v1/pods").body.dump();
  };
  BOOST_TEST(history(*this) == history(other));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
