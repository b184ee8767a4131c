#include "reference/kubelet/filter.h"

#include <algorithm>

#include "reference/encoding/ascii.h"
#include "reference/encoding/base64.h"
#include "reference/encoding/utf8.h"
#include "reference/identity/bearer_token.h"

namespace nodebound {
namespace {

/// The token that a client shows; empty if none.
struct ShownToken {
  std::string token;
  bool broken = false;
};

// The token among the subprotocols of a WebSocket; there must be another subprotocol, which the server can choose.
ShownToken websocket_token(const std::vector<std::string>& headers) {
  constexpr std::string_view prefix = "base64url.bearer.authorization.k8s.io.";
  ShownToken out;
  bool seen = false;
  bool has_others = false;
  for (const std::string& header : headers) {
    for (std::size_t begin = 0; begin <= header.size();) {
      const std::size_t end = std::min(header.find(',', begin), header.size());
      const std::string_view protocol = trimmed(std::string_view(header).substr(begin, end - begin), " \t\r\n\v\f");
      begin = end + 1;
      if (!protocol.starts_with(prefix)) {
        has_others = true;
        continue;
      }
      const auto token = base64url_decode(protocol.substr(prefix.size()));
      if (seen || !token || !is_utf8(*token)) return {"", true};
      seen = true;
      out.token = *token;
    }
  }
  out.broken = !out.token.empty() && !has_others;
  return out;
}

std::string joined(const std::vector<Attributes>& asked) {
  std::string out;
  for (const Attributes& one : asked) out += (out.empty() ? "" : " ") + one.subresource;
  return out;
}

}  // namespace

KubeletDecision KubeletFilter::decide(std::string_view method, std::string_view path,
                                      const KubeletCredentials& credentials, Reviewer& reviewer) const {
  Who who = authenticate(credentials, reviewer);
  if (!who.subject) {
    return {401, rules_.refusal(Rule::kubelet_authentication).render({}), who.rule, std::nullopt};
  }
  if (settings_.authorization_mode == "AlwaysAllow") return {0, "", who.rule, std::move(who.subject)};
  return authorize(std::move(*who.subject), kubelet_attributes(method, path, node_, rules_), reviewer);
}

KubeletFilter::Who KubeletFilter::authenticate(const KubeletCredentials& credentials, Reviewer& reviewer) const {
  const bool certificate_counts = settings_.client_ca && rules_.in_force(Rule::kubelet_client_certificate);
  if (certificate_counts && credentials.certificate) {
    return {authenticated(*credentials.certificate), Rule::kubelet_client_certificate};
  }
  Who who = by_token(credentials, reviewer);
  if (who.subject) return {authenticated(std::move(*who.subject)), who.rule};
  if (who.rule != Rule::kubelet_authentication) return who;
  if (settings_.client_ca && credentials.bad_certificate && rules_.in_force(Rule::kubelet_bad_credential)) {
    return {std::nullopt, Rule::kubelet_bad_credential};
  }
  if (!settings_.anonymous) return who;
  return {anonymous_subject(), Rule::kubelet_anonymous};
}

// Without credentials the rule is kubelet-authentication; bad credentials have other rules.
KubeletFilter::Who KubeletFilter::by_token(const KubeletCredentials& credentials, Reviewer& reviewer) const {
  if (!settings_.token_webhook) return {};
  bool is_bad = false;
  std::vector<ShownToken> shown = {{std::string(bearer_token(credentials.authorization)), false}};
  if (credentials.websocket && rules_.in_force(Rule::kubelet_websocket_bearer)) {
    shown.push_back(websocket_token(credentials.subprotocols));
  }
  for (const ShownToken& one : shown) {
    is_bad = is_bad || one.broken || !one.token.empty();
    if (one.broken || one.token.empty()) continue;
    const auto verdict = reviewer.review_token(one.token);
    if (verdict && verdict->subject) return {verdict->subject, Rule::kubelet_token_review};
  }
  return {std::nullopt, is_bad ? Rule::kubelet_token_review : Rule::kubelet_authentication};
}

KubeletDecision KubeletFilter::authorize(Subject subject, const std::vector<Attributes>& asked,
                                         Reviewer& reviewer) const {
  for (const Attributes& one : asked) {
    const auto verdict = reviewer.review_access(subject, one);
    const bool contradicts =
        verdict && verdict->allowed && verdict->denied && rules_.in_force(Rule::kubelet_review_denied);
    if (!verdict || contradicts) {
      const Rule rule = verdict ? Rule::kubelet_review_denied : Rule::kubelet_review_error;
      std::string body = rules_.refusal(Rule::kubelet_review_error)
                             .render({{"user", subject.name}, {"verb", one.verb}, {"subresources", one.subresource}});
      return {500, std::move(body), rule, std::move(subject)};
    }
    if (verdict->allowed) return {0, "", Rule::kubelet_authorization, std::move(subject)};
  }
  std::string body =
      rules_.refusal(Rule::kubelet_authorization)
          .render({{"user", subject.name}, {"verb", asked.front().verb}, {"subresources", joined(asked)}});
  return {403, std::move(body), Rule::kubelet_authorization, std::move(subject)};
}

}  // namespace nodebound
