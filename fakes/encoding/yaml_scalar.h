#pragma once

#include <string>
#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound {

/// What a scalar without quotes stands for: null, a boolean, a number or text. YAML 1.1 as go-yaml reads it, which
/// takes `yes` for true and `010` for eight; dates stay text. Numbers that JSON does not have are infinite or none.
Object plain_yaml_scalar(std::string_view text);

}  // namespace nodebound
