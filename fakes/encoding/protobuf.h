#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "fakes/encoding/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// The envelope of an object in protobuf.
struct ProtobufEnvelope {
  std::string group_version;
  std::string kind;
  std::string raw;
};

/// Takes the envelope off. The error is what an API server says.
tl::expected<ProtobufEnvelope, std::string> read_envelope(std::string_view body);

/// Whether objects of that kind can be read and written here.
bool has_protobuf(const GroupVersionKind& kind);

/// What an envelope holds, as an object without kind and apiVersion. The error is what an API server says.
tl::expected<Object, std::string> read_message(const GroupVersionKind& kind, std::string_view raw);

/// An object with its envelope, by its own kind and apiVersion; nothing if there is no message for it.
std::optional<std::string> write_protobuf(const Object& object);
/// The same of an object that may not say what it is.
std::optional<std::string> write_protobuf(const GroupVersionKind& kind, const Object& object);

/// One event of a watch (`ADDED`) with its object in an envelope, behind its length in four bytes.
std::string write_watch_event(std::string_view type, std::string object);

}  // namespace nodebound
