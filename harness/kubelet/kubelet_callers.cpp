#include "harness/kubelet/kubelet_callers.h"

#include "fakes/encoding/base64.h"

namespace nodebound {
namespace {

constexpr std::int64_t day = 24L * 3600;
const std::string websocket_bearer = "base64url.bearer.authorization.k8s.io.";

// Kinds of credentials that come with a certificate.
bool has_certificate(const std::string& kind) {
  return kind != "nobody" && kind != "token" && kind != "websocket-token" && kind != "basic";
}

}  // namespace

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
  const Subject subject{user, {"nodebound"}, "", {}};
  Result<IssuedCertificate> out = kind == "expired"          ? trusted_.issue_client(subject, {-2 * day, -day})
                                  : kind == "not-yet-valid"  ? trusted_.issue_client(subject, {day, 2 * day})
                                  : kind == "other-ca"       ? other_.issue_client(subject)
                                  : kind == "server-usage"   ? trusted_.issue_server({user})
                                  : kind == "no-common-name" ? trusted_.issue_client({"", {"nodebound"}, "", {}})
                                                             : trusted_.issue_client(subject);
  if (out) made_[key] = *out;
  return out;
}

Result<KubeletCallers::Caller> KubeletCallers::caller(const KubeletScenario& scenario, const std::string& who) {
  const std::size_t blank = std::min(who.find(' '), who.size());
  const std::string kind = who.substr(0, blank);
  const std::string name = blank < who.size() ? who.substr(blank + 1) : "somebody";
  Caller out;
  if (has_certificate(kind)) {
    out.user = scenario.id + "-" + name;
    const bool bad = kind == "bad-certificate-and-token";
    const auto issued = certificate(bad ? "other-ca" : kind, out.user);
    if (!issued) return tl::unexpected(issued.error());
    out.credentials.certificate_pem = issued->certificate_pem;
    out.credentials.key_pem = issued->key_pem;
  }
  if (kind == "basic") out.credentials.headers.emplace_back("Authorization", "Basic bmFtZTpwYXNzd29yZA==");
  if (kind == "token" || kind.ends_with("token")) out.token = token_text(scenario, name);
  if (kind == "websocket-token") {
    for (const auto& [header, value] :
         {std::pair{"Connection", std::string("Upgrade")},
          {"Upgrade", "websocket"},
          {"Sec-WebSocket-Version", "13"},
          {"Sec-WebSocket-Key", "bm9kZWJvdW5kLW5vZGVibw=="},
          {"Sec-WebSocket-Protocol", websocket_bearer + base64url_encode(out.token) + ", v4.channel.k8s.io"}}) {
      out.credentials.headers.emplace_back(header, value);
    }
  } else if (!out.token.empty()) {
    out.credentials.headers.emplace_back("Authorization", "Bearer " + out.token);
  }
  if (const auto reviewed = scenario.tokens.find(name); !out.token.empty() && reviewed != scenario.tokens.end()) {
    const auto& subject = reviewed->second.verdict.subject;
    if (kind != "certificate-and-bad-token") out.user = subject ? scenario.id + "-" + subject->name : "";
  }
  if (kind == "nobody" || kind == "basic" || kind == "no-common-name") out.user = "system:anonymous";
  return out;
}

}  // namespace nodebound
