#pragma once

#include <string>
#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound {

/// The value of an unquoted scalar: null, a boolean, a number or text. YAML 1.1 as go-yaml reads it: `yes` is true and
/// `010` is eight; dates stay text. Numbers that JSON cannot express are infinite or NaN.
Object plain_yaml_scalar(std::string_view text);

}  // namespace nodebound
