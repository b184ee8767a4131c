#include "harness/kubelet/cluster/kubelet_callers.h"

#include <openssl/x509.h>

#include "fakes/wire/certificates/digest.h"
#include "fakes/wire/certificates/openssl.h"
#include "reference/encoding/base64.h"

namespace nodebound::kubelet_conformance {
namespace {

constexpr std::int64_t hour = 3600;
constexpr std::int64_t day = 24 * hour;
const std::string websocket_bearer = "base64url.bearer.authorization.k8s.io.";

// Two organizations, because with one a kubelet that reads only the first would look correct.
const std::vector<std::string> organizations = {"nodebound", "nodebound-second"};

// The certificate's digest, which authentication adds to the user's extra (apiserver's request/x509/x509.go).
Result<std::string> credential_id(const std::string& pem) {
  const auto chain = openssl::parse_certificates("client certificate", pem);
  if (!chain) return tl::unexpected(chain.error());
  return "X509SHA256=" + fingerprint_of(chain->front().get());
}

Subject with_group(Subject subject, const char* group) {
  subject.groups.emplace_back(group);
  return subject;
}

void show_token(KubeletCallers::Caller& caller, CallerText::Shows shows) {
  HttpHeaders& headers = caller.credentials.headers;
  if (shows != CallerText::Shows::websocket_token) {
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

Result<IssuedCertificate> KubeletCallers::certificate(CallerText::Shows shows, const std::string& user) {
  const std::pair key(shows, user);
  if (const auto found = made_.find(key); found != made_.end()) return found->second;
  const Subject subject{user, organizations, "", {}};
  Result<IssuedCertificate> out =
      shows == CallerText::Shows::expired          ? trusted_.issue_client(subject, {-2 * day, -day})
      : shows == CallerText::Shows::not_yet_valid  ? trusted_.issue_client(subject, {day, 2 * day})
      : shows == CallerText::Shows::other_ca       ? other_.issue_client(subject)
      : shows == CallerText::Shows::server_usage   ? trusted_.issue_server({user})
      : shows == CallerText::Shows::no_common_name ? trusted_.issue_client({"", organizations, "", {}})
                                                   : trusted_.issue_client(subject, {.to = hour});
  if (out) made_[key] = *out;
  return out;
}

// Nothing if the review of the token names no user.
std::optional<Subject> KubeletCallers::bearer(const KubeletScenario& scenario, const std::string& name) const {
  const auto other = tokens_.find("token-of-" + user(scenario, name));
  if (other != tokens_.end()) return Subject{other->second.user, {}, "", {}};
  const auto reviewed = scenario.tokens.find(name);
  if (reviewed == scenario.tokens.end() || !reviewed->second.verdict.subject) return std::nullopt;
  Subject out = *reviewed->second.verdict.subject;
  out.name = user(scenario, out.name);
  return out;
}

Result<void> KubeletCallers::show_certificate(Caller& caller, CallerText::Shows shows, const std::string& user,
                                              const RuleSet& rules) {
  const auto issued =
      certificate(shows == CallerText::Shows::bad_certificate_and_token ? CallerText::Shows::other_ca : shows, user);
  if (!issued) return tl::unexpected(issued.error());
  caller.credentials.certificate_pem = issued->certificate_pem;
  caller.credentials.key_pem = issued->key_pem;
  if (shows == CallerText::Shows::no_common_name) return {};
  caller.subject = with_group({user, organizations, "", {}}, "system:authenticated");
  caller.known_by = Rule::kubelet_client_certificate;
  if (!rules.in_force(Rule::kubelet_credential_id)) return {};
  const auto id = credential_id(issued->certificate_pem);
  if (!id) return tl::unexpected(id.error());
  caller.subject.extra["authentication.kubernetes.io/credential-id"] = {*id};
  return {};
}

Result<KubeletCallers::Caller> KubeletCallers::caller(const KubeletScenario& scenario, const CallerText& who,
                                                      const RuleSet& rules) {
  const std::string name = who.name();
  Caller out{{}, {"system:anonymous", {"system:unauthenticated"}, "", {}}, Rule::kubelet_anonymous, ""};
  if (who.has_certificate()) {
    if (auto shown = show_certificate(out, who.shows, user(scenario, name), rules); !shown) {
      return tl::unexpected(shown.error());
    }
  }
  if (who.shows == CallerText::Shows::basic)
    out.credentials.headers.emplace_back("Authorization", "Basic bmFtZTpwYXNzd29yZA==");
  if (!who.has_token()) return out;
  out.token = token(scenario, name);
  show_token(out, who.shows);
  const auto subject = who.has_good_token() ? bearer(scenario, name) : std::nullopt;
  if (subject) {
    out.subject = with_group(*subject, "system:authenticated");
    out.known_by = Rule::kubelet_token_review;
  }
  return out;
}

}  // namespace nodebound::kubelet_conformance
