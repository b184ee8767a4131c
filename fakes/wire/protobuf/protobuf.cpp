#include "fakes/wire/protobuf/protobuf.h"

#include <memory>

#include "fakes/wire/protobuf/api_messages.h"
#include "fakes/wire/protobuf/message_kinds.h"
#include "fakes/wire/protobuf/message_object.h"
#include "fakes/wire/protobuf/messages.pb.h"
#include "fakes/wire/protobuf/wire_check.h"
#include "reference/encoding/utf8.h"

namespace nodebound {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::Message;

constexpr std::string_view prefix("k8s\0", 4);

tl::unexpected<std::string> wrong(std::string why) {
  return tl::unexpected(std::move(why));
}

// Protobuf's library reports invalid UTF-8 on standard error unless it is silenced; Go accepts it.
void be_silent() {
  static const bool once = [] {
    google::protobuf::SetLogHandler(nullptr);
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

tl::expected<ProtobufEnvelope, std::string> read_envelope(std::string_view body) {
  be_silent();
  if (body.empty()) return wrong("empty data");
  if (!body.starts_with(prefix)) {
    return wrong("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  body.remove_prefix(prefix.size());
  if (body.empty()) return wrong("empty body");
  if (std::optional<std::string> error = wire_error(body, *encoding::Unknown::descriptor())) {
    return wrong(std::move(*error));
  }
  encoding::Unknown unknown;
  if (!unknown.ParseFromArray(body.data(), static_cast<int>(body.size()))) return wrong("unexpected EOF");
  return ProtobufEnvelope{valid_utf8(unknown.typemeta().apiversion()), valid_utf8(unknown.typemeta().kind()),
                          std::move(*unknown.mutable_raw())};
}

bool has_protobuf(const GroupVersionKind& kind) {
  be_silent();
  return any_message_of(kind) != nullptr;
}

tl::expected<Object, std::string> read_message(const GroupVersionKind& kind, std::string_view raw) {
  be_silent();
  const Descriptor* const type = any_message_of(kind);
  if (type == nullptr) return wrong("object does not implement the protobuf marshalling interface");
  if (std::optional<std::string> error = wire_error(raw, *type)) return wrong(std::move(*error));
  const std::unique_ptr<Message> message = new_message(*type);
  if (!message->ParseFromArray(raw.data(), static_cast<int>(raw.size()))) return wrong("unexpected EOF");
  return object_of(*message);
}

std::optional<std::string> write_protobuf(const Object& object) {
  std::optional<GroupVersionKind> kind = parse_group_version(text(object, "apiVersion"));
  if (!kind) return std::nullopt;
  kind->kind = text(object, "kind");
  return write_protobuf(*kind, object);
}

std::optional<std::string> write_protobuf(const GroupVersionKind& kind, const Object& object) {
  be_silent();
  const Descriptor* const type = any_message_of(kind);
  if (type == nullptr) return std::nullopt;
  encoding::Unknown unknown;
  unknown.mutable_typemeta()->set_apiversion(kind.group_version());
  unknown.mutable_typemeta()->set_kind(kind.kind);
  unknown.set_raw(message_bytes(*type, object));
  unknown.set_contentencoding("");
  unknown.set_contenttype("");
  return std::string(prefix) + unknown.SerializeAsString();
}

std::string write_watch_event(std::string_view type, std::string object) {
  encoding::WatchEvent event;
  event.set_type(std::string(type));
  event.mutable_object()->set_raw(std::move(object));
  const std::string text = event.SerializeAsString();
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(text.size() >> static_cast<unsigned>(shift));
  return out += text;
}

}  // namespace nodebound
