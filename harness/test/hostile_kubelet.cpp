#include <boost/test/unit_test.hpp>
#include <mutex>
#include <set>

#include "fakes/wire/certificates/openssl.h"
#include "harness/test/served_cluster.h"
#include "harness/test/spying_server.h"
#include "reference/cluster/object.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(hostile_kubelet)

using namespace command_line;
using namespace nodebound;

namespace {

/// A cluster with two nodes, and a Secret that neither node may read.
struct Cluster : ServedCluster {
  Cluster() : ServedCluster("", {"--node", "a"}) {
    BOOST_REQUIRE(ask_as_admin("POST", "/api/v1/nodes", R"({"metadata":{"name":"another-node"}})").status == 201);
    BOOST_REQUIRE(ask_as_admin("POST", "/api/v1/nodes", R"({"metadata":{"name":"a"}})").status < 500);
    BOOST_REQUIRE(ask_as_admin("POST", "/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"db"}})").status ==
                  201);
  }
  [[nodiscard]] std::string kubeconfig() const { return "kubeconfig:" + admin_file(); }
};

Credentials bearer(const std::string& token) {
  return {"", "", {{"Authorization", "Bearer " + token}}};
}

/// A kubelet that lets everybody in, gives useless answers, and at once tries everything that it is shown on the API
/// server.
class Thief {
 public:
  explicit Thief(const Cluster& cluster, int verify_mode) : cluster_(cluster), server_(verify_mode) {
    server_.http().set_pre_routing_handler([this](const httplib::Request& in, httplib::Response& out) {
      take(in);
      out.set_content("ok", "text/plain");
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.start();
  }

  [[nodiscard]] std::string url() const { return server_.url(); }
  [[nodiscard]] const CertificateAuthority& authority() const { return server_.authority(); }
  /// The fingerprint of the certificate that it shows, whatever others were told to expect.
  [[nodiscard]] std::string fingerprint() const {
    ServerAddress server;
    server.host = "127.0.0.1";
    server.port = static_cast<std::uint16_t>(server_.port());
    return shown_fingerprint(server).value();
  }

  std::mutex mutex;
  std::set<std::string> tokens;     ///< the API server made them
  std::set<std::string> any;        ///< those, and others
  std::size_t certificates = 0;     ///< shown, without their keys
  std::vector<std::string> spoils;  ///< what a token allowed beyond its own node

 private:
  void take(const httplib::Request& in) {
    const std::lock_guard lock(mutex);
    const std::unique_ptr<X509, openssl::Deleter<X509_free>> peer(SSL_get1_peer_certificate(in.ssl));
    if (peer) ++certificates;
    for (const auto& [name, value] : in.headers) {
      const std::size_t bearer_at = value.find("Bearer ");
      if (bearer_at != std::string::npos) use(value.substr(bearer_at + 7));
      const std::size_t mark = value.find("base64url.bearer.authorization.k8s.io.");
      if (mark == std::string::npos) continue;
      const std::size_t begin = mark + 38;
      if (const auto text = base64url_decode(value.substr(begin, value.find(',') - begin))) use(*text);
    }
  }

  void use(const std::string& token) {
    any.insert(token);
    if (std::count(token.begin(), token.end(), '.') != 2) return;
    tokens.insert(token);
    const auto line = make_http_client(cluster_.admin.server, bearer(token), {}).value();
    for (const char* verb : {"get", "create", "delete", "*"}) {
      for (const char* subresource : {"", "proxy", "pods", "log", "configz", "*"}) {
        for (const char* name : {"another-node", ""}) {
          try_right(*line, {{"verb", verb}, {"resource", "nodes"}, {"subresource", subresource}, {"name", name}});
        }
      }
      for (const char* resource : {"secrets", "pods", "nodes", "*"}) {
        try_right(*line, {{"verb", verb}, {"resource", resource}});
        try_right(*line, {{"verb", verb}, {"resource", resource}, {"namespace", "kube-system"}});
      }
    }
    try_right(*line, {{"verb", "impersonate"}, {"resource", "users"}});
    try_right(*line, {{"verb", "create"}, {"resource", "serviceaccounts"}, {"subresource", "token"}});
    try_right(*line, {{"verb", "escalate"}, {"group", "rbac.authorization.k8s.io"}, {"resource", "clusterroles"}});
    try_request(*line, "POST", "/api/v1/nodes/another-node/proxy/run/default/web/main?cmd=id");
    try_request(*line, "GET", "/api/v1/nodes/another-node/proxy/pods");
    try_request(*line, "GET", "/api/v1/secrets");
    try_request(*line, "POST", "/api/v1/namespaces/default/pods", R"({"metadata":{"name":"x"}})");
    try_request(*line, "POST", "/api/v1/namespaces/kube-system/serviceaccounts/default/token", "{}");
    Credentials impersonating = bearer(token);
    impersonating.headers.emplace_back("Impersonate-User", "admin");
    impersonating.headers.emplace_back("Impersonate-Group", "system:masters");
    try_request(*make_http_client(cluster_.admin.server, impersonating, {}).value(), "GET", "/api/v1/secrets");
  }

  void try_right(HttpClient& line, const Object& attributes) {
    const Object review = {{"apiVersion", "authorization.k8s.io/v1"},
                           {"kind", "SelfSubjectAccessReview"},
                           {"spec", {{"resourceAttributes", attributes}}}};
    const auto answer = line.send(
        {"POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "application/json", review.dump(), false});
    const Object body = answer ? Object::parse(answer->body, nullptr, false) : Object();
    if (body.is_object() && is_true(body, "status", "allowed")) spoils.push_back(attributes.dump());
  }
  void try_request(HttpClient& line, const std::string& method, const std::string& target,
                   const std::string& body = "") {
    const auto answer = line.send({method, target, "application/json", body, false});
    if (!answer || (answer->status != 401 && answer->status != 403)) {
      spoils.push_back(method + " " + target + ": " + (answer ? std::to_string(answer->status) : "no answer"));
    }
  }

  const Cluster& cluster_;
  hostile::SpyingServer server_;
};

struct Theft {
  explicit Theft(int verify_mode = SSL_VERIFY_PEER) : thief(cluster, verify_mode) {
    cluster.folder.write("config.yaml", "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n");
    run = "run --release 1.36.3 --node a --target kubelet:" + thief.url() + " --kubelet-cluster " +
          cluster.kubeconfig() + " --kubelet-config " + (cluster.folder.path / "config.yaml").string() + " --out " +
          (cluster.folder.path / "out").string();
  }

  Cluster cluster;
  Thief thief;
  std::string run;
};

struct TheftWithCertificates : Theft {
  TheftWithCertificates() : Theft(SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT) {}
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(who_is_not_known_for_the_kubelet_is_shown_nothing, Theft) {
  const std::string other = std::string(64, 'a');
  cluster.folder.write("other.crt", CertificateAuthority::create("other").value().certificate_pem());
  const std::string may = " --i-may-write-to nodebound";
  const std::pair<std::string, std::string> runs[] = {
      {may, "nobody vouches for the kubelet"},
      {may + " --kubelet-fingerprint " + other,
       "not the one that is pinned: its fingerprint is " + thief.fingerprint()},
      {may + " --kubelet-ca " + (cluster.folder.path / "other.crt").string(), "not to be believed"},
      {may + " --kubelet-fingerprint sha1:aa", "is not a SHA-256 fingerprint"},
      {may + " --kubelet-fingerprint " + other + " --kubelet-ca /nonexistent", "give one of them"},
      {" --kubelet-fingerprint " + thief.fingerprint(), "--i-may-write-to nodebound"},
  };
  for (const auto& [flags, expected] : runs) {
    const Ended ended = command_line::nodebound(run + flags);
    BOOST_TEST((ended.code == 2 || ended.code == 3), flags << " ended with " << ended.code);
    BOOST_TEST(says(ended, expected), flags << " said " << ended.output);
  }
  BOOST_TEST(thief.any.empty());
  BOOST_TEST(thief.certificates == 0U);
}

BOOST_FIXTURE_TEST_CASE(what_a_thief_is_shown_is_good_for_nothing_but_its_own_node, Theft) {
  const Ended ended =
      command_line::nodebound(run + " --i-may-write-to nodebound --kubelet-fingerprint " + thief.fingerprint());
  // It does not conform, because it lets everybody in.
  BOOST_TEST(ended.code == 1, ended.output);
  BOOST_TEST(thief.tokens.size() > 20U, "a thief that is shown nothing proves nothing");
  for (const std::string& each : thief.spoils) BOOST_ERROR(each);
  for (const std::string& token : thief.tokens) {
    const Object claims =
        Object::parse(*base64url_decode(token.substr(token.find('.') + 1, token.rfind('.') - token.find('.') - 1)));
    BOOST_TEST(claims["exp"].get<int>() - claims["iat"].get<int>() <= 600);
    BOOST_TEST(claims["kubernetes.io"].contains("secret"), claims.dump());
    BOOST_TEST(cluster.ask(bearer(token), "GET", "/api").status == 401, "a token outlives the run");
  }
  const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/";
  for (const char* resource : {"clusterroles", "clusterrolebindings"}) {
    const HttpResponse left = cluster.ask_as_admin("GET", rbac + resource + "?labelSelector=nodebound.dev/run");
    BOOST_TEST(Object::parse(left.body)["items"].empty(), left.body);
  }
}

BOOST_FIXTURE_TEST_CASE(who_has_the_authoritys_key_shows_certificates_and_no_token_for_them, Theft) {
  const std::string files = cluster.folder.path.string();
  cluster.folder.write("thief.crt", thief.authority().certificate_pem());
  const Ended ended = command_line::nodebound(run + " --i-may-write-to nodebound --kubelet-ca " + files + "/thief.crt" +
                                              " --identity ca --client-ca-cert " + files + "/ca.crt --client-ca-key " +
                                              files + "/ca.key");
  BOOST_TEST(ended.code == 1, ended.output);
  BOOST_TEST(thief.certificates > 20U);
  for (const std::string& each : thief.spoils) BOOST_ERROR(each);
}

BOOST_FIXTURE_TEST_CASE(a_kubelet_that_wants_certificates_of_everybody_is_judged, TheftWithCertificates) {
  const Ended ended =
      command_line::nodebound(run + " --i-may-write-to nodebound --kubelet-fingerprint " + thief.fingerprint());
  BOOST_TEST(ended.code == 1, ended.output);
  BOOST_TEST(says(ended, "observed  the end of the TLS handshake, for want of a client certificate\n"), ended.output);
}

// Then a token is valuable whatever the suite grants, so none is shown.
BOOST_FIXTURE_TEST_CASE(where_every_service_account_may_do_much_no_token_is_shown, Theft) {
  const Object binding = {
      {"metadata", {{"name", "careless"}}},
      {"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "ClusterRole"}, {"name", "cluster-admin"}}},
      {"subjects",
       {{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "Group"}, {"name", "system:serviceaccounts"}}}}};
  const std::string path = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
  BOOST_REQUIRE(cluster.ask_as_admin("POST", path, binding.dump()).status == 201);
  const Ended ended =
      command_line::nodebound(run + " --i-may-write-to nodebound --kubelet-fingerprint " + thief.fingerprint());
  BOOST_TEST(says(ended, "no token is shown to it: every service account of the cluster may * *"), ended.output);
  BOOST_TEST(thief.tokens.empty());
}

BOOST_AUTO_TEST_SUITE_END()
