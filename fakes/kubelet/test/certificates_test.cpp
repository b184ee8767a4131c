#include <boost/test/unit_test.hpp>

#include "fakes/kubelet/node/signing_request.h"
#include "fakes/kubelet/test/kubelet_cluster.h"
#include "fakes/wire/certificates/pki.h"
#include "reference/admission/certificate_signing_request.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(kubelet_certificates)

using namespace nodebound;
using namespace nodebound::fake_kubelet;
using namespace nodebound::test;

namespace {

// A cluster that lets bootstrapping kubelets ask for certificates, as kubeadm sets it up.
struct Bootstrapping : KubeletCluster {
  explicit Bootstrapping(const char* release, const char* version = "v1") : KubeletCluster(release) {
    requests_of = std::string("/apis/certificates.k8s.io/") + version + "/certificatesigningrequests";
    const std::string rbac = std::string("/apis/rbac.authorization.k8s.io/") +
                             (std::string(version) == "v1" ? "v1" : "v1beta1") + "/clusterrolebindings";
    make(rbac, R"({"metadata":{"name":"bootstrap"},"subjects":[{"kind":"Group","name":"system:bootstrappers",
                   "apiGroup":"rbac.authorization.k8s.io"}],"roleRef":{"kind":"ClusterRole",
                   "name":"system:node-bootstrapper","apiGroup":"rbac.authorization.k8s.io"}})");
    BOOST_TEST_REQUIRE(last.status == 201, last.body);
  }

  static KubeletOptions options() {
    KubeletOptions out;
    out.bootstrap = true;
    out.events = false;
    return out;
  }

  Object request() { return get(requests_of)["items"].back(); }
  // Approves and signs, as the controllers of kube-controller-manager would.
  void sign(const std::string& certificate) {
    Object object = request();
    object["apiVersion"] = requests_of.substr(6, requests_of.find("/certificatesigning") - 6);
    object["kind"] = "CertificateSigningRequest";
    const std::string name(text(object, "metadata", "name"));
    object["status"]["certificate"] = base64_encode(certificate);
    call("PUT", requests_of + "/" + name + "/status", object.dump());
    BOOST_TEST_REQUIRE(last.status == 200, last.body);
  }

  std::string requests_of;
};

std::string signed_by_authority(const Object& request) {
  static const CertificateAuthority authority = CertificateAuthority::create("nodebound").value();
  return authority.sign_request(*base64_decode(text(request, "spec", "request"))).value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_kubelet_gets_its_certificate_before_all_else) {
  Bootstrapping cluster("1.36.3");
  FakeKubelet& kubelet = cluster.start("1.36.3", Bootstrapping::options());
  const std::string requests = "certificates.k8s.io/v1 certificatesigningrequests";
  const std::string name(text(cluster.request(), "metadata", "name"));
  BOOST_TEST(name.starts_with("node-csr-"));
  const std::string by_name = " metadata.name=" + name;
  check(cluster.taken(),
        {"GET /healthz", "POST " + requests, "GET " + requests + by_name, "GET " + requests + by_name + " watch"});
  cluster.sign(signed_by_authority(cluster.request()));
  cluster.run();
  BOOST_TEST(kubelet.registered());
  BOOST_TEST(kubelet.refusals().empty());
  BOOST_TEST(cluster.taken().front() == "GET services spec.clusterIP!=None watch");
}

BOOST_AUTO_TEST_CASE(what_it_asks_for_is_of_its_release) {
  const auto asked = [](const char* release, const char* version) {
    Bootstrapping cluster(release, version);
    cluster.start(release, Bootstrapping::options());
    Object request = cluster.request();
    BOOST_TEST(common_name_of(*base64_decode(text(request, "spec", "request"))).value() == "system:node:a", release);
    Lines lines = cluster.taken();
    BOOST_TEST((lines.front() == "GET /healthz") == (std::string(release) != "1.7.0"), release);
    return request;
  };
  const Object old = asked("1.7.0", "v1beta1");
  BOOST_TEST(old["spec"]["usages"] == Object::parse(R"(["digital signature","key encipherment","client auth"])"));
  const Object middle = asked("1.19.0", "v1");
  BOOST_TEST(middle["spec"]["usages"] == old["spec"]["usages"]);
  BOOST_TEST(text(middle, "spec", "signerName") == "kubernetes.io/kube-apiserver-client-kubelet");
  const Object current = asked("1.27.0", "v1");
  BOOST_TEST(current["spec"]["usages"] == Object::parse(R"(["digital signature","client auth"])"));
}

BOOST_AUTO_TEST_CASE(kubelets_of_1_6_watch_a_request_of_a_generated_name) {
  Bootstrapping cluster("1.6.13", "v1beta1");
  cluster.start("1.6.13", Bootstrapping::options());
  const std::string name(text(cluster.request(), "metadata", "name"));
  BOOST_TEST(name.starts_with("csr-"));
  const std::string requests = "certificates.k8s.io/v1beta1 certificatesigningrequests";
  check(cluster.taken(), {"POST " + requests, "GET " + requests + " metadata.name=" + name + " watch"});
}

BOOST_AUTO_TEST_CASE(it_asks_in_the_version_that_is_served) {
  Bootstrapping cluster("1.18.0", "v1beta1");
  cluster.start("1.19.0", Bootstrapping::options());
  const Lines lines = cluster.taken();
  BOOST_TEST_REQUIRE(lines.size() == 5U);
  BOOST_TEST(lines[1] == "POST certificates.k8s.io/v1 certificatesigningrequests");
  BOOST_TEST(lines[2] == "POST certificates.k8s.io/v1beta1 certificatesigningrequests");
}

BOOST_AUTO_TEST_CASE(it_asks_for_another_before_its_certificate_ends) {
  Bootstrapping cluster("1.36.3");
  KubeletOptions options = Bootstrapping::options();
  options.heartbeats_apart = std::chrono::hours(1);
  // The signed certificates use real time, so virtual time must match it.
  cluster.time = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  FakeKubelet& kubelet = cluster.start("1.36.3", options);
  cluster.sign(signed_by_authority(cluster.request()));
  cluster.run();
  const auto asked = [&] {
    const Lines lines = cluster.taken();
    return std::count(lines.begin(), lines.end(), "POST certificates.k8s.io/v1 certificatesigningrequests");
  };
  BOOST_TEST(asked() == 1);
  cluster.run(std::chrono::hours(24 * 4));
  BOOST_TEST(asked() == 0);
  cluster.run(std::chrono::hours(24 * 3));
  BOOST_TEST(asked() == 1);
  const Object renewal = cluster.get(cluster.requests_of)["items"][0];
  BOOST_TEST(text(renewal, "metadata", "name").starts_with("csr-"));
  BOOST_TEST(kubelet.refusals().empty());
}

BOOST_AUTO_TEST_CASE(serving_certificates_are_asked_for_as_the_node) {
  KubeletCluster cluster("1.36.3");
  KubeletOptions options;
  options.serving_csr = true;
  FakeKubelet& kubelet = cluster.start("1.36.3", options);
  const Object request = cluster.get("/apis/certificates.k8s.io/v1/certificatesigningrequests")["items"][0];
  BOOST_TEST(text(request, "spec", "signerName") == "kubernetes.io/kubelet-serving");
  BOOST_TEST(text(request, "spec", "username") == "system:node:a");
  BOOST_TEST(request["spec"]["usages"] == Object::parse(R"(["digital signature","server auth"])"));
  BOOST_TEST(kubelet.registered());
  BOOST_TEST(kubelet.refusals().empty());
}

BOOST_AUTO_TEST_CASE(a_request_that_is_gone_is_made_again) {
  Bootstrapping cluster("1.36.3");
  cluster.start("1.36.3", Bootstrapping::options());
  const std::string name(text(cluster.request(), "metadata", "name"));
  cluster.call("DELETE", cluster.requests_of + "/" + name);
  cluster.run(std::chrono::minutes(1));
  BOOST_TEST(text(cluster.request(), "metadata", "name") == name);
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_request) {
  const CertificateOrder order{"a", false};
  BOOST_TEST(fake_signing_request(order, 1) == fake_signing_request(order, 1));
  BOOST_TEST(fake_signing_request(order, 1) != fake_signing_request(order, 2));
  BOOST_TEST(common_name_of(fake_signing_request({std::string(200, 'n'), true}, 1)).value().size() == 212U);
}

BOOST_AUTO_TEST_SUITE_END()
