#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/identity/subject.h"
#include "reference/kubelet/attributes.h"
#include "reference/kubelet/reviews.h"
#include "reference/kubelet/settings.h"

namespace nodebound {

/// The credentials in a request to a kubelet.
struct KubeletCredentials {
  std::optional<Subject> certificate;     ///< of a valid client certificate
  bool bad_certificate = false;           ///< there is a client certificate, but it is invalid
  std::string_view authorization;         ///< the header
  bool websocket = false;                 ///< it asks for an upgrade to a WebSocket
  std::vector<std::string> subprotocols;  ///< its headers Sec-WebSocket-Protocol
};

/// Makes the reviews; answers may come from a cache.
class Reviewer {
 public:
  virtual ~Reviewer() = default;
  /// Nothing if the review failed.
  virtual std::optional<TokenVerdict> review_token(const std::string& token) = 0;
  virtual std::optional<AccessVerdict> review_access(const Subject& subject, const Attributes& attributes) = 0;
};

/// The decision about a request: it goes on to its path, or gets this answer.
struct KubeletDecision {
  int status = 0;    ///< HTTP status; 0: the request goes on
  std::string body;  ///< text/plain
  Rule rule = Rule::kubelet_authorization;
  std::optional<Subject> subject;  ///< nothing before authentication

  [[nodiscard]] bool passes() const { return status == 0; }
};

/// Authentication and authorization of one kubelet (pkg/kubelet/server/server.go, InstallAuthFilter;
/// cmd/kubelet/app/auth.go). The rules must outlive it.
class KubeletFilter {
 public:
  KubeletFilter(const RuleSet& rules, KubeletSettings settings, std::string node)
      : rules_(rules), settings_(std::move(settings)), node_(std::move(node)) {}

  /// `path` is decoded.
  KubeletDecision decide(std::string_view method, std::string_view path, const KubeletCredentials& credentials,
                         Reviewer& reviewer) const;

 private:
  struct Who {
    std::optional<Subject> subject;
    Rule rule = Rule::kubelet_authentication;  ///< the rule that says who the caller is, or why that is unknown
  };

  [[nodiscard]] Who authenticate(const KubeletCredentials& credentials, Reviewer& reviewer) const;
  [[nodiscard]] Who by_token(const KubeletCredentials& credentials, Reviewer& reviewer) const;
  KubeletDecision authorize(Subject subject, const std::vector<Attributes>& asked, Reviewer& reviewer) const;

  const RuleSet& rules_;
  KubeletSettings settings_;
  std::string node_;
};

}  // namespace nodebound
