#include <boost/test/unit_test.hpp>

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/read/negotiation.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(field_validation)

// The answers are those of a real kube-apiserver 1.36.3.

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

using Texts = std::vector<std::string>;

const std::string merge = "application/merge-patch+json";
const std::string strategic = "application/strategic-merge-patch+json";
const std::string json_patch_type = "application/json-patch+json";
const std::string apply_type = "application/apply-patch+yaml";
const std::string nodes = "/api/v1/nodes";

struct World {
  explicit World(const char* release = "1.36.3", const std::map<std::string, bool>& gates = {})
      : rules(test::rules_of(release, gates)), server(rules) {
    BOOST_REQUIRE(ask("POST", nodes, R"({"metadata":{"name":"a"}})").status == 201);
  }

  HttpResponse ask(const char* method, const std::string& target, const std::string& body,
                   const std::string& type = "application/json") {
    return server.handle({"root", {"system:masters"}, "", {}}, {method, target, type, body, false, {}, {}});
  }
  std::string refusal(const char* method, const std::string& target, const std::string& body,
                      const std::string& type = "application/json") {
    const HttpResponse response = ask(method, target, body, type);
    return std::to_string(response.status) + " " + std::string(text(object_in(response), "message"));
  }
  Object node() { return object_in(ask("GET", nodes + "/a", "")); }

  RuleSet rules;
  ApiServer server;
};

const std::string malformed =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_quantity_that_is_none_is_refused_on_every_way, World) {
  const std::string status = nodes + "/a/status";
  const std::string patch = R"({"status":{"capacity":{"cpu":"four"}}})";
  const std::string whole =
      R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"a"},"status":{"capacity":{"cpu":"four"}}})";
  const Object before = node();
  BOOST_TEST(refusal("PUT", status, whole) == "400 Node in version \"v1\" cannot be handled as a Node: " + malformed);
  BOOST_TEST(refusal("PUT", status, whole, "application/yaml") ==
             "400 Node in version \"v1\" cannot be handled as a Node: " + malformed);
  BOOST_TEST(refusal("PATCH", status, patch, strategic) ==
             R"(422  "" is invalid: patch: Invalid value: "map[status:map[capacity:map[cpu:four]]]": )" + malformed);
  for (const auto& [type, body] :
       {std::pair(merge, patch),
        std::pair(json_patch_type,
                  std::string(R"([{"op":"add","path":"/status","value":{"capacity":{"cpu":"four"}}}])"))}) {
    const std::string said = refusal("PATCH", status, body, type);
    BOOST_TEST(said.starts_with(R"(422  "" is invalid: patch: Invalid value: "{\"apiVersion\":\"v1\")"), said);
    BOOST_TEST(said.ends_with("\": " + malformed), said);
  }
  BOOST_TEST(refusal("PATCH", status + "?fieldManager=x", whole, apply_type) ==
             "500 failed to convert new object (/a; /v1, Kind=Node) to proper version: unable to convert unstructured "
             "object to /v1, Kind=Node: " +
                 malformed);
  BOOST_TEST(node() == before);
}

BOOST_FIXTURE_TEST_CASE(an_amount_below_zero_is_invalid, World) {
  const std::string below = "must be greater than or equal to 0";
  BOOST_TEST(refusal("PATCH", nodes + "/a/status", R"({"status":{"allocatable":{"cpu":-1}}})", merge) ==
             "422 Node \"a\" is invalid: status.allocatable.cpu: Invalid value: \"-1\": " + below);
  BOOST_TEST(refusal("PATCH", nodes + "/a/status", R"({"status":{"allocatable":{"pods":"1500m"}}})", merge) ==
             "422 Node \"a\" is invalid: status.allocatable.pods: Invalid value: \"1500m\": must be an integer");
  const HttpResponse good =
      ask("PATCH", nodes + "/a/status", R"({"status":{"allocatable":{"memory":"1024Mi"}}})", merge);
  BOOST_TEST(good.status == 200);
  BOOST_TEST(text(object_in(good), "status", "allocatable", "memory") == "1Gi");
}

BOOST_FIXTURE_TEST_CASE(a_client_is_warned_of_unknown_and_repeated_fields, World) {
  const std::string body = R"({"spec":{"foo":1,"unschedulable":true,"unschedulable":true},"bar":2})";
  const Texts patch_warnings = {R"(299 - "duplicate field \"spec.unschedulable\"")", R"(299 - "unknown field \"bar\"")",
                                R"(299 - "unknown field \"spec.foo\"")"};
  for (const std::string& type : {merge, strategic}) {
    const HttpResponse patched = ask("PATCH", nodes + "/a", body, type);
    BOOST_TEST(patched.status == 200);
    BOOST_TEST(patched.warnings == patch_warnings);
    BOOST_TEST(!member(object_in(patched), "spec").contains("foo"));
  }
  BOOST_TEST(ask("PATCH", nodes + "/a?fieldValidation=Ignore", body, merge).warnings.empty());
  BOOST_TEST(!node().contains("bar"));
  const HttpResponse put = ask("PUT", nodes + "/a?fieldValidation=Warn",
                               "metadata:\n  name: a\n  x: 1\n  name: a\nspec: {}\n", "application/yaml");
  BOOST_TEST(put.warnings ==
             Texts({R"(299 - "line 4: key \"name\" already set in map")", R"(299 - "unknown field \"metadata.x\"")"}));
}

BOOST_AUTO_TEST_CASE(reviews_know_selectors_from_the_release_that_brought_them) {
  const std::string body =
      R"({"spec":{"user":"a","resourceAttributes":{"resource":"pods","fieldSelector":{"rawSelector":"a"}}}})";
  const auto warnings_at = [&](const char* version) {
    const HttpResponse response =
        World(version).ask("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", body);
    BOOST_TEST(response.status == 201);
    return response.warnings;
  };
  BOOST_TEST(warnings_at("1.31.0").empty());
  BOOST_TEST(warnings_at("1.30.0") == Texts({R"(299 - "unknown field \"spec.resourceAttributes.fieldSelector\"")"}));
}

BOOST_FIXTURE_TEST_CASE(strict_validation_refuses_them, World) {
  const std::string target = nodes + "/a?fieldValidation=Strict";
  BOOST_TEST(refusal("PUT", target, R"({"metadata":{"name":"a","x":1},"spec":{},"spec":{}})") ==
             "400 Node in version \"v1\" cannot be handled as a Node: strict decoding error: unknown field "
             "\"metadata.x\", duplicate field \"spec\"");
  BOOST_TEST(refusal("PUT", target, "metadata:\n  name: a\n  name: a\nx: 1\n", "application/yaml") ==
             "400 Node in version \"v1\" cannot be handled as a Node: strict decoding error: yaml: unmarshal errors:\n"
             "  line 3: key \"name\" already set in map, unknown field \"x\"");
  BOOST_TEST(refusal("PATCH", target, R"({"spec":{"foo":1}})", strategic) ==
             "422  \"\" is invalid: patch: Invalid value: \"map[spec:map[foo:1]]\": strict decoding error: unknown "
             "field \"spec.foo\"");
  BOOST_TEST(
      refusal("PATCH", target + "&fieldManager=x",
              "kind: Node\napiVersion: v1\nmetadata: {name: a}\nspec: {unschedulable: true,\nunschedulable: true}",
              apply_type) ==
      "400 error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n"
      "  line 5: key \"unschedulable\" already set in map");
  BOOST_TEST(!is_true(node(), "spec", "unschedulable"));
}

BOOST_FIXTURE_TEST_CASE(the_parameter_has_three_values, World) {
  BOOST_TEST(refusal("PATCH", nodes + "/a?fieldValidation=strict", "{}", merge) ==
             "422 PatchOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value: \"strict\": supported "
             "values: \"\", \"Ignore\", \"Strict\", \"Warn\"");
}

BOOST_AUTO_TEST_CASE(older_releases_do_not_look) {
  const std::string body = R"({"spec":{"foo":1}})";
  World before("1.22.17");
  BOOST_TEST(before.ask("PATCH", nodes + "/a?fieldValidation=Strict", body, merge).status == 200);
  World off("1.24.17");
  BOOST_TEST(off.ask("PATCH", nodes + "/a?fieldValidation=Strict", body, merge).status == 200);
  BOOST_TEST(off.ask("PATCH", nodes + "/a", body, merge).warnings.empty());
  World on("1.24.17", {{"ServerSideFieldValidation", true}});
  BOOST_TEST(on.ask("PATCH", nodes + "/a?fieldValidation=Strict", body, merge).status == 422);
  World later("1.32.0");
  BOOST_TEST(later.ask("PATCH", nodes + "/a", body, merge).warnings.size() == 1);
}

BOOST_AUTO_TEST_CASE(deprecated_apis_are_warned_of_once_they_are_asked) {
  const auto warned = [](World& world, const std::string& target, const std::string& user = "root") {
    const Subject subject{user, {user == "root" ? "system:masters" : "system:nodes"}, "", {}};
    return world.server.handle(subject, {"GET", target, "", "", false, {}, {}}).warnings;
  };
  const std::string endpoints = "/api/v1/namespaces/default/endpoints";
  World newest;
  const Texts told = {R"(299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice")"};
  BOOST_TEST(warned(newest, endpoints) == told, boost::test_tools::per_element());
  BOOST_TEST(warned(newest, endpoints + "/none") == told, boost::test_tools::per_element());
  BOOST_TEST(warned(newest, endpoints, "system:node:a").empty());
  World older("1.32.0");
  BOOST_TEST(warned(older, endpoints).empty());
  const std::string roles = "/apis/rbac.authorization.k8s.io/v1beta1/clusterroles";
  World with("1.19.16");
  BOOST_TEST(warned(with, roles) == Texts{"299 - \"rbac.authorization.k8s.io/v1beta1 ClusterRole is deprecated in "
                                          "v1.17+, unavailable in v1.22+; use rbac.authorization.k8s.io/v1 "
                                          "ClusterRole\""},
             boost::test_tools::per_element());
  World without("1.18.20");
  BOOST_TEST(warned(without, roles).empty());
}

BOOST_AUTO_TEST_CASE(what_is_written_is_warned_of_by_release) {
  const auto warned = [](const char* release, const std::string& target, const std::string& body) {
    World world(release);
    return world.ask("POST", target, body).warnings;
  };
  const std::string pods = "/api/v1/namespaces/default/pods?dryRun=All";
  const std::string pod = R"({"metadata":{"name":"x.y"},"spec":{"containers":[{"name":"c","image":"i"}],
                              "volumes":[{"name":"v","rbd":{"monitors":["m"],"image":"i"}}]}})";
  BOOST_TEST(warned("1.36.3", pods, pod) ==
                 Texts({"299 - \"metadata.name: this is used in the Pod's hostname, which can result in surprising "
                        "behavior; a DNS label is recommended: [must not contain dots]\"",
                        "299 - \"spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+\""}),
             boost::test_tools::per_element());
  BOOST_TEST(warned("1.26.15", pods, pod).empty());
  const std::string slices = "/apis/resource.k8s.io/v1/resourceslices";
  const std::string slice = R"({"metadata":{"name":"s"},"spec":{"driver":"Bad","nodeName":"a",
                                "pool":{"name":"a","generation":1,"resourceSliceCount":1}}})";
  BOOST_TEST(warned("1.36.3", slices, slice) ==
                 Texts{"299 - \"spec.driver: driver names should be lowercase; \\\"Bad\\\" contains uppercase "
                       "characters\""},
             boost::test_tools::per_element());
  BOOST_TEST(warned("1.34.4", slices, slice).empty());
}

BOOST_FIXTURE_TEST_CASE(warnings_are_bounded, World) {
  std::string body = "{";
  for (int i = 0; i < 90; ++i) body += "\"" + std::string(1000, 'x') + std::to_string(i) + "\":1,";
  body.back() = '}';
  const HttpResponse response = ask("PATCH", nodes + "/a", body, merge);
  BOOST_TEST(response.status == 200);
  std::size_t all = 0;
  for (const std::string& warning : response.warnings) all += warning.size();
  BOOST_TEST(all > 1000U);
  BOOST_TEST(all < 10000U);
}

BOOST_FIXTURE_TEST_CASE(a_wrong_toleration_of_a_change_is_told_once_and_has_two_causes, World) {
  const std::string pods = "/api/v1/namespaces/default/pods";
  const std::string pod =
      R"({"metadata":{"name":"p"},"spec":{"nodeName":"a","containers":[{"name":"main","image":"registry.invalid/none"}]}})";
  BOOST_REQUIRE(ask("POST", pods, pod).status == 201);
  const HttpResponse refused =
      ask("PATCH", pods + "/p", R"({"spec":{"tolerations":[{"key":"dedicated","operator":"Like"}]}})", merge);
  const Object status = object_in(refused);
  const std::string why = R"(Unsupported value: "Like": supported values: "Equal", "Exists")";
  BOOST_TEST(text(status, "message") == "Pod \"p\" is invalid: spec.tolerations[0].operator: " + why);
  const Object& causes = status["details"]["causes"];
  BOOST_REQUIRE(causes.size() == 2U);
  for (const Object& cause : causes) BOOST_TEST(text(cause, "message") == why);
}

BOOST_FIXTURE_TEST_CASE(a_namespace_has_finalizers_and_the_phase_of_its_life, World) {
  const std::string namespaces = "/api/v1/namespaces";
  const std::string own = namespaces + "/x";
  BOOST_TEST(refusal("POST", namespaces, R"({"metadata":{"name":"x"},"spec":{"finalizers":["y"]}})") ==
             "422 Namespace \"x\" is invalid: spec.finalizers: Invalid value: \"y\": name is neither a standard "
             "finalizer name nor is it fully qualified");
  const Object made = object_in(
      ask("POST", namespaces,
          R"({"metadata":{"name":"x","finalizers":["example.com/hold"]},"spec":{"finalizers":["example.com/y"]}})"));
  BOOST_TEST(made["spec"]["finalizers"] == Object({"example.com/y", "kubernetes"}));
  const std::string terminating = R"({"status":{"phase":"Terminating"}})";
  BOOST_TEST(refusal("PATCH", own + "/status", terminating, merge) ==
             "422 Namespace \"x\" is invalid: status.Phase: Invalid value: \"Terminating\": may only be 'Active' if "
             "`deletionTimestamp` is empty");
  BOOST_TEST(ask("DELETE", own, "").status == 200);
  BOOST_TEST(refusal("PATCH", own + "/status", R"({"status":{"phase":"Active"}})", merge) ==
             "422 Namespace \"x\" is invalid: status.Phase: Invalid value: \"Active\": may only be 'Terminating' if "
             "`deletionTimestamp` is not empty");
  const Object kept = object_in(ask("PATCH", own + "/status", terminating, merge));
  BOOST_TEST(kept["spec"]["finalizers"] == Object({"example.com/y", "kubernetes"}));
  BOOST_TEST(refusal("PUT", own + "/finalize", R"({"metadata":{"name":"x"},"spec":{"finalizers":["y"]}})") ==
             "422 Namespace \"x\" is invalid: spec.finalizers[0]: Invalid value: \"y\": name is neither a standard "
             "finalizer name nor is it fully qualified");
}

BOOST_FIXTURE_TEST_CASE(a_new_finalizer_of_a_dying_volume_is_found_once, World) {
  const std::string volumes = "/api/v1/persistentvolumes";
  BOOST_REQUIRE(ask("POST", volumes,
                    R"({"metadata":{"name":"v","finalizers":["example.com/x"]},"spec":{"capacity":{"storage":"1Gi"},)"
                    R"("accessModes":["ReadWriteOnce"],"hostPath":{"path":"/data"}}})")
                    .status == 201);
  BOOST_TEST(ask("DELETE", volumes + "/v", "").status == 200);
  const HttpResponse refused =
      ask("PATCH", volumes + "/v", R"({"metadata":{"finalizers":["example.com/x","example.com/y"]}})", merge);
  BOOST_TEST(refused.status == 422);
  BOOST_TEST(object_in(refused)["details"]["causes"].size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
