#pragma once

#include <string>

#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"
#include "reference/identity/subject.h"

namespace nodebound::apiserver {

/// What the `spec` of a SubjectAccessReview asks.
struct AccessQuestion {
  Subject subject;
  Attributes attributes;
  std::string ignored_selectors;  ///< for the review's evaluationError; empty if none was ignored
};

/// Reads a spec of any version: in v1beta1 the field of the groups is `group`.
AccessQuestion access_question(const Object& spec);

}  // namespace nodebound::apiserver
