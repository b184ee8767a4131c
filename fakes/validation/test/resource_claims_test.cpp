#include <boost/test/unit_test.hpp>

#include "fakes/validation/kinds.h"
#include "fakes/validation/test/told.h"

BOOST_AUTO_TEST_SUITE(validation_of_resource_claims)

// The texts are those of a real kube-apiserver 1.36.3.

using namespace nodebound;
using namespace nodebound::validation;
using nodebound::test::told;

namespace {

Object spec_with(const Object& requests) {
  return {{"devices", {{"requests", requests}}}};
}

const Object exact = {{"deviceClassName", "gpu"}, {"allocationMode", "ExactCount"}, {"count", 1}};
const Object one = spec_with(Object::array({{{"name", "r"}, {"exactly", exact}}}));
const Object bare = spec_with(Object::array({{{"name", "r"}}}));

}  // namespace

BOOST_AUTO_TEST_CASE(nobody_changes_the_spec_of_a_claim) {
  const Object before = {{"spec", one}};
  BOOST_TEST(told(wrong_resource_claim_change(before, before)) == "");
  BOOST_TEST(told(wrong_resource_claim_change({{"spec", bare}}, before)) ==
             R"(spec: Invalid value: {"Devices":{"Requests":[{"Name":"r","Exactly":null,"FirstAvailable":null}],)"
             R"("Constraints":null,"Config":null}}: field is immutable)");
  BOOST_TEST(told(wrong_resource_claim_change(before, {{"spec", bare}})) ==
             R"(spec: Invalid value: {"Devices":{"Requests":[{"Name":"r","Exactly":{"DeviceClassName":"gpu",)"
             R"("Selectors":null,"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":null,)"
             R"("Capacity":null},"FirstAvailable":null}],"Constraints":null,"Config":null}}: field is immutable)");
}

BOOST_AUTO_TEST_CASE(nobody_changes_the_spec_of_a_claim_template) {
  const auto holding = [](const Object& spec) { return Object{{"spec", {{"spec", spec}}}}; };
  BOOST_TEST(told(wrong_resource_claim_template_change(holding(one), holding(one))) == "");
  BOOST_TEST(told(wrong_resource_claim_template_change(holding(bare), holding(one))) ==
             R"(spec: Invalid value: {"Spec":{"Devices":{"Requests":[{"Name":"r","Exactly":null,)"
             R"("FirstAvailable":null}],"Constraints":null,"Config":null}}}: field is immutable)");
}

BOOST_AUTO_TEST_CASE(all_of_a_changed_spec_is_shown) {
  const Object selector = {{"cel", {{"expression", "true"}}}};
  const Object toleration = {{"key", "k"}, {"operator", "Exists"}};
  const Object choice = {{"name", "s"},
                         {"deviceClassName", "gpu"},
                         {"selectors", Object::array({selector})},
                         {"tolerations", Object::array({toleration})},
                         {"capacity", {{"requests", {{"memory", "1Gi"}}}}}};
  Object spec = spec_with(Object::array({{{"name", "r"}, {"firstAvailable", Object::array({choice})}}}));
  spec["devices"]["constraints"] = Object::array({{{"matchAttribute", "example.com/a"}}});
  const Object opaque = {{"driver", "d.example.com"}, {"parameters", {{"a", 1}}}};
  spec["devices"]["config"] = Object::array({{{"requests", {"r"}}, {"opaque", opaque}}});
  BOOST_TEST(told(wrong_resource_claim_change({{"spec", spec}}, {{"spec", one}})) ==
             R"(spec: Invalid value: {"Devices":{"Requests":[{"Name":"r","Exactly":null,"FirstAvailable":[{"Name":"s",)"
             R"("DeviceClassName":"gpu","Selectors":[{"CEL":{"Expression":"true"}}],"AllocationMode":"","Count":0,)"
             R"("Tolerations":[{"Key":"k","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}],)"
             R"("Capacity":{"Requests":{"memory":"1Gi"}}}]}],"Constraints":[{"Requests":null,)"
             R"("MatchAttribute":"example.com/a","DistinctAttribute":null}],"Config":[{"Requests":["r"],"Opaque":)"
             R"({"Driver":"d.example.com","Parameters":{"a":1}}}]}}: field is immutable)");
}

BOOST_AUTO_TEST_SUITE_END()
