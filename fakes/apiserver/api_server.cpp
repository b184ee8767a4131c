#include "fakes/apiserver/api_server.h"

#include <algorithm>
#include <mutex>

#include "fakes/apiserver/discovery/discovery.h"
#include "fakes/apiserver/discovery/health.h"
#include "fakes/apiserver/read/negotiation.h"
#include "fakes/apiserver/read/watch_stream.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/patch.h"
#include "fakes/apiserver/write/request_body.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "fakes/wire/timestamp.h"

namespace nodebound {
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

// A message must not look like HTML.
std::string without_html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

// What the API server writes before the authorizer's reason (apiserver's responsewriters/errors.go).
std::string forbidden_message(const Subject& subject, const Attributes& attributes, const std::string& reason) {
  const std::string user = "User " + go_quoted(subject.name) + " cannot ";
  const std::string tail = reason.empty() ? "" : ": " + reason;
  if (!attributes.resource_request) {
    return "forbidden: " + without_html(user + attributes.verb + " path " + go_quoted(attributes.path)) + tail;
  }
  const bool is_nothing = attributes.api_group.empty() && attributes.resource.empty();
  std::string message = qualified_resource(attributes.api_group, attributes.resource);
  if (!attributes.name.empty()) message += " " + go_quoted(attributes.name);
  std::string what = user + attributes.verb + " resource " + go_quoted(attributes.full_resource()) + " in API group " +
                     go_quoted(attributes.api_group);
  what +=
      attributes.namespace_.empty() ? " at the cluster scope" : " in the namespace " + go_quoted(attributes.namespace_);
  return (is_nothing ? "" : message + " is ") + "forbidden: " + without_html(what) + tail;
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

// The refusal of write options or a media type that no write may have; nothing if they are acceptable.
std::optional<HttpResponse> unusable(const HttpRequest& request, const std::string& verb, const Release& release) {
  const char* const options = verb == "create"   ? "CreateOptions"
                              : verb == "update" ? "UpdateOptions"
                              : verb == "patch"  ? "PatchOptions"
                                                 : nullptr;
  if (options == nullptr) return std::nullopt;
  if (verb == "patch" && patch_type(request.content_type).empty()) {
    return failure(415, "UnsupportedMediaType", "415: Unsupported Media Type", Object::object());
  }
  if (verb != "patch" && !media_type_of(request.content_type)) return unsupported_media_type(true);
  const std::optional<FieldMistake> mistake = mistake_of_dry_run(query_parameters(request.target, "dryRun"));
  return mistake ? std::optional(invalid(release, "meta.k8s.io", options, "", {*mistake})) : std::nullopt;
}

// The kind that is sent and answered: the subresource's, or else the resource's own.
GroupVersionKind kind_of(const ApiResource& resource, const ApiSubresource* subresource) {
  const bool own = subresource != nullptr && !subresource->kind.empty();
  GroupVersionKind out =
      parse_group_version(own ? subresource->group_version : resource.group_version).value_or(GroupVersionKind());
  out.kind = own ? subresource->kind : resource.kind;
  return out;
}

}  // namespace

ObjectKey ApiServer::Call::key() const {
  return key(attributes.name);
}

ObjectKey ApiServer::Call::key(std::string_view name) const {
  return {attributes.api_group, attributes.resource, resource->namespaced ? attributes.namespace_ : std::string(),
          std::string(name)};
}

ApiServer::ApiServer(const RuleSet& rules, const Options& options)
    : rules_(rules),
      options_(options),
      resources_(options.resources ? options.resources : std::make_shared<const ApiResources>(rules.release())),
      defaults_(rules.release(), options.disabled_plugins),
      watch_lists_(rules.release().does(Behaviour::watch_lists)),
      store_(rules, options.history, options.journal),
      writes_([this](std::deque<WriteQueue::Job*>& jobs) { run_writes(jobs); }),
      judges_(options.judges ? options.judges : std::make_shared<Judges>()) {
  follow_at_once();
  judge_by(store_.cluster());
  if (options.namespaces_first) make_first_objects();
}

ApiServer::~ApiServer() = default;

HttpResponse ApiServer::handle(const Subject& authenticated, const HttpRequest& request) {
  return handle(authenticated, request, attributes_of(request.method, request.target));
}

HttpResponse ApiServer::handle(const Subject& authenticated, const HttpRequest& request, Attributes attributes) {
  const std::optional<Subject> completed = with_implied_group(authenticated);
  const Subject& subject = completed ? *completed : authenticated;
  Call call{subject, request, std::move(attributes)};
  call.dry_run = query_parameter(request.target, "dryRun") == "All";
  const Decision decision = authorize(subject, call.attributes);
  HttpResponse response;
  if (!decision.allowed()) {
    response = forbidden(subject, call.attributes, decision);
  } else {
    response = call.attributes.resource_request ? handle_resource(call) : handle_non_resource(call);
  }
  response.headers.try_emplace("x-nodebound-rule", rules_.catalogue()[decision.rule].id);
  response.annotations["authorization.k8s.io/decision"] = decision.allowed() ? "allow" : "forbid";
  response.annotations["authorization.k8s.io/reason"] = decision.reason;
  encode(response, request.accept);
  return response;
}

void ApiServer::judge_by(const Cluster& cluster) {
  // Plugins refer to the chain and the chain to its authorizers, so they are destroyed in this order.
  plugins_.clear();
  chain_.reset();
  authorizers_.clear();
  std::vector<const Authorizer*> members;
  for (const std::string& mode : options_.authorization_modes) {
    authorizers_.push_back(judges_->authorizer(mode, rules_, cluster));
    members.push_back(authorizers_.back().get());
  }
  chain_ = std::make_unique<AuthorizerChain>(rules_, std::move(members));
  plugins_ = judges_->plugins(rules_, cluster, *chain_);
  std::erase_if(plugins_,
                [&](const auto& plugin) { return options_.disabled_plugins.contains(std::string(plugin->name())); });
}

Decision ApiServer::authorize(const Subject& subject, const Attributes& attributes) {
  catch_up();
  const std::shared_lock lock(mutex_);
  return chain_->authorize(subject, attributes);
}

std::string ApiServer::now() const {
  return options_.clock ? timestamp_of(options_.clock()) : "2026-01-01T00:00:00Z";
}

void ApiServer::tick() {
  if (!options_.clock) return;
  const auto time = options_.clock();
  const std::shared_lock lock(mutex_);
  store_.each_listener([&](ChangeListener& listener) {
    if (auto* const stream = dynamic_cast<WatchStream*>(&listener)) stream->tick(time, store_.version());
  });
}

HttpResponse ApiServer::answer(const Call& call, int status, const Object& object) const {
  return json_response(status, represented(*call.resource, call.as, object, now()));
}

HttpResponse ApiServer::forbidden(const Subject& subject, const Attributes& attributes,
                                  const Decision& decision) const {
  HttpResponse response = failure(403, "Forbidden", forbidden_message(subject, attributes, decision.reason),
                                  status_details(attributes.api_group, attributes.resource, attributes.name));
  response.headers["x-content-type-options"] = "nosniff";
  response.headers["x-nodebound-rule"] = rules_.catalogue()[decision.rule].id;
  return response;
}

HttpResponse ApiServer::handle_non_resource(const Call& call) {
  const std::string& path = call.attributes.path;
  if (std::optional<HttpResponse> found = discovered(*resources_, rules_.release(), call.request, path)) {
    return std::move(*found);
  }
  const bool has_logs = defaults_.does(Behaviour::logs_handler);
  if (std::optional<HttpResponse> own = about_itself(rules_, has_logs, call.request, path)) return std::move(*own);
  return unserved(Route::Outcome::no_such_group);
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
  const Route route = route_of(*resources_, call.attributes);
  if (route.outcome != Route::Outcome::found) return unserved(route.outcome);
  const bool served = call.request.method != "HEAD" && call.request.method != "OPTIONS";
  if (!served) return unserved(Route::Outcome::method_not_allowed);
  call.resource = route.resource;
  call.subresource = route.subresource;
  if (call.subresource != nullptr && call.subresource->connect) {
    const std::shared_lock lock(mutex_);
    return connect(call);
  }
  const std::string& verb = call.attributes.verb;
  const GroupVersionKind kind = kind_of(*call.resource, call.subresource);
  const auto as = Representation::of(call.request.accept, call.request.target, has_protobuf(kind));
  if (!as) return as.error();
  call.as = *as;
  if (const std::optional<HttpResponse> refusal = unusable(call.request, verb, rules_.release())) return *refusal;
  if (const std::optional<HttpResponse> refusal = read_body_of(call, kind)) return *refusal;
  const bool is_review = verb == "create" && call.subresource == nullptr && !call.resource->serves("get");
  if (verb == "get" || verb == "list" || verb == "watch" || is_review) {
    const std::shared_lock lock(mutex_);
    // A review cannot be read back, so it is not stored.
    return verb == "get" ? get(call) : is_review ? review(call, std::move(call.body)) : list(call);
  }
  if (options_.journal) return writes_.add([&] { return write(call); });
  const std::unique_lock lock(mutex_);
  return write(call);
}

HttpResponse ApiServer::write(const Call& call) {
  const std::string& verb = call.attributes.verb;
  if (verb == "create") return create(call);
  if (verb == "update") return update(call);
  if (verb == "patch") return patch(call);
  if (verb == "delete") return remove(call);
  if (verb == "deletecollection") return remove_collection(call);
  return unserved(Route::Outcome::method_not_allowed);
}

AdmissionRequest ApiServer::admission_request(const Call& call, Operation operation, const Object& object,
                                              const Object& old_object) const {
  const Attributes& attributes = call.attributes;
  return {operation,
          call.subject,
          attributes.api_group,
          attributes.resource,
          attributes.subresource,
          attributes.namespace_,
          attributes.name,
          object,
          old_object};
}

Admission ApiServer::refused(const AdmissionRequest& request, Phase phase) const {
  for (const auto& plugin : plugins_) {
    if (plugin->only_validates() != (phase == Phase::validation)) continue;
    if (Admission refusal = plugin->admit(request)) return refusal;
  }
  return std::nullopt;
}

HttpResponse ApiServer::refusal_response(const AdmissionRequest& request, const Refusal& refusal,
                                         const RuleSet& rules) {
  std::string name = request.name;
  if (name.empty()) name = text(request.object, "metadata", "name");
  if (name.empty()) name = text(request.object, "metadata", "generateName");
  if (name.empty()) name = "Unknown";
  HttpResponse response;
  switch (refusal.status) {
    case 422:
      response = failure(422, "Invalid", "Pod " + go_quoted(name) + " is invalid: " + refusal.reason,
                         status_details("", "Pod", name));
      break;
    case 404:
      response = failure(404, "NotFound", refusal.reason);
      break;
    case 500:
      // An error that is not a Status reaches the caller unchanged.
      response = failure(500, "", refusal.reason);
      break;
    default:
      response = failure(403, "Forbidden",
                         qualified_resource(request.group, request.resource) + " " + go_quoted(name) +
                             " is forbidden: " + refusal.reason,
                         status_details(request.group, request.resource, name));
  }
  response.headers["x-nodebound-rule"] = rules.catalogue()[refusal.rule].id;
  return response;
}

}  // namespace nodebound
