#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "harness/check/administrator.h"
#include "harness/check/settling_times.h"

namespace nodebound {

/// Waits until the target allows what the SubjectAccessReview asks about; `otherwise` if it does not.
Result<void> await_allowed(Administrator& administrator, const Object& review, const Error& otherwise);

/// Waits until the target's authorizers know earlier writes. An API server learns of writes by watching itself, a
/// little later, and an answer before that proves nothing.
///
/// For each kind that was written, it makes a canary, which is an object tied to a node of its own or a role for a
/// user of its own, and waits until the authorizer decides by it. Events of one kind arrive in order over one watch, so
/// every older write of that kind, including deletions, is then known too.
///
/// A canary of a policy refuses a write of its own. A target that never refuses it has no policies in force; what it
/// then allows unduly is its own fault, so this is no error.
class Settler {
 public:
  /// With `times`, a target that does not come to know a write is no error, but in doubt: what it allows or refuses
  /// unduly is its own fault, and only its due refusals prove nothing.
  Settler(Administrator& administrator, const Names& names, const Release& release, SettlingTimes* times = nullptr)
      : administrator_(administrator), names_(names), release_(release), times_(times) {}

  /// Notes a write by the administrator.
  void wrote(const RequestText& target);

  /// Sends no request if nothing was written since the last time.
  Result<void> settle();

  /// Why a refusal proves nothing; nothing if it does.
  [[nodiscard]] const std::optional<Error>& doubt() const { return doubt_; }

 private:
  using Make = std::function<Result<void>()>;
  Result<void> make_canary(const std::string& resource, const std::string& name);
  [[nodiscard]] Object review_of(const RequestText& seen) const;
  /// Makes a canary and waits until the review of it is allowed.
  Result<void> learn(const std::string& kind, const Make& make, const Object& review, const Error& otherwise);
  Result<void> measure(const std::string& kind, const Make& make, const Object& review, const Error& otherwise);
  Result<void> settle_on(const std::string& kind, const std::string& name, const std::string& seen);
  Result<void> settle_grants(bool of_cluster);
  Result<void> settle_policies();

  Administrator& administrator_;
  const Names& names_;
  const Release& release_;
  SettlingTimes* times_;
  std::optional<Error> doubt_;
  std::set<std::string> written_;  ///< of the node graph
  bool wrote_roles_ = false;
  bool wrote_cluster_roles_ = false;
  bool wrote_policies_ = false;
  bool obeys_policies_ = true;  ///< until the target lets a write pass that a policy refuses
  int canaries_ = 0;
};

}  // namespace nodebound
