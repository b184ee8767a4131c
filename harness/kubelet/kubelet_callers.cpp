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

std::string kind_of_caller(const std::string& who) {
  return who.substr(0, who.find(' '));
}

std::string name_of_caller(const std::string& who) {
  const std::size_t blank = who.find(' ');
  return blank == std::string::npos ? "somebody" : who.substr(blank + 1);
}

Result<KubeletCallers> KubeletCallers::create(const CertificateAuthority& trusted, std::string names) {
  auto other = CertificateAuthority::create("nodebound-other");
  if (!other) return tl::unexpected(other.error());
  return KubeletCallers(trusted, std::move(*other), std::move(names));
}

std::string KubeletCallers::user(const KubeletScenario& scenario, const std::string& name) const {
  return names_ + scenario.id + "-" + name;
}

std::string KubeletCallers::token(const KubeletScenario& scenario, const std::string& name) const {
  const std::string known = "token-of-" + user(scenario, name);
  const auto other = tokens_.find(known);
  return other == tokens_.end() ? known : other->second.text;
}

bool KubeletCallers::has_token(const KubeletScenario& scenario, const std::string& name) const {
  return tokens_.contains("token-of-" + user(scenario, name));
}

void KubeletCallers::use_token(const KubeletScenario& scenario, const std::string& name, std::string token,
                               std::string user) {
  tokens_["token-of-" + this->user(scenario, name)] = {std::move(token), std::move(user)};
}

// Nobody where the review of the token does not say who.
std::string KubeletCallers::user_of_token(const KubeletScenario& scenario, const std::string& name) const {
  const auto other = tokens_.find("token-of-" + user(scenario, name));
  if (other != tokens_.end()) return other->second.user;
  const auto reviewed = scenario.tokens.find(name);
  const bool is_known = reviewed != scenario.tokens.end() && reviewed->second.verdict.subject;
  return is_known ? user(scenario, reviewed->second.verdict.subject->name) : "";
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
  const std::string kind = kind_of_caller(who);
  const std::string name = name_of_caller(who);
  Caller out;
  if (has_certificate(kind)) {
    out.user = user(scenario, name);
    const bool bad = kind == "bad-certificate-and-token";
    const auto issued = certificate(bad ? "other-ca" : kind, out.user);
    if (!issued) return tl::unexpected(issued.error());
    out.credentials.certificate_pem = issued->certificate_pem;
    out.credentials.key_pem = issued->key_pem;
  }
  if (kind == "basic") out.credentials.headers.emplace_back("Authorization", "Basic bmFtZTpwYXNzd29yZA==");
  if (kind == "token" || kind.ends_with("token")) out.token = token(scenario, name);
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
  if (!out.token.empty() && kind != "certificate-and-bad-token") out.user = user_of_token(scenario, name);
  if (kind == "nobody" || kind == "basic" || kind == "no-common-name") out.user = "system:anonymous";
  return out;
}

}  // namespace nodebound
