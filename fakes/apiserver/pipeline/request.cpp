// The way of a request through the server: authorize, find the resource with its strategy, read the body, dispatch.
// Admission follows in the handlers of writes, which make the object that it is asked about.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <optional>
#include <span>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/custom/custom_resources.h"
#include "fakes/apiserver/discovery/discovery.h"
#include "fakes/apiserver/discovery/health.h"
#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/pipeline/request_body.h"
#include "fakes/apiserver/policies/admission_notes.h"
#include "fakes/apiserver/read/list_options.h"
#include "fakes/apiserver/read/negotiation.h"
#include "fakes/apiserver/read/read.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/review/review_talk.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/warnings.h"
#include "fakes/apiserver/webhooks/webhook_talk.h"
#include "fakes/apiserver/write/patch.h"
#include "fakes/apiserver/write/write.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "fakes/wire/resources/routes.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

// Every caller is in one of the two groups. Like authentication's group adder, this adds none if the subject already
// has one of them.
std::optional<Subject> with_implied_group(const Subject& subject) {
  if (subject.in_group("system:unauthenticated")) return std::nullopt;
  const bool anonymous = subject.name == "system:anonymous";
  const char* const implied = anonymous ? "system:unauthenticated" : "system:authenticated";
  if (subject.in_group(implied)) return std::nullopt;
  Subject out = subject;
  out.groups.emplace_back(implied);
  return out;
}

// What cannot be watched has no path below /watch/.
Route::Outcome outcome_below_watch(const Attributes& attributes, Route::Outcome outcome) {
  const std::string versions = attributes.api_group.empty() ? "/api/" : "/apis/" + attributes.api_group + "/";
  const bool below = attributes.path.starts_with(versions + attributes.api_version + "/watch/");
  return below && outcome == Route::Outcome::method_not_allowed ? Route::Outcome::no_such_path : outcome;
}

// The answer for a path that is not served (net/http's NotFound; apiserver's handler.go within a group that is served).
HttpResponse unserved(Route::Outcome outcome) {
  if (outcome == Route::Outcome::no_such_path) {
    return failure(404, "NotFound", "the server could not find the requested resource", Object::object());
  }
  if (outcome == Route::Outcome::method_not_allowed) {
    return failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource",
                   Object::object());
  }
  HttpResponse response;
  response.status = 404;
  response.content_type = "text/plain; charset=utf-8";
  response.body = "404 page not found\n";
  return response;
}

template <typename Entry>
const Entry* of_verb(std::span<const Entry> entries, std::string_view verb) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& own) { return own.verb == verb; });
  return found == entries.end() ? nullptr : &*found;
}

validation::FieldMistakes wrong_field_validation(const std::string& directive) {
  for (const char* known : {"", "Ignore", "Strict", "Warn"}) {
    if (directive == known) return {};
  }
  return {validation::unsupported_field("fieldValidation", directive, {"", "Ignore", "Strict", "Warn"})};
}

validation::FieldMistakes wrong_field_manager(const std::string& manager) {
  constexpr std::size_t most = 128;
  validation::FieldMistakes out;
  if (manager.size() > most) out.push_back(validation::too_long_field("fieldManager", most));
  for (std::size_t i = 0; i < manager.size(); ++i) {
    const auto c = static_cast<unsigned char>(manager[i]);
    if (c >= 0x20 && c != 0x7f) continue;
    std::array<char, 32> character{};
    std::snprintf(character.data(), character.size(), "U+%04X", static_cast<unsigned>(c));
    out.push_back(validation::invalid_field(
        "fieldManager", manager,
        std::string("invalid character ") + character.data() + " (at position " + std::to_string(i) + ")"));
  }
  return out;
}

// A manager is needed, and may force, only if it applies.
validation::FieldMistakes wrong_apply_options(const HttpRequest& request) {
  const bool applies = patch_type(request.content_type) == apply_patch;
  if (applies && query_parameter(request.target, "fieldManager").empty()) {
    return {validation::required_field("fieldManager", "is required for apply patch")};
  }
  if (applies || query_parameters(request.target, "force").empty()) return {};
  return {validation::forbidden_field("force", "may not be specified for non-apply patch")};
}

// The options of a table are read when it is made: a write has been done by then.
HttpResponse no_such_table(const Release& release, const std::string& include) {
  const validation::FieldMistake mistake =
      validation::invalid_field("includeObject", include, "must be 'Metadata', 'Object', 'None', or empty");
  return bad_request("Unable to convert to Table as requested: includeObject: " + message_of(mistake, release));
}

// The refusal of the options of a write; nothing if they are acceptable.
std::optional<HttpResponse> wrong_options(const ServerState& server, const HttpRequest& request, const char* options) {
  validation::FieldMistakes mistakes;
  if (request.method == "PATCH") validation::append(mistakes, wrong_apply_options(request));
  validation::append(mistakes, wrong_field_manager(query_parameter(request.target, "fieldManager")));
  if (auto mistake = mistake_of_dry_run(query_parameters(request.target, "dryRun"))) mistakes.push_back(*mistake);
  if (server.defaults.does(Behaviour::field_validation_parameter)) {
    validation::append(mistakes, wrong_field_validation(query_parameter(request.target, "fieldValidation")));
  }
  if (mistakes.empty()) return std::nullopt;
  return invalid(server.rules.release(), "meta.k8s.io", options, "", mistakes);
}

/// How the handler of a verb reads a request (create.go, update.go, patch.go and delete.go in apiserver's
/// pkg/endpoints/handlers).
struct Reading {
  std::string_view verb;
  /// Before the body is read.
  std::optional<HttpResponse> (*wrong_type)(const Release& release, const HttpRequest& request) = nullptr;
  const char* options = nullptr;
  bool type_first = false;   ///< `wrong_type` comes before the media type of the answer
  bool lists_first = false;  ///< which objects it is about comes before the body
};

std::optional<HttpResponse> wrong_type_of_object(const Release& /*release*/, const HttpRequest& request) {
  if (nodebound::media_type_of(request.content_type)) return std::nullopt;
  return unsupported_media_type(true);
}

std::optional<HttpResponse> wrong_type_of_patch(const Release& release, const HttpRequest& request) {
  if (!patch_type(request.content_type).empty()) return std::nullopt;
  if (request.body.empty() && !release.does(Behaviour::patch_type_without_body))
    return not_acceptable(std::span<const std::string_view>());
  return failure(415, "UnsupportedMediaType", "415: Unsupported Media Type", Object::object());
}

// The fields of a custom resource have no merge strategies.
std::optional<HttpResponse> wrong_patch_of_custom_object(const Call& call) {
  if (!call.resource->definition || call.request.content_type != "application/strategic-merge-patch+json") {
    return std::nullopt;
  }
  return failure(415, "UnsupportedMediaType",
                 "the body of the request was in an unknown format - accepted media types include: "
                 "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
}

constexpr std::array readings = {Reading{"create", wrong_type_of_object, "CreateOptions"},
                                 Reading{"update", nullptr, "UpdateOptions"},
                                 Reading{"patch", wrong_type_of_patch, "PatchOptions", true}, Reading{"delete"},
                                 Reading{"deletecollection", nullptr, nullptr, false, true}};

// Reviews and most subresources have no columns (they implement no TableConvertor).
Representation::Available available_forms(const Call& call, const GroupVersionKind& kind) {
  const std::string& subresource = call.attributes.subresource;
  const std::string& verb = call.attributes.verb;
  return {
      has_protobuf(kind),
      call.strategy->review == nullptr && (subresource.empty() || subresource == "status" || subresource == "scale"),
      (verb == "list" || verb == "watch") && call.resource->serves("watch")};
}

// Reads the media types, the options and the body of a request; the answer refuses them.
std::optional<HttpResponse> read_request(const ServerState& server, Call& call) {
  const HttpRequest& request = call.request;
  const GroupVersionKind kind = kind_of(*call.resource, call.subresource);
  static constexpr Reading reads{""};
  const Reading* const own = of_verb<Reading>(readings, call.attributes.verb);
  const Reading& reading = own == nullptr ? reads : *own;
  const auto wrong_type = [&](bool first) {
    const bool now = reading.wrong_type != nullptr && reading.type_first == first;
    return now ? reading.wrong_type(server.rules.release(), request) : std::nullopt;
  };
  if (auto refusal = wrong_type(true)) return refusal;
  const auto as = Representation::of(request.accept, request.target, available_forms(call, kind));
  if (!as) return as.error();
  call.as = *as;
  call.as.columns = call.strategy->columns;
  if (call.resource->definition) call.as.columns = TableColumns::of_definition(*call.resource->definition);
  if (own == nullptr) return std::nullopt;
  if (auto refusal = wrong_type(false)) return refusal;
  if (reading.lists_first) {
    if (auto refusal = wrong_list_options(*call.resource, request.target)) return refusal;
  }
  if (auto refusal = wrong_patch_of_custom_object(call)) return refusal;
  if (auto refusal = unread_body(request)) return refusal;
  if (reading.options != nullptr) {
    if (auto refusal = wrong_options(server, request, reading.options)) return refusal;
  }
  return read_body_of(server, call, kind);
}

/// Answers a request of one verb.
struct Handler {
  std::string_view verb;
  HttpResponse (*answer)(ServerState& server, const Call& call);
};

constexpr std::array readers = {Handler{"get", answer_get}, Handler{"list", answer_list},
                                Handler{"watch", answer_list}};
constexpr std::array writers = {Handler{"create", answer_create}, Handler{"update", answer_update},
                                Handler{"patch", answer_patch}, Handler{"delete", answer_delete},
                                Handler{"deletecollection", answer_delete_collection}};

bool reads_only(std::string_view verb) {
  return of_verb<Handler>(readers, verb) != nullptr;
}

const Handler* reader_of(const Call& call) {
  static constexpr Handler reviewer{"create", answer_review};
  // A review cannot be read back, so it is not stored.
  if (call.strategy->review != nullptr) return &reviewer;
  return of_verb<Handler>(readers, call.attributes.verb);
}

HttpResponse connect_to(ServerState& server, const Call& call) {
  return answer_connect(server, call);
}

// Writes may run on the thread of another request.
HttpResponse answered_by(const Handler& handler, ServerState& server, const Call& call) {
  std::optional<ReviewTalk::Turn> turn;
  if (call.reviews != nullptr) turn.emplace(*call.reviews);
  return handler.answer(server, call);
}

HttpResponse handle_non_resource(const ServerState& server, const Call& call) {
  const std::string& path = call.attributes.path;
  const ServerState::Served served = server.served();
  if (auto found = discovered(*served.resources, server.rules.release(), call.request, path)) return *found;
  if (auto document = served.openapi->answer(call.request, path)) return *document;
  const bool has_logs = server.defaults.does(Behaviour::logs_handler);
  if (auto own = about_itself(server.rules, has_logs, call.request, path)) return *own;
  if (server.options.other_documents) {
    if (auto other = server.options.other_documents(path)) {
      const std::string_view type = other->content_type;
      if (auto refusal = refused_by_route(call.request, {&type, 1})) return *refusal;
      return *other;
    }
  }
  return unserved(Route::Outcome::no_such_group);
}

}  // namespace

HttpResponse ApiServer::handle(const Subject& authenticated, const HttpRequest& request) {
  return handle(authenticated, request, attributes_of(request.method, request.target));
}

HttpResponse ApiServer::handle(const Subject& authenticated, const HttpRequest& request, Attributes attributes) {
  if (breaks_off(attributes)) return nodebound::apiserver::broken_off(request.target);
  const std::optional<Subject> completed = with_implied_group(authenticated);
  const Subject& subject = completed ? *completed : authenticated;
  Call call{subject, request, std::move(attributes)};
  call.dry_run = query_parameter(request.target, "dryRun") == "All";
  const Decision decision = authorize(subject, call.attributes);
  HttpResponse response;
  if (!decision.allowed()) {
    response = decision.error.empty() ? forbidden(subject, call.attributes, decision)
                                      : undecided(request.target, decision.error);
  } else {
    response = call.attributes.resource_request ? handle_resource(call) : handle_non_resource(*state_, call);
  }
  response.warnings.insert(response.warnings.begin(), call.warnings.begin(), call.warnings.end());
  response.warnings = warning_headers(response.warnings);
  name_rule(state_->rules, decision, response);
  if (!decision.allowed() && !decision.error.empty()) {
    response.annotations["authorization.k8s.io/reason"] = "internal error";
  } else {
    response.annotations["authorization.k8s.io/decision"] = decision.allowed() ? "allow" : "forbid";
    response.annotations["authorization.k8s.io/reason"] = decision.reason;
  }
  const bool as_it_is =
      response.status < 300 && !call.attributes.resource_request && is_always_json(call.attributes.path);
  if (!as_it_is) encode(response, request.accept);
  return response;
}

Decision ApiServer::authorize(const Subject& subject, const Attributes& attributes) {
  catch_up();
  if (!state_->options.webhook_waits) return authorized_once(subject, attributes);
  ReviewTalk reviews;
  const ReviewTalk::Turn turn(reviews);
  // Each round asks one webhook more.
  while (true) {
    Decision decision = authorized_once(subject, attributes);
    if (!reviews.waits()) return decision;
    reviews.ask();
  }
}

Decision ApiServer::authorized_once(const Subject& subject, const Attributes& attributes) {
  const std::shared_lock lock(mutex_);
  return state_->chain->authorize(subject, attributes);
}

HttpResponse ApiServer::forbidden(const Subject& subject, const Attributes& attributes,
                                  const Decision& decision) const {
  return nodebound::apiserver::forbidden(state_->rules, subject, attributes, decision);
}

bool ApiServer::does(Behaviour what) const {
  return state_->defaults.does(what);
}

HttpResponse ApiServer::handle_resource(Call& call) {
  try {
    return serve(call);
  } catch (const Object::exception& error) {
    // Some member of the body has another JSON type than the API defines; a real API server fails to decode it.
    return failure(400, "BadRequest", error.what());
  }
}

HttpResponse ApiServer::serve(Call& call) {
  // Authorizers ignore extra slashes at the beginning of a path; the handlers do not.
  if (call.attributes.path.starts_with("//")) return unserved(Route::Outcome::no_such_group);
  call.now = state_->now();
  call.resources = state_->served().resources;
  const Route route = route_of(*call.resources, call.attributes);
  if (route.outcome != Route::Outcome::found) return unserved(outcome_below_watch(call.attributes, route.outcome));
  // Below /watch/, every method is authorized as a watch.
  const bool served = call.attributes.verb == "watch"
                          ? call.request.method == "GET"
                          : call.request.method != "HEAD" && call.request.method != "OPTIONS";
  if (!served) return unserved(Route::Outcome::method_not_allowed);
  call.resource = route.resource;
  call.subresource = route.subresource;
  const bool custom = route.resource->definition != nullptr;
  call.strategy = custom ? &custom_strategy() : &strategy_of(route.resource->group, route.resource->resource);
  if (call.subresource != nullptr) call.through = &call.strategy->subresource(call.subresource->name);
  const bool own_kind = call.subresource == nullptr || call.subresource->kind == call.resource->kind;
  if (own_kind && !call.resource->deprecation.empty()) call.warnings.push_back(call.resource->deprecation);
  if (call.subresource != nullptr && call.subresource->connect) {
    return with_webhooks(call, [&] {
      const std::shared_lock lock(mutex_);
      return answered_by({"connect", connect_to}, *state_, call);
    });
  }
  if (const std::optional<HttpResponse> refusal = read_request(*state_, call)) return *refusal;
  HttpResponse response = with_webhooks(call, [&] { return dispatch(call); });
  if (response.status >= 300 || call.as.wrong_include.empty()) return response;
  return no_such_table(state_->rules.release(), call.as.wrong_include);
}

HttpResponse ApiServer::with_webhooks(Call& call, const std::function<HttpResponse()>& answer) const {
  const AdmissionWebhooks& webhooks = state_->options.admission_webhooks;
  const bool connects = call.subresource != nullptr && call.subresource->connect;
  const bool admits = webhooks.ask != nullptr && (connects || !reads_only(call.attributes.verb));
  AdmissionNotes notes;
  call.notes = &notes;
  if (!admits && !state_->options.webhook_waits) {
    HttpResponse response = answer();
    notes.add_to(response);
    return response;
  }
  // kube-apiserver's --request-timeout
  constexpr std::chrono::seconds most_time(60);
  const auto until = std::chrono::steady_clock::now() + most_time;
  WebhookTalk talk;
  ReviewTalk reviews;
  if (admits) call.talk = &talk;
  call.reviews = &reviews;
  while (std::chrono::steady_clock::now() < until) {
    talk.begin();
    notes.clear();
    HttpResponse response = answer();
    if (reviews.waits()) {
      reviews.ask();
    } else if (talk.waits()) {
      talk.ask(webhooks);
    } else {
      notes.add_to(response);
      return response;
    }
  }
  return failure(504, "Timeout", "Timeout: request did not complete within requested timeout");
}

HttpResponse ApiServer::dispatch(const Call& call) {
  if (const Handler* reader = reader_of(call)) {
    const std::shared_lock lock(mutex_);
    return answered_by(*reader, *state_, call);
  }
  const Handler* writer = of_verb<Handler>(writers, call.attributes.verb);
  if (writer == nullptr) return unserved(Route::Outcome::method_not_allowed);
  if (state_->options.journal) return writes_.add([&] { return answered_by(*writer, *state_, call); });
  const std::unique_lock lock(mutex_);
  HttpResponse response = answered_by(*writer, *state_, call);
  state_->serve_custom_resources();
  return response;
}

}  // namespace nodebound::apiserver
