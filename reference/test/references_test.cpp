#include "reference/cluster/references.h"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(references)

using namespace nodebound;
using nodebound::test::rules_of;

namespace {

struct Finder {
  RuleSet rules = rules_of("1.36.3");
  ReferenceFinder finder{rules};

  // The references of a pod with this `spec` and `status`, as `kind namespace/name`.
  static std::set<std::string> described(const References& references) {
    std::set<std::string> out;
    for (const NodeGraph::Reference& item : references.items) {
      out.insert(std::string(to_string(item.kind)) + " " + std::string(item.namespace_) + "/" + std::string(item.name));
    }
    return out;
  }
  static Object pod(const std::string& spec, const std::string& status = "{}") {
    return {{"metadata", {{"name", "p"}, {"namespace", "ns"}}},
            {"spec", Object::parse(spec)},
            {"status", Object::parse(status)}};
  }
  static Object volume(const std::string& source, const std::string& claim_namespace = "ns") {
    Object out = {{"metadata", {{"name", "v"}}}, {"spec", Object::parse(source)}};
    out["spec"]["claimRef"] = {{"namespace", claim_namespace}, {"name", "c"}};
    return out;
  }
};

struct Row {
  const char* json;
  const char* expected;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(pods, Finder)

BOOST_AUTO_TEST_CASE(every_field_that_names_an_object_is_found) {
  const std::vector<Row> rows = {
      {R"({"volumes":[{"secret":{"secretName":"x"}}]})", "secret ns/x"},
      {R"({"volumes":[{"projected":{"sources":[{"secret":{"name":"x"}}]}}]})", "secret ns/x"},
      {R"({"volumes":[{"azureFile":{"secretName":"x"}}]})", "secret ns/x"},
      {R"({"volumes":[{"cephfs":{"secretRef":{"name":"x"}}}]})", "secret ns/x"},
      {R"({"volumes":[{"cinder":{"secretRef":{"name":"x"}}}]})", "secret ns/x"},
      {R"({"volumes":[{"flexVolume":{"secretRef":{"name":"x"}}}]})", "secret ns/x"},
      {R"({"volumes":[{"rbd":{"secretRef":{"name":"x"}}}]})", "secret ns/x"},
      {R"({"volumes":[{"scaleIO":{"secretRef":{"name":"x"}}}]})", "secret ns/x"},
      {R"({"volumes":[{"iscsi":{"secretRef":{"name":"x"}}}]})", "secret ns/x"},
      {R"({"volumes":[{"storageos":{"secretRef":{"name":"x"}}}]})", "secret ns/x"},
      {R"({"volumes":[{"csi":{"nodePublishSecretRef":{"name":"x"}}}]})", "secret ns/x"},
      {R"({"imagePullSecrets":[{"name":"x"}]})", "secret ns/x"},
      {R"({"containers":[{"env":[{"valueFrom":{"secretKeyRef":{"name":"x"}}}]}]})", "secret ns/x"},
      {R"({"containers":[{"envFrom":[{"secretRef":{"name":"x"}}]}]})", "secret ns/x"},
      {R"({"initContainers":[{"env":[{"valueFrom":{"secretKeyRef":{"name":"x"}}}]}]})", "secret ns/x"},
      {R"({"initContainers":[{"envFrom":[{"secretRef":{"name":"x"}}]}]})", "secret ns/x"},
      {R"({"ephemeralContainers":[{"env":[{"valueFrom":{"secretKeyRef":{"name":"x"}}}]}]})", "secret ns/x"},
      {R"({"ephemeralContainers":[{"envFrom":[{"secretRef":{"name":"x"}}]}]})", "secret ns/x"},
      {R"({"volumes":[{"configMap":{"name":"x"}}]})", "configmap ns/x"},
      {R"({"volumes":[{"projected":{"sources":[{"configMap":{"name":"x"}}]}}]})", "configmap ns/x"},
      {R"({"containers":[{"env":[{"valueFrom":{"configMapKeyRef":{"name":"x"}}}]}]})", "configmap ns/x"},
      {R"({"containers":[{"envFrom":[{"configMapRef":{"name":"x"}}]}]})", "configmap ns/x"},
      {R"({"initContainers":[{"env":[{"valueFrom":{"configMapKeyRef":{"name":"x"}}}]}]})", "configmap ns/x"},
      {R"({"initContainers":[{"envFrom":[{"configMapRef":{"name":"x"}}]}]})", "configmap ns/x"},
      {R"({"ephemeralContainers":[{"env":[{"valueFrom":{"configMapKeyRef":{"name":"x"}}}]}]})", "configmap ns/x"},
      {R"({"ephemeralContainers":[{"envFrom":[{"configMapRef":{"name":"x"}}]}]})", "configmap ns/x"},
      {R"({"volumes":[{"persistentVolumeClaim":{"claimName":"x"}}]})", "persistentvolumeclaim ns/x"},
      {R"({"volumes":[{"name":"data","ephemeral":{"volumeClaimTemplate":{}}}]})", "persistentvolumeclaim ns/p-data"},
      {R"({"serviceAccountName":"x"})", "serviceaccount ns/x"},
      {R"({"resourceClaims":[{"name":"gpu","resourceClaimName":"x"}]})", "resourceclaim ns/x"},
  };
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(row.json) {
      BOOST_TEST(described(finder.of_pod(pod(row.json))) == std::set<std::string>{row.expected},
                 boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(fields_that_tie_nothing_to_the_node_are_passed_over) {
  for (const char* spec :
       {R"({"nodeName":"n1"})", R"({"serviceAccount":"x"})", R"({"priorityClassName":"x"})",
        R"({"runtimeClassName":"x"})",
        R"({"volumes":[{"projected":{"sources":[{"serviceAccountToken":{"audience":"x"}}]}}]})",
        R"({"volumes":[{"projected":{"sources":[{"clusterTrustBundle":{"name":"x"}}]}}]})",
        R"({"volumes":[{"projected":{"sources":[{"podCertificate":{"signerName":"x"}}]}}]})",
        R"({"volumes":[{"glusterfs":{"endpoints":"x"}}]})", R"({"volumes":[{"csi":{"driver":"x"}}]})",
        R"({"volumes":[{"hostPath":{"path":"/x"}},{"emptyDir":{}},{"downwardAPI":{}}]})",
        R"({"containers":[{"name":"x","env":[{"name":"x","value":"x"}]}]})",
        R"({"resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"x"}]})"}) {
    BOOST_TEST_CONTEXT(spec) {
      BOOST_TEST(finder.of_pod(pod(spec)).items.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(all_items_of_a_list_are_found) {
  const Object many = pod(R"({"volumes":[{"secret":{"secretName":"a"}},{"configMap":{"name":"b"}},
                              {"projected":{"sources":[{"secret":{"name":"c"}},{"secret":{"name":"d"}}]}}],
                              "containers":[{"envFrom":[{"secretRef":{"name":"e"}}]},{"envFrom":[{"secretRef":{"name":"f"}}]}]})");
  const std::set<std::string> expected = {"secret ns/a", "configmap ns/b", "secret ns/c",
                                          "secret ns/d", "secret ns/e",    "secret ns/f"};
  BOOST_TEST(described(finder.of_pod(many)) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(empty_names_are_passed_over) {
  for (const char* spec :
       {R"({"volumes":[{"secret":{"secretName":""}}]})", R"({"volumes":[{"configMap":{"name":""}}]})",
        R"({"serviceAccountName":""})", R"({"volumes":[{"persistentVolumeClaim":{"claimName":""}}]})",
        R"({"imagePullSecrets":[{"name":""},{}]})", R"({"resourceClaims":[{"name":"x","resourceClaimName":""}]})"}) {
    BOOST_TEST_CONTEXT(spec) {
      BOOST_TEST(finder.of_pod(pod(spec)).items.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_claim_made_from_a_template_is_the_one_that_the_status_names) {
  const std::string spec = R"({"resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"t"}]})";
  const auto found = [&](const char* status) { return described(finder.of_pod(pod(spec, status))); };
  BOOST_TEST(found(R"({"resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"p-gpu"}]})") ==
                 std::set<std::string>{"resourceclaim ns/p-gpu"},
             boost::test_tools::per_element());
  BOOST_TEST(found(R"({"resourceClaimStatuses":[{"name":"other","resourceClaimName":"x"}]})").empty());
  BOOST_TEST(found(R"({"resourceClaimStatuses":[{"name":"gpu"}]})").empty());
  BOOST_TEST(found(R"({"resourceClaimStatuses":[]})").empty());
}

BOOST_AUTO_TEST_CASE(a_status_names_no_claim_that_the_spec_does_not_ask_for) {
  const char* status = R"({"resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"victim"}]})";
  BOOST_TEST(finder.of_pod(pod("{}", status)).items.empty());
  BOOST_TEST(described(finder.of_pod(pod(R"({"resourceClaims":[{"name":"gpu","resourceClaimName":"x"}]})", status))) ==
                 std::set<std::string>{"resourceclaim ns/x"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_claim_for_extended_resources_is_the_one_that_the_status_names) {
  BOOST_TEST(described(finder.of_pod(pod("{}", R"({"extendedResourceClaimStatus":{"resourceClaimName":"x"}})"))) ==
                 std::set<std::string>{"resourceclaim ns/x"},
             boost::test_tools::per_element());
  const RuleSet old_rules = rules_of("1.33.0");
  const ReferenceFinder old(old_rules);
  BOOST_TEST(old.of_pod(pod("{}", R"({"extendedResourceClaimStatus":{"resourceClaimName":"x"}})")).items.empty());
}

BOOST_AUTO_TEST_CASE(a_mirror_pod_names_things_but_ties_none_to_its_node) {
  for (const char* value : {"", "mirror", "false"}) {
    Object mirror = pod(R"({"volumes":[{"secret":{"secretName":"x"}}],"serviceAccountName":"y"})");
    mirror["metadata"]["annotations"]["kubernetes.io/config.mirror"] = value;
    BOOST_TEST(finder.of_pod(mirror).items.empty());
    BOOST_TEST(finder.named_by(mirror).items.size() == 2U);
  }
}

BOOST_AUTO_TEST_CASE(hostile_types_are_passed_over) {
  const std::vector<Object> odd = {nullptr,
                                   true,
                                   -1,
                                   1.5,
                                   "text",
                                   "",
                                   Object::array(),
                                   Object::object(),
                                   Object::array({nullptr, 1, "x"}),
                                   Object{{"name", 1}},
                                   Object{{"name", nullptr}}};
  for (const Object& value : odd) {
    BOOST_TEST_CONTEXT(value) {
      BOOST_CHECK_NO_THROW((void)finder.of_pod(value));
      BOOST_CHECK_NO_THROW((void)finder.of_pod({{"spec", value}, {"status", value}, {"metadata", value}}));
      for (const char* field :
           {"volumes", "containers", "initContainers", "ephemeralContainers", "imagePullSecrets", "resourceClaims"}) {
        BOOST_CHECK_NO_THROW((void)finder.of_pod({{"spec", {{field, value}}}}));
        BOOST_CHECK_NO_THROW((void)finder.of_pod(
            {{"spec", {{field, Object::array({value, {{"ephemeral", value}, {"name", value}}})}}}}));
      }
      for (const char* source :
           {"secret", "projected", "configMap", "csi", "persistentVolumeClaim", "azureFile", "ephemeral"}) {
        Object hostile = pod("{}");
        hostile["spec"]["volumes"] = Object::array({{{"name", value}, {source, value}}});
        BOOST_CHECK_NO_THROW((void)finder.of_pod(hostile));
      }
      Object claims = pod(R"({"resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"t"}]})");
      claims["status"]["resourceClaimStatuses"] = value;
      BOOST_TEST(finder.of_pod(claims).items.empty());
    }
  }
  const Object number = pod(R"({"volumes":[{"secret":{"secretName":7}}],"serviceAccountName":["x"]})");
  BOOST_TEST(finder.of_pod(number).items.empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(volumes, Finder)

BOOST_AUTO_TEST_CASE(every_source_with_a_secret_is_found) {
  const std::vector<Row> rows = {
      {R"({"azureFile":{"secretName":"x","secretNamespace":"other"}})", "secret other/x"},
      {R"({"cephfs":{"secretRef":{"name":"x","namespace":"other"}}})", "secret other/x"},
      {R"({"cinder":{"secretRef":{"name":"x","namespace":"other"}}})", "secret other/x"},
      {R"({"flexVolume":{"secretRef":{"name":"x","namespace":"other"}}})", "secret other/x"},
      {R"({"rbd":{"secretRef":{"name":"x","namespace":"other"}}})", "secret other/x"},
      {R"({"scaleIO":{"secretRef":{"name":"x","namespace":"other"}}})", "secret other/x"},
      {R"({"iscsi":{"secretRef":{"name":"x","namespace":"other"}}})", "secret other/x"},
      {R"({"storageos":{"secretRef":{"name":"x","namespace":"other"}}})", "secret other/x"},
      {R"({"csi":{"nodePublishSecretRef":{"name":"x","namespace":"other"}}})", "secret other/x"},
      {R"({"csi":{"nodeStageSecretRef":{"name":"x","namespace":"other"}}})", "secret other/x"},
      {R"({"csi":{"nodeExpandSecretRef":{"name":"x","namespace":"other"}}})", "secret other/x"},
  };
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(row.json) {
      BOOST_TEST(described(finder.of_volume(volume(row.json))) == std::set<std::string>{row.expected},
                 boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(sources_of_old_take_the_namespace_of_the_claim_where_they_name_none) {
  for (const char* source :
       {R"({"azureFile":{"secretName":"x"}})", R"({"azureFile":{"secretName":"x","secretNamespace":""}})",
        R"({"cephfs":{"secretRef":{"name":"x"}}})", R"({"flexVolume":{"secretRef":{"name":"x"}}})",
        R"({"rbd":{"secretRef":{"name":"x"}}})", R"({"scaleIO":{"secretRef":{"name":"x"}}})",
        R"({"iscsi":{"secretRef":{"name":"x"}}})"}) {
    BOOST_TEST_CONTEXT(source) {
      BOOST_TEST(described(finder.of_volume(volume(source, "claims"))) == std::set<std::string>{"secret claims/x"},
                 boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_other_sources_never_take_the_namespace_of_the_claim) {
  for (const char* source : {R"({"cinder":{"secretRef":{"name":"x"}}})", R"({"storageos":{"secretRef":{"name":"x"}}})",
                             R"({"csi":{"nodePublishSecretRef":{"name":"x"}}})"}) {
    BOOST_TEST_CONTEXT(source) {
      BOOST_TEST(described(finder.of_volume(volume(source, "claims"))) == std::set<std::string>{"secret /x"},
                 boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(secrets_for_controllers_stay_hidden) {
  const Object csi = volume(R"({"csi":{"controllerPublishSecretRef":{"name":"a","namespace":"ns"},
                                       "controllerExpandSecretRef":{"name":"b","namespace":"ns"}}})");
  BOOST_TEST(finder.of_volume(csi).items.empty());
}

BOOST_AUTO_TEST_CASE(empty_names_and_hostile_types_are_passed_over) {
  for (const char* source : {R"({"csi":{"nodeStageSecretRef":{"name":"","namespace":"ns"}}})", R"({"csi":[]})",
                             R"({"csi":{"nodeStageSecretRef":{"name":7,"namespace":"ns"}}})", R"({"azureFile":"x"})",
                             R"({"rbd":{"secretRef":["x"]}})", R"({"iscsi":null})"}) {
    BOOST_TEST_CONTEXT(source) {
      BOOST_TEST(finder.of_volume(volume(source)).items.empty());
    }
  }
  for (const Object& value : {Object(nullptr), Object(1), Object("x"), Object::array({1})}) {
    BOOST_CHECK_NO_THROW((void)finder.of_volume(value));
    BOOST_CHECK_NO_THROW((void)finder.of_volume({{"spec", value}}));
    BOOST_CHECK_NO_THROW((void)finder.of_volume({{"spec", {{"claimRef", value}, {"csi", value}}}}));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
