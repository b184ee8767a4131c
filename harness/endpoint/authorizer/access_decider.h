#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fakes/store/change.h"
#include "reference/result.h"

namespace nodebound {

/// What an authorizer answers to a SubjectAccessReview. An error is none of the three decisions.
struct AccessAnswer {
  enum class Opinion { allow, deny, no_opinion, error };

  Opinion opinion = Opinion::error;
  std::string reason;
};

/// The `spec` of a SubjectAccessReview as the suite writes it, without reading it as JSON; empty if it is written
/// otherwise.
std::string_view plain_spec(std::string_view review);

/// A change of one object of the cluster.
struct ObjectEvent {
  Change::Kind kind = Change::Kind::added;
  std::string object;  ///< in JSON, with apiVersion and kind; the last state of a deleted one
};

/// An authorizer under test that is no API server. Thread-safe.
class AccessDecider {
 public:
  AccessDecider() = default;
  AccessDecider(const AccessDecider&) = delete;
  AccessDecider& operator=(const AccessDecider&) = delete;
  virtual ~AccessDecider() = default;

  /// Asks about the `spec` of a SubjectAccessReview, in JSON. An error means that no answer came back.
  virtual Result<AccessAnswer> decide(const std::string& spec) = 0;

  /// Learns of a change of the cluster, in order, before the write is answered. Must not wait.
  virtual void changed(const ObjectEvent& /*event*/) {}

  /// Why nothing more can be asked of it; nothing if it can.
  [[nodiscard]] virtual std::optional<Error> broken() const { return std::nullopt; }

  /// Ends the conversation. An error if its answers cannot be relied on.
  virtual Result<void> finish() { return {}; }
};

}  // namespace nodebound
