#include "fakes/apiserver/api_server.h"

#include <algorithm>

#include "fakes/apiserver/status.h"
#include "reference/admission/mirror_pod.h"
#include "reference/admission/node_restriction.h"
#include "reference/authorizer/node_authorizer.h"
#include "reference/authorizer/rbac_authorizer.h"

namespace nodebound {
namespace {

// Every caller is one or the other, whatever groups its credentials carry.
Subject with_implied_group(Subject subject) {
  const bool anonymous = subject.name == "system:anonymous";
  const std::string implied = anonymous ? "system:unauthenticated" : "system:authenticated";
  if (!subject.in_group(implied)) subject.groups.push_back(implied);
  return subject;
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

// What the API server says before the authorizer's reason (apiserver's responsewriters/errors.go).
std::string forbidden_message(const Subject& subject, const Attributes& attributes, const std::string& reason) {
  const std::string user = "User " + go_quoted(subject.name) + " cannot ";
  const std::string tail = reason.empty() ? "" : ": " + reason;
  if (!attributes.resource_request) {
    return "forbidden: " + without_html(user + attributes.verb + " path " + go_quoted(attributes.path)) + tail;
  }
  std::string message = qualified_resource(attributes.api_group, attributes.resource);
  if (!attributes.name.empty()) message += " " + go_quoted(attributes.name);
  std::string what = user + attributes.verb + " resource " + go_quoted(attributes.full_resource()) + " in API group " +
                     go_quoted(attributes.api_group);
  what +=
      attributes.namespace_.empty() ? " at the cluster scope" : " in the namespace " + go_quoted(attributes.namespace_);
  return message + " is forbidden: " + without_html(what) + tail;
}

// What is answered where nothing is served (net/http's NotFound, and apiserver's handler.go below a group that is).
HttpResponse unserved(Route::Outcome outcome) {
  if (outcome == Route::Outcome::no_such_path) {
    return failure(404, "NotFound", "the server could not find the requested resource");
  }
  if (outcome == Route::Outcome::method_not_allowed) {
    return failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
  }
  HttpResponse response;
  response.status = 404;
  response.content_type = "text/plain; charset=utf-8";
  response.body = "404 page not found\n";
  return response;
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
      resources_(options.resources ? options.resources : std::make_shared<const ApiResources>(rules.release())),
      store_(rules),
      assigns_service_accounts_(!options.disabled_plugins.contains("ServiceAccount")) {
  authorizers_.push_back(std::make_unique<NodeAuthorizer>(rules, store_.cluster().graph()));
  authorizers_.push_back(std::make_unique<RbacAuthorizer>(rules, store_.cluster().rbac()));
  chain_ = std::make_unique<AuthorizerChain>(
      rules, std::vector<const Authorizer*>{authorizers_[0].get(), authorizers_[1].get()});
  // In kube-apiserver's order, which decides who refuses first.
  plugins_.push_back(std::make_unique<ServiceAccountPlugin>(rules, store_.cluster().references()));
  plugins_.push_back(std::make_unique<NodeRestriction>(rules, store_.cluster(), *chain_));
  std::erase_if(plugins_,
                [&](const auto& plugin) { return options.disabled_plugins.contains(std::string(plugin->name())); });
}

ApiServer::~ApiServer() = default;

HttpResponse ApiServer::handle(const Subject& authenticated, const HttpRequest& request) {
  const Subject subject = with_implied_group(authenticated);
  Call call{subject, request, attributes_of(request.method, request.target)};
  call.dry_run = query_parameter(request.target, "dryRun") == "All";
  // Options in the body of a delete take the place of the query's.
  if (request.method == "DELETE" && !request.body.empty()) {
    const Object options = Object::parse(request.body, nullptr, false);
    call.dry_run = options.is_object() && !member(options, "dryRun").empty();
  }
  const Decision decision = chain_->authorize(subject, call.attributes);
  HttpResponse response;
  if (!decision.allowed()) {
    response = forbidden(subject, call.attributes, decision);
  } else {
    response = call.attributes.resource_request ? handle_resource(call) : handle_non_resource(call);
  }
  response.headers.try_emplace("x-nodebound-rule", rules_.catalogue()[decision.rule].id);
  return response;
}

HttpResponse ApiServer::forbidden(const Subject& subject, const Attributes& attributes,
                                  const Decision& decision) const {
  HttpResponse response = failure(403, "Forbidden", forbidden_message(subject, attributes, decision.reason));
  response.headers["x-nodebound-rule"] = rules_.catalogue()[decision.rule].id;
  return response;
}

HttpResponse ApiServer::handle_non_resource(const Call& call) {
  const std::string& path = call.attributes.path;
  if (path == "/version" || path == "/version/") {
    const Version& version = rules_.release().version;
    return object_response(200, {{"major", std::to_string(version.major)},
                                 {"minor", std::to_string(version.minor)},
                                 {"gitVersion", "v" + version.text()}});
  }
  if (path == "/healthz" || path == "/livez" || path == "/readyz") {
    HttpResponse response;
    response.status = 200;
    response.content_type = "text/plain";
    response.body = "ok";
    return response;
  }
  return unserved(Route::Outcome::no_such_group);
}

HttpResponse ApiServer::handle_resource(Call& call) {
  try {
    return serve(call);
  } catch (const Object::exception& error) {
    // Some member of the body has another JSON type than the API has; a real API server fails to decode it.
    return failure(400, "BadRequest", error.what());
  }
}

HttpResponse ApiServer::serve(Call& call) {
  const Route route = route_of(*resources_, call.attributes);
  if (route.outcome != Route::Outcome::found) return unserved(route.outcome);
  call.resource = route.resource;
  call.subresource = route.subresource;
  if (call.subresource != nullptr && call.subresource->connect) return connect(call);
  const std::string& verb = call.attributes.verb;
  if (verb == "get") return get(call);
  if (verb == "list" || verb == "watch") return list(call);
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

Admission ApiServer::refused(const AdmissionRequest& request) const {
  for (const auto& plugin : plugins_) {
    if (Admission refusal = plugin->admit(request)) return refusal;
  }
  return validate_mirror_pod(rules_, request);
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
      response = failure(422, "Invalid", "Pod " + go_quoted(name) + " is invalid: " + refusal.reason);
      break;
    case 404:
      response = failure(404, "NotFound", refusal.reason);
      break;
    case 500:
      // An error that is no Status reaches the caller as it is.
      response = failure(500, "", refusal.reason);
      break;
    default:
      response = failure(403, "Forbidden",
                         qualified_resource(request.group, request.resource) + " " + go_quoted(name) +
                             " is forbidden: " + refusal.reason);
  }
  response.headers["x-nodebound-rule"] = rules.catalogue()[refusal.rule].id;
  return response;
}

}  // namespace nodebound
