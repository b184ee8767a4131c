#include "harness/explore/compared_answers.h"

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE_END()
