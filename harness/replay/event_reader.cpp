#include "harness/replay/event_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <simdjson.h>
#include <utility>

#include "fakes/wire/go/go_time.h"
#include "harness/replay/cloud_logging.h"
#include "reference/encoding/json_depth.h"
#include "reference/identity/node_identity.h"

namespace nodebound::replay {
namespace {

using simdjson::ondemand::array;
using simdjson::ondemand::object;
using simdjson::ondemand::value;

constexpr std::size_t kDeepestObject = 100;
constexpr int kDeepestEnvelope = 6;
constexpr std::size_t kMostGroups = 1000;
constexpr std::size_t kLongestMessage = 4096;

/// The parts of an event as they are in the text.
struct RawEvent {
  std::string_view kind, version, id, stage, uri, verb, user_agent, received, staged;
  std::string_view user, impersonated, addresses, reference, status, request, response, annotations;
};

std::optional<LoggedRequest::Micros> micros_of(std::string_view text) {
  const auto time = parse_go_time(text, TimeLayout::seconds);
  if (!time || text.back() != 'Z') return std::nullopt;
  return time->seconds * 1'000'000 + time->nanos / 1000;
}

// The request's resources of which all requests count, whoever sends them.
bool names_node_api(std::string_view uri) {
  const std::string_view path = uri.substr(0, uri.find('?'));
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    const std::string_view rest = path.substr(slash + 1);
    if (rest.empty()) return false;
    switch (rest.front()) {
      case 'a':
        if (rest.starts_with("attach")) return true;
        break;
      case 'c':
        if (rest.starts_with("certificatesigningrequests")) return true;
        break;
      case 'e':
        if (rest.starts_with("exec")) return true;
        break;
      case 'n':
        if (rest.starts_with("nodes/") && rest.find('/', 6) != std::string_view::npos) return true;
        break;
      case 'p':
        if (rest.starts_with("portforward") || rest.starts_with("podcertificaterequests")) return true;
        break;
      case 'r':
        if (rest.starts_with("resourceclaims/")) return true;
        break;
      default:
        break;
    }
  }
  return false;
}

// Of every event, so by memmem, which is faster than find where the first letter is frequent.
bool has(std::string_view text, std::string_view part) {
  return memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

// Of these no decision reads more than the name.
bool never_matters(std::string_view reference) {
  static constexpr std::array<std::string_view, 8> resources = {
      "events",    "leases",         "secrets",      "configmaps",
      "endpoints", "endpointslices", "tokenreviews", "subjectaccessreviews"};
  constexpr std::string_view key = "\"resource\":";
  std::size_t at = reference.find(key);
  if (at == std::string_view::npos) return false;
  at += key.size();
  if (at < reference.size() && reference[at] == ' ') ++at;
  if (at >= reference.size() || reference[at] != '"') return false;
  const std::string_view value = reference.substr(at + 1);
  return std::any_of(resources.begin(), resources.end(), [&](std::string_view one) {
    return value.starts_with(one) && value.substr(one.size()).starts_with('"');
  });
}

std::string method_of(std::string_view verb) {
  if (verb == "create") return "POST";
  if (verb == "update") return "PUT";
  if (verb == "patch") return "PATCH";
  if (verb == "delete" || verb == "deletecollection") return "DELETE";
  if (verb == "get" || verb == "list" || verb == "watch") return "GET";
  std::string method(verb);
  std::transform(method.begin(), method.end(), method.begin(), [](unsigned char c) { return std::toupper(c); });
  return method;
}

/// A field of an event that is read, and where to.
struct EventField {
  std::string_view key;
  std::string_view RawEvent::*to;
  bool is_text = true;  ///< otherwise an object or list, kept as it is written
};

constexpr std::array<EventField, 17> kEventFields = {{{"kind", &RawEvent::kind},
                                                      {"apiVersion", &RawEvent::version},
                                                      {"auditID", &RawEvent::id},
                                                      {"stage", &RawEvent::stage},
                                                      {"requestURI", &RawEvent::uri},
                                                      {"verb", &RawEvent::verb},
                                                      {"userAgent", &RawEvent::user_agent},
                                                      {"requestReceivedTimestamp", &RawEvent::received},
                                                      {"stageTimestamp", &RawEvent::staged},
                                                      {"user", &RawEvent::user, false},
                                                      {"impersonatedUser", &RawEvent::impersonated, false},
                                                      {"sourceIPs", &RawEvent::addresses, false},
                                                      {"objectRef", &RawEvent::reference, false},
                                                      {"responseStatus", &RawEvent::status, false},
                                                      {"requestObject", &RawEvent::request, false},
                                                      {"responseObject", &RawEvent::response, false},
                                                      {"annotations", &RawEvent::annotations, false}}};

// By length first: an event has many fields, and most keys differ in it.
const EventField* event_field(std::string_view key) {
  for (const EventField& one : kEventFields) {
    if (one.key.size() == key.size() && one.key.front() == key.front() && one.key == key) return &one;
  }
  return nullptr;
}

}  // namespace

class EventReader::Parsers {
 public:
  simdjson::ondemand::parser outer;
  simdjson::ondemand::parser inner;
  std::string copy;  ///< of a part, with the padding that a parser needs

  std::string_view padded(std::string_view text) {
    copy.assign(text);
    copy.append(document_padding, ' ');
    return {copy.data(), text.size()};
  }

  /// Throws simdjson_error.
  RawEvent split(std::string_view text) {
    RawEvent out;
    simdjson::ondemand::document document = outer.iterate(text.data(), text.size(), text.size() + document_padding);
    for (auto field : document.get_object()) {
      const EventField* known = event_field(field.unescaped_key());
      if (known == nullptr) continue;
      value member = field.value();
      if (known->is_text) {
        out.*known->to = member.get_string();
        const bool received = known->to == &RawEvent::stage && out.stage == "RequestReceived";
        // Most of these need no further look.
        if (received && out.kind == "Event" && out.version == "audit.k8s.io/v1") return out;
        continue;
      }
      const simdjson::ondemand::json_type type = member.type();
      if (type == simdjson::ondemand::json_type::object) out.*known->to = object(member.get_object()).raw_json();
      if (type == simdjson::ondemand::json_type::array) out.*known->to = array(member.get_array()).raw_json();
    }
    return out;
  }

  Subject subject(std::string_view text) {
    Subject out;
    simdjson::ondemand::document document = parse(text);
    for (auto field : document.get_object()) {
      const std::string_view key = field.unescaped_key();
      value member = field.value();
      if (key == "username") out.name = std::string_view(member.get_string());
      if (key == "uid") out.uid = std::string_view(member.get_string());
      if (key == "groups" && !member.is_null()) {
        for (auto group : member.get_array()) {
          if (out.groups.size() < kMostGroups) out.groups.emplace_back(std::string_view(group.get_string()));
        }
      }
    }
    return out;
  }

  Attributes attributes(std::string_view text, std::string_view verb) {
    Attributes out;
    out.verb = verb;
    if (text.empty()) return out;
    out.resource_request = true;
    simdjson::ondemand::document document = parse(text);
    for (auto field : document.get_object()) {
      const std::string_view key = field.unescaped_key();
      value member = field.value();
      if (key == "resource") out.resource = std::string_view(member.get_string());
      if (key == "subresource") out.subresource = std::string_view(member.get_string());
      if (key == "namespace") out.namespace_ = std::string_view(member.get_string());
      if (key == "name") out.name = std::string_view(member.get_string());
      if (key == "apiGroup") out.api_group = std::string_view(member.get_string());
      if (key == "apiVersion") out.api_version = std::string_view(member.get_string());
    }
    return out;
  }

  std::string address(std::string_view text) {
    if (text.empty()) return {};
    simdjson::ondemand::document document = parse(text);
    for (auto one : document.get_array()) return std::string(std::string_view(one.get_string()));
    return {};
  }

  void status(std::string_view text, LoggedRequest& out) {
    if (text.empty()) return;
    simdjson::ondemand::document document = parse(text);
    for (auto field : document.get_object()) {
      const std::string_view key = field.unescaped_key();
      value member = field.value();
      std::int64_t code = 0;
      if (key == "code" && member.get_int64().get(code) == simdjson::SUCCESS && code >= 100 && code <= 599) {
        out.code = static_cast<int>(code);
      }
      if (key != "message") continue;
      std::string_view message;
      if (member.get_string().get(message) == simdjson::SUCCESS) out.message = message.substr(0, kLongestMessage);
    }
  }

  void annotations(std::string_view text, LoggedRequest& out) {
    if (text.empty()) return;
    simdjson::ondemand::document document = parse(text);
    for (auto field : document.get_object()) {
      const std::string_view key = field.unescaped_key();
      if (key == "authorization.k8s.io/decision") out.decision = std::string_view(field.value().get_string());
      if (key == "authorization.k8s.io/reason") out.reason = std::string_view(field.value().get_string());
    }
  }

 private:
  simdjson::ondemand::document parse(std::string_view text) {
    const std::string_view there = padded(text);
    return inner.iterate(there.data(), there.size(), there.size() + document_padding);
  }
};

EventReader::EventReader(std::string file, LogTroubles& troubles, LogCounts& counts)
    : file_(std::move(file)), troubles_(troubles), counts_(counts), parsers_(std::make_unique<Parsers>()) {}
EventReader::EventReader(EventReader&&) noexcept = default;
EventReader::~EventReader() = default;

void EventReader::read(const LogDocument& document, const Sink& sink) {
  if (document.too_long) return troubles_.add(LogTrouble::too_long, file_, document.line);
  // Most logs are lines with an event each, which begins with its kind.
  const std::string_view begin = document.text.substr(0, 160);
  if (begin.starts_with('{') && has(begin, "\"Event\"") && !document.cut_short) {
    return read_event(document.text, document.line, sink);
  }
  read_other(document, sink);
}

void EventReader::read_event(std::string_view padded, std::size_t line, const Sink& sink) try {
  const RawEvent raw = parsers_->split(padded);
  if (raw.kind != "Event" || !raw.version.starts_with("audit.k8s.io/")) {
    return troubles_.add(LogTrouble::no_event, file_, line);
  }
  if (raw.version != "audit.k8s.io/v1") return troubles_.add(LogTrouble::other_version, file_, line);
  ++counts_.events;
  if (raw.stage == "RequestReceived") {
    ++counts_.not_final;
    return;
  }
  const std::string_view who = raw.impersonated.empty() ? raw.user : raw.impersonated;
  const bool by_node = has(who, "system:node");
  LoggedRequest out;
  const bool by_kubelet = raw.user_agent.starts_with("kubelet/");
  out.about_nodes = by_node || by_kubelet || names_node_api(raw.uri);
  out.changes_state = is_write(raw.verb) && !never_matters(raw.reference);
  if (out.about_nodes && !by_node && !by_kubelet && has(who, "\"system:masters\"")) {
    ++counts_.administrators;
    out.about_nodes = false;
  } else if (!out.about_nodes) {
    ++counts_.about_others;
  }
  if (!out.about_nodes && !out.changes_state) return;
  out.subject = parsers_->subject(who);
  const auto received = micros_of(raw.received);
  const auto staged = micros_of(raw.staged);
  if (out.subject.name.empty() || !received || !staged || raw.verb.empty()) {
    return troubles_.add(LogTrouble::bad_event, file_, line);
  }
  out.received = *received;
  out.answered = *staged;
  out.id = raw.id;
  out.user_agent = raw.user_agent;
  if (by_kubelet) out.address = parsers_->address(raw.addresses);
  const Attributes of_reference = parsers_->attributes(raw.reference, raw.verb);
  out.query_known = !raw.uri.empty();
  out.groups_known = !out.subject.groups.empty();
  if (out.query_known) {
    out.attributes = attributes_of(method_of(raw.verb), raw.uri);
    out.attributes.verb = raw.verb;
    out.dry_run = !query_parameters(raw.uri, "dryRun").empty();
  } else {
    out.attributes = of_reference;
    ++counts_.without_query;
  }
  // The log names what a create with generateName made.
  if (out.attributes.name.empty() && raw.verb == "create" && out.changes_state) {
    out.attributes.name = of_reference.name;
  }
  parsers_->status(raw.status, out);
  parsers_->annotations(raw.annotations, out);
  out.bytes = padded.size();
  out.where = file_ + ":" + std::to_string(line);
  for (const auto& [part, to] : {std::pair(raw.request, &out.request_object), {raw.response, &out.response_object}}) {
    if (part.empty()) continue;
    if (json_depth(part) > kDeepestObject) return troubles_.add(LogTrouble::too_deep, file_, line);
    *to = Object::parse(part, nullptr, false);
    if ((*to)->is_discarded()) return troubles_.add(LogTrouble::torn, file_, line);
  }
  sink(std::move(out));
} catch (const simdjson::simdjson_error& error) {
  const bool deep = error.error() == simdjson::DEPTH_ERROR;
  const bool type = error.error() == simdjson::INCORRECT_TYPE;
  troubles_.add(deep ? LogTrouble::too_deep : type ? LogTrouble::bad_event : LogTrouble::torn, file_, line);
}

void EventReader::read_other(const LogDocument& document, const Sink& sink) {
  std::string_view text = document.text;
  // Some exports put a time before each event.
  if (!text.starts_with('{') && !text.starts_with('[')) {
    constexpr std::size_t longest_prefix = 200;
    const std::size_t brace = text.find('{');
    if (brace > longest_prefix) return troubles_.add(LogTrouble::not_json, file_, document.line);
    text.remove_prefix(brace);
  }
  if (json_depth(text) > kDeepestObject) return troubles_.add(LogTrouble::too_deep, file_, document.line);
  const Object value = Object::parse(text, nullptr, false);
  if (value.is_discarded()) {
    const bool began = text.starts_with("{\"") || document.cut_short || document.text.ends_with('}');
    return troubles_.add(began ? LogTrouble::torn : LogTrouble::not_json, file_, document.line);
  }
  bool found = false;
  unwrap(value, document.line, 0, found, sink);
  if (!found) troubles_.add(LogTrouble::no_event, file_, document.line);
}

void EventReader::unwrap(const Object& value, std::size_t line, int depth, bool& found, const Sink& sink) {
  if (depth > kDeepestEnvelope) return;
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (!text.starts_with('{') || json_depth(text) > kDeepestObject) return;
    const Object within = Object::parse(text, nullptr, false);
    if (!within.is_discarded()) unwrap(within, line, depth + 1, found, sink);
    return;
  }
  if (value.is_array()) {
    if (value.empty()) found = true;
    for (const Object& each : value) unwrap(each, line, depth + 1, found, sink);
    return;
  }
  if (!value.is_object()) return;
  const std::string_view kind = text(value, "kind");
  if (kind == "Event" || (value.contains("auditID") && value.contains("stage"))) {
    found = true;
    Object event = value;
    // The items of a list need not say what they are.
    event.emplace("kind", "Event");
    event.emplace("apiVersion", "audit.k8s.io/v1");
    std::string text = event.dump(-1, ' ', false, Object::error_handler_t::replace);
    const std::size_t size = text.size();
    text.append(document_padding, ' ');
    return read_event(std::string_view(text).substr(0, size), line, sink);
  }
  if (const Object& payload = member(value, "protoPayload"); payload.is_object()) {
    const std::optional<Object> event = event_of_cloud_logging(value);
    found = found || event.has_value();
    if (event) unwrap(*event, line, depth + 1, found, sink);
    return;
  }
  // EventList; CloudWatch: subscriptions, filter-log-events, Insights and exports; Azure Monitor: diagnostic settings
  // and tables.
  for (const char* name : {"items", "logEvents", "events", "message", "@message", "records", "properties", "log",
                           "log_s", "Log", "jsonPayload", "textPayload"}) {
    if (const auto within = value.find(name); within != value.end()) unwrap(*within, line, depth + 1, found, sink);
  }
}

}  // namespace nodebound::replay
