#include "fakes/scheduler/placement.h"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(placement)

using namespace nodebound;
using namespace nodebound::scheduler;

namespace {

Object node(const Object& labels, const Object& taints = Object::array()) {
  return {{"metadata", {{"name", "a"}, {"labels", labels}}}, {"spec", {{"taints", taints}}}};
}

Object pod(const Object& spec) {
  return {{"spec", spec}};
}

Object pod_with_affinity(const char* terms) {
  return pod(
      {{"affinity",
        {{"nodeAffinity",
          {{"requiredDuringSchedulingIgnoredDuringExecution", {{"nodeSelectorTerms", Object::parse(terms)}}}}}}}});
}

const Object dedicated = Object::parse(R"([{"key":"dedicated","value":"hr","effect":"NoSchedule"}])");

}  // namespace

BOOST_AUTO_TEST_CASE(a_selector_takes_the_nodes_that_have_all_its_labels) {
  const Object wants = pod({{"nodeSelector", {{"disk", "ssd"}, {"zone", "a"}}}});
  BOOST_TEST(fits(wants, node({{"disk", "ssd"}, {"zone", "a"}, {"more", ""}})));
  BOOST_TEST(!fits(wants, node({{"disk", "ssd"}})));
  BOOST_TEST(!fits(wants, node({{"disk", "ssd"}, {"zone", "b"}})));
  BOOST_TEST(fits(pod(Object::object()), node(nullptr)));
}

BOOST_AUTO_TEST_CASE(of_terms_one_must_hold_and_of_a_term_all) {
  const Object wants = pod_with_affinity(
      R"([{"matchExpressions":[{"key":"zone","operator":"In","values":["a","b"]},{"key":"spot","operator":"DoesNotExist"}]},
          {"matchFields":[{"key":"metadata.name","operator":"In","values":["z"]}]}])");
  BOOST_TEST(fits(wants, node({{"zone", "b"}})));
  BOOST_TEST(!fits(wants, node({{"zone", "b"}, {"spot", ""}})));
  BOOST_TEST(!fits(wants, node({{"zone", "c"}})));
  BOOST_TEST(fits(pod_with_affinity(R"([{"matchFields":[{"key":"metadata.name","operator":"In","values":["a"]}]}])"),
                  node(nullptr)));
  BOOST_TEST(!fits(pod_with_affinity(R"([{}])"), node(nullptr)));
  BOOST_TEST(!fits(pod_with_affinity("[]"), node(nullptr)));
}

BOOST_AUTO_TEST_CASE(numbers_are_compared_as_numbers) {
  const Object wants = pod_with_affinity(R"([{"matchExpressions":[{"key":"cores","operator":"Gt","values":["9"]}]}])");
  BOOST_TEST(fits(wants, node({{"cores", "16"}})));
  BOOST_TEST(!fits(wants, node({{"cores", "9"}})));
  BOOST_TEST(!fits(wants, node({{"cores", "many"}})));
  BOOST_TEST(!fits(wants, node(nullptr)));
}

BOOST_AUTO_TEST_CASE(a_taint_keeps_off_who_does_not_tolerate_it) {
  const auto tolerating = [](const char* toleration) {
    return pod({{"tolerations", Object::array({Object::parse(toleration)})}});
  };
  BOOST_TEST(!fits(pod(Object::object()), node(nullptr, dedicated)));
  BOOST_TEST(fits(tolerating(R"({"key":"dedicated","value":"hr"})"), node(nullptr, dedicated)));
  BOOST_TEST(
      fits(tolerating(R"({"key":"dedicated","operator":"Exists","effect":"NoSchedule"})"), node(nullptr, dedicated)));
  BOOST_TEST(fits(tolerating(R"({"operator":"Exists"})"), node(nullptr, dedicated)));
  BOOST_TEST(!fits(tolerating(R"({"key":"dedicated","value":"it"})"), node(nullptr, dedicated)));
  BOOST_TEST(!fits(tolerating(R"({"key":"dedicated","value":"hr","effect":"NoExecute"})"), node(nullptr, dedicated)));
  BOOST_TEST(!fits(tolerating(R"({"value":"hr"})"), node(nullptr, dedicated)));
}

BOOST_AUTO_TEST_CASE(a_preference_keeps_nobody_off) {
  const Object preferred = Object::parse(R"([{"key":"k","effect":"PreferNoSchedule"}])");
  BOOST_TEST(fits(pod(Object::object()), node(nullptr, preferred)));
}

BOOST_AUTO_TEST_CASE(what_keeps_a_pod_off_is_said) {
  BOOST_TEST(why_not(pod({{"nodeSelector", {{"disk", "ssd"}}}}), node({{"disk", "hdd"}})) == "has no label disk=ssd");
  BOOST_TEST(why_not(pod_with_affinity("[]"), node(nullptr)) == "is not what the required node affinity asks for");
  BOOST_TEST(why_not(pod(Object::object()), node(nullptr, dedicated)) ==
             "has the taint dedicated=hr:NoSchedule, which the pod does not tolerate");
  BOOST_TEST(why_not(pod(Object::object()), node(nullptr)) == "");
}

BOOST_AUTO_TEST_SUITE_END()
