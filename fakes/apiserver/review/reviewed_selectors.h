#pragma once

#include <string>
#include <vector>

#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// The selectors of an access review's resourceAttributes, as far as they can be used. Leaving out a requirement makes
/// the question broader (pkg/registry/authorization/util/helpers.go).
struct ReviewedSelectors {
  std::vector<FieldRequirement> fields;
  /// Which of them were ignored, for the review's evaluationError; empty if none was.
  std::string ignored;

  static ReviewedSelectors of(const Object& resource_attributes);
};

}  // namespace nodebound::apiserver
