#pragma once

#include <google/protobuf/descriptor.h>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// What Kubernetes' own reader of protobuf says of bytes that are no such message; nothing if they are one. It is
/// stricter than protobuf's library, which takes a field of another wire type for an unknown one.
std::optional<std::string> wire_error(std::string_view bytes, const google::protobuf::Descriptor& message);

}  // namespace nodebound
