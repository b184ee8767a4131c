#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"
#include "reference/identity/subject.h"

namespace nodebound::replay {

inline bool is_write(std::string_view verb) {
  return verb == "create" || verb == "update" || verb == "patch" || verb == "delete" || verb == "deletecollection";
}

/// A request with its answer, as an audit log (audit.k8s.io/v1, Event) records it; of it, what a decision needs.
struct LoggedRequest {
  using Micros = std::int64_t;  ///< since 1970

  std::string id;
  Subject subject;           ///< whom the request is decided for: if there is an impersonated user, that one
  bool groups_known = true;  ///< Cloud Logging records no groups
  bool query_known = true;   ///< likewise no query, and so no selectors
  std::string user_agent;
  std::string address;  ///< from which it came
  Attributes attributes;
  bool dry_run = false;
  Micros received = 0;
  Micros answered = 0;
  std::optional<int> code;
  std::string decision;  ///< annotation authorization.k8s.io/decision: allow, forbid or empty
  std::string reason;    ///< annotation authorization.k8s.io/reason
  std::string message;   ///< of an answer that is an error, as far as it is needed
  std::optional<Object> request_object;
  std::optional<Object> response_object;
  std::size_t bytes = 0;  ///< its size in the log
  std::string where;      ///< `file:line`

  bool about_nodes = false;    ///< it is to be decided
  bool changes_state = false;  ///< it is a write of an object that decisions may depend on

  [[nodiscard]] bool succeeded() const { return code && *code >= 200 && *code < 300; }
};

}  // namespace nodebound::replay
