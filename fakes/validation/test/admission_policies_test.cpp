#include <boost/test/unit_test.hpp>

#include "fakes/validation/kinds.h"
#include "fakes/validation/test/told.h"

BOOST_AUTO_TEST_SUITE(validation_of_admission_policies)

// The texts are those of kube-apiservers 1.31.4 and 1.36.3.

using namespace nodebound;
using namespace nodebound::validation;
using nodebound::test::rules_of;
using nodebound::test::told;

namespace {

std::string told_of_policy(const char* spec, const char* version) {
  const Object policy = {{"metadata", {{"name", "p"}}}, {"spec", Object::parse(spec)}};
  return told(wrong_admission_policy(policy, rules_of(version).release()), version);
}

std::string told_of_binding(const char* spec, const char* version) {
  const Object binding = {{"metadata", {{"name", "b"}}}, {"spec", Object::parse(spec)}};
  return told(wrong_admission_policy_binding(binding, rules_of(version).release()), version);
}

std::string matching(const std::string& rest) {
  return R"({"matchConstraints":{"resourceRules":[{"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],)"
         R"("resources":["pods"]}]},"validations":[)" +
         rest + "}";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_type_of_an_expression_is_told_since_1_32) {
  const std::string spec = matching(R"({"expression":"1"}])");
  const std::string field = "spec.validations[0].expression: Invalid value: \"1\": must evaluate to bool";
  BOOST_TEST(told_of_policy(spec.c_str(), "1.31.4") == field);
  BOOST_TEST(told_of_policy(spec.c_str(), "1.36.3") == field + " but got int");
}

BOOST_AUTO_TEST_CASE(mistakes_in_messages_and_variables_began_with_the_field) {
  const std::string spec = matching(
      R"({"expression":"true","message":"a\nb"},{"expression":"true","message":" "}],
         "variables":[{"name":"if","expression":"1"}])");
  const auto expected = [](const std::string& of_variable, const std::string& of_message) {
    return R"(spec.variables[0].name: Invalid value: "if": )" + of_variable +
           R"(, spec.validations[0].message: Invalid value: "a\nb": )" + of_message +
           R"(must not contain line breaks, spec.validations[1].message: Invalid value: " ": )" + of_message +
           "must be non-empty if specified";
  };
  BOOST_TEST(told_of_policy(spec.c_str(), "1.31.4") == expected("name is not a valid CEL identifier", "message "));
  BOOST_TEST(told_of_policy(spec.c_str(), "1.36.3") == expected("must be a valid CEL identifier", ""));
}

BOOST_AUTO_TEST_CASE(a_binding_is_told_its_mistakes_in_the_words_of_the_release) {
  const char* const matches = R"({"policyName":"p","validationActions":["Deny"],"matchResources":{"matchPolicy":"X"}})";
  const std::string why = ".matchPolicy: Unsupported value: \"X\": supported values: \"Equivalent\", \"Exact\"";
  BOOST_TEST(told_of_binding(matches, "1.31.4") == "spec.matchResouces" + why);
  BOOST_TEST(told_of_binding(matches, "1.36.3") == "spec.matchResources" + why);
  const char* const both = R"({"policyName":"p","validationActions":["Deny","Warn"]})";
  const std::string field = "spec.validationActions: Invalid value: ";
  const std::string no_both =
      ": must not contain both Deny and Warn (repeating the same validation failure information in the API response "
      "and headers serves no purpose)";
  BOOST_TEST(told_of_binding(both, "1.31.4") ==
             field + R"([]admissionregistration.ValidationAction{"Deny", "Warn"})" + no_both);
  BOOST_TEST(told_of_binding(both, "1.36.3") == field + R"(["Deny","Warn"])" + no_both);
}

BOOST_AUTO_TEST_SUITE_END()
