#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/release/version.h"

namespace nodebound {

/// A value as it is told, with the fields of a Go type in their order.
using Shown = nlohmann::ordered_json;

/// One mistake of an object that is not valid.
struct FieldMistake {
  std::string field;
  std::string reason;          ///< as Kubernetes spells it: `FieldValueForbidden`
  std::string what;            ///< `Invalid value`
  std::optional<Shown> value;  ///< that is told, if one is
  std::string why;             ///< in the words of the newest release; may be empty

  bool operator==(const FieldMistake&) const = default;
};

using FieldMistakes = std::vector<FieldMistake>;

/// What is wrong with a text, in the words of a release rather than of the newest.
std::string in_words_of(const Version& release, std::string why);

/// `Invalid value: "x": must be …`, in the words of a release.
std::string message_of(const FieldMistake& mistake, const Version& release);

// In the words of apimachinery's pkg/util/validation/field/errors.go.

FieldMistake required_field(std::string field, std::string_view why);
FieldMistake too_long_field(std::string field, std::size_t most_bytes);
FieldMistake forbidden_field(std::string field, std::string_view why);
FieldMistake invalid_field(std::string field, const Shown& value, std::string_view why);
FieldMistake duplicate_field(std::string field, const Shown& value);
FieldMistake missing_reference(std::string field, const Shown& value);
/// `supported` in the order in which the answer has them.
FieldMistake unsupported_field(std::string field, const Shown& value, const std::vector<std::string>& supported);

/// One for each thing that is wrong with the value.
FieldMistakes invalid_field_each(const std::string& field, const Shown& value, const std::vector<std::string>& why);

void append(FieldMistakes& all, FieldMistakes more);

}  // namespace nodebound
