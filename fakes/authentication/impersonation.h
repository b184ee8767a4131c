#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "fakes/authentication/features.h"
#include "fakes/http/handler.h"
#include "reference/authorizer/authorizer.h"

namespace nodebound::authentication {

/// The API server's authorizers, and its answer to a request that they refuse.
class AccessCheck {
 public:
  virtual ~AccessCheck() = default;
  [[nodiscard]] virtual Decision authorize(const Subject& subject, const Attributes& attributes) const = 0;
  [[nodiscard]] virtual HttpResponse forbidden(const Subject& subject, const Attributes& attributes,
                                               const Decision& decision) const = 0;
};

struct Impersonated {
  std::optional<Subject> subject;  ///< nothing if the request does not impersonate
  std::string constraint;          ///< the constrained verb that allowed it, if one did
  std::optional<HttpResponse> refusal;
};

/// The headers Impersonate-* (apiserver's endpoints/filters/impersonation). Thread-safe.
class Impersonation {
 public:
  Impersonation(const AuthenticationFeatures& features, const AccessCheck& access)
      : constrained_(features.impersonation_is_constrained),
        needs_user_(features.impersonation_needs_user),
        access_(access) {}

  /// The identity that a request of `requester` is made with. `attributes` are those of the request.
  Impersonated apply(const Subject& requester, const IncomingRequest& request, const Attributes& attributes);

 private:
  enum class Mode { associated_node, arbitrary_node, service_account, user_info, legacy };
  struct Attempt;

  [[nodiscard]] std::optional<HttpResponse> try_mode(Mode mode, Attempt& attempt) const;
  [[nodiscard]] static bool fits(Mode mode, const Attempt& attempt);
  [[nodiscard]] std::optional<HttpResponse> check_name(Mode mode, Attempt& attempt) const;
  [[nodiscard]] std::optional<HttpResponse> check_groups(Mode mode, const Attempt& attempt) const;
  [[nodiscard]] std::optional<HttpResponse> check_extra(Mode mode, const Attempt& attempt) const;
  [[nodiscard]] std::optional<HttpResponse> check(const Attempt& attempt, Mode mode,
                                                  const Attributes& attributes) const;
  [[nodiscard]] HttpResponse refuse(const Attempt& attempt, const Attributes& attributes, std::string reason) const;

  bool constrained_;
  bool needs_user_;
  const AccessCheck& access_;
  std::mutex mutex_;
  /// The mode that last allowed a requester is tried first, and its error is reported first.
  std::map<std::string, Mode> last_;
};

}  // namespace nodebound::authentication
