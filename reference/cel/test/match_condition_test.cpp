#include "reference/cel/match_condition.h"

#include <boost/test/unit_test.hpp>

#include "reference/release/catalogue.h"

namespace nodebound::cel {

namespace {

Release release_of(const char* version) {
  const Catalogue& catalogue = Catalogue::built_in();
  return *Release::make(catalogue, *Version::parse(version), {});
}

SubjectAccessReviewSpec node_reads_secret() {
  SubjectAccessReviewSpec out;
  out.user = "system:node:a";
  out.groups = {"system:nodes", "system:authenticated"};
  out.extra = {{"authentication.kubernetes.io/credential-id", {"X509SHA256=1"}}};
  out.resource_attributes.emplace();
  out.resource_attributes->verb = "get";
  out.resource_attributes->resource = "secrets";
  out.resource_attributes->namespace_ = "shop";
  return out;
}

std::string refusal(const std::string& expression, const char* version = "1.36.3") {
  const auto condition = MatchCondition::compile(expression, release_of(version));
  return condition ? "" : condition.error().what;
}

std::string answer(const std::string& expression, const SubjectAccessReviewSpec& request = node_reads_secret()) {
  const auto condition = MatchCondition::compile(expression, release_of("1.36.3"));
  if (!condition) return condition.error().what;
  const Match match = condition->evaluate(request);
  if (match.answer == Match::Answer::error) return match.error;
  return match.answer == Match::Answer::yes ? "yes" : "no";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cel_match_condition)

// What cel-go answers was tried with k8s.io/apiserver v0.36.3.
BOOST_AUTO_TEST_CASE(asks_about_the_request) {
  BOOST_TEST(answer("has(request.resourceAttributes)") == "yes");
  BOOST_TEST(answer("has(request.nonResourceAttributes)") == "no");
  BOOST_TEST(answer("'system:nodes' in request.groups") == "yes");
  BOOST_TEST(answer("!('system:nodes' in request.groups)") == "no");
  BOOST_TEST(answer("request.resourceAttributes.verb in ['get', 'list']") == "yes");
  BOOST_TEST(answer("request.user.startsWith('system:node:') && request.resourceAttributes.namespace == 'shop'") ==
             "yes");
  BOOST_TEST(answer("request.groups.exists(g, g.endsWith(':masters'))") == "no");
  BOOST_TEST(answer("request.groups.all(g, g.startsWith('system:'))") == "yes");
  BOOST_TEST(answer("request.groups.exists_one(g, g == 'system:nodes')") == "yes");
  BOOST_TEST(answer("request.groups.map(g, g.size()) == [12, 20]") == "yes");
  BOOST_TEST(answer("request.groups.filter(g, g.contains('auth')).size() == 1") == "yes");
  BOOST_TEST(answer("request.extra['authentication.kubernetes.io/credential-id'][0].matches('^X509SHA256=[0-9]$')") ==
             "yes");
  BOOST_TEST(answer("request.?nonResourceAttributes.path.orValue('/') == '/'") == "yes");
  BOOST_TEST(answer("request.uid == ''") == "yes");
}

BOOST_AUTO_TEST_CASE(errors_are_answers) {
  BOOST_TEST(answer("request.nonResourceAttributes.path == '/'") == "no such key: nonResourceAttributes");
  BOOST_TEST(answer("request.groups[7] == ''") == "index out of bounds: 7");
  BOOST_TEST(answer("1 / (size(request.uid)) == 1") == "division by zero");
  // A side that decides absorbs the other's error.
  BOOST_TEST(answer("request.nonResourceAttributes.path == '/' || true") == "yes");
  BOOST_TEST(answer("request.nonResourceAttributes.path == '/' && false") == "no");
}

BOOST_AUTO_TEST_CASE(refuses_in_the_words_of_cel_go) {
  BOOST_TEST(refusal("request.usr == 'a'") ==
             "compilation failed: ERROR: <input>:1:8: undefined field 'usr'\n | request.usr == 'a'\n | .......^");
  BOOST_TEST(refusal("reqest.user == 'a'") ==
             "compilation failed: ERROR: <input>:1:1: undeclared reference to 'reqest' (in container '')\n"
             " | reqest.user == 'a'\n | ^");
  BOOST_TEST(
      refusal("request.user == 1") ==
      "compilation failed: ERROR: <input>:1:14: found no matching overload for '_==_' applied to '(string, int)'\n"
      " | request.user == 1\n | .............^");
  BOOST_TEST(refusal("request.user") == "must evaluate to bool but got string");
  BOOST_TEST(refusal("request.user.matches('[')") ==
             "compilation failed: ERROR: <input>:1:22: invalid matches argument\n"
             " | request.user.matches('[')\n | .....................^");
  BOOST_TEST(refusal("int('x') == 1") == "program instantiation failed: type conversion error from 'string' to 'int'");
}

BOOST_AUTO_TEST_CASE(a_macro_needs_what_it_is_called_on) {
  BOOST_TEST(
      refusal(".all(a, true)")
          .starts_with("compilation failed: ERROR: <input>:1:5: undeclared reference to '.all' (in container '')\n"));
  for (const std::string name : {"all", "exists", "exists_one", "map", "filter", "optMap", "optFlatMap"}) {
    BOOST_TEST(refusal("." + name + "(a, true)").find("undeclared reference to '." + name + "'") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(knows_what_a_release_has) {
  BOOST_TEST(
      refusal("has(request.resourceAttributes.fieldSelector)", "1.30.0").find("undefined field 'fieldSelector'") !=
      std::string::npos);
  BOOST_TEST(refusal("has(request.resourceAttributes.fieldSelector)", "1.36.3") == "");
  BOOST_TEST(refusal("request.groups.all(i, g, g != '')", "1.31.0") != "");
  BOOST_TEST(refusal("request.groups.all(i, g, g != '')", "1.32.0") == "");
}

BOOST_AUTO_TEST_CASE(shows_selectors_only_to_who_asks) {
  SubjectAccessReviewSpec request = node_reads_secret();
  request.resource_attributes->field_selector = SelectorAttributes{"", {{"metadata.name", "In", {"a"}}}};
  const std::string one =
      "request.resourceAttributes.fieldSelector.requirements.exists(r, r.key == 'metadata.name' && "
      "r.operator == 'In' && r.values == ['a'])";
  BOOST_TEST(answer(one, request) == "yes");
  request.resource_attributes->field_selector->raw_selector = "metadata.name=a";
  BOOST_TEST(answer(one, request) == "no such key: requirements");
}

BOOST_AUTO_TEST_CASE(all_of_an_authorizer) {
  const Release release = release_of("1.36.3");
  const MatchCondition yes = *MatchCondition::compile("true", release);
  const MatchCondition no = *MatchCondition::compile("request.user == ''", release);
  const MatchCondition error = *MatchCondition::compile("has(request.nonResourceAttributes.path)", release);
  const SubjectAccessReviewSpec request = node_reads_secret();
  BOOST_CHECK(evaluate_all(std::vector{yes, yes}, request).answer == Match::Answer::yes);
  BOOST_CHECK(evaluate_all(std::vector{error, no}, request).answer == Match::Answer::no);
  const Match match = evaluate_all(std::vector{yes, error}, request);
  BOOST_CHECK(match.answer == Match::Answer::error);
  BOOST_TEST(match.error ==
             "cel evaluation error: expression 'has(request.nonResourceAttributes.path)' resulted in error: "
             "no such key: nonResourceAttributes");
}

BOOST_AUTO_TEST_CASE(costs_are_limited) {
  const std::string ten = "[0,1,2,3,4,5,6,7,8,9]";
  std::string expression = "true";
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    std::string nested = ten;
    nested.append(".all(").append(name).append(", ").append(expression).append(")");
    expression = std::move(nested);
  }
  BOOST_TEST(answer(expression) == "operation cancelled: actual cost limit exceeded");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace nodebound::cel
