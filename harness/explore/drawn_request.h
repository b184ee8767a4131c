#pragma once

#include <string>

#include "reference/cluster/object.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// A request that was drawn by chance, before it is known to whom it goes.
struct DrawnRequest {
  Subject subject;
  std::string method;
  std::string target;  ///< path and query
  std::string content_type = {};
  /// `{uid PATH}` and `{version PATH}` stand for the UID and resourceVersion of the object that the asked server has at
  /// that path.
  Object body = {};
  /// Where it is not empty, the object that is changed: the body is a merge patch to what the asked server has at that
  /// path, and the whole is sent.
  std::string changed_object = {};
  std::string raw_body = {};  ///< sent in place of `body`; for what is no JSON
  bool watch = false;

  /// Whether it may leave something behind.
  [[nodiscard]] bool persists() const;
};

}  // namespace nodebound
