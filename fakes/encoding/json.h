#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/cluster/object.h"

namespace nodebound {

/// How deep values are kept. What is deeper is read, and dropped: it can only be in a field that no API has, which an
/// API server drops, too. What handles an `Object` calls itself for each level.
inline constexpr std::size_t deepest_kept = 200;

/// Reads a JSON value as Go's encoding/json does, which puts up with more than its specification: bytes that are not
/// UTF-8, halves of surrogates, numbers of any size. The error is what Go says.
tl::expected<Object, std::string> read_json(std::string_view text);

/// The same value as text that every parser of JSON reads alike.
tl::expected<std::string, std::string> plain_json(std::string_view text);

}  // namespace nodebound
