#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/release/release.h"

namespace nodebound::validation {

/// A value as errors show it, with its fields in the order of the Go type.
using Shown = nlohmann::ordered_json;

/// The Go type of a shown value, where older releases print values of that type otherwise than JSON.
enum class GoType { any, quantity, resource_name };

/// One error of an invalid object.
struct FieldMistake {
  std::string field;
  std::string reason;          ///< as Kubernetes spells it: `FieldValueForbidden`
  std::string what;            ///< `Invalid value`
  std::optional<Shown> value;  ///< the value that the error shows, if any
  std::string why;             ///< the explanation in the words of the newest release; may be empty
  GoType type = GoType::any;   ///< of `value`

  bool operator==(const FieldMistake&) const = default;
};

using FieldMistakes = std::vector<FieldMistake>;

/// Converts an explanation from the words of the newest release to those of `release`.
std::string in_words_of(const Release& release, std::string why);

/// Converts an error as the newest release tells it to one that `release` tells.
FieldMistake as_told_by(const Release& release, FieldMistake mistake);

/// `Invalid value: "x": must be …`, in the words of a release.
std::string message_of(const FieldMistake& mistake, const Release& release);

/// The error whose text is `spec.x: Forbidden: may not …`, in the words of its release.
FieldMistake mistake_of_text(std::string_view text);

// The texts of apimachinery's pkg/util/validation/field/errors.go.

FieldMistake required_field(std::string field, std::string_view why);
FieldMistake too_long_field(std::string field, std::size_t most_bytes);
FieldMistake forbidden_field(std::string field, std::string_view why);
FieldMistake invalid_field(std::string field, const Shown& value, std::string_view why);
FieldMistake duplicate_field(std::string field, const Shown& value);
FieldMistake missing_reference(std::string field, const Shown& value);
/// `supported` in the order in which the error lists the values.
FieldMistake unsupported_field(std::string field, const Shown& value, const std::vector<std::string>& supported);

/// One error for each thing that is wrong with the value.
FieldMistakes invalid_field_each(const std::string& field, const Shown& value, const std::vector<std::string>& why);

void append(FieldMistakes& all, FieldMistakes more);

}  // namespace nodebound::validation
