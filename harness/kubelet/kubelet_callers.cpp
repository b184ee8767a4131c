#include "harness/kubelet/kubelet_callers.h"

#include <array>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include "fakes/authentication/openssl.h"
#include "fakes/encoding/base64.h"

namespace nodebound {
namespace {

constexpr std::int64_t day = 24L * 3600;
const std::string websocket_bearer = "base64url.bearer.authorization.k8s.io.";

// Kinds of credentials that come with a certificate.
bool has_certificate(const std::string& kind) {
  return kind != "nobody" && kind != "token" && kind != "websocket-token" && kind != "basic";
}

// Two, as a kubelet that knew the first alone would seem right with one.
const std::vector<std::string> organizations = {"nodebound", "nodebound-second"};

// What is known of a certificate beside its names (apiserver's request/x509/x509.go).
Result<std::string> credential_id(const std::string& pem) {
  const auto chain = openssl::parse_certificates("client certificate", pem);
  if (!chain) return tl::unexpected(chain.error());
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  X509_digest(chain->front().get(), EVP_sha256(), digest.data(), &length);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "X509SHA256=";
  for (unsigned int i = 0; i < length; ++i) {
    out += digits[digest[i] >> 4U];
    out += digits[digest[i] & 15U];
  }
  return out;
}

Subject with_group(Subject subject, const char* group) {
  subject.groups.emplace_back(group);
  return subject;
}

void show_token(KubeletCallers::Caller& caller, const std::string& kind) {
  HttpHeaders& headers = caller.credentials.headers;
  if (kind != "websocket-token") {
    headers.emplace_back("Authorization", "Bearer " + caller.token);
    return;
  }
  headers.emplace_back("Connection", "Upgrade");
  headers.emplace_back("Upgrade", "websocket");
  headers.emplace_back("Sec-WebSocket-Version", "13");
  headers.emplace_back("Sec-WebSocket-Key", "bm9kZWJvdW5kLW5vZGVibw==");
  headers.emplace_back("Sec-WebSocket-Protocol",
                       websocket_bearer + base64url_encode(caller.token) + ", v4.channel.k8s.io");
}

}  // namespace

std::string user_of_token(const KubeletScenario& scenario, const Subject& subject) {
  return scenario.id + "-" + subject.name;
}

std::string token_text(const KubeletScenario& scenario, const std::string& name) {
  return "token-of-" + scenario.id + "-" + name;
}

Result<KubeletCallers> KubeletCallers::create(const CertificateAuthority& trusted) {
  auto other = CertificateAuthority::create("nodebound-other");
  if (!other) return tl::unexpected(other.error());
  return KubeletCallers(trusted, std::move(*other));
}

Result<IssuedCertificate> KubeletCallers::certificate(const std::string& kind, const std::string& user) {
  const std::string key = kind + " " + user;
  if (const auto found = made_.find(key); found != made_.end()) return found->second;
  const Subject subject{user, organizations, "", {}};
  Result<IssuedCertificate> out = kind == "expired"          ? trusted_.issue_client(subject, {-2 * day, -day})
                                  : kind == "not-yet-valid"  ? trusted_.issue_client(subject, {day, 2 * day})
                                  : kind == "other-ca"       ? other_.issue_client(subject)
                                  : kind == "server-usage"   ? trusted_.issue_server({user})
                                  : kind == "no-common-name" ? trusted_.issue_client({"", organizations, "", {}})
                                                             : trusted_.issue_client(subject);
  if (out) made_[key] = *out;
  return out;
}

Result<KubeletCallers::Caller> KubeletCallers::caller(const KubeletScenario& scenario, const std::string& who,
                                                      const RuleSet& rules) {
  const std::size_t blank = std::min(who.find(' '), who.size());
  const std::string kind = who.substr(0, blank);
  const std::string name = blank < who.size() ? who.substr(blank + 1) : "somebody";
  Caller out{{}, {"system:anonymous", {"system:unauthenticated"}, "", {}}, Rule::kubelet_anonymous, ""};
  if (has_certificate(kind)) {
    const std::string user = scenario.id + "-" + name;
    const auto issued = certificate(kind == "bad-certificate-and-token" ? "other-ca" : kind, user);
    if (!issued) return tl::unexpected(issued.error());
    out.credentials.certificate_pem = issued->certificate_pem;
    out.credentials.key_pem = issued->key_pem;
    if (kind != "no-common-name") {
      out.subject = with_group({user, organizations, "", {}}, "system:authenticated");
      out.known_by = Rule::kubelet_client_certificate;
    }
    if (out.known_by == Rule::kubelet_client_certificate && rules.in_force(Rule::kubelet_credential_id)) {
      const auto id = credential_id(issued->certificate_pem);
      if (!id) return tl::unexpected(id.error());
      out.subject.extra["authentication.kubernetes.io/credential-id"] = {*id};
    }
  }
  if (kind == "basic") out.credentials.headers.emplace_back("Authorization", "Basic bmFtZTpwYXNzd29yZA==");
  if (kind == "token" || kind.ends_with("token")) {
    out.token = token_text(scenario, name);
    show_token(out, kind);
  }
  if (out.token.empty() || kind == "certificate-and-bad-token") return out;
  if (const auto reviewed = scenario.tokens.find(name); reviewed != scenario.tokens.end()) {
    if (const auto& subject = reviewed->second.verdict.subject) {
      out.subject = with_group(*subject, "system:authenticated");
      out.subject.name = user_of_token(scenario, *subject);
      out.known_by = Rule::kubelet_token_review;
    }
  }
  return out;
}

}  // namespace nodebound
