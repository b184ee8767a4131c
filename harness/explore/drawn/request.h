#pragma once

#include <string>

#include "reference/cluster/object.h"
#include "reference/identity/subject.h"

namespace nodebound::explore {

/// A random request, before it is adapted to a server.
struct DrawnRequest {
  Subject subject;
  std::string method;
  std::string target;  ///< path and query
  std::string content_type = {};
  /// `{uid PATH}` and `{version PATH}` stand for the UID and resourceVersion of the object at that path on the asked
  /// server.
  Object body = {};
  /// If not empty, the path of the object that is changed: the body is applied as a merge patch to that object as the
  /// asked server has it, and the whole object is sent.
  std::string changed_object = {};
  std::string raw_body = {};  ///< sent instead of `body`, for bodies that are not JSON
  bool watch = false;
  std::string accept = {};  ///< media types, as in the Accept header; empty for any

  /// Whether it may leave something on the server.
  [[nodiscard]] bool persists() const;
};

}  // namespace nodebound::explore
