#include <array>
#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/apiserver/read/field_selector.h"
#include "reference/cluster/label_selector.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(selectors)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

const Object labelled = {{"metadata", {{"labels", {{"x", "a"}, {"n", "5"}}}}}};

// Whether the selector selects the labels above, or its error.
std::string selected(const std::string& selector) {
  const Result<LabelSelector> parsed = LabelSelector::parse(selector);
  if (!parsed) return parsed.error().what;
  return parsed->matches(labelled) ? "yes" : "no";
}

std::string by_fields(const char* group, const char* resource, const std::string& selector, const Object& object) {
  static const ApiResources resources(nodebound::test::rules_of("1.36.3").release());
  const Result<FieldSelector> parsed = FieldSelector::parse(*resources.find(group, "v1", resource), selector);
  if (!parsed) return parsed.error().what;
  return parsed->matches(object) ? "yes" : "no";
}

}  // namespace

BOOST_AUTO_TEST_CASE(labels_are_selected) {
  for (const char* selector : {"", "x", "x=a", "x==a", "x!=b", "x in (a,b)", "x notin (b)", "!y", "y!=a", "n>4", "n<6",
                               "x=a,n=5", "y notin (a)", " x = a , n "}) {
    BOOST_TEST(selected(selector) == "yes", selector);
  }
  for (const char* selector :
       {"x=b", "!x", "y", "x in (b)", "x notin (a,b)", "n>5", "x=a,y", "x in ()", "x>1", "in=a"}) {
    BOOST_TEST(selected(selector) == "no", selector);
  }
}

// Texts of kube-apiserver 1.36.3.
BOOST_AUTO_TEST_CASE(what_is_no_label_selector_is_said_as_upstream) {
  const std::array<std::pair<std::string, const char*>, 14> cases = {
      {{"x in (a", "unable to parse requirement: found '', expected: ',' or ')'"},
       {"=a", "found '=', expected: !, identifier, or 'end of string'"},
       {"x=a,", "found '', expected: identifier after ','"},
       {"x=a,,", "found ',', expected: identifier after ','"},
       {"a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
       {"x in a", "unable to parse requirement: found 'a' expected: '('"},
       {"!x=a", "found '=', expected: ',' or 'end of string'"},
       {"x!", "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"},
       {"x===a", "unable to parse requirement: found '=', expected: identifier"},
       {"x<a",
        "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an "
        "integer"},
       {"x=-a",
        "unable to parse requirement: values[0][x]: Invalid value: \"-a\": a valid label must be an empty string or "
        "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
        "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
        "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"},
       {"Foo_/x=y",
        R"(unable to parse requirement: <nil>: Invalid value: "Foo_/x": prefix part a lowercase RFC 1123 subdomain )"
        R"(must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an )"
        R"(alphanumeric character (e.g. 'example.com', regex used for validation is )"
        R"('[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))"},
       {std::string(64, 'x') + "_=y",
        "unable to parse requirement: <nil>: Invalid value: "
        "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxx_\": name part must be no more than 63 bytes; name part must consist of alphanumeric characters, "
        "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
        "'123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"},
       {"-x",
        "unable to parse requirement: <nil>: Invalid value: \"-x\": name part must consist of alphanumeric characters, "
        "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
        "'123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"}}};
  for (const auto& [selector, what] : cases) BOOST_TEST(selected(selector) == what);
}

BOOST_AUTO_TEST_CASE(fields_are_selected_as_far_as_the_resource_has_declared_them) {
  const Object pod = {{"metadata", {{"name", "p"}}}, {"spec", {{"nodeName", "n"}}}};
  BOOST_TEST(by_fields("", "pods", "spec.nodeName=n,metadata.name!=q", pod) == "yes");
  BOOST_TEST(by_fields("", "pods", "spec.host=n,spec.hostNetwork=false", pod) == "yes");
  BOOST_TEST(by_fields("", "pods", "status.phase=Running", pod) == "no");
  BOOST_TEST(by_fields("", "pods", "spec.x=1", pod) == "field label not supported: spec.x");
  BOOST_TEST(by_fields("", "configmaps", "foo=a", pod) ==
             R"("foo" is not a known field selector: only "metadata.name", "metadata.namespace")");
  BOOST_TEST(by_fields("", "services", "foo=a", pod) == "field label not supported: foo");
  BOOST_TEST(by_fields("batch", "jobs", "foo=a", pod) == R"(field label "foo" not supported for Job)");
  BOOST_TEST(by_fields("resource.k8s.io", "resourceslices", "foo=a", pod) ==
             "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: foo");
  BOOST_TEST(by_fields("", "pods", "metadata.name", pod) ==
             "invalid selector: 'metadata.name'; can't understand 'metadata.name'");
  BOOST_TEST(by_fields("", "pods", "metadata.name=\\x", pod) == "invalid field selector: invalid escape sequence: \\x");
}

BOOST_AUTO_TEST_SUITE_END()
