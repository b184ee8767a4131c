// The expectations are kube-apiserver 1.36.3's answers to the same definition and objects.
#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/apiserver/api_server.h"
#include "reference/cluster/object.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(custom_resources)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

const std::string definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const std::string widgets = "/apis/example.com/v1/namespaces/default/widgets";

Object spec_schema() {
  return Object::parse(R"({
    "type": "object", "required": ["color"],
    "properties": {
      "color": {"type": "string", "enum": ["red", "green"]},
      "size": {"type": "integer", "minimum": 1, "maximum": 10, "default": 3},
      "name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 5, "minLength": 2},
      "port": {"x-kubernetes-int-or-string": true},
      "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "x-kubernetes-list-type": "set"},
      "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
      "note": {"type": "string", "nullable": true},
      "labels": {"type": "object", "additionalProperties": {"type": "string"}},
      "flag": {"type": "boolean"}}})");
}

Object definition() {
  Object out = Object::parse(R"({
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {"group": "example.com", "scope": "Namespaced",
      "names": {"plural": "widgets", "kind": "Widget", "shortNames": ["wd"]},
      "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
        "selectableFields": [{"jsonPath": ".spec.color"}],
        "additionalPrinterColumns": [
          {"name": "Color", "type": "string", "jsonPath": ".spec.color"},
          {"name": "Ready", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Ready\")].status"}]}]}})");
  Object& version = out["spec"]["versions"][0];
  version["schema"]["openAPIV3Schema"] = {
      {"type", "object"},
      {"properties",
       {{"spec", spec_schema()}, {"status", {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}}}}};
  return out;
}

struct World {
  World() { BOOST_REQUIRE(send("POST", definitions, definition()).status == 201); }

  HttpResponse send(const std::string& method, const std::string& target, const Object& body = nullptr,
                    const std::string& type = "application/json", const std::string& accept = {}) {
    HttpRequest request{method, target, type, body.is_null() ? "" : body.dump()};
    request.accept = accept;
    return server.handle(admin, request);
  }
  Object read(const std::string& target) { return Object::parse(send("GET", target).body); }
  HttpResponse make(const std::string& name, const Object& spec, const std::string& query = {}) {
    return send("POST", widgets + query,
                {{"apiVersion", "example.com/v1"}, {"kind", "Widget"}, {"metadata", {{"name", name}}}, {"spec", spec}});
  }
  std::string said_of(const Object& spec) { return std::string(text(Object::parse(make("w", spec).body), "message")); }

  const Subject admin{"admin", {"system:masters"}, "", {}};
  const RuleSet rules = nodebound::test::rules_of("1.36.3");
  ApiServer server{rules};
};

bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_definition_is_accepted_and_its_resource_served) {
  World world;
  const Object status = world.read(definitions + "/widgets.example.com")["status"];
  BOOST_TEST(status["conditions"][0]["type"] == "NamesAccepted");
  BOOST_TEST(status["conditions"][1]["type"] == "Established");
  BOOST_TEST(status["acceptedNames"]["listKind"] == "WidgetList");
  BOOST_TEST(status["storedVersions"] == Object::array({"v1"}));
  const Object served = world.read("/apis/example.com/v1")["resources"];
  BOOST_TEST(served[0]["name"] == "widgets");
  BOOST_TEST(served[0]["shortNames"] == Object::array({"wd"}));
  BOOST_TEST(served[1]["name"] == "widgets/status");
  const Object document = world.read("/openapi/v3/apis/example.com/v1");
  BOOST_TEST(document["components"]["schemas"]["com.example.v1.Widget"]["properties"]["spec"] == spec_schema());
}

BOOST_AUTO_TEST_CASE(an_object_is_pruned_and_completed) {
  World world;
  const HttpResponse made =
      world.make("a", {{"color", "red"}, {"unknown", 1}, {"free", {{"x", 1}}}, {"note", nullptr}});
  BOOST_REQUIRE(made.status == 201);
  const Object object = Object::parse(made.body);
  BOOST_TEST(object["spec"] == Object({{"color", "red"}, {"free", {{"x", 1}}}, {"note", nullptr}, {"size", 3}}));
  BOOST_TEST(object["metadata"]["generation"] == 1);
  BOOST_REQUIRE(made.warnings.size() == 1);
  BOOST_TEST(says(made.warnings[0], R"(unknown field \"spec.unknown\")"));
  const HttpResponse strict = world.make("b", {{"color", "red"}, {"unknown", 1}}, "?fieldValidation=Strict");
  BOOST_TEST(strict.status == 400);
  BOOST_TEST(text(Object::parse(strict.body), "message") ==
             "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error: "
             "unknown field \"spec.unknown\"");
}

BOOST_AUTO_TEST_CASE(an_object_that_its_schema_does_not_allow_is_refused) {
  World world;
  BOOST_TEST(world.said_of(Object::object()) == "Widget.example.com \"w\" is invalid: spec.color: Required value");
  BOOST_TEST(world.said_of({{"color", "blue"}}) ==
             "Widget.example.com \"w\" is invalid: spec.color: Unsupported value: \"blue\": supported values: "
             "\"red\", \"green\"");
  const std::string several = world.said_of({{"color", "red"},
                                             {"size", 11},
                                             {"name", "Abcdefg"},
                                             {"port", true},
                                             {"tags", {"a", "a", "b"}},
                                             {"note", 1},
                                             {"labels", {{"a", 1}}},
                                             {"flag", "x"}});
  for (const char* const part :
       {"spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10",
        "spec.tags: Too many: 3: must have at most 2 items", "spec.tags[1]: Duplicate value: \"a\"",
        "spec.labels.a: Invalid value: \"integer\": spec.labels.a in body must be of type string: \"integer\"",
        "spec.name: Too long: may not be more than 5 bytes",
        "spec.port: Invalid value: \"boolean\": spec.port in body must be of type integer,string: \"boolean\"",
        "spec.note: Invalid value: \"integer\": spec.note in body must be of type string: \"integer\"",
        "spec.flag: Invalid value: \"string\": spec.flag in body must be of type boolean: \"string\""}) {
    BOOST_TEST(says(several, part), part << "\n" << several);
  }
  for (const double size : {2.5, 1e300}) {
    BOOST_TEST(says(world.said_of({{"color", "red"}, {"size", size}}),
                    "spec.size: Invalid value: \"number\": spec.size in body must be of type integer: \"number\""));
  }
  BOOST_TEST(says(world.said_of({{"color", "red"}, {"name", "a"}}),
                  "spec.name: Invalid value: \"a\": spec.name in body should be at least 2 chars long"));
}

BOOST_AUTO_TEST_CASE(the_status_is_written_through_its_subresource_alone) {
  World world;
  world.make("a", {{"color", "red"}});
  const Object patch = {{"status", {{"conditions", Object::array({{{"type", "Ready"}, {"status", "True"}}})}}},
                        {"spec", {{"color", "green"}}}};
  const std::string merge = "application/merge-patch+json";
  BOOST_TEST(world.send("PATCH", widgets + "/a/status", patch, merge).status == 200);
  Object object = world.read(widgets + "/a");
  BOOST_TEST(object["spec"]["color"] == "red");
  BOOST_TEST(object["status"]["conditions"][0]["status"] == "True");
  BOOST_TEST(
      world.send("PATCH", widgets + "/a", {{"status", {{"x", 1}}}, {"spec", {{"color", "green"}}}}, merge).status ==
      200);
  object = world.read(widgets + "/a");
  BOOST_TEST(object["spec"]["color"] == "green");
  BOOST_TEST(!object["status"].contains("x"));
  BOOST_TEST(object["metadata"]["generation"] == 2);
  BOOST_TEST(world.send("PATCH", widgets + "/a", {{"spec", {{"color", "blue"}}}}, merge).status == 422);
  BOOST_TEST(world.send("PATCH", widgets + "/a", Object::object(), "application/strategic-merge-patch+json").status ==
             415);
}

BOOST_AUTO_TEST_CASE(columns_and_selectors_are_those_of_the_definition) {
  World world;
  world.make("a", {{"color", "red"}});
  world.make("b", {{"color", "green"}});
  const Object green = world.read(widgets + "?fieldSelector=spec.color%3Dgreen");
  BOOST_REQUIRE(green["items"].size() == 1);
  BOOST_TEST(green["items"][0]["metadata"]["name"] == "b");
  BOOST_TEST(world.send("GET", widgets + "?fieldSelector=spec.size%3D3").status == 400);
  const Object table = Object::parse(
      world.send("GET", widgets + "/b", nullptr, "", "application/json;as=Table;v=v1;g=meta.k8s.io").body);
  BOOST_REQUIRE(table["columnDefinitions"].size() == 3);
  BOOST_TEST(table["columnDefinitions"][1]["name"] == "Color");
  BOOST_TEST(table["rows"][0]["cells"] == Object::array({"b", "green", nullptr}));
}

BOOST_AUTO_TEST_CASE(what_is_not_done_here_is_refused) {
  World world;
  const auto refused = [&](const Object& changed) {
    Object own = definition();
    own["metadata"]["name"] = "gadgets.example.com";
    own["spec"]["names"] = {{"plural", "gadgets"}, {"kind", "Gadget"}};
    own["spec"]["versions"][0].merge_patch(changed);
    const HttpResponse answer = world.send("POST", definitions, own);
    return answer.status == 422 ? std::string(text(Object::parse(answer.body), "message")) : std::string();
  };
  const auto with = [](const Object& schema) { return Object{{"schema", {{"openAPIV3Schema", schema}}}}; };
  BOOST_TEST(says(refused(with({{"x-kubernetes-validations", Object::array({{{"rule", "true"}}})}})),
                  "rules in CEL are not evaluated by this server"));
  BOOST_TEST(says(refused({{"subresources", {{"scale", {{"specReplicasPath", ".spec.size"}}}}}}),
                  "spec.versions[0].subresources.scale: Forbidden"));
  BOOST_TEST(says(refused(with({{"properties", {{"spec", {{"properties", {{"flag", {{"type", nullptr}}}}}}}}}})),
                  "spec.validation.openAPIV3Schema.properties[spec].properties[flag].type: Required value: must not be "
                  "empty for specified object fields"));
  BOOST_TEST(says(refused({{"name", "V1"}}), "spec.versions[0].name: Invalid value: \"V1\": a DNS-1035 label must"));
  BOOST_TEST(says(refused({{"storage", false}}), "must have exactly one version marked as storage version"));
}

BOOST_AUTO_TEST_CASE(a_definition_cannot_take_a_group_of_kubernetes) {
  World world;
  const auto refused = [&](const std::string& group) {
    Object own = definition();
    own["metadata"]["name"] = "widgets." + group;
    own["spec"]["group"] = group;
    return std::string(text(Object::parse(world.send("POST", definitions, own).body), "message"));
  };
  BOOST_TEST(says(refused("apps"), "spec.group: Invalid value: \"apps\": should be a domain with at least one dot"));
  BOOST_TEST(says(refused("x.k8s.io"), "metadata.annotations[api-approved.kubernetes.io]: Required value"));
  BOOST_TEST(says(refused("coordination.k8s.io"), "spec.group: Forbidden"));
}

BOOST_AUTO_TEST_CASE(objects_go_with_their_definition) {
  World world;
  world.make("a", {{"color", "red"}});
  BOOST_TEST(world.send("DELETE", definitions + "/widgets.example.com").status == 200);
  BOOST_TEST(world.send("GET", widgets).status == 404);
  BOOST_TEST(world.send("GET", "/apis/example.com").status == 404);
  BOOST_REQUIRE(world.send("POST", definitions, definition()).status == 201);
  BOOST_TEST(world.read(widgets)["items"].empty());
}

BOOST_AUTO_TEST_SUITE_END()
