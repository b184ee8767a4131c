#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "fakes/wire/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// The envelope (runtime.Unknown) of an object in protobuf.
struct ProtobufEnvelope {
  std::string group_version;
  std::string kind;
  std::string raw;
};

/// Reads the envelope. The error is the API server's text.
tl::expected<ProtobufEnvelope, std::string> read_envelope(std::string_view body);

/// Whether objects of that kind can be read and written as protobuf here.
bool has_protobuf(const GroupVersionKind& kind);

/// The object in an envelope, without kind and apiVersion. The error is the API server's text.
tl::expected<Object, std::string> read_message(const GroupVersionKind& kind, std::string_view raw);

/// An object in an envelope, by its own kind and apiVersion; nothing if there is no message for its kind.
std::optional<std::string> write_protobuf(const Object& object);
/// The same for an object that may lack kind and apiVersion.
std::optional<std::string> write_protobuf(const GroupVersionKind& kind, const Object& object);

/// One event of a watch (`ADDED`): its length in four bytes, then the event with the object in an envelope.
std::string write_watch_event(std::string_view type, std::string object);

}  // namespace nodebound
