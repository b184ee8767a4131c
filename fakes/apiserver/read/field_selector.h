#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/wire/resources/api_resources.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"
#include "reference/result.h"

namespace nodebound::apiserver {

/// Selects objects of one resource by the fields that the resource declares selectable.
class FieldSelector {
 public:
  FieldSelector() = default;

  /// The error is the API server's text.
  static Result<FieldSelector> parse(const ApiResource& resource, std::string_view text);

  /// Selects the object of that name.
  static FieldSelector of_name(std::string name);

  /// Why a text is not a field selector for any resource; nothing if it is one.
  static std::optional<std::string> wrong_syntax(std::string_view text);

  [[nodiscard]] bool empty() const { return terms_.empty(); }
  [[nodiscard]] bool matches(const Object& object) const;
  /// Whether it may match the object with that JSON, which may lack managed fields: false only if a value that it
  /// requires is nowhere in it.
  [[nodiscard]] bool may_match(std::string_view json) const;
  /// The value that the selector requires of a field such as `metadata.name`; nothing if several values match.
  [[nodiscard]] std::optional<std::string> wanted(std::string_view field) const;

 private:
  void add(std::string_view field, bool equal, std::string value);

  struct Term {
    std::vector<std::string> path;
    bool equal = true;
    std::string value;
    std::string absent;  ///< the field's value for an object that does not have it
    std::string needle;  ///< stands in the JSON of each object that matches; empty if that cannot be said
  };
  std::vector<Term> terms_;
};

}  // namespace nodebound::apiserver
