#include "fakes/apiserver/read/negotiation.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "fakes/apiserver/status.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "fakes/wire/yaml/yaml.h"
#include "reference/encoding/ascii.h"

namespace nodebound::apiserver {
namespace {

// Real clients send fewer clauses; sorting them takes quadratic time.
constexpr std::size_t most_clauses = 64;

// Removes the part before the divider from the text and returns it.
std::string_view next_part(std::string_view& text, char divider) {
  const std::size_t end = std::min(text.find(divider), text.size());
  const std::string_view part = trimmed(text.substr(0, end), " ");
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::optional<AcceptClause> clause_of(std::string_view part) {
  std::string_view range = next_part(part, ';');
  AcceptClause out;
  const bool divided = range.find('/') != std::string_view::npos;
  out.type = next_part(range, '/');
  out.subtype = trimmed(range, " ");
  if (!divided && out.type != "*") return std::nullopt;
  if (!divided) out.subtype = "*";
  if (out.subtype.find('/') != std::string_view::npos) return std::nullopt;
  while (!part.empty()) {
    std::string_view parameter = next_part(part, ';');
    if (parameter.find('=') == std::string_view::npos) continue;
    const std::string_view name = next_part(parameter, '=');
    if (name == "q") {
      out.quality = std::strtod(std::string(parameter).c_str(), nullptr);
    } else {
      out.parameters.emplace_back(name, trimmed(parameter, " "));
    }
  }
  return out;
}

// Not a strict weak ordering, but the order by which kube-apiserver serves clients.
bool is_before(const AcceptClause& a, const AcceptClause& b) {
  return a.quality > b.quality || (a.type != "*" && b.type == "*") || (a.subtype != "*" && b.subtype == "*");
}

constexpr std::array<MediaType, 3> served = {MediaType::json, MediaType::yaml, MediaType::protobuf};

bool stands_for(const AcceptClause& clause, MediaType type) {
  if (clause.type == "*" && clause.subtype == "*") return true;
  const std::string_view name = name_of(type);
  const std::size_t slash = name.find('/');
  if (clause.type != name.substr(0, slash)) return false;
  return clause.subtype == "*" || clause.subtype == name.substr(slash + 1);
}

// Removes `before` and the quoted text after it from the beginning, and returns that text.
std::string_view next_text(std::string_view& json, std::string_view before) {
  if (!json.starts_with(before)) return {};
  json.remove_prefix(before.size());
  const std::string_view text = json.substr(0, json.find('"'));
  json.remove_prefix(text.size());
  return text;
}

// Whether a body certainly has no protobuf form, without parsing all of it: objects and lists, which may be long, begin
// with their kind.
bool has_no_protobuf(std::string_view body) {
  const std::string_view kind = next_text(body, R"({"kind":")");
  const std::string_view version = next_text(body, R"(","apiVersion":")");
  if (kind.empty() || version.empty()) return false;
  std::optional<GroupVersionKind> whole = parse_group_version(version);
  if (!whole) return true;
  whole->kind = kind;
  return !has_protobuf(*whole);
}

std::optional<std::string> written(MediaType type, const Object& object) {
  if (type == MediaType::yaml) return write_yaml(object);
  return type == MediaType::protobuf ? write_protobuf(object) : std::nullopt;
}

}  // namespace

std::string_view AcceptClause::parameter(std::string_view name) const {
  for (const auto& [own, value] : parameters) {
    if (own == name) return value;
  }
  return {};
}

std::vector<AcceptClause> accepted(std::string_view accept) {
  std::vector<AcceptClause> out;
  if (accept.empty()) return {{"application", "json"}};
  while (!accept.empty() && out.size() < most_clauses) {
    std::optional<AcceptClause> clause = clause_of(next_part(accept, ','));
    if (!clause) continue;
    out.push_back(std::move(*clause));
    for (std::size_t i = out.size() - 1; i > 0 && is_before(out[i], out[i - 1]); --i) std::swap(out[i], out[i - 1]);
  }
  return out;
}

std::optional<MediaType> media_type_of(const AcceptClause& clause) {
  for (const MediaType type : served) {
    if (stands_for(clause, type)) return type;
  }
  return std::nullopt;
}

bool is_plain(const AcceptClause& clause) {
  for (const char* name : {"as", "g", "v", "sv", "stream"}) {
    if (!clause.parameter(name).empty()) return false;
  }
  return true;
}

bool is_acceptable(std::string_view accept, std::span<const std::string_view> types) {
  if (accept.empty()) return true;
  while (!accept.empty()) {
    std::string_view part = next_part(accept, ',');
    const std::string_view type = next_part(part, ';');
    if (type == "*/*" || std::find(types.begin(), types.end(), type) != types.end()) return true;
  }
  return false;
}

bool is_acceptable(std::string_view accept) {
  const std::array<std::string_view, 3> types = {name_of(MediaType::json), name_of(MediaType::yaml),
                                                 name_of(MediaType::protobuf)};
  return is_acceptable(accept, types);
}

HttpResponse not_acceptable(std::span<const std::string_view> types) {
  std::string message = "406: Not Acceptable\n\nAvailable representations: ";
  for (const std::string_view& type : types) message.append(&type == types.data() ? "" : ", ").append(type);
  return failure(406, "NotAcceptable", message, Object::object());
}

HttpResponse not_acceptable(bool watch) {
  constexpr std::array<std::string_view, 5> types = {
      "application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "application/json;stream=watch",
      "application/vnd.kubernetes.protobuf;stream=watch"};
  return not_acceptable(std::span(types).first(watch ? 5 : 3));
}

void encode(HttpResponse& response, std::string_view accept) {
  if (accept.empty() || accept == "application/json" || accept == "*/*") return;
  if (response.stream != nullptr || response.content_type != "application/json") return;
  const bool is_error = response.status >= 400;
  std::optional<Object> object;
  for (const AcceptClause& clause : accepted(accept)) {
    if (is_error && !is_plain(clause)) continue;
    const std::optional<MediaType> type = media_type_of(clause);
    if (type == MediaType::json) return;
    // There is no Table in protobuf.
    const bool table = clause.parameter("as") == "Table";
    if (!type || (type == MediaType::protobuf && (table || has_no_protobuf(response.body)))) continue;
    if (!object) object = Object::parse(response.body, nullptr, false);
    if (!object->is_object()) return;
    std::optional<std::string> body = written(*type, *object);
    if (!body) continue;
    response.content_type = name_of(*type);
    response.body = std::move(*body);
    return;
  }
}

Object sent_object(std::string_view content_type, std::string_view body) {
  const std::optional<MediaType> type = nodebound::media_type_of(content_type);
  if (!type) return nullptr;
  if (type == MediaType::json) return read_json(body).value_or(nullptr);
  if (type == MediaType::yaml) return read_yaml(body).value_or(nullptr);
  const auto envelope = read_envelope(body);
  if (!envelope) return nullptr;
  GroupVersionKind kind = parse_group_version(envelope->group_version).value_or(GroupVersionKind());
  kind.kind = envelope->kind;
  auto object = read_message(kind, envelope->raw);
  if (!object) return nullptr;
  (*object)["kind"] = kind.kind;
  (*object)["apiVersion"] = envelope->group_version;
  return std::move(*object);
}

Object object_in(const HttpResponse& response) {
  return sent_object(response.content_type, response.body);
}

}  // namespace nodebound::apiserver
