#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/validation/kinds.h"
#include "fakes/validation/object.h"
#include "fakes/validation/review.h"
#include "fakes/validation/test/told.h"
#include "reference/cluster/names.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(validation)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::validation;
using nodebound::test::rules_of;
using nodebound::test::told;

namespace {

std::string told_of(const ValidatedKind& kind, const std::string& object) {
  return told(wrong_object(kind, Object::parse(object)));
}

const RuleSet newest = rules_of("1.36.3");
const ValidatedKind pods{strategy_of("", "pods").checks, true, NameRule::subdomain, &newest.release()};
const ValidatedKind config_maps{strategy_of("", "configmaps").checks, true, NameRule::subdomain};
const ValidatedKind attachments{strategy_of("storage.k8s.io", "volumeattachments").checks, false, NameRule::subdomain};

}  // namespace

BOOST_AUTO_TEST_CASE(metadata_is_held_to_its_rules) {
  BOOST_TEST(told_of(config_maps, R"({"metadata":{"name":"x","namespace":"n"}})") == "");
  BOOST_TEST(
      told_of(config_maps, R"({"metadata":{"name":"x","labels":{"-x":"x"}}})") ==
      "metadata.labels: Invalid value: \"-x\": name part must consist of alphanumeric characters, '-', '_' or '.', "
      "and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex "
      "used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
  BOOST_TEST(
      told_of(config_maps, R"({"metadata":{"name":"x","labels":{"app":"-bad"}}})") ==
      "metadata.labels: Invalid value: \"-bad\": a valid label must be an empty string or consist of alphanumeric "
      "characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or "
      "'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
  BOOST_TEST(told_of(config_maps, R"({"metadata":{"name":"x","finalizers":["nodomain"]}})") ==
             "metadata.finalizers[0]: Invalid value: \"nodomain\": name is neither a standard finalizer name nor is it "
             "fully qualified");
  BOOST_TEST(
      told_of(config_maps,
              R"({"metadata":{"name":"x","ownerReferences":[{"apiVersion":"v1","kind":"","name":"","uid":""}]}})") ==
      "metadata.ownerReferences.kind: Invalid value: \"\": must not be empty, metadata.ownerReferences.name: Invalid "
      "value: \"\": must not be empty, metadata.ownerReferences.uid: Invalid value: \"\": must not be empty");
}

// Texts of kube-apiserver 1.37.1.
BOOST_AUTO_TEST_CASE(what_is_projected_into_a_volume_is_held_to_its_rules) {
  const auto told_of_source = [](const std::string& source) {
    const Object volume = {{"sources", Object::array({Object::parse(source)})}};
    return told(wrong_projected_volume(volume, "v"));
  };
  BOOST_TEST(told_of_source("{}") == "");
  BOOST_TEST(told_of_source(R"({"serviceAccountToken":{"path":"p","expirationSeconds":3600}})") == "");
  BOOST_TEST(told_of_source(R"({"secret":{}})") == "v.sources[0].secret.name: Required value");
  BOOST_TEST(told_of_source(R"({"secret":{"name":"s"},"configMap":{"name":"c"}})") ==
             "v.sources[0]: Forbidden: may not specify more than 1 volume type per source");
  BOOST_TEST(told_of_source(R"({"secret":{"name":"s","items":[{"key":"k","path":"../x"},{"path":"..x"},
                                {"key":"a","path":"/b"},{"key":"a","path":"c"},{"key":"a","path":"c"}]}})") ==
             "v.sources[0].secret.items[0].path: Invalid value: \"../x\": must not contain '..', "
             "v.sources[0].secret.items[1].key: Required value, "
             "v.sources[0].secret.items[1].path: Invalid value: \"..x\": must not start with '..', "
             "v.sources[0].secret.items[2].path: Invalid value: \"/b\": must be a relative path, "
             "v: Invalid value: \"s\": conflicting duplicate paths");
  BOOST_TEST(told_of_source(R"({"serviceAccountToken":{"expirationSeconds":10}})") ==
             "v.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 10: may not specify a duration less "
             "than 10 minutes, v.path: Required value");
  BOOST_TEST(told_of_source(R"({"clusterTrustBundle":{}})") ==
             "v.sources[0].clusterTrustBundle: Required value: either name or signerName must be specified, "
             "v.sources[0].clusterTrustBundle.path: Required value");
  BOOST_TEST(told_of_source(R"({"clusterTrustBundle":{"name":"a","signerName":"b","path":"p"}})") ==
             "v.sources[0].clusterTrustBundle: Invalid value: {\"Name\":\"a\",\"SignerName\":\"b\",\"LabelSelector\":"
             "null,\"Optional\":null,\"Path\":\"p\",\"User\":null}: only one of name and signerName may be used");
}

namespace {

Object pod_with_token_at(const char* path) {
  const Object source = {{"serviceAccountToken", {{"path", path}}}};
  const Object volume = {{"name", "v"}, {"projected", {{"sources", Object::array({source})}}}};
  return {{"spec", {{"volumes", Object::array({volume})}}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(since_1_30_the_token_of_a_new_pod_stays_in_its_volume) {
  const auto told_of_path = [](const char* path, const char* release) {
    return told(wrong_token_paths(pod_with_token_at(path), rules_of(release).release()), release);
  };
  const std::string field = "spec.volumes[0].projected.path: Invalid value: ";
  BOOST_TEST(told_of_path("a/..b", "1.36.3") == "");
  BOOST_TEST(told_of_path("../x", "1.36.3") == field + R"("../x": must not contain '..')");
  BOOST_TEST(told_of_path("/x", "1.30.0") == field + R"("/x": must be a relative path)");
  BOOST_TEST(told_of_path("../x", "1.29.6") == "");
}

BOOST_AUTO_TEST_CASE(a_pod_keeps_the_path_that_an_older_release_took) {
  const auto told_of_change = [](const char* before, const char* after) {
    const std::string all = told(
        wrong_pod_change(pod_with_token_at(after), pod_with_token_at(before), rules_of("1.36.3").release()), "1.36.3");
    return all.substr(0, all.find(": "));
  };
  BOOST_TEST(told_of_change("a", "../b") == "spec.volumes[0].projected.path");
  BOOST_TEST(told_of_change("../a", "../b") == "spec");
  BOOST_TEST(told_of_change("../a", "../a") == "");
}

// Texts of kube-apiserver 1.37.1.
BOOST_AUTO_TEST_CASE(what_a_projected_certificate_is_to_be_is_told) {
  const auto told_of_certificate = [](const std::string& certificate) {
    const Object volume = {{"sources", Object::array({Object{{"podCertificate", Object::parse(certificate)}}})}};
    return told(wrong_projected_volume(volume, "v"));
  };
  const std::string field = "v.sources[0].podCertificate";
  BOOST_TEST(told_of_certificate(R"({"signerName":"example.com/x","keyType":"ED25519","keyPath":"k"})") == "");
  BOOST_TEST(told_of_certificate("{}") ==
             field + ".signerName: Required value, " + field +
                 R"(.keyType: Unsupported value: "": supported values: "RSA3072", "RSA4096", "ECDSAP256", )"
                 R"("ECDSAP384", "ECDSAP521", "ED25519", )" +
                 field +
                 ": Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath");
  BOOST_TEST(told_of_certificate(R"({"signerName":"example.com/x","keyType":"ED25519","keyPath":"b",
                                     "credentialBundlePath":"b","maxExpirationSeconds":5})") ==
             field +
                 ".maxExpirationSeconds: Invalid value: 5: if provided, maxExpirationSeconds must be >= 3600, "
                 "v: Invalid value: \"b\": conflicting duplicate paths");
  BOOST_TEST(told_of_certificate(R"({"signerName":"a.kubernetes.io/x","keyType":"RSA3072","keyPath":"b",
                                     "maxExpirationSeconds":90000})") ==
             field + ".maxExpirationSeconds: Invalid value: 90000: if provided, maxExpirationSeconds must be <= 86400");
}

BOOST_AUTO_TEST_CASE(a_claim_is_reserved_once_it_is_allocated) {
  const auto reserved = [](const char* status) {
    return told(wrong_resource_claim_status(Object{{"status", Object::parse(status)}}));
  };
  BOOST_TEST(reserved(R"({"reservedFor":[]})") == "");
  BOOST_TEST(reserved(R"({"allocation":{},"reservedFor":[{"resource":"pods","name":"x","uid":"1"}]})") == "");
  BOOST_TEST(reserved(R"({"reservedFor":[{"name":"x"}]})") ==
             "status.reservedFor[0].resource: Required value, status.reservedFor[0].uid: Required value, "
             "status.reservedFor: Forbidden: may not be specified when `allocated` is not set");
  BOOST_TEST(reserved(R"({"allocation":{},"reservedFor":[{"resource":"pods","name":"x","uid":"1"},
                                                         {"resource":"pods","name":"y","uid":"1"}]})") ==
             R"(status.reservedFor[1]: Duplicate value: {"resource":"pods","name":"y","uid":"1"})");
}

BOOST_AUTO_TEST_CASE(names_are_of_the_kind_s_sort) {
  BOOST_TEST(wrong_dns_subdomain("a.b-c").empty());
  BOOST_TEST(!wrong_dns_subdomain("a..b").empty());
  BOOST_TEST(!wrong_dns_subdomain("").empty());
  BOOST_TEST(wrong_dns_subdomain(std::string(253, 'n')).empty());
  BOOST_TEST(wrong_dns_subdomain(std::string(254, 'n')).size() == 1U);
  BOOST_TEST(wrong_dns_label("a.b").front() == "must not contain dots");
  BOOST_TEST(!wrong_dns_1035_label("1a").empty());
  BOOST_TEST(wrong_path_segment("system:node:a").empty());
  BOOST_TEST(wrong_path_segment("a/b").front() == "may not contain '/'");
  BOOST_TEST(wrong_label_key("example.com/x").empty());
  BOOST_TEST(wrong_label_key("/x").front() == "prefix part must be non-empty");
  BOOST_TEST(wrong_config_key("..x").front() == "must not start with '..'");
}

BOOST_AUTO_TEST_CASE(a_pod_needs_containers_with_names_of_their_own) {
  BOOST_TEST(told_of(pods, R"({"metadata":{"name":"p"},"spec":{}})") == "spec.containers: Required value");
  BOOST_TEST(told_of(pods, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"},
                                                                              {"name":"c","image":"i"}]}})") ==
             "spec.containers[1].name: Duplicate value: \"c\"");
  BOOST_TEST(told_of(pods, R"({"metadata":{"name":"p"},"spec":{"restartPolicy":"Sometimes","containers":[
                                                                              {"name":"c","image":"i"}]}})") ==
             R"(spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never")");
}

BOOST_AUTO_TEST_CASE(a_pod_names_its_claims_in_one_way) {
  const auto claims = [](const std::string& all) {
    return told_of(
        pods,
        R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],"resourceClaims":[)" + all + "]}}");
  };
  BOOST_TEST(claims(R"({"name":"gpu","resourceClaimName":"x"},{"name":"fpga","resourceClaimTemplateName":"t"})") == "");
  BOOST_TEST(claims(R"({"name":"gpu","source":{"resourceClaimName":"x"}})") == "");
  BOOST_TEST(claims("{}") ==
             "spec.resourceClaims[0].name: Required value, spec.resourceClaims[0]: Invalid value: "
             R"({"Name":"","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: )"
             "`resourceClaimName`, `resourceClaimTemplateName`");
  BOOST_TEST(claims(R"({"name":"gpu","resourceClaimName":"x"},{"name":"gpu","resourceClaimName":"x"})") ==
             R"(spec.resourceClaims[1].name: Duplicate value: "gpu")");
}

BOOST_AUTO_TEST_CASE(a_slice_is_in_one_place) {
  const auto slice = [](const std::string& spec, const char* release = "1.36.3") {
    const Object object = Object::parse(R"({"metadata":{"name":"s"},"spec":)" + spec + "}");
    const RuleSet rules = rules_of(release);
    return told(wrong_slice(object, rules.release()), release);
  };
  const std::string pool = R"("driver":"d.example.com","pool":{"name":"a/b","resourceSliceCount":1})";
  BOOST_TEST(slice("{" + pool + R"(,"nodeName":"a"})") == "");
  BOOST_TEST(slice("{" + pool + R"(,"allNodes":true})") == "");
  BOOST_TEST(
      slice("{" + pool + R"(,"nodeName":"a","allNodes":true})") ==
      R"(spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, )"
      "`perDeviceNodeSelection` is required, but multiple fields are set");
  BOOST_TEST(
      slice("{}") ==
      "spec.driver: Required value, spec.pool.name: Required value, spec.pool.resourceSliceCount: Invalid value: "
      "0: must be greater than zero, spec: Required value: exactly one of `nodeName`, `nodeSelector`, "
      "`allNodes`, `perDeviceNodeSelection` is required");
  BOOST_TEST(slice("{" + pool + "}", "1.32.5") ==
             "spec: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required");
  const Object before = Object::parse(R"({"metadata":{"name":"s"},"spec":{)" + pool + R"(,"nodeName":"a"}})");
  Object after = before;
  after["spec"]["nodeName"] = "b";
  const RuleSet rules = rules_of("1.36.3");
  BOOST_TEST(told(wrong_slice_change(after, before, rules.release())) ==
             R"(spec.nodeName: Invalid value: "b": field is immutable)");
  const Object old =
      Object::parse(R"({"apiVersion":"resource.k8s.io/v1alpha2","metadata":{"name":"s"},"nodeName":"a"})");
  BOOST_TEST(told(wrong_slice(old, rules.release())) == "");
}

BOOST_AUTO_TEST_CASE(a_csi_source_is_whole_and_names_its_secrets_as_the_release_allows) {
  const auto told_of_source = [](const char* source, const char* release) {
    Object volume = Object::parse(R"({"spec":{"accessModes":["ReadWriteOnce"],"capacity":{"storage":"1Gi"}}})");
    volume["spec"]["csi"] = Object::parse(source);
    return told(wrong_volume(volume, rules_of(release).release()), release);
  };
  BOOST_TEST(told_of_source("{}", "1.36.3") ==
             "spec.csi.driver: Required value, spec.csi.volumeHandle: Required value");
  for (const std::string secret :
       {"controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef"}) {
    const std::string source = R"({"driver":"d","volumeHandle":"h",")" + secret + R"(":{}})";
    BOOST_TEST(told_of_source(source.c_str(), "1.36.3") ==
               "spec.csi." + secret + ".name: Required value, spec.csi." + secret + ".namespace: Required value");
  }
  const char* const with_dots = R"({"driver":"d","volumeHandle":"h","nodePublishSecretRef":{"name":"x.y"}})";
  const std::string field = "spec.csi.nodePublishSecretRef";
  BOOST_TEST(told_of_source(with_dots, "1.27.0") == field + ".namespace: Required value");
  BOOST_TEST(
      told_of_source(with_dots, "1.26.0").starts_with(field + ".name: Invalid value: \"x.y\": a lowercase RFC "));
  BOOST_TEST(told_of_source(R"({"driver":"d","volumeHandle":"h","nodeStageSecretRef":{"name":"?"}})", "1.36.3") == "");
}

BOOST_AUTO_TEST_CASE(the_error_of_a_changed_pod_lists_the_fields_that_may_change) {
  const auto told_at = [](const char* release) {
    const auto pod = [](const char* node) { return Object{{"spec", {{"nodeName", node}}}}; };
    const std::string all = told(wrong_pod_change(pod("b"), pod("a"), rules_of(release).release()), release);
    return all.substr(all.find("`spec.activeDeadlineSeconds`"));
  };
  const std::string before = "`spec.activeDeadlineSeconds`";
  const std::string tolerations = "`spec.tolerations` (only additions to existing tolerations)";
  const std::string period =
      "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
  BOOST_TEST(told_at("1.21.0") == before + " or " + tolerations);
  BOOST_TEST(told_at("1.22.0") == before + ", " + tolerations + " or " + period);
  BOOST_TEST(told_at("1.27.0") == before + "," + tolerations + "," + period);
}

BOOST_AUTO_TEST_CASE(since_1_27_the_error_of_a_request_tells_the_limit) {
  const Object resources = Object::parse(R"({"limits":{"cpu":"100m"},"requests":{"cpu":"0.5"}})");
  const std::string told_before = "r.requests: Invalid value: \"500m\": must be less than or equal to cpu limit";
  BOOST_TEST(told(wrong_container_resources("r", resources), "1.26.0") == told_before);
  BOOST_TEST(told(wrong_container_resources("r", resources), "1.27.0") == told_before + " of 100m");
}

BOOST_AUTO_TEST_CASE(what_does_not_change_is_not_changed) {
  const Object before = Object::parse(
      R"({"metadata":{"name":"v"},"spec":{"attacher":"d","nodeName":"a","source":{"persistentVolumeName":"x"}}})");
  Object after = before;
  const auto told_at = [&](const char* release) {
    return told(wrong_attachment_change(after, before, rules_of(release).release()), release);
  };
  BOOST_TEST(told_at("1.36.3") == "");
  after["spec"]["nodeName"] = "b";
  BOOST_TEST(told_at("1.37.1") == "spec: Invalid value: null: field is immutable");
  BOOST_TEST(told_at("1.36.3") ==
             R"(spec: Invalid value: {"Attacher":"d","Source":{"PersistentVolumeName":"x","InlineVolumeSpec":null},)"
             R"("NodeName":"b"}: field is immutable)");
  BOOST_TEST(told_at("1.28.15") ==
             R"(spec: Invalid value: storage.VolumeAttachmentSpec{Attacher:"d", )"
             R"(Source:storage.VolumeAttachmentSource{PersistentVolumeName:(*string)(0xc000000000), )"
             R"(InlineVolumeSpec:(*core.PersistentVolumeSpec)(nil)}, NodeName:"b"}: field is immutable)");
  after = before;
  after["metadata"]["uid"] = "7";
  BOOST_TEST(told(wrong_change(attachments, after, before)) ==
             "metadata.uid: Invalid value: \"7\": field is immutable");
}

BOOST_AUTO_TEST_CASE(what_is_empty_is_as_good_as_what_is_not_there) {
  BOOST_TEST(means_the_same(Object::parse(R"({"a":{},"b":[],"c":"","d":null})"), Object::object()));
  BOOST_TEST(!means_the_same(Object::parse(R"({"a":{"x":1}})"), Object::object()));
  BOOST_TEST(!means_the_same(Object::parse(R"({"a":[1,2]})"), Object::parse(R"({"a":[2,1]})")));
}

BOOST_AUTO_TEST_CASE(reviews_say_one_thing_and_select_well) {
  const auto review = [](const std::string& spec, bool local = false) {
    return told(
        wrong_access_review(Object::parse(R"({"metadata":{"namespace":"n"},"spec":)" + spec + "}"), false, local));
  };
  BOOST_TEST(review(R"({"user":"u","resourceAttributes":{"verb":"get"}})") == "");
  BOOST_TEST(review(R"({"user":"u"})") ==
             "spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes "
             "must be specified");
  BOOST_TEST(review(R"({"user":"u","resourceAttributes":{"namespace":"other"}})", true) ==
             "spec.resourceAttributes.namespace: Invalid value: \"other\": must match metadata.namespace");
  BOOST_TEST(review(R"({"user":"u","resourceAttributes":{"fieldSelector":{}}})") ==
             "spec.resourceAttributes.fieldSelector.requirements: Required value: when "
             "spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required");
}

// As kube-apiserver 1.31.14 reported it; the others by upstream's source.
BOOST_AUTO_TEST_CASE(what_a_csi_driver_can_attach_changes_since_1_35) {
  const auto told_of_change = [](const std::string& driver, const char* release) {
    const auto node = [](const std::string& text) {
      return Object{{"spec", {{"drivers", Object::array({Object::parse(text)})}}}};
    };
    const Object before = node(R"({"name":"d","nodeID":"a","allocatable":{"count":1}})");
    const RuleSet rules = rules_of(release);
    return told(wrong_csi_node_change(node(driver), before, rules.release()), release);
  };
  const std::string more = R"({"name":"d","nodeID":"a","allocatable":{"count":2}})";
  BOOST_TEST(told_of_change(more, "1.35.0") == "");
  BOOST_TEST(told_of_change(more, "1.34.4") ==
             R"(spec.drivers: Invalid value: {"Name":"d","NodeID":"a","TopologyKeys":null,"Allocatable":{"Count":2}}: )"
             "field is immutable");
  BOOST_TEST(
      told_of_change(R"({"name":"d","nodeID":"b","topologyKeys":["x","y"]})", "1.31.14") ==
      R"(CSINodeDriver: Invalid value: storage.CSINodeDriver{Name:"d", NodeID:"b", )"
      R"(TopologyKeys:[]string{"x", "y"}, Allocatable:(*storage.VolumeNodeResources)(nil)}: field is immutable)");
  BOOST_TEST(told_of_change(R"({"name":"d","nodeID":"a"})", "1.31.14") != "");
}

// As kube-apiserver 1.36.3 and 1.34.2 reported it; node ids by upstream's source.
BOOST_AUTO_TEST_CASE(drivers_of_a_csi_node_have_names_ids_and_topology_keys) {
  const auto told_of = [](const Object& driver, const char* release) {
    const Object node = {{"spec", {{"drivers", Object::array({driver})}}}};
    const RuleSet rules = rules_of(release);
    return told(wrong_csi_node(node, rules.release()), release);
  };
  const auto fields_of = [&](std::size_t id_length, const char* release) {
    return told_of({{"name", "d"}, {"nodeID", std::string(id_length, 'i')}}, release);
  };
  BOOST_TEST(fields_of(256, "1.36.3") == "");
  BOOST_TEST(fields_of(257, "1.23.0").ends_with("must be 256 characters or less"));
  BOOST_TEST(fields_of(193, "1.22.0").ends_with("must be 192 characters or less"));
  BOOST_TEST(fields_of(192, "1.22.0") == "");
  BOOST_TEST(fields_of(129, "1.21.0").ends_with("must be 128 characters or less"));
  BOOST_TEST(told_of({{"name", ""}, {"nodeID", "i"}}, "1.36.3") == "spec.drivers[0].name: Required value");
  BOOST_TEST(
      told_of({{"name", ""}, {"nodeID", "i"}}, "1.34.2")
          .starts_with("spec.drivers[0].name: Required value, spec.drivers[0].name: Invalid value: \"\": a lower"));
  BOOST_TEST(told_of({{"name", "d"}, {"nodeID", "i"}, {"topologyKeys", {"zone", "zone"}}}, "1.36.3") ==
             "spec.drivers[0]: Duplicate value: \"zone\"");
  BOOST_TEST(told_of({{"name", "d"}, {"nodeID", "i"}, {"topologyKeys", {"a b"}}}, "1.36.3")
                 .starts_with("spec.drivers[0]: Invalid value: \"a b\": name part must consist of"));
}

// As kube-apiserver 1.37.1 and 1.36.3 reported it.
BOOST_AUTO_TEST_CASE(owners_have_numbers_since_1_37) {
  const FieldMistakes empty = {required_field("metadata.ownerReferences[1].apiVersion", "must not be empty"),
                               required_field("metadata.ownerReferences[1].uid", "must not be empty")};
  BOOST_TEST(told(empty, "1.37.1") ==
             "metadata.ownerReferences[1].apiVersion: Required value: must not be empty, "
             "metadata.ownerReferences[1].uid: Required value: must not be empty");
  BOOST_TEST(told(empty, "1.36.3") ==
             "metadata.ownerReferences.apiVersion: Invalid value: \"\": version must not be empty, "
             "metadata.ownerReferences.uid: Invalid value: \"\": must not be empty");
  BOOST_TEST(as_told_by(rules_of("1.36.3").release(), empty[0]).reason == "FieldValueInvalid");
  const FieldMistakes odd = {
      invalid_field("metadata.ownerReferences[0].apiVersion", "a/", "must be <group>/<version> or <version>")};
  BOOST_TEST(told(odd, "1.36.3") ==
             "metadata.ownerReferences.apiVersion: Invalid value: \"a/\": version must not be empty");
}

BOOST_AUTO_TEST_CASE(since_1_37_the_spec_is_wrong_that_has_both_kinds_of_attributes) {
  const auto review = [](const std::string& spec, const char* release) {
    return told(wrong_access_review(Object::parse(R"({"spec":)" + spec + "}"), true, false), release);
  };
  const std::string one = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  BOOST_TEST(review("{}", "1.37.1") == "spec: Invalid value: null: " + one);
  BOOST_TEST(review("{}", "1.36.3") == "spec.resourceAttributes: Invalid value: null: " + one);
  const std::string both =
      R"({"resourceAttributes":{"verb":"get"},"nonResourceAttributes":{"path":"/x","verb":"get"}})";
  BOOST_TEST(review(both, "1.37.1") == R"(spec: Invalid value: {"Path":"/x","Verb":"get"}: )" + one);
  BOOST_TEST(review(both, "1.36.3") == R"(spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: )"
                                       "cannot be specified in combination with resourceAttributes");
}

BOOST_AUTO_TEST_CASE(earlier_releases_say_it_otherwise) {
  const FieldMistakes mistakes = {invalid_field("metadata.resourceVersion", 0, "must be specified for an update"),
                                  required_field("metadata.ownerReferences[0].kind", "must not be empty"),
                                  invalid_field("metadata.labels", "x", "must be no more than 63 bytes")};
  BOOST_TEST(told(mistakes, "1.25.0") ==
             "metadata.resourceVersion: Invalid value: 0x0: must be specified for an update, "
             "metadata.ownerReferences.kind: Invalid value: \"\": kind must not be empty, "
             "metadata.labels: Invalid value: \"x\": must be no more than 63 characters");
}

BOOST_AUTO_TEST_CASE(images_of_pods_are_checked_again_when_they_change) {
  const auto pod = [](const std::string& image) {
    return Object{{"spec", {{"containers", Object::array({Object{{"name", "c"}, {"image", image}}})}}}};
  };
  const auto changed_to = [&](const std::string& image) {
    return told(wrong_pod_change(pod(image), pod("i"), rules_of("1.36.3").release()));
  };
  BOOST_TEST(changed_to("j") == "");
  BOOST_TEST(changed_to("") == "spec.containers[0].image: Required value");
  BOOST_TEST(changed_to(" j") ==
             "spec.containers[0].image: Invalid value: \" j\": must not have leading or trailing whitespace");
}

// Texts of kube-apiserver 1.36.3.
BOOST_AUTO_TEST_CASE(a_pods_status_is_checked_by_release) {
  const auto told_of = [](const std::string& spec, const std::string& before, const std::string& after,
                          const char* version = "1.36.3") {
    const RuleSet rules = rules_of(version);
    const auto pod = [&](const std::string& status) {
      return Object::parse(R"({"spec":)" + spec + R"(,"status":)" + status + "}");
    };
    return told(wrong_pod_status_change(pod(after), pod(before), rules.release()), version);
  };
  const std::string never =
      R"({"nodeName":"a","restartPolicy":"Never","containers":[{"name":"c"}],"initContainers":[{"name":"s","restartPolicy":"Always"}]})";
  const std::string ended = R"({"containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":1}}}]})";
  const std::string runs = R"({"containerStatuses":[{"name":"c","state":{"running":{}}}]})";
  const std::string kept =
      "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state";
  BOOST_TEST(told_of(never, ended, runs) == kept);
  BOOST_TEST(told_of(never, ended, runs, "1.10.0") == kept);
  BOOST_TEST(told_of(never, ended, runs, "1.9.0") == "");
  BOOST_TEST(told_of(never, ended, "{}") == "");
  BOOST_TEST(told_of(R"({"restartPolicy":"OnFailure","containers":[{"name":"c"}]})", ended, runs) == "");
  BOOST_TEST(told_of(R"({"restartPolicy":"Always","containers":[]})", ended, runs) == kept);
  BOOST_TEST(told_of(R"({"restartPolicy":"Always","containers":[]})", ended, runs, "1.34.0") == "");
  const std::string by_rule =
      R"({"restartPolicy":"Never","containers":[{"name":"c","restartPolicy":"Never","restartPolicyRules":[{"action":"Restart","exitCodes":{"operator":"In","values":[1]}}]}]})";
  BOOST_TEST(told_of(by_rule, ended, runs) == "");
  const std::string side = R"({"initContainerStatuses":[{"name":"s","state":{"terminated":{"exitCode":0}}}]})";
  BOOST_TEST(told_of(never, side, R"({"initContainerStatuses":[{"name":"s","state":{"running":{}}}]})") == "");
  const std::string bound =
      "status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node";
  BOOST_TEST(told_of(never, "{}", R"({"nominatedNodeName":"b"})") == bound);
  BOOST_TEST(told_of(never, "{}", R"({"nominatedNodeName":"b"})", "1.34.0") == "");
  const std::string quality = R"(status.qosClass: Invalid value: "Burstable": field is immutable)";
  BOOST_TEST(told_of(never, R"({"qosClass":"BestEffort"})", R"({"qosClass":"Burstable"})") == quality);
  BOOST_TEST(told_of(never, R"({"qosClass":"BestEffort"})", R"({"qosClass":"Burstable"})", "1.31.0") == "");
  const std::string condition = R"({"conditions":[{"type":"a/"}]})";
  const std::string wrong_type = ".conditions[0].Type: Invalid value: \"a/\": name part must be non-empty";
  BOOST_TEST(told_of(never, "{}", condition).starts_with("status" + wrong_type));
  BOOST_TEST(told_of(never, "{}", condition, "1.32.0").starts_with("metadata" + wrong_type));
  BOOST_TEST(told_of(never, "{}", condition, "1.10.0") == "");
}

BOOST_AUTO_TEST_CASE(addresses_in_a_pods_status_are_checked_by_release) {
  const auto told_of = [](const std::string& before, const std::string& after, const char* version = "1.36.3") {
    const RuleSet rules = rules_of(version);
    const auto pod = [](const std::string& list) { return Object::parse(R"({"status":{"podIPs":)" + list + "}}"); };
    return told(wrong_pod_status_change(pod(after), pod(before), rules.release()), version);
  };
  const std::string no_address = ": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  BOOST_TEST(told_of("[]", R"([{"ip":"x"}])") == "status.podIPs[0]: Invalid value: \"x\"" + no_address);
  BOOST_TEST(told_of("[]", R"([{"ip":"fe80::1%eth0"}])") ==
             "status.podIPs[0]: Invalid value: \"fe80::1%eth0\"" + no_address);
  BOOST_TEST(told_of("[]", R"([{"ip":"x"}])", "1.18.0") == "");
  BOOST_TEST(told_of(R"([{"ip":"x"}])", R"([{"ip":"x"}])") == "");
  BOOST_TEST(told_of(R"([{"ip":"x"}])", R"([{"ip":"y"}])", "1.32.0") == "");
  const std::string zeros = R"(status.podIPs[0]: Invalid value: "10.0.0.01": must not have leading 0s)";
  BOOST_TEST(told_of("[]", R"([{"ip":"10.0.0.01"}])") == zeros);
  BOOST_TEST(told_of("[]", R"([{"ip":"10.0.0.01"}])", "1.35.0") == "");
  BOOST_TEST(told_of("[]", R"([{"ip":"::ffff:1.2.3.4"}])") ==
             "status.podIPs[0]: Invalid value: \"::ffff:1.2.3.4\": must not be an IPv4-mapped IPv6 address");
  BOOST_TEST(told_of("[]", R"([{"ip":"10.0.0.1"},{"ip":"fd00::1"}])") == "");
  BOOST_TEST(told_of("[]", R"([{"ip":"10.0.0.1"},{"ip":"10.0.0.2"}])") ==
             R"(status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: )"
             "may specify no more than one IP for each IP family");
}

BOOST_AUTO_TEST_CASE(addresses_in_a_pods_spec_are_checked_by_release) {
  const auto told_of_spec = [](const std::string& spec, const char* version = "1.36.3") {
    const RuleSet rules = rules_of(version);
    const Object pod = Object::parse(R"({"spec":{"containers":[{"name":"c","image":"i"}],)" + spec + "}}");
    return told(wrong_pod(pod, rules.release()), version);
  };
  const std::string no_address = ": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  const std::string aliases = R"("hostAliases":[{"ip":"10.0.0.1","hostnames":["a"]},{"ip":"x","hostnames":["B"]}])";
  const std::string not_lower =
      ": Invalid value: \"B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' "
      "or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  BOOST_TEST(told_of_spec(aliases) == "spec.hostAliases[1].ip: Invalid value: \"x\"" + no_address +
                                          ", spec.hostAliases[1].hostnames[0]" + not_lower);
  BOOST_TEST(told_of_spec(aliases, "1.29.0") ==
             "spec.hostAliases.ip: Invalid value: \"x\": must be valid IP address, spec.hostAliases.hostnames" +
                 not_lower);
  const std::string servers = R"("dnsConfig":{"nameservers":["1.1.1.1","1.1.1"]})";
  BOOST_TEST(told_of_spec(servers) == "spec.dnsConfig.nameservers[1]: Invalid value: \"1.1.1\"" + no_address);
  BOOST_TEST(told_of_spec(servers, "1.28.0") ==
             "spec.dnsConfig.nameservers[1]: Invalid value: \"1.1.1\": must be valid IP address");
  BOOST_TEST(told_of_spec(R"("dnsConfig":{"nameservers":["1.1.1.1","1.1.1.2","1.1.1.3","::1"]})") ==
             R"(spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","::1"]: )"
             "must not have more than 3 nameservers");
  const std::string mapped = R"("dnsConfig":{"nameservers":["::ffff:1.2.3.4"]})";
  BOOST_TEST(told_of_spec(mapped).ends_with("must not be an IPv4-mapped IPv6 address"));
  BOOST_TEST(told_of_spec(mapped, "1.35.0") == "");
}

BOOST_AUTO_TEST_CASE(the_dns_configuration_of_a_pod_is_checked_by_release) {
  const auto told_of_config = [](const std::string& config, const char* version = "1.36.3") {
    const RuleSet rules = rules_of(version);
    const Object pod =
        Object::parse(R"({"spec":{"containers":[{"name":"c","image":"i"}],"dnsConfig":{)" + config + "}}}");
    return told(wrong_pod(pod, rules.release()), version);
  };
  const std::string underscores = R"("searches":[".","_a.b_c.","d."])";
  BOOST_TEST(told_of_config(underscores) == "");
  BOOST_TEST(told_of_config(underscores, "1.31.0").starts_with("spec.dnsConfig.searches[0]: Invalid value: \"\": a l"));
  BOOST_TEST(told_of_config(R"("searches":["a_"])").find("characters, '_', '-' or '.', and") != std::string::npos);
  const std::string seven = R"("searches":["a","a","a","a","a","a","a"])";
  BOOST_TEST(told_of_config(seven) == "");
  BOOST_TEST(told_of_config(seven, "1.21.0").ends_with("must not have more than 6 search paths"));
  const std::string part(63, 'a');
  const std::string long_name = part + "." + part + "." + part;
  const std::string two = R"("searches":[")" + long_name + "\",\"" + long_name + "\"]";
  BOOST_TEST(told_of_config(two) == "");
  BOOST_TEST(told_of_config(two, "1.21.0")
                 .ends_with("must not have more than 256 characters (including spaces) in the search list"));
  BOOST_TEST(told_of_config(R"("options":[{"name":"ndots"},{"value":"2"}])") ==
             "spec.dnsConfig.options[1]: Required value: must not be empty");
}

BOOST_AUTO_TEST_CASE(a_port_of_the_host_is_that_of_its_container) {
  const Object pod = Object::parse(
      R"({"spec":{"hostNetwork":true,"containers":[{"name":"c","image":"i","ports":[
          {"containerPort":80,"hostPort":81,"protocol":"TCP"}]}]}})");
  BOOST_TEST(
      told(wrong_pod(pod, rules_of("1.28.0").release())) ==
      "spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is "
      "true");
  BOOST_TEST(
      told(wrong_pod(pod, rules_of("1.27.0").release())) ==
      "spec.containers[0].ports[0].containerPort: Invalid value: 80: must match `hostPort` when `hostNetwork` is "
      "true");
}

BOOST_AUTO_TEST_CASE(an_endpoint_has_an_address_that_others_reach) {
  const auto told_of_address = [](const std::string& address) {
    const std::string out = told(wrong_endpoint_address("f", address));
    return out.empty() ? out : out.substr(out.rfind(": ") + 2);
  };
  for (const char* right : {"10.0.0.1", "fec0::1", "224.0.1.5", "ff05::1", "::2", "::1:0"}) {
    BOOST_TEST(told_of_address(right) == "", right);
  }
  BOOST_TEST(told_of_address("x") == "must be a valid IP address");
  BOOST_TEST(told_of_address("0.0.0.0") == "may not be unspecified (0.0.0.0)");
  BOOST_TEST(told_of_address("::") == "may not be unspecified (::)");
  for (const char* own : {"127.0.0.1", "127.255.0.1", "::1", "::ffff:127.0.0.1"}) {
    BOOST_TEST(told_of_address(own) == "may not be in the loopback range (127.0.0.0/8, ::1/128)", own);
  }
  for (const char* local : {"169.254.1.1", "fe80::1", "febf::1"}) {
    BOOST_TEST(told_of_address(local) == "may not be in the link-local range (169.254.0.0/16, fe80::/10)", local);
  }
  for (const char* all : {"224.0.0.5", "ff02::1", "ff12::1"}) {
    BOOST_TEST(told_of_address(all) == "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)", all);
  }
}

BOOST_AUTO_TEST_CASE(source_ranges_of_a_service_are_checked_by_release) {
  const auto told_of_service = [](const std::string& service, const char* version = "1.36.3") {
    return told(wrong_source_ranges(Object::parse(service), rules_of(version).release()), version);
  };
  const auto of_spec = [](const std::string& ranges) {
    return R"({"spec":{"type":"LoadBalancer","loadBalancerSourceRanges":)" + ranges + "}}";
  };
  const std::string key = "service.beta.kubernetes.io/load-balancer-source-ranges";
  const auto of_annotation = [&](const std::string& ranges) {
    return R"({"metadata":{"annotations":{")" + key + R"(":")" + ranges + R"("}},"spec":{"type":"LoadBalancer"}})";
  };
  const std::string no_range = ": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
  const std::string no_list = ": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ";
  BOOST_TEST(told_of_service(of_spec(R"([" 10.0.0.0/8 "])")) == "");
  BOOST_TEST(told_of_service(of_spec(R"(["10.0.0.0/8","x"])")) ==
             "spec.LoadBalancerSourceRanges[1]: Invalid value: \"x\"" + no_range);
  BOOST_TEST(told_of_service(of_spec(R"(["10.0.0.0/8","x"])"), "1.29.0") ==
             "spec.LoadBalancerSourceRanges: Invalid value: \"[10.0.0.0/8 x]\"" + no_list);
  for (const char* right : {"", " ", "10.0.0.0/8", "10.0.0.0/8, fd00::/64 "}) {
    BOOST_TEST(told_of_service(of_annotation(right)) == "", right);
  }
  const std::string annotation = "metadata.annotations[" + key + "]: Invalid value: ";
  BOOST_TEST(told_of_service(of_annotation("10.0.0.0/8,")) == annotation + "\"\"" + no_range);
  BOOST_TEST(told_of_service(of_annotation("x,10.0.0.0/8")) == annotation + "\"x\"" + no_range);
  BOOST_TEST(told_of_service(of_annotation("x,"), "1.29.0") == annotation + "\"x,\"" + no_list);
  BOOST_TEST(told_of_service(R"({"spec":{"loadBalancerSourceRanges":["10.0.0.0/8"]}})") ==
             "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'");
}

BOOST_AUTO_TEST_CASE(the_subsets_of_endpoints_are_checked) {
  const auto told_of_subset = [](const std::string& subset) {
    return told(wrong_endpoints(Object::parse(R"({"subsets":[)" + subset + "]}"), rules_of("1.36.3").release()));
  };
  BOOST_TEST(told_of_subset("{}") == "subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`");
  BOOST_TEST(told_of_subset(R"({"addresses":[{"ip":"10.0.0.1"}],"ports":[{"port":80,"protocol":"TCP"}]})") == "");
  BOOST_TEST(told_of_subset(R"({"notReadyAddresses":[{"ip":"x"}]})") ==
             "subsets[0].notReadyAddresses[0].ip: Invalid value: \"x\": must be a valid IP address, (e.g. 10.9.8.7 or "
             "2001:db8::ffff), subsets[0].notReadyAddresses[0].ip: Invalid value: \"x\": must be a valid IP address");
  BOOST_TEST(told_of_subset(R"({"addresses":[{"ip":"10.0.0.1"}],"ports":[
                                {"port":0,"protocol":"TCP","name":"a"},{"port":80,"protocol":"X"}]})") ==
             "subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, "
             "subsets[0].ports[1].name: Required value, "
             "subsets[0].ports[1].protocol: Unsupported value: \"X\": supported values: \"SCTP\", \"TCP\", \"UDP\"");
}

BOOST_AUTO_TEST_CASE(unusual_addresses_are_warned_of) {
  const auto of = [](const std::string& text, const char* release = "1.36.3") {
    const RuleSet rules = rules_of(release);
    const Release& in = rules.release();
    const auto all =
        text.find('/') == std::string::npos ? warnings_of_address("f", text, in) : warnings_of_cidr("f", text, in);
    std::string out;
    for (const std::string& one : all) out += (out.empty() ? "" : "\n") + one;
    return out;
  };
  for (const char* usual : {"10.0.0.1", "::", "::1", "fd00::1", "1:0:1:1:1:1:1:1", "::102:304", "10.0.0.0/8", "::/0",
                            "fd00::/64", "x", "x/8"}) {
    BOOST_TEST(of(usual) == "");
    BOOST_TEST(of(usual, "1.31.4") == "");
  }
  BOOST_TEST(of("010.0.0.1") == "f: non-standard IP address \"010.0.0.1\" is invalid: use \"10.0.0.1\"");
  BOOST_TEST(of("::ffff:1.2.3.4") == "f: non-standard IP address \"::ffff:1.2.3.4\" is invalid: use \"1.2.3.4\"");
  BOOST_TEST(of("FD00:0:0:0:1:0:0:1") ==
             "f: IPv6 address \"FD00:0:0:0:1:0:0:1\" should be in RFC 5952 canonical format (\"fd00::1:0:0:1\")");
  BOOST_TEST(of("1:0:0:2:2:0:0:1") ==
             "f: IPv6 address \"1:0:0:2:2:0:0:1\" should be in RFC 5952 canonical format (\"1::2:2:0:0:1\")");
  BOOST_TEST(of("10.0.0.1/8") ==
             "f: CIDR value \"10.0.0.1/8\" is ambiguous in this context (should be \"10.0.0.0/8\" or "
             "\"10.0.0.1/32\"?)");
  BOOST_TEST(of("10.0.0.0/08") == "f: non-standard CIDR value \"10.0.0.0/08\" is invalid: use \"10.0.0.0/8\"");
  BOOST_TEST(of("::ffff:10.0.0.0/104") ==
             "f: non-standard CIDR value \"::ffff:10.0.0.0/104\" is invalid: use \"10.0.0.0/8\"");
  BOOST_TEST(of("FD00::/64") ==
             "f: IPv6 CIDR value \"FD00::/64\" should be in RFC 5952 canonical format (\"fd00::/64\")");
  const std::string later = " will be considered invalid in a future Kubernetes release: use ";
  BOOST_TEST(of("010.0.0.1", "1.34.2") == "f: non-standard IP address \"010.0.0.1\"" + later + "\"10.0.0.1\"");
  BOOST_TEST(of("10.0.0.0/08", "1.34.2") == "f: non-standard CIDR value \"10.0.0.0/08\"" + later + "\"10.0.0.0/8\"");
  BOOST_TEST(of("010.0.0.1", "1.26.15") == "");
}

BOOST_AUTO_TEST_CASE(addresses_of_services_are_warned_of_in_the_words_of_go) {
  const auto of = [](const std::string& text) {
    const RuleSet rules = rules_of("1.31.4");
    const Release& in = rules.release();
    const auto all =
        text.find('/') == std::string::npos ? warnings_of_address("f", text, in) : warnings_of_cidr("f", text, in);
    return all.empty() ? "" : all.front();
  };
  const std::string later = " was accepted, but will be invalid in a future Kubernetes release: ";
  const std::string zero = "ParseAddr(\"010.0.0.1\"): IPv4 field has octet with leading zero";
  BOOST_TEST(of("010.0.0.1") == "f: IP address" + later + zero);
  BOOST_TEST(of("010.0.0.1/8") == "f: IP prefix" + later + "netip.ParsePrefix(\"010.0.0.1/8\"): " + zero);
  BOOST_TEST(of("10.0.0.0/08") ==
             "f: IP prefix" + later + "netip.ParsePrefix(\"10.0.0.0/08\"): bad bits after slash: \"08\"");
  BOOST_TEST(of("10.0.0.1/8") == "");
  BOOST_TEST(of("::ffff:1.2.3.4") == "");
  const std::string loops = "), which may cause controller apply-loops";
  BOOST_TEST(of("FD00::1") == "f: IPv6 address \"FD00::1\" is not in RFC 5952 canonical format (\"fd00::1\"" + loops);
  BOOST_TEST(of("FD00::1/64") ==
             "f: IPv6 prefix \"FD00::1/64\" is not in RFC 5952 canonical format (\"fd00::1/64\"" + loops);
}

BOOST_AUTO_TEST_CASE(what_a_pod_says_of_its_extended_claim_names_what_it_has) {
  const auto told_of_status = [](const std::string& status) {
    const Object pod = Object::parse(
        R"({"spec":{"containers":[{"name":"main","resources":{"requests":{"example.com/gpu":"1"}}}]},
            "status":{"extendedResourceClaimStatus":)" +
        status + "}}");
    return told(wrong_pod_status_change(pod, Object(), rules_of("1.36.3").release()));
  };
  const std::string field = "status.extendedResourceClaimStatus";
  BOOST_TEST(told_of_status("{}") ==
             field + ".requestMappings: Required value: at least one request mapping is required, " + field +
                 ".resourceClaimName: Required value");
  const std::string right = R"({"containerName":"main","resourceName":"example.com/gpu","requestName":"r"})";
  BOOST_TEST(told_of_status(R"({"resourceClaimName":"c","requestMappings":[)" + right + "]}") == "");
  BOOST_TEST(told_of_status(R"({"resourceClaimName":"c","requestMappings":[)" + right + "," + right + "]}") ==
             field + ".requestMappings[1].containerName: Duplicate value: \"main\", " + field +
                 ".requestMappings[1].resourceName: Duplicate value: \"example.com/gpu\", " + field +
                 ".requestMappings[1].requestName: Duplicate value: \"r\"");
  BOOST_TEST(told_of_status(
                 R"({"resourceClaimName":"c","requestMappings":[{"containerName":"x","requestName":"r"},
                     {"containerName":"main","resourceName":"cpu","requestName":"r"}]})") ==
             field +
                 ".requestMappings[0].containerName: Invalid value: \"x\": must match the name of an entry in "
                 "spec.initContainers.name or spec.containers.name, " +
                 field +
                 ".requestMappings[1].resourceName: Invalid value: \"cpu\": must match the extended resource "
                 "name of an entry in spec.initContainers.resources.requests or "
                 "spec.containers.resources.requests");
}

BOOST_AUTO_TEST_CASE(an_ephemeral_volume_has_the_template_of_a_claim) {
  const auto wrong = [](const char* volume) {
    return told_of(pods, std::string(R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],
                                         "volumes":[{"name":"v","ephemeral":)") +
                             volume + "}]}}");
  };
  const std::string field = "spec.volumes[0].ephemeral.volumeClaimTemplate";
  BOOST_TEST(wrong("{}") == field + ": Required value");
  BOOST_TEST(wrong(R"({"volumeClaimTemplate":{}})") ==
             field + ".spec.accessModes: Required value: at least 1 access mode is required, " + field +
                 ".spec.resources[storage]: Required value");
  BOOST_TEST(wrong(R"({"volumeClaimTemplate":{"spec":{"accessModes":["ReadWriteOnce"],
                       "resources":{"requests":{"storage":"1Gi"}}}}})") == "");
}

BOOST_AUTO_TEST_CASE(a_pod_certificate_request_names_whom_it_is_for) {
  const ValidatedKind requests{strategy_of("certificates.k8s.io", "podcertificaterequests").checks, true,
                               NameRule::subdomain};
  const std::string bad_name =
      ": Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' "
      "or "
      "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  const std::string no_uid = ": Invalid value: \"\": must not be empty";
  BOOST_TEST(told_of(requests, R"({"metadata":{"name":"r"}})") ==
             "spec.signerName: Required value, spec.podName" + bad_name + ", spec.podUID" + no_uid +
                 ", spec.serviceAccountName" + bad_name + ", spec.serviceAccountUID" + no_uid + ", spec.nodeName" +
                 bad_name + ", spec.nodeUID" + no_uid);
  const auto lasting = [&](const char* signer, int seconds) {
    Object spec = {{"signerName", signer}, {"maxExpirationSeconds", seconds}};
    for (const char* of : {"pod", "serviceAccount", "node"}) {
      spec[std::string(of) + "Name"] = "a";
      spec[std::string(of) + "UID"] = "7";
    }
    return told_of(requests, Object{{"metadata", {{"name", "r"}}}, {"spec", spec}}.dump());
  };
  BOOST_TEST(lasting("example.com/s", 3600) == "");
  BOOST_TEST(lasting("example.com/s", 91 * 86400) == "");
  BOOST_TEST(lasting("kubernetes.io/s", 86400) == "");
  BOOST_TEST(lasting("kubernetes.io/s", 86401) ==
             "spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]");
  BOOST_TEST(lasting("example.com/s", 3599) ==
             "spec.maxExpirationSeconds: Invalid value: 3599: must be in the range [3600, 7862400]");
}

BOOST_AUTO_TEST_CASE(every_source_of_a_volume_says_what_it_needs) {
  const auto wrong = [](const char* source) {
    return told_of(pods, std::string(R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],
                                         "volumes":[{"name":"v",)") +
                             source + "}]}}");
  };
  const std::string field = "spec.volumes[0].";
  const std::string required = ": Required value";
  for (const char* nothing : {"emptyDir", "downwardAPI"}) {
    BOOST_TEST(wrong((std::string("\"") + nothing + "\":{}").c_str()) == "", nothing);
  }
  BOOST_TEST(wrong(R"("hostPath":{})") == field + "hostPath.path" + required);
  BOOST_TEST(wrong(R"("gcePersistentDisk":{})") == field + "persistentDisk.pdName" + required);
  BOOST_TEST(wrong(R"("azureFile":{})") ==
             field + "azureFile.secretName" + required + ", " + field + "azureFile.shareName" + required);
  BOOST_TEST(wrong(R"("rbd":{"monitors":[],"image":"i"})") == field + "rbd.monitors" + required);
  BOOST_TEST(wrong(R"("nfs":{"server":"s"})") ==
             field + "nfs.path" + required + ", " + field + "nfs.path: Invalid value: \"\": must be an absolute path");
  BOOST_TEST(wrong(R"("nfs":{"server":"s","path":"/p"})") == "");
  BOOST_TEST(wrong(R"("flocker":{})") ==
             field + "flocker" + required + ": one of datasetName and datasetUUID is required");
  BOOST_TEST(wrong(R"("flocker":{"datasetUUID":"7"})") == "");
  BOOST_TEST(wrong(R"("fc":{})") ==
             field + "fc.targetWWNs" + required + ": must specify either targetWWNs or wwids, but not both");
  BOOST_TEST(wrong(R"("quobyte":{"volume":"v"})") ==
             field + "quobyte.registry" + required +
                 ": must be a host:port pair or multiple pairs separated by commas");
  BOOST_TEST(wrong(R"("emptyDir":{},"azureFile":{})") ==
             field + "azureFile: Forbidden: may not specify more than 1 volume type");
}

BOOST_AUTO_TEST_SUITE_END()
