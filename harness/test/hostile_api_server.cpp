#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <mutex>
#include <set>

#include "fakes/wire/certificates/openssl.h"
#include "fakes/wire/requests.h"
#include "harness/test/served_cluster.h"
#include "harness/test/spying_server.h"
#include "reference/cluster/object.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(hostile_api_server)

using namespace command_line;
using namespace nodebound;

namespace {

/// An API server that seems to behave, and records everything that it is shown.
class Thief {
 public:
  enum class Way { behaves, sends_elsewhere };

  explicit Thief(const ServedCluster& cluster, Way way = Way::behaves) : cluster_(cluster), way_(way) {
    const auto handle = [this](const httplib::Request& in, httplib::Response& out) { take(in, out); };
    server_.http().Get(".*", handle).Post(".*", handle).Put(".*", handle).Patch(".*", handle).Delete(".*", handle);
    server_.start();
  }

  [[nodiscard]] std::string url() const { return server_.url(); }
  [[nodiscard]] std::string authority() const { return server_.authority().certificate_pem(); }

  std::string elsewhere;  ///< where it redirects every request
  std::mutex mutex;
  std::size_t requests = 0;
  std::set<std::string> shown;         ///< every text in headers and bodies
  std::set<std::string> certificates;  ///< in PEM, without their keys
  std::set<std::string> subjects;

 private:
  void take(const httplib::Request& in, httplib::Response& out) {
    const Credentials own = credentials_of(cluster_.admin).value();
    Credentials credentials = own;
    {
      const std::lock_guard lock(mutex);
      ++requests;
      keep(in, credentials);
    }
    if (way_ == Way::sends_elsewhere) return out.set_redirect(elsewhere + in.target, 307);
    HttpRequest passed{in.method, in.target, in.get_header_value("Content-Type"), in.body, false};
    if (in.target.find("watch=true") != std::string::npos) {
      passed.target = with_parameter(without_parameter(in.target, "timeoutSeconds"), "timeoutSeconds=1");
    }
    const auto client = make_http_client(cluster_.admin.server, credentials, {}).value();
    const auto answer = client->send(passed);
    out.status = answer ? answer->status : 502;
    if (answer) out.set_content(answer->body, answer->content_type.c_str());
  }

  void keep(const httplib::Request& in, Credentials& credentials) {
    for (const auto& [name, value] : in.headers) {
      shown.insert(value);
      if (const std::size_t blank = value.rfind(' '); blank != std::string::npos) shown.insert(value.substr(blank + 1));
      if (name.starts_with("Impersonate-")) credentials.headers.emplace_back(name, value);
    }
    shown.insert(in.body);
    keep_texts(Object::parse(in.body, nullptr, false));
    const std::unique_ptr<X509, openssl::Deleter<X509_free>> peer(SSL_get1_peer_certificate(in.ssl));
    if (!peer) {
      if (!in.has_header("Authorization")) credentials = {};
      return;
    }
    certificates.insert(pem_of(peer.get()));
    X509_NAME* const subject = X509_get_subject_name(peer.get());
    const std::vector<std::string> names = entries(subject, NID_commonName);
    subjects.insert(names.empty() ? "" : names.front());
    if (names.empty() || names.front().find("system:node:") != 0) return;
    // The thief has no key of the node, so it answers for the node as well as it can.
    credentials.headers.emplace_back("Impersonate-User", names.front());
    for (const std::string& group : entries(subject, NID_organizationName)) {
      credentials.headers.emplace_back("Impersonate-Group", group);
    }
  }

  void keep_texts(const Object& body) {
    if (body.is_string()) {
      const auto& text = body.get_ref<const std::string&>();
      shown.insert(text);
      if (const auto decoded = base64_decode(text)) shown.insert(*decoded);
    } else if (body.is_structured()) {
      for (const Object& each : body) keep_texts(each);
    }
  }

  static std::vector<std::string> entries(X509_NAME* name, int kind) {
    std::vector<std::string> out;
    for (int at = X509_NAME_get_index_by_NID(name, kind, -1); at >= 0;
         at = X509_NAME_get_index_by_NID(name, kind, at)) {
      const ASN1_STRING* text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at));
      out.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                       static_cast<std::size_t>(ASN1_STRING_length(text)));
    }
    return out;
  }

  static std::string pem_of(X509* certificate) {
    const std::unique_ptr<BIO, openssl::Deleter<BIO_free_all>> out(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(out.get(), certificate);
    char* data = nullptr;
    const long size = BIO_get_mem_data(out.get(), &data);
    return {data, static_cast<std::size_t>(size)};
  }

  const ServedCluster& cluster_;
  Way way_;
  hostile::SpyingServer server_;
};

// Whether the true server authenticates somebody by the text. To others it answers 401, or 400 to malformed input.
bool is_good_for_something(HttpClient& line, const std::string& text) {
  const bool fits_a_header = !text.empty() && text.size() < 20'000 &&
                             std::all_of(text.begin(), text.end(), [](char c) { return c > 0x1F && c < 0x7F; });
  if (!fits_a_header) return false;
  const auto answer = line.send({"GET", "/api", "", "", false, "", {{"authorization", "Bearer " + text}}, {}});
  return answer && (answer->status < 400 || answer->status == 403);
}

struct Theft {
  explicit Theft(Thief::Way way = Thief::Way::behaves) : thief(cluster, way) {
    cluster.folder.write("thief.crt", thief.authority());
    kubeconfig("certificate", "client-certificate-data: " + base64_encode(cluster.admin.certificate_pem) +
                                  ", client-key-data: " + base64_encode(cluster.admin.key_pem));
    kubeconfig("token", "token: token-of-the-administrator");
  }

  void kubeconfig(const std::string& name, const std::string& user) const {
    cluster.folder.write(name, "clusters: [{name: c, cluster: {server: \"" + thief.url() +
                                   "\", certificate-authority: thief.crt}}]\nusers: [{name: u, user: {" + user +
                                   "}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n");
  }

  Ended run(const std::string& kubeconfig, const std::string& flags) const {
    const std::string files = cluster.folder.path.string();
    return command_line::nodebound("run --target kubeconfig:" + files + "/" + kubeconfig + " --out " + files + "/out " +
                                   "--focus 'node-taints|reading-secrets|token-audience|certificate-of-another' " +
                                   flags);
  }

  /// The texts shown to the thief that authenticate somebody at the true server.
  std::vector<std::string> spoils() const {
    std::vector<std::string> out;
    const auto line = make_http_client(cluster.admin.server, {}, {}).value();
    BOOST_TEST(is_good_for_something(*line, "token-of-the-administrator"), "what is tried must be able to succeed");
    for (const std::string& each : thief.shown) {
      if (each.find("PRIVATE KEY") != std::string::npos || is_good_for_something(*line, each)) out.push_back(each);
    }
    return out;
  }

  /// Its API server trusts the authority with which --identity=ca signs.
  ServedCluster cluster{"token-of-the-administrator,administrator,1,system:masters\n"};
  Thief thief;
};

struct Elsewhere : Theft {
  Elsewhere() : Theft(Thief::Way::sends_elsewhere), other(cluster) { thief.elsewhere = other.url(); }
  Thief other;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(who_impersonates_by_certificate_gives_nothing_away, Theft) {
  const Ended ended = run("certificate", "");
  BOOST_TEST(ended.code == 0, ended.output);
  BOOST_TEST(thief.requests > 500U);
  for (const std::string& each : spoils()) BOOST_ERROR(each);
}

BOOST_FIXTURE_TEST_CASE(who_has_the_authoritys_key_gives_nothing_away, Theft) {
  const std::string files = cluster.folder.path.string();
  const Ended ended =
      run("certificate", "--identity ca --client-ca-cert " + files + "/ca.crt --client-ca-key " + files + "/ca.key");
  BOOST_TEST(ended.code == 0, ended.output);
  BOOST_TEST(thief.certificates.size() > 5U, "a thief that is shown no certificate proves nothing");
  for (const std::string& each : spoils()) BOOST_ERROR(each);
  // A certificate is useless without its key, and no key was shown.
  for (const std::string& pem : thief.certificates) {
    BOOST_TEST(!make_http_client(cluster.admin.server, {pem, cluster.admin.key_pem, {}}, {}) ==
               (pem != cluster.admin.certificate_pem));
  }
}

// The kubeconfig's token belongs to the user and is meant for its server; nothing of ours is added.
BOOST_FIXTURE_TEST_CASE(a_token_of_the_kubeconfig_is_all_that_its_server_gets, Theft) {
  const Ended ended = run("token", "");
  BOOST_TEST(ended.code == 0, ended.output);
  for (const std::string& each : spoils()) BOOST_TEST(each == "token-of-the-administrator");
  for (const char* report : {"report.json", "junit.xml"}) {
    std::ifstream in(cluster.folder.path / "out" / report);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    BOOST_TEST(!text.empty());
    BOOST_TEST(text.find("token-of-the-administrator") == std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(nobody_is_sent_elsewhere_with_credentials, Elsewhere) {
  for (const char* kubeconfig : {"certificate", "token"}) {
    const Ended ended = run(kubeconfig, "");
    BOOST_TEST(ended.code == 3, ended.output);
  }
  BOOST_TEST(thief.requests > 0U);
  BOOST_TEST(other.requests == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
