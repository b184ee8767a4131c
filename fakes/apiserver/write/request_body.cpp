#include "fakes/apiserver/write/request_body.h"

#include <algorithm>
#include <array>

#include "fakes/apiserver/status.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "fakes/wire/yaml/yaml.h"
#include "reference/release/refusal_text.h"

namespace nodebound {
namespace {

/// Why a body could not be read, and the kind that it names, as far as it could be read.
struct Unreadable {
  std::string why;
  std::optional<GroupVersionKind> kind = std::nullopt;
};

template <typename T>
using Read = tl::expected<T, Unreadable>;

tl::unexpected<Unreadable> unreadable(std::string why, std::optional<GroupVersionKind> kind = std::nullopt) {
  return tl::unexpected(Unreadable{std::move(why), std::move(kind)});
}

/// A body, decoded as far as its media type allows.
struct Content {
  Object object;    ///< empty if there is an envelope
  std::string raw;  ///< the contents of the envelope
  GroupVersionKind kind;
};

constexpr std::string_view type_meta =
    R"(struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" })";

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

// The names `kind` and `apiVersion` match in upper or lower case, unlike all other fields.
Read<std::string> type_field(const Object& object, const char* name) {
  const auto exact = object.find(name);
  const Object* found = exact == object.end() ? nullptr : &*exact;
  for (auto field = object.begin(); found == nullptr && field != object.end(); ++field) {
    if (same_letters(field.key(), name)) found = &*field;
  }
  if (found == nullptr || found->is_null()) return std::string();
  if (found->is_string()) return found->get<std::string>();
  return unreadable(std::string("couldn't get version/kind; json parse error: json: cannot unmarshal ") +
                    go_json_type(*found) + " into Go struct field ." + name + " of type string");
}

Read<GroupVersionKind> kind_in(const Object& object) {
  if (!object.is_object()) {
    return unreadable(std::string("couldn't get version/kind; json parse error: json: cannot unmarshal ") +
                      go_json_type(object) + " into Go value of type " + std::string(type_meta));
  }
  const Read<std::string> version = type_field(object, "apiVersion");
  if (!version) return tl::unexpected(version.error());
  const Read<std::string> kind = type_field(object, "kind");
  if (!kind) return tl::unexpected(kind.error());
  std::optional<GroupVersionKind> out = parse_group_version(*version);
  if (!out) return unreadable("unexpected GroupVersion string: " + *version);
  out->kind = *kind;
  return std::move(*out);
}

Read<Content> content_of(MediaType type, std::string_view body) {
  if (type == MediaType::protobuf) {
    tl::expected<ProtobufEnvelope, std::string> envelope = read_envelope(body);
    if (!envelope) return unreadable(std::move(envelope.error()));
    // An apiVersion with more than one slash counts as none.
    GroupVersionKind kind = parse_group_version(envelope->group_version).value_or(GroupVersionKind());
    kind.kind = envelope->kind;
    return Content{nullptr, std::move(envelope->raw), std::move(kind)};
  }
  tl::expected<Object, std::string> object = type == MediaType::json ? read_json(body) : read_yaml(body);
  if (!object && type == MediaType::json) {
    return unreadable("couldn't get version/kind; json parse error: " + object.error());
  }
  if (!object) return unreadable(std::move(object.error()));
  if (object->is_null()) *object = Object::object();
  Read<GroupVersionKind> kind = kind_in(*object);
  if (!kind) return tl::unexpected(std::move(kind.error()));
  return Content{std::move(*object), {}, std::move(*kind)};
}

void add_defaults(GroupVersionKind& kind, const GroupVersionKind& expected) {
  if (kind.kind.empty()) kind.kind = expected.kind;
  if (kind.version.empty() && kind.group.empty()) kind.group = expected.group;
  if (kind.version.empty() && kind.group == expected.group) kind.version = expected.version;
}

// Kinds that are not resources and exist in every version of every group.
bool is_common_kind(std::string_view kind) {
  static constexpr std::array<std::string_view, 8> kinds = {"WatchEvent",    "ListOptions",   "GetOptions",
                                                            "DeleteOptions", "CreateOptions", "UpdateOptions",
                                                            "PatchOptions",  "ExportOptions"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool is_registered(const ApiResources& resources, const GroupVersionKind& kind) {
  const std::string version = kind.group_version();
  if (version == "v1" && kind.kind == "Status") return true;
  // The v1beta1 reviews still decode in releases that do not serve them.
  if (kind.version == "v1beta1" && kind.kind.ends_with("Review") && has_protobuf(kind)) return true;
  return std::any_of(resources.all().begin(), resources.all().end(), [&](const ApiResource& resource) {
    if (resource.group_version != version) return false;
    const auto has_kind = [&](const ApiSubresource& own) {
      return own.kind == kind.kind && own.group_version == version;
    };
    return resource.kind == kind.kind || resource.kind + "List" == kind.kind || is_common_kind(kind.kind) ||
           std::any_of(resource.subresources.begin(), resource.subresources.end(), has_kind);
  });
}

std::string no_conversion(const GroupVersionKind& from, const GroupVersionKind& to) {
  const std::string package = to.group.empty() ? "core" : to.group.substr(0, to.group.find('.'));
  return "converting (" + from.version + "." + from.kind + ") to (" + package + "." + to.kind + "): unknown conversion";
}

Read<Object> object_in(Content content, const GroupVersionKind& expected) {
  const GroupVersionKind& kind = content.kind;
  if (content.object.is_null()) {
    if (kind.kind != expected.kind || kind.group != expected.group)
      return unreadable(no_conversion(kind, expected), kind);
    tl::expected<Object, std::string> object = read_message(kind, content.raw);
    if (!object) return unreadable(std::move(object.error()), kind);
    return std::move(*object);
  }
  if (std::optional<std::string> wrong = go_type_error(kind, content.object))
    return unreadable(std::move(*wrong), kind);
  if (kind.kind != expected.kind || kind.group != expected.group)
    return unreadable(no_conversion(kind, expected), kind);
  read_nulls(kind, content.object);
  return std::move(content.object);
}

Read<Object> read(const ApiResources& resources, const GroupVersionKind& expected, MediaType type,
                  std::string_view body) {
  Read<Content> content = content_of(type, body);
  if (!content) return tl::unexpected(std::move(content.error()));
  add_defaults(content->kind, expected);
  const GroupVersionKind kind = content->kind;
  if (kind != expected && !is_registered(resources, kind))
    return unreadable(not_registered(kind, resources.release()), kind);
  Read<Object> object = object_in(std::move(*content), expected);
  if (object) {
    (*object)["kind"] = kind.kind;
    (*object)["apiVersion"] = kind.group_version();
  }
  return object;
}

std::string summary_of(std::string_view body) {
  constexpr std::size_t most = 30;
  if (body.empty()) return "<empty>";
  const std::string_view beginning = body.substr(0, most);
  const std::string tail = body.size() > most ? " ..." : "";
  if (body.front() == '{') return std::string(beginning) + tail;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : beginning) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4U];
    out += digits[byte & 0xfU];
  }
  return out + tail;
}

}  // namespace

// The name of the scheme is the source line that makes it, as a build from Go modules prints it.
std::string not_registered(const GroupVersionKind& kind, const Release& release) {
  const char* const line = release.does(Behaviour::scheme_line_111)   ? "111"
                           : release.does(Behaviour::scheme_line_110) ? "110"
                                                                      : "100";
  return "no kind " + go_quoted(kind.kind) + " is registered for version " + go_quoted(kind.group_version()) +
         " in scheme \"pkg/runtime/scheme.go:" + line + "\"";
}

HttpResponse unsupported_media_type(bool with_protobuf) {
  return failure(415, "UnsupportedMediaType",
                 std::string("the body of the request was in an unknown format - accepted media types include: "
                             "application/json, application/yaml") +
                     (with_protobuf ? ", application/vnd.kubernetes.protobuf" : ""));
}

tl::expected<Object, HttpResponse> read_body(const ApiResources& resources, const GroupVersionKind& expected,
                                             const HttpRequest& request) {
  const std::optional<MediaType> type = media_type_of(request.content_type);
  if (!type) return tl::unexpected(unsupported_media_type(true));
  if (type == MediaType::protobuf && !has_protobuf(expected)) return tl::unexpected(unsupported_media_type(false));
  Read<Object> object = read(resources, expected, *type, request.body);
  if (object) {
    const std::string version(text(*object, "apiVersion"));
    if (version == expected.group_version()) return std::move(*object);
    return tl::unexpected(bad_request("the API version in the data (" + version +
                                      ") does not match the expected API version (" + expected.group_version() + ")"));
  }
  const Unreadable& problem = object.error();
  if (problem.kind) {
    return tl::unexpected(bad_request(problem.kind->kind + " in version " + go_quoted(problem.kind->version) +
                                      " cannot be handled as a " + expected.kind + ": " + problem.why));
  }
  return tl::unexpected(bad_request("the object provided is unrecognized (must be of type " + expected.kind +
                                    "): " + problem.why + " (" + summary_of(request.body) + ")"));
}

tl::expected<Object, HttpResponse> read_delete_options(const HttpRequest& request, const Release& release) {
  if (request.body.empty()) return Object::object();
  const std::optional<MediaType> type = media_type_of(request.content_type);
  if (!type) return tl::unexpected(unsupported_media_type(true));
  const GroupVersionKind expected{"", "v1", "DeleteOptions"};
  Read<Content> content = content_of(*type, request.body);
  if (!content) return tl::unexpected(bad_request(content.error().why));
  add_defaults(content->kind, expected);
  if (content->kind.kind != expected.kind) return tl::unexpected(bad_request(not_registered(content->kind, release)));
  content->kind = expected;
  Read<Object> options = object_in(std::move(*content), expected);
  if (!options) return tl::unexpected(bad_request(options.error().why));
  return std::move(*options);
}

}  // namespace nodebound
