#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/apiserver/api_resources.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"
#include "reference/result.h"

namespace nodebound {

/// Selects objects of one resource by fields that the resource has declared selectable.
class FieldSelector {
 public:
  FieldSelector() = default;

  /// The error is what an API server says.
  static Result<FieldSelector> parse(const ApiResource& resource, std::string_view text);

  /// What of a text cannot be read as a selector of any resource; nothing if all can.
  static std::optional<std::string> wrong_syntax(std::string_view text);

  [[nodiscard]] bool empty() const { return terms_.empty(); }
  [[nodiscard]] bool matches(const Object& object) const;
  /// The value that a field must have, as `metadata.name`; nothing if several will do.
  [[nodiscard]] std::optional<std::string> wanted(std::string_view field) const;

 private:
  struct Term {
    std::vector<std::string> path;
    bool equal = true;
    std::string value;
    std::string absent;  ///< what the field is taken to be where the object does not have it
  };
  std::vector<Term> terms_;
};

}  // namespace nodebound
