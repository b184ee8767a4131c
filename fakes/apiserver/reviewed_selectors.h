#pragma once

#include <string>
#include <vector>

#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// The selectors of an access review's resourceAttributes, as far as they are understood: what is not makes the
/// question a wider one (pkg/registry/authorization/util/helpers.go).
struct ReviewedSelectors {
  std::vector<FieldRequirement> fields;
  /// Which of them are ignored, as the review's evaluationError says it; empty if none is.
  std::string ignored;

  static ReviewedSelectors of(const Object& resource_attributes);
};

}  // namespace nodebound
