#include "reference/admission/mirror_pod.h"

#include <boost/test/unit_test.hpp>
#include <string>

#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(mirror_pod)

using namespace nodebound;
using nodebound::test::rules_of;

namespace {

const Object nothing;
const std::string admitted;
const Subject admin{"admin", {"system:masters"}, "", {}};

const Object mirror = Object::parse(R"({
  "metadata": {"name": "web-n1", "namespace": "ns", "annotations": {"kubernetes.io/config.mirror": "hash", "a": "b"}},
  "spec": {"nodeName": "n1"}})");
const Object plain =
    Object::parse(R"({"metadata": {"name": "p", "annotations": {"a": "b"}}, "spec": {"nodeName": "n1"}})");

struct World {
  explicit World(std::string_view version = "1.36.3") : rules(rules_of(version)), finder(rules) {}

  static std::string reason(const Admission& refusal) { return refusal ? refusal->reason : admitted; }
  static AdmissionRequest create(const Object& pod) {
    return {Operation::create, admin, "", "pods", "", "ns", "", pod, nothing};
  }

  std::string plugin_on_create(const Object& pod) const {
    return reason(ServiceAccountPlugin(rules, finder).admit(create(pod)));
  }
  std::string validation_on_create(const Object& pod) const { return reason(validate_mirror_pod(rules, create(pod))); }
  std::string validation_on_update(const Object& before, const Object& after, const char* subresource = "") const {
    return reason(
        validate_mirror_pod(rules, {Operation::update, admin, "", "pods", subresource, "ns", "p", after, before}));
  }

  RuleSet rules;
  ReferenceFinder finder;
};

Object with_spec(Object pod, const char* fields) {
  pod["spec"].update(Object::parse(fields));
  return pod;
}

Object with_annotation(Object pod, const Object& value) {
  pod["metadata"]["annotations"]["kubernetes.io/config.mirror"] = value;
  return pod;
}

Object without_annotation(Object pod) {
  pod["metadata"]["annotations"].erase("kubernetes.io/config.mirror");
  return pod;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(service_account_plugin, World)

BOOST_AUTO_TEST_CASE(a_mirror_pod_has_no_service_account) {
  BOOST_TEST(plugin_on_create(mirror) == admitted);
  BOOST_TEST(plugin_on_create(with_spec(mirror, R"({"serviceAccountName":"sa"})")) ==
             "a mirror pod may not reference service accounts");
  BOOST_TEST(plugin_on_create(with_spec(mirror, R"({"serviceAccountName":""})")) == admitted);
}

BOOST_AUTO_TEST_CASE(a_mirror_pod_names_no_secret) {
  for (const char* spec :
       {R"({"imagePullSecrets":[{"name":"s"}]})", R"({"volumes":[{"name":"v","secret":{"secretName":"s"}}]})",
        R"({"containers":[{"envFrom":[{"secretRef":{"name":"s"}}]}]})",
        R"({"initContainers":[{"env":[{"valueFrom":{"secretKeyRef":{"name":"s"}}}]}]})",
        R"({"volumes":[{"name":"v","projected":{"sources":[{"secret":{"name":"s"}}]}}]})",
        R"({"volumes":[{"name":"v","azureFile":{"secretName":"s"}}]})"}) {
    BOOST_TEST(plugin_on_create(with_spec(mirror, spec)) == "a mirror pod may not reference secrets", spec);
  }
  BOOST_TEST(plugin_on_create(with_spec(mirror, R"({"volumes":[{"name":"v","configMap":{"name":"c"}}]})")) == admitted);
}

BOOST_AUTO_TEST_CASE(a_mirror_pod_projects_no_token) {
  const char* spec =
      R"({"volumes":[{"name":"e","emptyDir":{}},{"name":"v","projected":{"sources":[{"downwardAPI":{}},{"serviceAccountToken":{}}]}}]})";
  BOOST_TEST(plugin_on_create(with_spec(mirror, spec)) ==
             "a mirror pod may not use ServiceAccountToken volume projections");
  BOOST_TEST(World("1.10.0").plugin_on_create(with_spec(mirror, spec)) == admitted);
}

BOOST_AUTO_TEST_CASE(the_first_mistake_is_named) {
  const char* all = R"({"serviceAccountName":"sa","imagePullSecrets":[{"name":"s"}],
                        "volumes":[{"name":"v","projected":{"sources":[{"serviceAccountToken":{}}]}}]})";
  Object pod = with_spec(mirror, all);
  BOOST_TEST(plugin_on_create(pod) == "a mirror pod may not reference service accounts");
  pod["spec"].erase("serviceAccountName");
  BOOST_TEST(plugin_on_create(pod) == "a mirror pod may not reference secrets");
}

BOOST_AUTO_TEST_CASE(it_holds_for_everyone_but_for_mirror_pods_only) {
  const Admission refusal =
      ServiceAccountPlugin(rules, finder).admit(create(with_spec(mirror, R"({"serviceAccountName":"sa"})")));
  BOOST_REQUIRE(refusal.has_value());
  BOOST_TEST(refusal->status == 403);
  BOOST_TEST(plugin_on_create(with_spec(plain, R"({"serviceAccountName":"sa","imagePullSecrets":[{"name":"s"}]})")) ==
             admitted);
  BOOST_TEST(plugin_on_create(with_spec(with_annotation(plain, ""), R"({"serviceAccountName":"sa"})")) ==
             "a mirror pod may not reference service accounts");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(validation, World)

BOOST_AUTO_TEST_CASE(a_mirror_pod_is_bound) {
  BOOST_TEST(validation_on_create(mirror) == admitted);
  const std::string key = "metadata.annotations[kubernetes.io/config.mirror]: ";
  BOOST_TEST(validation_on_create(with_spec(mirror, R"({"nodeName":""})")) ==
             key + R"(Invalid value: "hash": must set spec.nodeName if mirror pod annotation is set)");
  BOOST_TEST(validation_on_create(with_spec(with_annotation(mirror, ""), R"({"nodeName":""})")) ==
             key + R"(Invalid value: "": must set spec.nodeName if mirror pod annotation is set)");
  BOOST_TEST(validation_on_create(with_spec(plain, R"({"nodeName":""})")) == admitted);
}

BOOST_AUTO_TEST_CASE(a_mirror_pod_has_no_resource_claims) {
  const char* claims = R"({"resourceClaims":[{"name":"gpu"}]})";
  BOOST_TEST(validation_on_create(with_spec(mirror, claims)) ==
             "[]: Forbidden: static pods do not support resource claims");
  BOOST_TEST(validation_on_create(with_spec(plain, claims)) == admitted);
  BOOST_TEST(validation_on_create(with_spec(mirror, R"({"resourceClaims":[]})")) == admitted);
  BOOST_TEST(World("1.31.0").validation_on_create(with_spec(mirror, claims)) == admitted);
}

BOOST_AUTO_TEST_CASE(a_pod_is_a_mirror_pod_or_not_for_life) {
  const std::string key = "metadata.annotations[kubernetes.io/config.mirror]: Forbidden: ";
  for (const char* subresource : {"", "status"}) {
    BOOST_TEST(validation_on_update(mirror, mirror, subresource) == admitted);
    BOOST_TEST(validation_on_update(plain, plain, subresource) == admitted);
    BOOST_TEST(validation_on_update(mirror, with_annotation(mirror, "other"), subresource) ==
               key + "may not remove or update mirror pod annotation");
    BOOST_TEST(validation_on_update(mirror, without_annotation(mirror), subresource) ==
               key + "may not remove or update mirror pod annotation");
    BOOST_TEST(validation_on_update(plain, with_annotation(plain, "x"), subresource) ==
               key + "may not add mirror pod annotation");
  }
}

BOOST_AUTO_TEST_CASE(a_mirror_pod_gets_no_ephemeral_containers_and_no_other_size) {
  BOOST_TEST(validation_on_update(mirror, mirror, "ephemeralcontainers") ==
             "[]: Forbidden: static pods do not support ephemeral containers");
  BOOST_TEST(validation_on_update(mirror, mirror, "resize") == "[]: Forbidden: static pods cannot be resized");
  BOOST_TEST(validation_on_update(plain, plain, "ephemeralcontainers") == admitted);
  BOOST_TEST(validation_on_update(plain, plain, "resize") == admitted);
}

BOOST_AUTO_TEST_CASE(a_refusal_is_an_invalid_object) {
  const Admission refusal = validate_mirror_pod(rules, create(with_spec(mirror, R"({"nodeName":""})")));
  BOOST_REQUIRE(refusal.has_value());
  BOOST_TEST(refusal->status == 422);
}

BOOST_AUTO_TEST_CASE(other_objects_and_deletions_are_not_looked_at) {
  const Object unbound = with_spec(mirror, R"({"nodeName":""})");
  BOOST_TEST(reason(validate_mirror_pod(
                 rules, {Operation::create, admin, "", "nodes", "", "", "", unbound, nothing})) == admitted);
  BOOST_TEST(reason(validate_mirror_pod(
                 rules, {Operation::create, admin, "apps", "pods", "", "", "", unbound, nothing})) == admitted);
  BOOST_TEST(reason(validate_mirror_pod(
                 rules, {Operation::remove, admin, "", "pods", "", "ns", "p", nothing, mirror})) == admitted);
}

BOOST_AUTO_TEST_CASE(hostile_pods_do_not_stop_it) {
  for (const Object& value : {Object(nullptr), Object(7), Object("x"), Object::array({1, nullptr}), Object{{"a", 1}}}) {
    std::vector<Object> pods = {value, {{"metadata", value}}, {{"spec", value}}, with_annotation(mirror, value)};
    Object claims = mirror;
    claims["spec"] = {{"resourceClaims", value}, {"volumes", value}, {"nodeName", value}};
    pods.push_back(claims);
    claims["spec"]["volumes"] = Object::array({value, {{"projected", value}}, {{"projected", {{"sources", value}}}}});
    pods.push_back(claims);
    for (const Object& pod : pods) {
      BOOST_TEST_CONTEXT(pod) {
        BOOST_CHECK_NO_THROW(plugin_on_create(pod));
        BOOST_CHECK_NO_THROW(validation_on_create(pod));
        BOOST_CHECK_NO_THROW(validation_on_update(mirror, pod));
        BOOST_CHECK_NO_THROW(validation_on_update(pod, mirror, "resize"));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
