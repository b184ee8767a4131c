#include "fakes/apiserver/pipeline/request_body.h"

#include <algorithm>
#include <array>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/custom/custom_resources.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/go/go_values.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/go/type_meta.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "fakes/wire/yaml/yaml.h"
#include "reference/encoding/hex.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"

namespace nodebound::apiserver {
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
  MediaType type = MediaType::json;
  std::string_view body;
  Object object;    ///< empty if there is an envelope
  std::string raw;  ///< the contents of the envelope
  GroupVersionKind kind;
};

Read<Content> content_of(MediaType type, std::string_view body) {
  if (type == MediaType::protobuf) {
    tl::expected<ProtobufEnvelope, std::string> envelope = read_envelope(body);
    if (!envelope) return unreadable(std::move(envelope.error()));
    // An apiVersion with more than one slash counts as none.
    GroupVersionKind kind = parse_group_version(envelope->group_version).value_or(GroupVersionKind());
    kind.kind = envelope->kind;
    return Content{type, body, nullptr, std::move(envelope->raw), std::move(kind)};
  }
  tl::expected<Object, std::string> object = type == MediaType::json ? read_json(body) : read_yaml(body);
  if (!object && type == MediaType::json) {
    return unreadable("couldn't get version/kind; json parse error: " + object.error());
  }
  if (!object) return unreadable(std::move(object.error()));
  if (object->is_null()) *object = Object::object();
  auto kind = type_meta_of(*object);
  if (!kind) return unreadable(std::move(kind.error()));
  return Content{type, body, std::move(*object), {}, std::move(*kind)};
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

// An Eviction may have the old version, too, which nobody serves since 1.25 (AcceptsGroupVersion in
// pkg/registry/core/pod/storage/eviction.go).
bool is_taken_for(const GroupVersionKind& kind, const GroupVersionKind& expected) {
  return kind == GroupVersionKind{"policy", "v1beta1", "Eviction"} &&
         expected == GroupVersionKind{"policy", "v1", "Eviction"};
}

std::string no_conversion(const GroupVersionKind& from, const GroupVersionKind& to) {
  const std::string package = to.group.empty() ? "core" : to.group.substr(0, to.group.find('.'));
  return "converting (" + from.version + "." + from.kind + ") to (" + package + "." + to.kind + "): unknown conversion";
}

// The mistakes of JSON come in the order of its text. YAML was converted to JSON with sorted members.
GoDecoding decoded(const Content& content, const Release& release) {
  if (content.type == MediaType::json && content.object.is_object())
    return decode_json_as_go(content.kind, content.body, &release);
  return decode_as_go(content.kind, content.object, &release);
}

Read<SentObject> object_in(Content content, const GroupVersionKind& expected, const Release& release) {
  const GroupVersionKind& kind = content.kind;
  const bool other_kind = kind.kind != expected.kind || kind.group != expected.group;
  if (content.type == MediaType::protobuf) {
    if (other_kind) return unreadable(no_conversion(kind, expected), kind);
    tl::expected<Object, std::string> object = read_message(kind, content.raw);
    if (!object) return unreadable(std::move(object.error()), kind);
    content.object = std::move(*object);
  }
  GoDecoding decoding = decoded(content, release);
  if (decoding.error) return unreadable(std::move(*decoding.error), kind);
  if (other_kind) return unreadable(no_conversion(kind, expected), kind);
  keep_as_go(kind, content.object, &release);
  return SentObject{std::move(content.object), std::move(decoding.strict)};
}

Read<SentObject> read(const ApiResources& resources, const GroupVersionKind& expected, MediaType type,
                      std::string_view body) {
  Read<Content> content = content_of(type, body);
  if (!content) return tl::unexpected(std::move(content.error()));
  add_defaults(content->kind, expected);
  const GroupVersionKind kind = content->kind;
  if (kind != expected && !is_registered(resources, kind) && !is_taken_for(kind, expected))
    return unreadable(not_registered(kind, &resources.release()), kind);
  Read<SentObject> sent = object_in(std::move(*content), expected, resources.release());
  if (sent) {
    sent->object["kind"] = kind.kind;
    sent->object["apiVersion"] = kind.group_version();
  }
  return sent;
}

HttpResponse not_handled(const GroupVersionKind& kind, const GroupVersionKind& expected, const std::string& why) {
  return bad_request(kind.kind + " in version " + go_quoted(kind.version) + " cannot be handled as a " + expected.kind +
                     ": " + why);
}

// What a client is warned of, or what a strict decoder refuses, in which the repeated keys of YAML are one error.
std::vector<std::string> validated(FieldValidation validation, MediaType type, std::string_view body,
                                   std::vector<std::string> fields) {
  if (validation == FieldValidation::ignore) return {};
  std::vector<std::string> keys;
  if (type == MediaType::yaml) keys = repeated_yaml_keys(body);
  if (validation == FieldValidation::strict && !keys.empty()) keys = {yaml_keys_error(keys)};
  keys.insert(keys.end(), std::make_move_iterator(fields.begin()), std::make_move_iterator(fields.end()));
  return keys;
}

GroupVersionKind named_kind(const std::string& version, const std::string& kind) {
  GroupVersionKind out = parse_group_version(version).value_or(GroupVersionKind());
  out.kind = kind;
  return out;
}

std::string summary_of(std::string_view body) {
  constexpr std::size_t most = 30;
  if (body.empty()) return "<empty>";
  const std::string_view beginning = body.substr(0, most);
  const std::string tail = body.size() > most ? " ..." : "";
  if (body.front() == '{') return std::string(beginning) + tail;
  return hex_encode(beginning) + tail;
}

std::optional<HttpResponse> read_options_of(const ServerState& server, Call& call) {
  auto options = read_delete_options(call.request, server.rules.release());
  if (!options) return options.error();
  // Options in the body of a delete replace those of the query.
  if (!call.request.body.empty()) call.dry_run = !member(*options, "dryRun").empty();
  call.body = std::move(*options);
  return std::nullopt;
}

}  // namespace

FieldValidation field_validation(const ServerState& server, const HttpRequest& request) {
  if (!server.defaults.does(Behaviour::field_validation)) return FieldValidation::ignore;
  const std::string asked = query_parameter(request.target, "fieldValidation");
  if (asked == "Ignore") return FieldValidation::ignore;
  return asked == "Strict" ? FieldValidation::strict : FieldValidation::warn;
}

HttpResponse unsupported_media_type(bool with_protobuf) {
  return failure(415, "UnsupportedMediaType",
                 std::string("the body of the request was in an unknown format - accepted media types include: "
                             "application/json, application/yaml") +
                     (with_protobuf ? ", application/vnd.kubernetes.protobuf" : ""));
}

std::string strict_error(const std::vector<std::string>& fields) {
  std::string out;
  for (const std::string& field : fields) out += (out.empty() ? "strict decoding error: " : ", ") + field;
  return out;
}

tl::expected<SentObject, HttpResponse> read_body(const ApiResources& resources, const GroupVersionKind& expected,
                                                 const HttpRequest& request, FieldValidation validation) {
  const std::optional<MediaType> type = nodebound::media_type_of(request.content_type);
  if (!type) return tl::unexpected(unsupported_media_type(true));
  if (type == MediaType::protobuf && !has_protobuf(expected)) return tl::unexpected(unsupported_media_type(false));
  Read<SentObject> sent = read(resources, expected, *type, request.body);
  if (sent) {
    const std::string version(text(sent->object, "apiVersion"));
    const GroupVersionKind sent_kind = named_kind(version, expected.kind);
    sent->warnings = validated(validation, *type, request.body, std::move(sent->warnings));
    if (validation == FieldValidation::strict && !sent->warnings.empty()) {
      return tl::unexpected(not_handled(sent_kind, expected, strict_error(sent->warnings)));
    }
    if (sent_kind == expected || is_taken_for(sent_kind, expected)) return std::move(*sent);
    return tl::unexpected(bad_request("the API version in the data (" + version +
                                      ") does not match the expected API version (" + expected.group_version() + ")"));
  }
  const Unreadable& problem = sent.error();
  if (problem.kind) return tl::unexpected(not_handled(*problem.kind, expected, problem.why));
  return tl::unexpected(bad_request("the object provided is unrecognized (must be of type " + expected.kind +
                                    "): " + problem.why + " (" + summary_of(request.body) + ")"));
}

tl::expected<Object, HttpResponse> read_delete_options(const HttpRequest& request, const Release& release) {
  if (request.body.empty()) return Object::object();
  const std::optional<MediaType> type = nodebound::media_type_of(request.content_type);
  if (!type) return tl::unexpected(unsupported_media_type(true));
  const auto unread = [&](const std::string& why) {
    const bool is_bad_request = release.does(Behaviour::unread_delete_options_are_bad_request);
    return tl::unexpected(is_bad_request ? bad_request(why) : failure(500, "", why));
  };
  const GroupVersionKind expected{"", "v1", "DeleteOptions"};
  Read<Content> content = content_of(*type, request.body);
  if (!content) return unread(content.error().why);
  add_defaults(content->kind, expected);
  if (content->kind.kind != expected.kind) return unread(not_registered(content->kind, &release));
  content->kind = expected;
  Read<SentObject> options = object_in(std::move(*content), expected, release);
  if (!options) return unread(options.error().why);
  return std::move(options->object);
}

std::optional<HttpResponse> unread_body(const HttpRequest& request) {
  if (request.body_too_large) {
    return failure(413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728");
  }
  if (request.body_error.empty()) return std::nullopt;
  return failure(500, "", request.body_error);
}

namespace {

// The fields of a custom object that its schema does not know.
std::optional<HttpResponse> wrong_custom_fields(Call& call, const GroupVersionKind& kind, FieldValidation validation) {
  if (!call.resource->definition || call.subresource != nullptr || validation == FieldValidation::ignore) {
    return std::nullopt;
  }
  std::vector<std::string> unknown;
  for (const std::string& field : unknown_custom_fields(*call.resource, call.body)) {
    unknown.push_back("unknown field " + go_quoted(field));
  }
  const bool refused = validation == FieldValidation::strict && !unknown.empty();
  if (refused) return not_handled(kind, kind, strict_error(unknown));
  call.warnings.insert(call.warnings.end(), unknown.begin(), unknown.end());
  return std::nullopt;
}

}  // namespace

std::optional<HttpResponse> read_body_of(const ServerState& server, Call& call, const GroupVersionKind& kind) {
  const std::string& verb = call.attributes.verb;
  const bool removes = verb == "delete" || verb == "deletecollection";
  if (verb != "create" && verb != "update" && !removes) return std::nullopt;
  if (removes) return read_options_of(server, call);
  auto sent = read_body(*call.resources, kind, call.request, field_validation(server, call.request));
  if (!sent) return sent.error();
  call.body = std::move(sent->object);
  std::ranges::move(sent->warnings, std::back_inserter(call.warnings));
  return wrong_custom_fields(call, kind, field_validation(server, call.request));
}

}  // namespace nodebound::apiserver
