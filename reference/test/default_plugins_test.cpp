#include "reference/admission/default_plugins.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(plugins_on_by_default)

using namespace nodebound;
using namespace nodebound::test;

namespace {

using Names = std::vector<std::string>;

Names active_at(std::string_view version, const GateSettings& gates = {}) {
  const RuleSet rules = rules_of(version, gates);
  Names out;
  for (const DefaultPlugin& plugin : default_plugins()) {
    if (plugin.on.holds(rules.release())) out.push_back(plugin.name);
  }
  return out;
}

bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string mistake_in(std::string_view text) {
  const auto parsed = parse_default_plugins(text);
  return parsed ? "" : parsed.error().text();
}

}  // namespace

// The plugins that kube-apiserver --help lists as on by default, without those whose gate is off.
BOOST_AUTO_TEST_CASE(the_plugins_of_a_release_are_those_of_its_help) {
  BOOST_TEST(active_at("1.9").empty());
  BOOST_TEST(
      (active_at("1.11") == Names{"NamespaceLifecycle", "LimitRanger", "ServiceAccount", "Priority",
                                  "DefaultTolerationSeconds", "DefaultStorageClass", "PersistentVolumeClaimResize",
                                  "MutatingAdmissionWebhook", "ValidatingAdmissionWebhook", "ResourceQuota"}));
  BOOST_TEST((active_at("1.18") == Names{"NamespaceLifecycle", "LimitRanger", "ServiceAccount", "TaintNodesByCondition",
                                         "Priority", "DefaultTolerationSeconds", "DefaultStorageClass",
                                         "StorageObjectInUseProtection", "PersistentVolumeClaimResize", "RuntimeClass",
                                         "CertificateApproval", "CertificateSigning", "CertificateSubjectRestriction",
                                         "DefaultIngressClass", "MutatingAdmissionWebhook",
                                         "ValidatingAdmissionWebhook", "ResourceQuota"}));
  BOOST_TEST((active_at("1.36.3") == Names{"NamespaceLifecycle",
                                           "LimitRanger",
                                           "ServiceAccount",
                                           "TaintNodesByCondition",
                                           "PodSecurity",
                                           "Priority",
                                           "DefaultTolerationSeconds",
                                           "DefaultStorageClass",
                                           "StorageObjectInUseProtection",
                                           "PodGroupProtection",
                                           "PersistentVolumeClaimResize",
                                           "RuntimeClass",
                                           "CertificateApproval",
                                           "CertificateSigning",
                                           "CertificateSubjectRestriction",
                                           "DefaultIngressClass",
                                           "PodTopologyLabels",
                                           "NodeDeclaredFeatureValidator",
                                           "PodResizeValidator",
                                           "MutatingAdmissionPolicy",
                                           "MutatingAdmissionWebhook",
                                           "ValidatingAdmissionPolicy",
                                           "ValidatingAdmissionWebhook",
                                           "ResourceQuota"}));
}

BOOST_AUTO_TEST_CASE(a_gate_turns_a_plugin_on_and_its_graduation_keeps_it_on) {
  BOOST_TEST(!has(active_at("1.36.3"), "ClusterTrustBundleAttest"));
  BOOST_TEST(has(active_at("1.36.3", {{"ClusterTrustBundle", true}}), "ClusterTrustBundleAttest"));
  BOOST_TEST(!has(active_at("1.22"), "PodSecurity"));
  for (const char* version : {"1.23", "1.27", "1.28", "1.37.1"}) BOOST_TEST(has(active_at(version), "PodSecurity"));
}

BOOST_AUTO_TEST_CASE(a_write_is_looked_at_by_those_that_may_refuse_it) {
  const RuleSet rules = rules_of("1.36.3");
  const Names every = {"MutatingAdmissionPolicy", "MutatingAdmissionWebhook", "ValidatingAdmissionPolicy",
                       "ValidatingAdmissionWebhook"};
  const auto with_every = [&](Names names, const Names& after = {}) {
    names.insert(names.end(), every.begin(), every.end());
    names.insert(names.end(), after.begin(), after.end());
    return names;
  };
  BOOST_TEST(plugins_that_look(rules, {"update", "certificates.k8s.io", "certificatesigningrequests", "approval",
                                       false}) == with_every({"CertificateApproval"}));
  BOOST_TEST(plugins_that_look(rules, {"create", "certificates.k8s.io", "certificatesigningrequests", "", false}) ==
             with_every({"CertificateSubjectRestriction"}));
  BOOST_TEST(plugins_that_look(rules, {"create", "", "secrets", "", true}) ==
             with_every({"NamespaceLifecycle"}, {"ResourceQuota"}));
  BOOST_TEST(plugins_that_look(rules, {"update", "", "nodes", "status", false}) == every);
  BOOST_TEST(plugins_that_look(rules, {"connect", "", "pods", "exec", true}) == every);
}

BOOST_AUTO_TEST_CASE(a_mistake_in_the_table_has_its_place) {
  BOOST_TEST(mistake_in("[[plugin]]\nname = \"X\"\nsince = \"1.10\"").find(":1:") != std::string::npos);
  const std::string typo = mistake_in(
      "[[plugin]]\nname = \"X\"\nsince = \"1.10\"\nlooks_at = [{ resources = [\"pods\"], operations = [\"creat\"] }]");
  BOOST_TEST(typo.find("default_plugins.toml:4:") != std::string::npos, typo);
  BOOST_TEST(typo.find("did you mean \"create\"") != std::string::npos, typo);
}

BOOST_AUTO_TEST_SUITE_END()
