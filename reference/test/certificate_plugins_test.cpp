#include "reference/admission/certificate_plugins.h"

#include <boost/test/unit_test.hpp>

#include "reference/authorizer/rbac_authorizer.h"
#include "reference/cluster/cluster.h"
#include "reference/test/signing_request.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(certificate_plugins)

using namespace nodebound;
using namespace nodebound::test;

namespace {

constexpr const char* serving = "kubernetes.io/kubelet-serving";
constexpr const char* client = "kubernetes.io/kube-apiserver-client";
const Object nothing;
const std::string admitted;

Object request_of(const char* signer, const std::string& pem = "") {
  return {{"metadata", {{"name", "x"}}}, {"spec", {{"signerName", signer}, {"request", base64(pem)}}}};
}

Object with_status(Object request, const char* field, const Object& value) {
  request["status"][field] = value;
  return request;
}

/// Users by name, each with one right for one signer.
struct Signers {
  explicit Signers(std::string_view version = "1.36.3") : rules(rules_of(version)), cluster(rules) {
    grant("approver", "approve", serving);
    grant("signer", "sign", serving);
    grant("approver-of-domain", "approve", "kubernetes.io/*");
    grant("signer-of-domain", "sign", "kubernetes.io/*");
    grant("approver-of-other-domain", "approve", "example.com/*");
    grant("approver-of-other-signer", "approve", client);
  }

  void grant(const std::string& user, const char* verb, const char* signer) {
    const Object role = {{"rules", Object::array({{{"verbs", {verb}},
                                                   {"apiGroups", {"certificates.k8s.io"}},
                                                   {"resources", {"signers"}},
                                                   {"resourceNames", {signer}}}})}};
    const Object binding = {
        {"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "ClusterRole"}, {"name", user}}},
        {"subjects", Object::array({{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "User"}, {"name", user}}})}};
    cluster.put({"rbac.authorization.k8s.io", "clusterroles", "", user}, role);
    cluster.put({"rbac.authorization.k8s.io", "clusterrolebindings", "", user}, binding);
  }

  template <typename Plugin>
  std::string said(const Plugin& plugin, const std::string& user, Operation operation, const char* subresource,
                   const Object& after, const Object& before) const {
    const Subject subject{user, {"system:authenticated"}, "", {}};
    const Admission refusal = plugin.admit(
        {operation, subject, "certificates.k8s.io", "certificatesigningrequests", subresource, "", "x", after, before});
    return refusal ? refusal->reason : admitted;
  }

  [[nodiscard]] std::string approve(const std::string& user, const char* signer = serving) const {
    const RbacAuthorizer rbac(rules, cluster.rbac());
    const Object before = request_of(signer);
    // The signer in the submitted approval does not count.
    return said(CertificateApproval(rules, rbac), user, Operation::update, "approval", request_of("example.com/x"),
                before);
  }

  [[nodiscard]] std::string sign(const std::string& user, const char* field, const Object& after,
                                 const Object& before = nullptr) const {
    const RbacAuthorizer rbac(rules, cluster.rbac());
    const Object request = request_of(serving);
    return said(CertificateSigning(rules, rbac), user, Operation::update, "status", with_status(request, field, after),
                before.is_null() ? request : with_status(request, field, before));
  }

  [[nodiscard]] std::string create(const char* signer, const std::vector<std::string>& groups) const {
    return said(CertificateSubjectRestriction(rules), "anybody", Operation::create, "",
                request_of(signer, pem_for({"alice"}, groups)), nothing);
  }

  RuleSet rules;
  Cluster cluster;
};

const std::string may_not_approve =
    "user not permitted to approve requests with signerName \"" + std::string(serving) + "\"";
const std::string may_not_sign = "user not permitted to sign requests with signerName \"" + std::string(serving) + "\"";
const Object failed = Object::array({{{"type", "Failed"}, {"status", "True"}}});

}  // namespace

BOOST_AUTO_TEST_CASE(an_approval_takes_a_grant_for_the_signer_or_its_domain) {
  const Signers signers;
  for (const char* user : {"approver", "approver-of-domain"}) BOOST_TEST(signers.approve(user) == admitted, user);
  for (const char* user :
       {"nobody", "signer", "signer-of-domain", "approver-of-other-domain", "approver-of-other-signer"}) {
    BOOST_TEST(signers.approve(user) == may_not_approve, user);
  }
  BOOST_TEST(signers.approve("approver-of-other-domain", "example.com/x") == admitted);
  BOOST_TEST(signers.approve("approver-of-domain", "kubernetes.io.example.com/x") ==
             "user not permitted to approve requests with signerName \"kubernetes.io.example.com/x\"");
}

BOOST_AUTO_TEST_CASE(a_certificate_takes_a_grant_to_sign) {
  const Signers signers;
  for (const char* user : {"signer", "signer-of-domain"}) {
    BOOST_TEST(signers.sign(user, "certificate", "QQ==") == admitted, user);
    BOOST_TEST(signers.sign(user, "conditions", failed) == admitted, user);
  }
  for (const char* user : {"nobody", "approver", "approver-of-domain"}) {
    BOOST_TEST(signers.sign(user, "certificate", "QQ==") == may_not_sign, user);
    BOOST_TEST(signers.sign(user, "conditions", failed) == may_not_sign, user);
  }
}

BOOST_AUTO_TEST_CASE(a_status_that_stays_as_it_is_takes_none) {
  const Signers signers;
  BOOST_TEST(signers.sign("nobody", "certificate", "QQ==", "QQ==") == admitted);
  BOOST_TEST(signers.sign("nobody", "conditions", failed, failed) == admitted);
  // Go treats an empty list as missing, but an empty certificate as present.
  BOOST_TEST(signers.sign("nobody", "conditions", Object::array()) == admitted);
  BOOST_TEST(signers.sign("nobody", "certificate", "") == may_not_sign);
}

BOOST_AUTO_TEST_CASE(the_plugins_look_at_nothing_else) {
  const Signers signers;
  const RbacAuthorizer rbac(signers.rules, signers.cluster.rbac());
  const CertificateApproval approval(signers.rules, rbac);
  const CertificateSigning signing(signers.rules, rbac);
  const Object before = request_of(serving);
  const Object after = with_status(before, "certificate", "QQ==");
  for (const char* subresource : {"", "status"}) {
    BOOST_TEST(signers.said(approval, "nobody", Operation::update, subresource, after, before) == admitted);
  }
  for (const char* subresource : {"", "approval"}) {
    BOOST_TEST(signers.said(signing, "nobody", Operation::update, subresource, after, before) == admitted);
  }
  BOOST_TEST(approval.runs_in(AdmissionPhase::validation));
  BOOST_TEST(signing.runs_in(AdmissionPhase::validation));
}

BOOST_AUTO_TEST_CASE(nobody_asks_for_a_certificate_of_masters) {
  const Signers signers;
  const std::string refused =
      "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed";
  BOOST_TEST(signers.create(client, {"system:masters"}) == refused);
  BOOST_TEST(signers.create(client, {"dev", "system:masters"}) == refused);
  BOOST_TEST(signers.create(client, {"dev", "system:masters:x"}) == admitted);
  BOOST_TEST(signers.create(client, {}) == admitted);
  // Other signers are not restricted: their certificates do not authenticate to the API server.
  BOOST_TEST(signers.create(serving, {"system:masters"}) == admitted);
}

BOOST_AUTO_TEST_CASE(there_was_none_of_this_before_there_were_signers) {
  const Signers before("1.17.0");
  BOOST_TEST(before.approve("nobody") == admitted);
  BOOST_TEST(before.sign("nobody", "certificate", "QQ==") == admitted);
  BOOST_TEST(before.create(client, {"system:masters"}) == admitted);
  const Signers first("1.18.0");
  BOOST_TEST(first.approve("nobody") == may_not_approve);
  BOOST_TEST(first.sign("nobody", "certificate", "QQ==") == may_not_sign);
  BOOST_TEST(first.sign("nobody", "conditions", failed) == admitted);
  BOOST_TEST(Signers("1.19.0").sign("nobody", "conditions", failed) == may_not_sign);
}

BOOST_AUTO_TEST_SUITE_END()
