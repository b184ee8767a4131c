#include <boost/test/unit_test.hpp>

#include "fakes/test/whole_cluster.h"

// What kube-apiserver 1.36.3 answered to the same requests.
BOOST_AUTO_TEST_SUITE(managed_fields)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

constexpr const char* merge_type = "application/merge-patch+json";
constexpr const char* apply_type = "application/apply-patch+yaml";

struct Tracking {
  Tracking() : rules(test::rules_of("1.36.3", {})), server(rules, options()) {}

  static ApiServer::Options options() {
    ApiServer::Options out;
    out.tracks_updates = true;
    return out;
  }

  Answer call(const char* method, const std::string& target, const std::string& body, const std::string& type,
              const std::string& agent = "one/1.0 (linux)") {
    HttpRequest request{method, target, type, body};
    request.headers["user-agent"] = agent;
    const HttpResponse response = server.handle(admin, request);
    return {response.status, Object::parse(response.body, nullptr, false)};
  }
  Answer create(const std::string& path, const std::string& body) {
    return call("POST", path, body, "application/json");
  }
  Answer merge(const std::string& path, const std::string& body, const char* agent) {
    return call("PATCH", path, body, merge_type, agent);
  }
  Answer apply(const std::string& path, const std::string& body, const std::string& options) {
    return call("PATCH", path + "?" + options, body, apply_type);
  }

  RuleSet rules;
  ApiServer server;
  const std::string maps = "/api/v1/namespaces/ns/configmaps";
};

// Each entry as `manager operation fields`.
std::string entries_of(const Object& object) {
  std::string out;
  for (const Object& entry : member(object, "metadata", "managedFields")) {
    out += (out.empty() ? "" : " | ") + std::string(text(entry, "manager")) + " " +
           std::string(text(entry, "operation")) + " " + entry["fieldsV1"].dump();
    if (entry.contains("subresource")) out += " through " + std::string(text(entry, "subresource"));
  }
  return out;
}

constexpr const char* map = R"({"metadata":{"name":"m"},"data":{"a":"1","b":"2"}})";

}  // namespace

BOOST_FIXTURE_TEST_CASE(who_creates_an_object_owns_its_fields, Tracking) {
  const Object made = create(maps, map).body;
  BOOST_TEST(entries_of(made) == R"(one Update {"f:data":{".":{},"f:a":{},"f:b":{}}})");
  const Object& entry = made["metadata"]["managedFields"][0];
  BOOST_TEST(entry["apiVersion"] == "v1");
  BOOST_TEST(entry["fieldsType"] == "FieldsV1");
  BOOST_TEST(entry["time"] == "2026-01-01T00:00:00Z");
  const Object named = create(maps + "?fieldManager=other", R"({"metadata":{"name":"n"},"data":{"a":"1"}})").body;
  BOOST_TEST(entries_of(named) == R"(other Update {"f:data":{".":{},"f:a":{}}})");
}

BOOST_FIXTURE_TEST_CASE(a_pod_is_owned_with_its_defaults, Tracking) {
  const Object made = create("/api/v1/namespaces/ns/pods", R"({"metadata":{"name":"p","labels":{"a":"b"}},
      "spec":{"nodeName":"n","containers":[{"name":"c","image":"i","ports":[{"containerPort":1}]}]}})")
                          .body;
  BOOST_TEST(entries_of(made) ==
             "one Update {\"f:metadata\":{\"f:labels\":{\".\":{},\"f:a\":{}}},\"f:spec\":{\"f:containers\":{"
             "\"k:{\\\"name\\\":\\\"c\\\"}\":{\".\":{},\"f:image\":{},\"f:imagePullPolicy\":{},\"f:name\":{},"
             "\"f:ports\":{\".\":{},\"k:{\\\"containerPort\\\":1,\\\"protocol\\\":\\\"TCP\\\"}\":{\".\":{},"
             "\"f:containerPort\":{},\"f:protocol\":{}}},\"f:resources\":{},\"f:terminationMessagePath\":{},"
             "\"f:terminationMessagePolicy\":{}}},\"f:dnsPolicy\":{},\"f:enableServiceLinks\":{},\"f:nodeName\":{},"
             "\"f:restartPolicy\":{},\"f:schedulerName\":{},\"f:securityContext\":{},"
             "\"f:terminationGracePeriodSeconds\":{}}}");
}

BOOST_FIXTURE_TEST_CASE(who_changes_a_field_takes_it, Tracking) {
  create(maps, map);
  const Object changed = merge(maps + "/m", R"({"data":{"a":"3","c":"4","b":null}})", "two").body;
  BOOST_TEST(entries_of(changed) == R"(one Update {"f:data":{}} | two Update {"f:data":{"f:a":{},"f:c":{}}})");
  const Object all = merge(maps + "/m", R"({"data":null})", "three").body;
  BOOST_TEST(entries_of(all) == "");
}

BOOST_FIXTURE_TEST_CASE(an_update_that_changes_nothing_is_not_recorded, Tracking) {
  const Object made = create(maps, map).body;
  const Object same = merge(maps + "/m", R"({"data":{"a":"1"}})", "two").body;
  BOOST_TEST(same == made);
}

BOOST_FIXTURE_TEST_CASE(an_apply_after_a_create_conflicts, Tracking) {
  create(maps, map);
  const std::string other = "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {a: \"9\"}}";
  const Answer conflict = apply(maps + "/m", other, "fieldManager=two");
  BOOST_TEST(conflict.status == 409);
  BOOST_TEST(text(conflict.body, "message") == "Apply failed with 1 conflict: conflict with \"one\" using v1: .data.a");
  BOOST_TEST(conflict.body["details"]["causes"][0]["message"] == "conflict with \"one\" using v1");
  const Object forced = apply(maps + "/m", other, "fieldManager=two&force=true").body;
  BOOST_TEST(forced["data"]["a"] == "9");
  BOOST_TEST(entries_of(forced) == R"(two Apply {"f:data":{"f:a":{}}} | one Update {"f:data":{".":{},"f:b":{}}})");
}

BOOST_FIXTURE_TEST_CASE(an_empty_list_of_managers_forgets_them, Tracking) {
  create(maps, map);
  const Object none = merge(maps + "/m", R"({"metadata":{"managedFields":[]}})", "two").body;
  BOOST_TEST(text(none, "metadata", "name") == "m");
  BOOST_TEST(!none["metadata"].contains("managedFields"));
  create(maps, R"({"metadata":{"name":"n","managedFields":[]},"data":{"a":"1"}})");
  const Object forgotten = merge(maps + "/n", R"({"metadata":{"managedFields":[{}]}})", "two").body;
  BOOST_TEST(entries_of(forgotten) == "");
  const std::string applied = "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {a: \"1\"}}";
  const Object first = apply(maps + "/m", applied, "fieldManager=two").body;
  BOOST_TEST(entries_of(first) ==
             R"(two Apply {"f:data":{"f:a":{}}} | before-first-apply Update {"f:data":{".":{},"f:a":{},"f:b":{}}})");
}

BOOST_FIXTURE_TEST_CASE(kubectl_takes_over_what_it_applied_by_itself, Tracking) {
  const std::string last =
      R"({\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"},\"data\":{\"a\":\"1\"}})";
  create(maps, R"({"metadata":{"name":"m","annotations":{"kubectl.kubernetes.io/last-applied-configuration":")" + last +
                   R"("}},"data":{"a":"1","b":"2"}})");
  const std::string both = "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {a: \"8\", b: \"9\"}}";
  const Answer conflict = apply(maps + "/m", both, "fieldManager=kubectl");
  BOOST_TEST(text(conflict.body, "message") == "Apply failed with 1 conflict: conflict with \"one\" using v1: .data.b");
  const std::string own = "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {a: \"8\"}}";
  const Object taken = apply(maps + "/m", own, "fieldManager=kubectl").body;
  BOOST_TEST(taken["data"]["a"] == "8");
  BOOST_TEST(taken["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] ==
             "{\"apiVersion\":\"v1\",\"data\":{\"a\":\"8\"},\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"}}\n");
}

BOOST_FIXTURE_TEST_CASE(what_a_write_cannot_change_is_not_owned, Tracking) {
  create("/api/v1/nodes", R"({"metadata":{"name":"n","labels":{"a":"b"}}})");
  const std::string labels = R"(one Update {"f:metadata":{"f:labels":{".":{},"f:a":{}}}} | )";
  const std::string spec = R"(two Update {"f:spec":{"f:unschedulable":{}}})";
  const Object main = merge("/api/v1/nodes/n", R"({"status":{"phase":"x"},"spec":{"unschedulable":true}})", "two").body;
  BOOST_TEST(entries_of(main) == labels + spec);
  const Object status = merge("/api/v1/nodes/n/status", R"({"status":{"phase":"Running"}})", "kubelet").body;
  BOOST_TEST(entries_of(status) == R"(kubelet Update {"f:status":{"f:phase":{}}} through status | )" + labels + spec);
}

BOOST_FIXTURE_TEST_CASE(with_many_managers_the_oldest_become_one, Tracking) {
  create(maps, map);
  Object last;
  for (int i = 0; i < 11; ++i) {
    const std::string agent = "m" + std::string(1, static_cast<char>('a' + i));
    last = merge(maps + "/m", "{\"data\":{\"k" + std::to_string(i) + "\":\"1\"}}", agent.c_str()).body;
  }
  BOOST_TEST(last["metadata"]["managedFields"].size() == 10U);
  BOOST_TEST(text(last["metadata"]["managedFields"][0], "manager") == "ancient-changes");
}

BOOST_AUTO_TEST_CASE(the_server_owns_what_every_cluster_begins_with) {
  ApiServer::Options options = Tracking::options();
  options.namespaces_first = true;
  const RuleSet rules = test::rules_of("1.36.3", {});
  ApiServer server(rules, options);
  const auto owners_of = [&](const char* target) {
    return entries_of(Object::parse(server.handle(admin, {"GET", target, "", ""}).body));
  };
  BOOST_TEST(owners_of("/api/v1/namespaces/default") ==
             R"(kube-apiserver Update {"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}})");
  BOOST_TEST(owners_of("/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical") ==
             R"(kube-apiserver Update {"f:description":{},"f:preemptionPolicy":{},"f:value":{}})");
}

BOOST_AUTO_TEST_CASE(what_a_cluster_begins_with_has_the_fields_of_its_release) {
  const auto policy_at = [](const char* version) {
    ApiServer::Options options;
    options.namespaces_first = true;
    const RuleSet rules = test::rules_of(version, {});
    ApiServer server(rules, options);
    const HttpRequest request{"GET", "/api/v1/namespaces/default/services/kubernetes", "", ""};
    return std::string(text(Object::parse(server.handle(admin, request).body), "spec", "ipFamilyPolicy"));
  };
  BOOST_TEST(policy_at("1.36.0") == "SingleStack");
  BOOST_TEST(policy_at("1.18.0") == "");
}

BOOST_FIXTURE_TEST_CASE(older_releases_record_appliers_alone, WholeCluster) {
  ApiServer::Options options;
  options.tracks_updates = true;
  const RuleSet old_rules = test::rules_of("1.17.0", {});
  ApiServer old(old_rules, options);
  const HttpResponse made = old.handle(
      admin, {"POST", "/api/v1/namespaces/ns/configmaps", "application/json", R"({"metadata":{"name":"m"}})"});
  BOOST_TEST(made.status == 201);
  BOOST_TEST(!Object::parse(made.body)["metadata"].contains("managedFields"));
}

BOOST_AUTO_TEST_CASE(a_review_tells_who_asked) {
  Tracking t;
  const Answer review = t.create("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                                 R"({"spec":{"nonResourceAttributes":{"path":"/x","verb":"get"}}})");
  BOOST_TEST(entries_of(review.body) ==
             R"(one Update {"f:spec":{"f:nonResourceAttributes":{".":{},"f:path":{},"f:verb":{}}}})");
}

BOOST_AUTO_TEST_CASE(an_apply_is_forced_unless_that_is_denied) {
  Tracking t;
  t.create(t.maps, map);
  const auto applied = [&](const std::string& value, const char* options) {
    const std::string configuration =
        R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"a":")" + value + "\"}}";
    return t.apply(t.maps + "/m", configuration, std::string("fieldManager=") + options).status;
  };
  BOOST_TEST(applied("2", "two") == 409);
  BOOST_TEST(applied("2", "two&force=False") == 409);
  BOOST_TEST(applied("2", "two&force=0") == 409);
  BOOST_TEST(applied("2", "two&force=1") == 200);
  BOOST_TEST(applied("3", "three") == 409);
  BOOST_TEST(applied("3", "three&force=") == 200);
}

BOOST_AUTO_TEST_CASE(an_apply_stays_in_its_namespace) {
  Tracking t;
  t.create(t.maps, map);
  const Answer refused =
      t.apply(t.maps + "/m", R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","namespace":"other"}})",
              "fieldManager=two");
  BOOST_TEST(refused.status == 400);
  BOOST_TEST(text(refused.body, "message") ==
             "the namespace of the provided object does not match the namespace sent on the request");
}

BOOST_AUTO_TEST_SUITE_END()
