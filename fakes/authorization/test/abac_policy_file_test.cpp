#include "fakes/authorization/abac_policy_file.h"

#include <boost/test/unit_test.hpp>

#include "reference/test/support.h"

using namespace nodebound;
using namespace nodebound::authorization;

// What is accepted or refused, and the words, are those of kube-apiserver 1.36.3.
BOOST_AUTO_TEST_SUITE(abac_policy_file)

namespace {

const std::string v1beta1 = R"({"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":)";
const std::string no_type_meta =
    R"( into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" })";

AbacPolicyFile read(const std::string& text) {
  auto out = read_abac_policy_file(text, "policy.jsonl");
  BOOST_REQUIRE_MESSAGE(out, text + ": " + (out ? "" : out.error().what));
  return std::move(*out);
}

bool allows(const std::string& line, const Subject& subject, const Attributes& attributes) {
  static const RuleSet rules = test::rules_of("1.36.3");
  return read(line).policies->allowing(rules, subject, attributes) != nullptr;
}

Subject user(const std::string& name, const std::string& group = "system:authenticated") {
  return {name, {group}, "", {}};
}

Attributes get_pods() {
  return attributes_of("GET", "/api/v1/namespaces/shop/pods/web");
}

}  // namespace

BOOST_AUTO_TEST_CASE(mistakes_are_told_in_kube_apiservers_words) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"hello world", "couldn't get version/kind; json parse error: json: cannot unmarshal string" + no_type_meta},
      {R"({"user":"a")", "couldn't get version/kind; json parse error: unexpected end of JSON input"},
      {R"({"user":5})", "json: cannot unmarshal number into Go struct field Policy.user of type string"},
      {R"({"user":["a"],"group":{}})", "json: cannot unmarshal array into Go struct field Policy.user of type string"},
      {v1beta1 + R"({"readonly":"yes"}})",
       "json: cannot unmarshal string into Go struct field PolicySpec.spec.readonly of type bool"},
      {v1beta1 + "[]}", "json: cannot unmarshal array into Go struct field Policy.spec of type v1beta1.PolicySpec"},
      {R"({"apiVersion":"abac.authorization.kubernetes.io/v9","kind":"Policy","spec":{"user":"a"}})",
       R"(no kind "Policy" is registered for version "abac.authorization.kubernetes.io/v9" in scheme "pkg/runtime/scheme.go:111")"},
      {R"({"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Rule"})",
       R"(no kind "Rule" is registered for version "abac.authorization.kubernetes.io/v1beta1" in scheme "pkg/runtime/scheme.go:111")"},
      {R"({"apiVersion":"abac.authorization.kubernetes.io/v1beta1","spec":{"user":"a"}})",
       "converting (v1beta1.Policy) to (v0.Policy): unknown conversion"},
      {R"({"kind":"Foo","user":"a"})",
       R"(no kind "Foo" is registered for version "abac.authorization.kubernetes.io/v0" in scheme "pkg/runtime/scheme.go:111")"},
      {R"({"apiVersion":"v1","kind":"Pod"})",
       R"(no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111")"},
      {R"({"apiVersion":5,"kind":"Policy"})",
       "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion of "
       "type string"},
      {R"({"apiVersion":"a/b/c","kind":"Policy"})", "unexpected GroupVersion string: a/b/c"},
      {"{apiVersion: abac.authorization.kubernetes.io/v1beta1, kind: Policy, spec: {user: a}}",
       "couldn't get version/kind; json parse error: invalid character 'a' looking for beginning of object key string"},
      {R"([{"user":"a"}])", "couldn't get version/kind; json parse error: json: cannot unmarshal array" + no_type_meta},
      {"5", "couldn't get version/kind; json parse error: json: cannot unmarshal number" + no_type_meta},
      {R"({"user":"a"} {"user":"b"})",
       "couldn't get version/kind; json parse error: invalid character '{' after top-level value"},
      {"a: [b", "yaml: line 1: did not find expected ',' or ']'"},
  };
  for (const auto& [line, words] : mistakes) {
    const auto out = read_abac_policy_file("# a comment\n\n" + line + "\n", "policy.jsonl");
    BOOST_REQUIRE_MESSAGE(!out, line);
    BOOST_TEST(out.error().where == "policy.jsonl:3");
    BOOST_TEST(out.error().what == "error reading policy file policy.jsonl, line 3: " + line + ": " + words);
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_kind_is_told_as_the_release_does) {
  const auto told_at = [](const char* version) {
    const RuleSet rules = test::rules_of(version, {});
    return read_abac_policy_file(R"({"apiVersion":"v1","kind":"Pod"})", "p", &rules.release()).error().what;
  };
  BOOST_TEST(told_at("1.28.0").ends_with("in scheme \"pkg/runtime/scheme.go:100\""));
  BOOST_TEST(told_at("1.33.0").ends_with("in scheme \"pkg/runtime/scheme.go:110\""));
}

BOOST_AUTO_TEST_CASE(a_line_of_64_KiB_is_too_long) {
  const auto out = read_abac_policy_file(R"({"user":")" + std::string(65536, 'a') + "\"}", "policy.jsonl");
  BOOST_REQUIRE(!out);
  BOOST_TEST(out.error().what == "error reading policy file policy.jsonl: bufio.Scanner: token too long");
}

BOOST_AUTO_TEST_CASE(what_kube_apiserver_starts_with_is_read) {
  for (const std::string& line :
       {std::string(), std::string("   # a comment"), std::string("null"), std::string("user: a"),
        std::string(R"({"kind":"Policy","user":"a"})"), std::string(R"({"user":"a","verb":"get"})"),
        std::string(R"({"User":"a","readOnly":5})"), v1beta1.substr(0, v1beta1.size() - 8) + "}",
        v1beta1 + R"({"user":null,"readonly":null}})", std::string("{\"user\":\"\xff\"}"),
        std::string("{\"user\":\"a\"}\r")}) {
    read(line + "\n");
  }
  BOOST_TEST(read("{\"user\":\"a\"}\n" + v1beta1 + "{}}\nuser: b").unversioned == (std::vector<std::size_t>{1, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_unversioned_policy_holds_for_what_it_leaves_out) {
  const Attributes path = attributes_of("GET", "/version");
  BOOST_TEST(allows(R"({"user":"a"})", user("a"), get_pods()));
  BOOST_TEST(allows(R"({"user":"a"})", user("a"), path));
  BOOST_TEST(!allows(R"({"user":"a"})", user("b"), get_pods()));
  BOOST_TEST(allows("{}", user("b"), get_pods()));
  BOOST_TEST(!allows("{}", user("system:anonymous", "system:unauthenticated"), get_pods()));
  BOOST_TEST(allows(R"({"user":"*"})", user("b"), get_pods()));
  BOOST_TEST(!allows(R"({"user":"a","namespace":"other"})", user("a"), get_pods()));
  BOOST_TEST(!allows(R"({"user":"a","resource":"pods"})", user("a"), path));
  BOOST_TEST(allows(R"({"user":"a","resource":"pods","readonly":true})", user("a"), get_pods()));
}

BOOST_AUTO_TEST_CASE(a_versioned_policy_holds_for_nothing_that_it_leaves_out) {
  BOOST_TEST(!allows(v1beta1 + R"({"user":"a"}})", user("a"), get_pods()));
  BOOST_TEST(!allows(v1beta1 + R"({"user":"a","resource":"pods","namespace":"*"}})", user("a"),
                     attributes_of("GET", "/apis/apps/v1/namespaces/shop/pods")));
  BOOST_TEST(allows(v1beta1 + R"({"user":"a","resource":"pods","namespace":"*"}})", user("a"), get_pods()));
  BOOST_TEST(!allows(v1beta1 + R"({"resource":"*","namespace":"*","apiGroup":"*"}})", user("a"), get_pods()));
  BOOST_TEST(
      allows(v1beta1 + R"({"group":"*","resource":"*","namespace":"*","apiGroup":"*"}})", user("a"), get_pods()));
  BOOST_TEST(!allows(v1beta1 + R"({"group":"*","resource":"*","namespace":"*","apiGroup":"*"}})",
                     user("system:anonymous", "system:unauthenticated"), get_pods()));
}

BOOST_AUTO_TEST_SUITE_END()
