#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/cluster/object.h"

namespace nodebound {

/// Reads the first document of YAML as an API server does: YAML 1.1 as go-yaml reads it, keys as text, numbers as JSON
/// writes them. Aliases are expanded as long as they do not make up most of the document. The error is go-yaml's, if
/// its parser stops at the same place as ours.
tl::expected<Object, std::string> read_yaml(std::string_view text);

/// The keys that the same document has twice in a map, in go-yaml's words: `line 4: key "name" already set in map`.
std::vector<std::string> repeated_yaml_keys(std::string_view text);

/// go-yaml's error about such keys.
std::string yaml_keys_error(const std::vector<std::string>& keys);

/// `object` in block style, with sorted keys; strings that would be read as something else are quoted.
std::string write_yaml(const Object& object);

}  // namespace nodebound
