#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "reference/cel/admission/admission_expression.h"
#include "reference/cluster/object.h"
#include "reference/release/release.h"

namespace nodebound {

/// An expression, or why it does not compile. That was found out when it was written, unless the release is another.
using CompiledCondition = tl::expected<cel::AdmissionExpression, std::string>;
using CompiledConditions = std::vector<CompiledCondition>;

/// The compiled match conditions of what is stored. Thread-safe.
class StoredConditions {
 public:
  /// Those of `entry`, which `key` names, in the version of the configuration `owner`.
  std::shared_ptr<const CompiledConditions> of(const std::string& key, const Object& owner, const Object& entry,
                                               const Release& release);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const CompiledConditions>> all_;
};

}  // namespace nodebound
