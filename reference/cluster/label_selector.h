#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/result.h"

namespace nodebound {

/// Selects objects by their labels: all requirements must hold (apimachinery's pkg/labels/selector.go).
class LabelSelector {
 public:
  /// The error is the API server's text.
  static Result<LabelSelector> parse(std::string_view text);

  /// Of a field of an object, with matchLabels and matchExpressions; nothing if it has an unknown operator.
  static std::optional<LabelSelector> of(const Object& selector);

  [[nodiscard]] bool empty() const { return requirements_.empty(); }
  [[nodiscard]] bool matches(const Object& object) const;

  enum class Op { in, not_in, exists, does_not_exist, greater, less };
  struct Requirement {
    std::string key;
    Op op = Op::exists;
    std::set<std::string, std::less<>> values;
  };

 private:
  std::vector<Requirement> requirements_;
};

}  // namespace nodebound
