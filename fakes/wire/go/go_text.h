#pragma once

#include <string>
#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound {

/// A value of JSON as Go's `%v` prints it: `map[a:1 b:[x <nil>]]`.
std::string go_text(const Object& value);

/// A text as `fmt.Errorf` prints it as a format without values: each verb is one whose value is missing.
std::string go_formatted(std::string_view format);

/// A number as Go's encoding/json writes it.
std::string go_number(double number);

/// As Go's `%#v` does: `map[string]interface {}{"a":1, "b":[]interface {}{"x", interface {}(nil)}}`.
std::string go_syntax(const Object& value);

}  // namespace nodebound
