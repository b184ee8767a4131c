#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/cluster/object.h"

namespace nodebound {

/// How deep nested values are kept. Deeper ones are read and dropped: only fields that no API has are that deep, and an
/// API server drops these, too. Functions on an `Object` recurse once for each level.
inline constexpr std::size_t deepest_kept = 200;

/// Reads a JSON value as Go's encoding/json does, which accepts more than the specification: bytes that are not UTF-8,
/// lone surrogates, numbers of any size. The error is Go's text.
tl::expected<Object, std::string> read_json(std::string_view text);

/// Whether every parser reads the text alike, apart from numbers that are too large; otherwise `plain_json` rewrites
/// it.
bool is_plain_json(std::string_view text);

/// JSON as Go's encoding/json writes it, which may stand in HTML.
std::string escaped_for_html(const std::string& json);

/// The same value as text that every parser of JSON reads alike.
tl::expected<std::string, std::string> plain_json(std::string_view text);

}  // namespace nodebound
