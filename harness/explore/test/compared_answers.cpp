#include "harness/explore/compared_answers.h"

#include <boost/test/unit_test.hpp>

#include "harness/explore/normal_forms.h"
#include "harness/explore/random_comparison.h"

using namespace nodebound;
using namespace nodebound::explore;

namespace {

Said said(int status, const Object& body) {
  return Said::by(DrawnRequest(), HttpResponse{status, "application/json", body.dump(), {}});
}

Said review_with(const std::string& reason) {
  return said(201, {{"kind", "SelfSubjectAccessReview"}, {"status", {{"allowed", true}, {"reason", reason}}}});
}

Said refused_with(const std::string& message) {
  return said(422, {{"kind", "Status"}, {"message", message}});
}

const std::string change_of_pod =
    "Pod \"x\" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`";

}  // namespace

BOOST_AUTO_TEST_SUITE(compared_answers)

BOOST_AUTO_TEST_CASE(any_of_several_bindings_may_be_named) {
  const Said a = review_with(R"(RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "a" to Group "g")");
  const Said b = review_with(R"(RBAC: allowed by RoleBinding "b/x" of Role "b" to User "u")");
  BOOST_TEST((agreement(a, b) == Agreement::same));
  BOOST_TEST((agreement(a, review_with("")) == Agreement::other_message));
}

BOOST_AUTO_TEST_CASE(the_diff_after_a_refused_change_of_a_pod_is_not_compared) {
  const Said a = refused_with(change_of_pod + "\n@@ -1 +1 @@");
  BOOST_TEST((agreement(a, refused_with(change_of_pod)) == Agreement::same));
  BOOST_TEST((agreement(a, refused_with("Pod \"x\" is invalid\n@@")) == Agreement::other_message));
}

BOOST_AUTO_TEST_CASE(a_diff_ends_with_the_list_of_errors) {
  const std::string volume =
      "spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation";
  const Said a = refused_with("PersistentVolume \"x\" is invalid: [spec.x: Required value, " + volume + "]");
  const Said b = refused_with("PersistentVolume \"x\" is invalid: [spec.x: Required value, " + volume + "\n  @@\n]");
  BOOST_TEST((agreement(a, b) == Agreement::same));
}

BOOST_AUTO_TEST_CASE(reasons_and_details_are_compared) {
  const auto refused = [](const char* reason, const std::string& cause) {
    return said(422, {{"kind", "Status"},
                      {"message", "m"},
                      {"reason", reason},
                      {"details", {{"causes", {{{"field", "spec"}, {"message", cause}}}}}}});
  };
  const Said a = refused("Invalid", "Invalid value: 1");
  BOOST_TEST((agreement(a, refused("Invalid", "Invalid value: 1")) == Agreement::same));
  BOOST_TEST((agreement(a, refused("Invalid", "Invalid value: 2")) == Agreement::other_object));
  BOOST_TEST((agreement(a, refused("Conflict", "Invalid value: 1")) == Agreement::other_object));
  const std::string update = "Forbidden: pod updates may not change fields other than `x`";
  BOOST_TEST(
      (agreement(refused("Invalid", update + "\n@@ -1 +1 @@\n"), refused("Invalid", update)) == Agreement::same));
}

BOOST_AUTO_TEST_CASE(warnings_count_for_less_than_what_is_answered) {
  const auto warned = [](std::vector<std::string> warnings, int status = 200) {
    HttpResponse response{status, "application/json", "{}", {}};
    response.warnings = std::move(warnings);
    return Said::by(DrawnRequest(), response);
  };
  BOOST_TEST((agreement(warned({"a"}), warned({"a"})) == Agreement::same));
  BOOST_TEST((agreement(warned({"a"}), warned({"b"})) == Agreement::other_warnings));
  BOOST_TEST((agreement(warned({"a"}), warned({"b"}, 201)) == Agreement::other_status));
  RandomComparison comparison;
  BOOST_TEST(!comparison.differs_in(Agreement::other_warnings));
  comparison.differences.push_back({1, Agreement::other_warnings, {}, warned({"a"}), warned({"b"})});
  BOOST_TEST(comparison.differs_in(Agreement::other_warnings));
  BOOST_TEST(!comparison.differs_in(Agreement::other_object));
  BOOST_TEST(to_terminal(comparison, 0).find("\n      warns b\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(errors_of_rbac_come_in_any_order) {
  const auto told = [](const char* errors) { return review_with(std::string("RBAC: [") + errors + "]"); };
  BOOST_TEST((agreement(told("a, b"), told("b, a")) == Agreement::same));
  BOOST_TEST((agreement(told("a, b"), told("a, c")) == Agreement::other_message));
}

BOOST_AUTO_TEST_CASE(a_wrong_table_of_normal_forms_is_told) {
  const auto wrong = [](const std::string& entry) {
    const auto parsed = NormalForms::parse("[[normal]]\nname = \"x\"\nreason = \"y\"\n" + entry);
    return parsed ? std::string() : parsed.error().text();
  };
  BOOST_TEST(wrong("form = 'a'").empty());
  BOOST_TEST(wrong("form = '('").starts_with("harness/explore/normal.toml:1:1: the form of \"x\" is wrong: "));
  BOOST_TEST(wrong("form = 'a'\nby = '\\1'").find("is wrong") != std::string::npos);
  BOOST_TEST(wrong("form = 'a'\nsorted = \", \"").find("must have one group") != std::string::npos);
  BOOST_TEST(wrong("form = 'a'\nother = 1").find("other") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(addresses_are_not_compared) {
  const Said a = refused_with("spec: Invalid value: X{Name:(*string)(0xc000000000)}");
  BOOST_TEST((agreement(a, refused_with("spec: Invalid value: X{Name:(*string)(0xf78f3ec0950)}")) == Agreement::same));
  BOOST_TEST((agreement(a, refused_with("spec: Invalid value: X{Name:(*string)(nil)}")) == Agreement::other_message));
}

const std::string two_maps = R"({"type":"ADDED","object":{"kind":"ConfigMap","metadata":{"name":"a","uid":"1"}}})"
                             "\n"
                             R"({"type":"ADDED","object":{"kind":"ConfigMap","metadata":{"name":"b","uid":"2"}}})"
                             "\n";

BOOST_AUTO_TEST_CASE(what_a_watch_begins_with_is_compared) {
  DrawnRequest watch;
  watch.method = "GET";
  watch.target = "/api/v1/namespaces/shop/configmaps?watch=true&timeoutSeconds=1";
  const auto heard = [&](const std::string& body) {
    return Said::by(watch, HttpResponse{200, "application/json", body, {}});
  };
  BOOST_TEST(heard(two_maps).items.size() == 2U);
  BOOST_TEST((agreement(heard(two_maps), heard(two_maps.substr(0, two_maps.find('\n')))) == Agreement::other_object));
  const std::string error = R"({"type":"ERROR","object":{"kind":"Status","message":"too old"}})";
  BOOST_TEST(heard(error).message == "too old");
}

BOOST_AUTO_TEST_CASE(rows_of_tables_are_compared_without_their_age) {
  const auto table = [](const char* data, const char* age) {
    const Object columns = {{{"name", "Data"}}, {{"name", "Age"}}};
    const Object row = {{"cells", {data, age}}, {"object", {{"metadata", {{"name", "a"}}}}}};
    return said(200, {{"kind", "Table"}, {"columnDefinitions", columns}, {"rows", {row}}});
  };
  BOOST_TEST((agreement(table("1", "3s"), table("1", "4s")) == Agreement::same));
  BOOST_TEST((agreement(table("1", "3s"), table("2", "3s")) == Agreement::other_object));
}

BOOST_AUTO_TEST_SUITE_END()
