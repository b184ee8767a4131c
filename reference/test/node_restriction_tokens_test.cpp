#include <boost/test/unit_test.hpp>
#include <string>

#include "reference/test/node_restriction_world.h"

BOOST_AUTO_TEST_SUITE(node_restriction_tokens)

using namespace nodebound;
using namespace nodebound::test;

BOOST_FIXTURE_TEST_SUITE(tokens, World)

constexpr const char* own_pod = R"({"metadata":{"name":"p","namespace":"ns","uid":"pod-uid"},
  "spec":{"nodeName":"n1","serviceAccountName":"sa","volumes":[
    {"name":"t","projected":{"sources":[{"serviceAccountToken":{"audience":"vault","path":"t"}}]}}]}})";

std::string ask(const World& world, const char* spec) {
  const Object request = {{"spec", Object::parse(spec)}};
  return world.said({Operation::create, world.node, "", "serviceaccounts", "token", "ns", "sa", request, nothing});
}

std::string ask_for(const World& world, const std::string& audiences) {
  return ask(world, (R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p","uid":"pod-uid"},"audiences":)" +
                     audiences + "}")
                        .c_str());
}

std::string not_found(const std::string& audience) {
  return "audience \"" + audience +
         "\" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience";
}

BOOST_AUTO_TEST_CASE(a_token_is_bound_to_a_pod) {
  const std::string unbound = "node requested token not bound to a pod";
  for (const char* spec : {R"({})", R"({"boundObjectRef":null})",
                           R"({"boundObjectRef":{"apiVersion":"v1","kind":"Secret","name":"p","uid":"u"}})",
                           R"({"boundObjectRef":{"apiVersion":"v1","kind":"Node","name":"n1","uid":"u"}})",
                           R"({"boundObjectRef":{"apiVersion":"v2","kind":"Pod","name":"p","uid":"u"}})",
                           R"({"boundObjectRef":{"kind":"Pod","name":"p","uid":"u"}})",
                           R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","uid":"u"}})",
                           R"({"boundObjectRef":{"apiVersion":"v1","kind":"pod","name":"p","uid":"u"}})"}) {
    BOOST_TEST_CONTEXT(spec) {
      BOOST_TEST(ask(*this, spec) == unbound);
    }
  }
  BOOST_TEST(ask(*this, R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p"}})") ==
             "node requested token with a pod binding without a uid");
}

BOOST_AUTO_TEST_CASE(the_pod_of_a_token_is_the_one_that_runs_on_the_node_now) {
  put("", "pods", "ns", "p", own_pod);
  BOOST_TEST(
      ask(*this,
          R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p","uid":"old"},"audiences":["vault"]})") ==
      "the UID in the bound object reference (old) does not match the UID in record. The object might have been "
      "deleted and "
      "then recreated");
  BOOST_TEST(ask_for(*this, R"(["vault"])") == admitted);
  put("", "pods", "ns", "p", R"({"metadata":{"name":"p","namespace":"ns","uid":"pod-uid"},"spec":{"nodeName":"n2"}})");
  BOOST_TEST(ask_for(*this, R"(["vault"])") == "node requested token bound to a pod scheduled on a different node");
}

BOOST_AUTO_TEST_CASE(only_tokens_of_service_accounts_are_looked_at) {
  const Object account = Object::parse(R"({"metadata":{"name":"sa"}})");
  BOOST_TEST(create("", "serviceaccounts", "ns", account) == admitted);
  BOOST_TEST(update("", "serviceaccounts", "", account, account) == admitted);
  BOOST_TEST(remove("", "serviceaccounts", "ns", account) == admitted);
}

BOOST_AUTO_TEST_CASE(an_audience_is_one_that_the_pod_uses) {
  put("", "pods", "ns", "p", own_pod);
  BOOST_TEST(ask_for(*this, R"(["vault"])") == admitted);
  BOOST_TEST(ask_for(*this, R"(["Vault"])") == not_found("Vault"));
  BOOST_TEST(ask_for(*this, R"(["bank"])") == not_found("bank"));
  BOOST_TEST(ask_for(*this, R"([])") == not_found(""));
  BOOST_TEST(ask_for(*this, R"(null)") == not_found(""));
  BOOST_TEST(ask_for(*this, R"(["vault","bank"])") == "node may only request 0 or 1 audiences");
  BOOST_TEST(ask_for(*this, R"(["vault","vault"])") == "node may only request 0 or 1 audiences");
}

BOOST_AUTO_TEST_CASE(no_audience_is_the_empty_one) {
  put("", "pods", "ns", "p",
      R"({"metadata":{"name":"p","namespace":"ns","uid":"pod-uid"},"spec":{"nodeName":"n1","volumes":[
    {"name":"t","projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}]}})");
  BOOST_TEST(ask_for(*this, R"([])") == admitted);
  BOOST_TEST(ask_for(*this, R"([""])") == admitted);
  BOOST_TEST(ask_for(*this, R"(["vault"])") == not_found("vault"));
}

struct CsiWorld : World {
  CsiWorld() {
    put("storage.k8s.io", "csidrivers", "", "d",
        R"({"metadata":{"name":"d"},"spec":{"tokenRequests":[{"audience":"a"},{"audience":"b"}]}})");
    put("storage.k8s.io", "csidrivers", "", "ebs.csi.aws.com",
        R"({"metadata":{"name":"ebs.csi.aws.com"},"spec":{"tokenRequests":[{"audience":"aws"}]}})");
    put("", "persistentvolumeclaims", "ns", "c", R"({"metadata":{"name":"c"},"spec":{"volumeName":"v"}})");
    put("", "persistentvolumeclaims", "ns", "p-eph", R"({"metadata":{"name":"p-eph"},"spec":{"volumeName":"v"}})");
    put("", "persistentvolumeclaims", "ns", "pending", R"({"metadata":{"name":"pending"},"spec":{}})");
    put("", "persistentvolumeclaims", "ns", "old", R"({"metadata":{"name":"old"},"spec":{"volumeName":"old"}})");
    put("", "persistentvolumes", "", "v", R"({"metadata":{"name":"v"},"spec":{"csi":{"driver":"d"}}})");
    put("", "persistentvolumes", "", "old",
        R"({"metadata":{"name":"old"},"spec":{"awsElasticBlockStore":{"volumeID":"x"}}})");
  }
  std::string with_volumes(const std::string& volumes, const std::string& audience) {
    put("", "pods", "ns", "p",
        R"({"metadata":{"name":"p","namespace":"ns","uid":"pod-uid"},"spec":{"nodeName":"n1","volumes":)" + volumes +
            "}}");
    return ask_for(*this, "[\"" + audience + "\"]");
  }
};

BOOST_FIXTURE_TEST_CASE(a_csi_driver_of_the_pod_gives_its_audiences, CsiWorld) {
  for (const char* volume :
       {R"([{"name":"v","csi":{"driver":"d"}}])", R"([{"name":"v","persistentVolumeClaim":{"claimName":"c"}}])",
        R"([{"name":"eph","ephemeral":{"volumeClaimTemplate":{}}}])",
        R"([{"name":"e","emptyDir":{}},{"name":"v","csi":{"driver":"d"}}])"}) {
    BOOST_TEST_CONTEXT(volume) {
      BOOST_TEST(with_volumes(volume, "a") == admitted);
      BOOST_TEST(with_volumes(volume, "b") == admitted);
      BOOST_TEST(with_volumes(volume, "c") == not_found("c"));
    }
  }
  BOOST_TEST(with_volumes(R"([{"name":"v","awsElasticBlockStore":{"volumeID":"x"}}])", "aws") == admitted);
  BOOST_TEST(with_volumes(R"([{"name":"v","persistentVolumeClaim":{"claimName":"old"}}])", "aws") == admitted);
}

// Text of kube-apiserver 1.36.3.
BOOST_FIXTURE_TEST_CASE(an_ebs_volume_that_csi_cannot_be_told_of_has_no_driver, CsiWorld) {
  const auto with_id = [&](const std::string& id) {
    return with_volumes(R"([{"name":"v","awsElasticBlockStore":{"volumeID":")" + id + R"("}}])", "aws");
  };
  for (const char* id : {"vol-1", "x", "aws://zone/vol-1", "aws:///vol-1/", "aws://zone/vol-1?x"}) {
    BOOST_TEST(with_id(id) == admitted, id);
  }
  for (const std::string id : {"aws://zone/disk-1", "aws://zone/a/vol-1", "aws://vol-1", "aws://"}) {
    BOOST_TEST(with_id(id) ==
               R"(error validating audience "aws": failed to translate Kubernetes ID to EBS Volume ID Invalid format )"
               "for AWS volume (" +
                   id + ")");
  }
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_found_on_the_way_to_a_driver_is_named, CsiWorld) {
  const auto error = [](const char* what) { return std::string(R"(error validating audience "a": )") + what; };
  BOOST_TEST(with_volumes(R"([{"name":"v","csi":{"driver":"gone"}}])", "a") ==
             error(R"(csidriver.storage.k8s.io "gone" not found)"));
  BOOST_TEST(with_volumes(R"([{"name":"v","persistentVolumeClaim":{"claimName":"gone"}}])", "a") ==
             error(R"(persistentvolumeclaim "gone" not found)"));
  BOOST_TEST(with_volumes(R"([{"name":"v","persistentVolumeClaim":{"claimName":"pending"}}])", "a") ==
             error(R"(persistentvolume "" not found)"));
  BOOST_TEST(with_volumes(R"([{"name":"v","csi":{"driver":"x"}},{"name":"w","csi":{"driver":"y"}}])", "a") ==
             error(R"([csidriver.storage.k8s.io "x" not found, csidriver.storage.k8s.io "y" not found])"));
  BOOST_TEST(with_volumes(R"([{"name":"v","csi":{"driver":"x"}},{"name":"w","csi":{"driver":"x"}}])", "a") ==
             error(R"(csidriver.storage.k8s.io "x" not found)"));
  // A volume with the audience is enough, even if another volume's driver cannot be found.
  BOOST_TEST(with_volumes(R"([{"name":"v","csi":{"driver":"gone"}},{"name":"w","csi":{"driver":"d"}}])", "a") ==
             admitted);
}

BOOST_AUTO_TEST_CASE(an_audience_can_be_granted) {
  put("", "pods", "ns", "p", own_pod);
  cluster.put({"rbac.authorization.k8s.io", "clusterroles", "", "bank-tokens"},
              Object::parse(R"({"rules":[{"verbs":["request-serviceaccounts-token-audience"],"apiGroups":[""],
                                          "resources":["bank"],"resourceNames":["sa"]}]})"));
  BOOST_TEST(ask_for(*this, R"(["bank"])") == not_found("bank"));
  cluster.put(
      {"rbac.authorization.k8s.io", "clusterrolebindings", "", "bank-tokens"},
      Object::parse(
          R"({"roleRef":{"kind":"ClusterRole","name":"bank-tokens"},"subjects":[{"kind":"Group","name":"system:nodes"}]})"));
  BOOST_TEST(ask_for(*this, R"(["bank"])") == admitted);
  BOOST_TEST(ask_for(*this, R"(["other"])") == not_found("other"));
  const Object request = {
      {"spec",
       Object::parse(
           R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p","uid":"pod-uid"},"audiences":["bank"]})")}};
  BOOST_TEST(said({Operation::create, node, "", "serviceaccounts", "token", "ns", "another", request, nothing}) ==
             not_found("bank"));
}

BOOST_AUTO_TEST_CASE(without_its_gate_audiences_are_free) {
  World off("1.36.3", {{"ServiceAccountNodeAudienceRestriction", false}});
  off.put("", "pods", "ns", "p", own_pod);
  BOOST_TEST(ask_for(off, R"(["bank"])") == admitted);
  BOOST_TEST(ask_for(off, R"(["vault","bank"])") == admitted);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
