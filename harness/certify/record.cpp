#include "harness/certify/record.h"

#include "harness/certify/gzip.h"
#include "reference/encoding/base64.h"
#include "reference/encoding/utf8.h"

namespace nodebound::certify {
namespace {

using Json = nlohmann::json;

constexpr std::pair<Capability, const char*> capability_names[] = {
    {Capability::request, "request"},       {Capability::access_review, "access_review"},
    {Capability::admission, "admission"},   {Capability::kubelet_request, "kubelet_request"},
    {Capability::own_server, "own_server"}, {Capability::objects, "objects"},
    {Capability::own_tokens, "own_tokens"},
};

constexpr std::pair<Error::Kind, const char*> error_kinds[] = {
    {Error::Kind::input, "input"},
    {Error::Kind::unreachable, "unreachable"},
    {Error::Kind::withheld, "withheld"},
};

// Text as it is; other bytes in base64, in an object, so that the two cannot be taken for each other.
Json bytes_json(const std::string& bytes) {
  if (is_utf8(bytes)) return bytes;
  return {{"base64", base64_encode(bytes)}};
}

std::string bytes_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return base64_decode(value.at("base64").get_ref<const std::string&>()).value_or("");
}

Json text_list(const std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const std::string& each : texts) out.push_back(bytes_json(each));
  return out;
}

void put(Json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = bytes_json(value);
}

std::string get_text(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? std::string() : bytes_of(*found);
}

Json error_json(const Error& error) {
  Json out = Json::object();
  for (const auto& [kind, name] : error_kinds) {
    if (kind == error.kind) out["kind"] = name;
  }
  put(out, "where", error.where);
  put(out, "what", error.what);
  put(out, "hint", error.hint);
  if (error.connection == Error::Connection::certificate_wanted) out["certificate_wanted"] = true;
  if (error.connection == Error::Connection::closed) out["closed"] = true;
  return out;
}

Error read_error(const Json& json) {
  Error out{Error::Kind::unreachable, get_text(json, "where"), get_text(json, "what"), get_text(json, "hint")};
  for (const auto& [kind, name] : error_kinds) {
    if (json.at("kind") == name) out.kind = kind;
  }
  if (json.value("certificate_wanted", false)) out.connection = Error::Connection::certificate_wanted;
  if (json.value("closed", false)) out.connection = Error::Connection::closed;
  return out;
}

Json subject_json(const Subject& subject) {
  Json out = Json::object();
  put(out, "name", subject.name);
  if (!subject.groups.empty()) out["groups"] = text_list(subject.groups);
  put(out, "uid", subject.uid);
  for (const auto& [key, values] : subject.extra) out["extra"][valid_utf8(key)] = text_list(values);
  return out;
}

std::vector<std::string> texts_of(const Json& object, const char* key) {
  std::vector<std::string> out;
  const auto found = object.find(key);
  if (found == object.end()) return out;
  for (const Json& each : *found) out.push_back(bytes_of(each));
  return out;
}

Subject read_subject(const Json& json) {
  Subject out{get_text(json, "name"), texts_of(json, "groups"), get_text(json, "uid"), {}};
  if (const auto extra = json.find("extra"); extra != json.end()) {
    for (const auto& item : extra->items()) out.extra[item.key()] = texts_of(*extra, item.key().c_str());
  }
  return out;
}

Json headers_json(const std::map<std::string, std::string>& headers) {
  Json out = Json::object();
  for (const auto& [name, value] : headers) out[valid_utf8(name)] = bytes_json(value);
  return out;
}

// A record comes from a stranger: what has another shape than ours is no line of it.
template <typename Read>
auto read_shape(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

RecordLine record_of(const Error& error) {
  return error_json(error);
}

std::optional<Error> error_of(const RecordLine& line) {
  return read_shape([&] { return read_error(line); });
}

RecordLine record_of(const Subject& subject, const HttpRequest& request) {
  Json out = {{"as", subject_json(subject)}, {"method", request.method}};
  put(out, "target", request.target);
  put(out, "type", request.content_type);
  put(out, "body", request.body);
  put(out, "accept", request.accept);
  if (!request.headers.empty()) out["headers"] = headers_json(request.headers);
  if (request.watch) out["watch"] = true;
  return out;
}

RecordLine record_of(const Result<HttpResponse>& answer) {
  if (!answer) return {{"error", error_json(answer.error())}};
  Json out = {{"status", answer->status}};
  put(out, "type", answer->content_type);
  put(out, "body", answer->body);
  if (!answer->headers.empty()) out["headers"] = headers_json(answer->headers);
  if (!answer->warnings.empty()) out["warnings"] = text_list(answer->warnings);
  return out;
}

std::optional<Result<HttpResponse>> answer_of(const RecordLine& line) {
  return read_shape([&]() -> Result<HttpResponse> {
    if (const auto error = line.find("error"); error != line.end()) return tl::unexpected<Error>(read_error(*error));
    HttpResponse out;
    out.status = line.at("status").get<int>();
    out.content_type = get_text(line, "type");
    out.body = get_text(line, "body");
    if (const auto headers = line.find("headers"); headers != line.end()) {
      for (const auto& item : headers->items()) out.headers[item.key()] = bytes_of(item.value());
    }
    out.warnings = texts_of(line, "warnings");
    return out;
  });
}

RecordLine record_of(const Endpoint& endpoint) {
  const Observation& observed = endpoint.observed();
  Json out = {{"name", bytes_json(endpoint.name())},
              {"version", bytes_json(observed.version)},
              {"administrator", subject_json(endpoint.administrator())},
              {"decides_on_latest_state", endpoint.decides_on_latest_state()},
              {"api_versions", Json::array()},
              {"feature_gates", Json::object()},
              {"lacks", Json::object()}};
  for (const std::string& each : observed.api_versions) out["api_versions"].push_back(bytes_json(each));
  for (const auto& [gate, on] : observed.feature_gates) out["feature_gates"][valid_utf8(gate)] = on;
  if (endpoint.must_learn_of_writes()) out["must_learn_of_writes"] = true;
  const Capabilities can = endpoint.capabilities();
  for (const auto& [capability, name] : capability_names) {
    if (const auto why = can.lacks(capability)) out["lacks"][name] = bytes_json(*why);
  }
  return {{"server", std::move(out)}};
}

RecordLine record_of_failed_start(const Error& error) {
  return {{"server", {{"error", error_json(error)}}}};
}

std::optional<Result<RecordedServer>> server_of(const RecordLine& line) {
  return read_shape([&]() -> Result<RecordedServer> {
    const Json& json = line.at("server");
    if (const auto error = json.find("error"); error != json.end()) return tl::unexpected<Error>(read_error(*error));
    RecordedServer out;
    out.name = get_text(json, "name");
    out.observed.version = get_text(json, "version");
    for (const Json& each : json.at("api_versions")) out.observed.api_versions.insert(bytes_of(each));
    for (const auto& item : json.at("feature_gates").items()) {
      out.observed.feature_gates[item.key()] = item.value().get<bool>();
    }
    out.administrator = read_subject(json.at("administrator"));
    out.decides_on_latest_state = json.at("decides_on_latest_state").get<bool>();
    out.must_learn_of_writes = json.value("must_learn_of_writes", false);
    for (const auto& [capability, name] : capability_names) {
      const auto why = json.at("lacks").find(name);
      out.can = why == json.at("lacks").end() ? out.can.with(capability) : out.can.without(capability, bytes_of(*why));
    }
    return out;
  });
}

HttpResponse RecordedTokens::hide(HttpResponse answer) {
  if (answer.body.find("\"TokenRequest\"") == std::string::npos) return answer;
  Json body = Json::parse(answer.body, nullptr, false);
  if (!body.is_object() || !body.contains("/status/token"_json_pointer)) return answer;
  Json& token = body["status"]["token"];
  const std::string shown = "removed-" + std::to_string(issued_.size() + 1);
  if (token.is_string()) issued_[shown] = token.get<std::string>();
  token = shown;
  answer.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  return answer;
}

HttpRequest RecordedTokens::reveal(HttpRequest request) const {
  constexpr std::string_view scheme = "Bearer ";
  const auto header = request.headers.find("authorization");
  if (header == request.headers.end() || !header->second.starts_with(scheme)) return request;
  const auto token = issued_.find(header->second.substr(scheme.size()));
  if (token != issued_.end()) header->second = std::string(scheme) + token->second;
  return request;
}

RecordWriter::RecordWriter(const std::vector<std::string>& scenarios) {
  // 0 is the run itself.
  for (const std::string& id : scenarios) places_.emplace(id, places_.size() + 1);
}

std::size_t RecordWriter::add_server(const RecordLine& line) {
  std::string part = gzip(line.dump() + "\n");
  const std::lock_guard lock(mutex_);
  parts_[{servers_, 0}] = std::move(part);
  return servers_++;
}

void RecordWriter::add(std::size_t server, const std::string& scenario, const std::string& lines) {
  if (lines.empty()) return;
  const std::string head = scenario.empty() ? "" : Json{{"scenario", scenario}}.dump() + "\n";
  std::string part = gzip(head + lines);
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(scenario);
  parts_[{server, scenario.empty() || place == places_.end() ? 0 : place->second}] += part;
}

std::string RecordWriter::finish() const {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const auto& [place, part] : parts_) out += part;
  return out;
}

}  // namespace nodebound::certify
