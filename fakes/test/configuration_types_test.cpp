#include "fakes/wire/configuration_types.h"

#include <boost/test/unit_test.hpp>

#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(configuration_types)

// The texts are those of a real kube-apiserver 1.36.3 for the same configuration.

using namespace nodebound;

namespace {

std::string error_of(const char* fields, const GroupVersionKind& kind = {"", "v1", "Pod"},
                     const Release* release = nullptr) {
  const Object configuration = Object::parse(std::string("{\"metadata\":{\"name\":\"p\"},") + fields + "}");
  return configuration_type_error(kind, configuration, release).value_or("none");
}

std::string text_expected(const std::string& field, const std::string& value) {
  return field + ": expected string, got &value.valueUnstructured{Value:" + value + "}";
}

const std::string elements = ": element 0: associative list with keys ";

}  // namespace

BOOST_AUTO_TEST_CASE(what_has_the_types_of_its_kind_can_be_applied) {
  for (const char* fields :
       {R"("apiVersion":"v1","kind":"Pod")", R"("spec":null)", R"("spec":{"containers":[{"name":"a","image":"x"}]})",
        R"("spec":{"nodeName":null,"priority":1.5,"tolerations":[{"key":"a"},{"key":"a"}]})",
        R"("spec":{"containers":[{"name":"a","ports":[{"containerPort":80},{"containerPort":80,"protocol":"UDP"}]}]})",
        R"("spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":1,"memory":"1Gi"}}}]})",
        R"("spec":{"containers":[{"name":"a","livenessProbe":{"httpGet":{"port":"http"}}}]})",
        R"("spec":{"volumes":[{"name":"v","ephemeral":{"volumeClaimTemplate":{"metadata":{}}}}]})",
        R"("spec":{"nodeSelector":{"a":null}},"status":{"startTime":"x","podIPs":[{}]})"}) {
    BOOST_TEST(error_of(fields) == "none", fields);
  }
  BOOST_TEST(error_of(R"("webhooks":[{"name":"a"}])",
                      {"admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration"}) == "none");
}

BOOST_AUTO_TEST_CASE(values_of_another_type_are_told) {
  BOOST_TEST(error_of(R"("spec":3)") == ".spec: expected map, got &{3}");
  BOOST_TEST(error_of(R"("spec":{"containers":"x"})") == ".spec.containers: expected list, got &{x}");
  BOOST_TEST(error_of(R"("spec":{"containers":{"a":1}})") == ".spec.containers: expected list, got &{map[a:1]}");
  BOOST_TEST(error_of(R"("spec":{"tolerations":[3]})") == ".spec.tolerations[0]: expected map, got &{3}");
  BOOST_TEST(error_of(R"("spec":{"nodeName":1})") == text_expected(".spec.nodeName", "1"));
  BOOST_TEST(error_of(R"("spec":{"nodeName":["y"]})") == text_expected(".spec.nodeName", "[]interface {}{\"y\"}"));
  BOOST_TEST(error_of(R"("spec":{"nodeSelector":{"a":{"b":[1,null,true,1.5]}}})") ==
             text_expected(".spec.nodeSelector.a",
                           "map[string]interface {}{\"b\":[]interface {}{1, interface {}(nil), true, 1.5}}"));
  BOOST_TEST(error_of(R"("spec":{"hostPID":"true"})") == ".spec.hostPID: expected boolean, got &{true}");
  BOOST_TEST(error_of(R"("spec":{"hostPID":{"b":{"c":null}}})") ==
             ".spec.hostPID: expected boolean, got &{map[b:map[c:<nil>]]}");
  BOOST_TEST(error_of(R"("spec":{"priority":"1"})") == ".spec.priority: expected numeric (int or float), got string");
  BOOST_TEST(error_of(R"("spec":{"priority":{}})") ==
             ".spec.priority: expected numeric (int or float), got map[string]interface {}");
  BOOST_TEST(error_of(R"("spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":[]}}]})") ==
             ".spec.volumes[name=\"v\"].emptyDir.sizeLimit: expected any scalar, got &{[]}");
}

BOOST_AUTO_TEST_CASE(quantities_and_times_are_left_to_the_conversion_before_1_29) {
  const auto error_at = [](const char* version) {
    const RuleSet rules = test::rules_of(version, {});
    return error_of(R"("spec":{"overhead":{"cpu":[]}})", {"", "v1", "Pod"}, &rules.release());
  };
  BOOST_TEST(error_at("1.28.0") == "none");
  BOOST_TEST(error_at("1.29.0") == ".spec.overhead.cpu: expected any scalar, got &{[]}");
}

BOOST_AUTO_TEST_CASE(a_field_that_a_kind_does_not_have_ends_the_look_at_its_object) {
  BOOST_TEST(error_of(R"("foo":1)") == ".foo: field not declared in schema");
  BOOST_TEST(error_of(R"("spec":{"apiVersion":"v1"})") == ".spec.apiVersion: field not declared in schema");
  BOOST_TEST(error_of(R"("spec":{"a":1,"b":2,"hostPID":3})") == ".spec.a: field not declared in schema");
}

BOOST_AUTO_TEST_CASE(items_of_a_list_with_keys_are_told_apart_by_them) {
  const std::string of_containers = ".spec.containers" + elements;
  BOOST_TEST(error_of(R"("spec":{"containers":["x"]})") == of_containers + "may not have non-map elements");
  BOOST_TEST(error_of(R"("spec":{"containers":[[]]})") == of_containers + "may not have non-map elements");
  BOOST_TEST(error_of(R"("spec":{"containers":[null,{"x":1}]})") == of_containers + "may not have a null element");
  BOOST_TEST(error_of(R"("spec":{"containers":[{"name":"a\"é"},{"name":"a\"é"}]})") ==
             ".spec.containers: duplicate entries for key [name=\"a\\\"é\"]");
  BOOST_TEST(error_of(R"("spec":{"containers":[{"name":"a","ports":[{"containerPort":80},
                                                                   {"containerPort":80,"protocol":"TCP"}]}]})") ==
             ".spec.containers[name=\"a\"].ports: duplicate entries for key [containerPort=80,protocol=\"TCP\"]");
  BOOST_TEST(error_of(R"("spec":{"hostAliases":[{"hostnames":["b"]},{}]})") ==
             ".spec.hostAliases: duplicate entries for key [ip=\"\"]");
  BOOST_TEST(
      error_of(R"("secrets":[{},{}])", {"", "v1", "ServiceAccount"}) ==
      ".secrets" + elements +
          "has an element that omits all key fields [\"name\"] (and doesn't have default values for any key fields)");
  BOOST_TEST(error_of(R"("endpoints":[{"addresses":["a"]}],"ports":[{},{}])",
                      {"discovery.k8s.io", "v1", "EndpointSlice"}) == "none");
}

BOOST_AUTO_TEST_CASE(values_of_a_set_are_told_apart_by_themselves) {
  const auto finalizers = [](const char* list) {
    return configuration_type_error({"", "v1", "Pod"},
                                    Object::parse(std::string(R"({"metadata":{"finalizers":)") + list + "}}"))
        .value_or("none");
  };
  BOOST_TEST(finalizers(R"(["a","b"])") == "none");
  BOOST_TEST(finalizers("[1]") == text_expected(".metadata.finalizers[=1]", "1"));
  BOOST_TEST(finalizers("[{}]") ==
             ".metadata.finalizers: element 0: associative list without keys has an element that's a map type");
  BOOST_TEST(finalizers(R"(["a","a",null])") ==
             "errors:\n  .metadata.finalizers: duplicate entries for key [=\"a\"]\n  .metadata.finalizers: element 2: "
             "associative list without keys has an element that's an explicit null");
}

BOOST_AUTO_TEST_CASE(of_a_kind_without_a_table_the_metadata_is_looked_at) {
  const GroupVersionKind kind{"example.com", "v1", "Thing"};
  BOOST_TEST(configuration_type_error(kind, Object::parse(R"({"metadata":3,"spec":3})")).value_or("none") ==
             ".metadata: expected map, got &{3}");
  BOOST_TEST(!configuration_type_error(kind, Object::parse(R"({"spec":3})")));
}

BOOST_AUTO_TEST_CASE(what_is_told_does_not_grow_with_the_square_of_a_configuration) {
  Object port = {{"name", 1}};
  Object container = {{"name", std::string(100'000, 'x')}, {"ports", Object::array()}};
  for (int i = 0; i < 2000; ++i) {
    port["containerPort"] = i;
    container["ports"].push_back(port);
  }
  const auto why = configuration_type_error({"", "v1", "Pod"}, {{"spec", {{"containers", {container}}}}});
  BOOST_REQUIRE(why.has_value());
  BOOST_TEST(why->size() < 2'000'000U);
}

BOOST_AUTO_TEST_SUITE_END()
