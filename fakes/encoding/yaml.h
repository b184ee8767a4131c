#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/cluster/object.h"

namespace nodebound {

/// Reads the first document of YAML as an API server does: YAML 1.1 as go-yaml has it, keys as text, numbers as JSON
/// writes them. Aliases are written out as long as they do not make up most of what is read. The error is what go-yaml
/// says, as far as its parser stops where ours does.
tl::expected<Object, std::string> read_yaml(std::string_view text);

/// `object` in block style, keys sorted, strings in quotes that would be read as something else.
std::string write_yaml(const Object& object);

}  // namespace nodebound
