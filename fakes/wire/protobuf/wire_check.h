#pragma once

#include <google/protobuf/descriptor.h>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// The error of Kubernetes' own protobuf reader for bytes that are not such a message; nothing if they are. It is
/// stricter than protobuf's library, which treats a field of another wire type as unknown.
std::optional<std::string> wire_error(std::string_view bytes, const google::protobuf::Descriptor& message);

}  // namespace nodebound
