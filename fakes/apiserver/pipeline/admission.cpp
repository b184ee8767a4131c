#include "fakes/apiserver/pipeline/admission.h"

#include <algorithm>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/validation/field_mistake.h"
#include "reference/admission/admission_request.h"

namespace nodebound::apiserver {

std::string_view name_in_refusal(const Object& object) {
  for (const char* field : {"name", "generateName"}) {
    if (const std::string_view name = text(object, "metadata", field); !name.empty()) return name;
  }
  return "Unknown";
}

namespace {

// What `pods "web" not found` says of the object that a plugin has looked for in vain.
Object details_of_missing(std::string_view reason) {
  const std::size_t kind_end = reason.find(" \"");
  const std::size_t name_end = reason.rfind("\" not found");
  if (kind_end == std::string_view::npos || name_end == std::string_view::npos || name_end < kind_end + 2) return {};
  const std::string_view kind = reason.substr(0, kind_end);
  const std::size_t dot = std::min(kind.find('.'), kind.size());
  return status_details(kind.substr(std::min(dot + 1, kind.size())), kind.substr(0, dot),
                        reason.substr(kind_end + 2, name_end - kind_end - 2));
}

}  // namespace

HttpResponse refusal_response(const RuleSet& rules, const AdmissionRequest& request, const Refusal& refusal) {
  std::string name = request.name;
  if (name.empty()) name = name_in_refusal(request.object);
  HttpResponse response;
  switch (refusal.status) {
    case 422:
      response = failure(422, "Invalid", "Pod " + go_quoted(name) + " is invalid: " + refusal.reason,
                         status_details("", "Pod", name));
      break;
    case 404:
      response = failure(404, "NotFound", refusal.reason, details_of_missing(refusal.reason));
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
  name_rule(rules, refusal.rule, response);
  return response;
}

Admission admission_of(const ServerState& server, const AdmissionRequest& request, AdmissionPhase phase) {
  for (const auto& plugin : server.plugins) {
    if (!plugin->runs_in(phase)) continue;
    if (Admission refusal = plugin->admit(request)) return refusal;
  }
  return std::nullopt;
}

BrokenRules rules_broken_by(const ServerState& server, const AdmissionRequest& request) {
  BrokenRules out;
  for (const auto& plugin : server.plugins) {
    if (!plugin->runs_in(AdmissionPhase::object_validation)) continue;
    for (const Refusal& refusal : plugin->refusals(request)) {
      out.mistakes.push_back(validation::mistake_of_text(refusal.reason));
    }
    const Admission decides = out.mistakes.empty() || out.rule ? std::nullopt : plugin->admit(request);
    if (decides) out.rule = decides->rule;
  }
  return out;
}

std::optional<HttpResponse> refused_by_plugins(const ServerState& server, const AdmissionRequest& request,
                                               AdmissionPhase phase) {
  const Admission refusal = admission_of(server, request, phase);
  return refusal ? std::optional(refusal_response(server.rules, request, *refusal)) : std::nullopt;
}

std::optional<HttpResponse> completed_by_plugins(const ServerState& server, const AdmissionRequest& request,
                                                 Object& object, AdmissionPhase phase) {
  for (const auto& plugin : server.plugins) {
    if (!plugin->runs_in(phase)) continue;
    Admission refusal = plugin->complete(request, object);
    if (!refusal) refusal = plugin->admit(request);
    if (refusal) return refusal_response(server.rules, request, *refusal);
  }
  return std::nullopt;
}

AdmissionRequest admission_request(const Call& call, Operation operation, const Object& object,
                                   const Object& old_object) {
  return admission_request(operation, call.subject, call.attributes, object, old_object);
}

HttpResponse forbidden_by_admission(const ApiResource& resource, std::string_view name, const std::string& why,
                                    Object details) {
  if (details.is_null()) details = status_details(resource.group, resource.resource, name);
  return failure(
      403, "Forbidden",
      qualified_resource(resource.group, resource.resource) + " \"" + std::string(name) + "\" is forbidden: " + why,
      details);
}

std::optional<HttpResponse> refused_by_namespace(const Cluster& cluster, const ApiResource& resource,
                                                 const std::string& namespace_, const std::string& name) {
  const ObjectPtr found = cluster.find("", "namespaces", "", namespace_);
  if (found == nullptr) return not_found("", "namespaces", namespace_);
  if (text(*found, "metadata", "deletionTimestamp").empty()) return std::nullopt;
  Object details = status_details(resource.group, resource.resource, name);
  details["causes"] = Object::array({{{"reason", "NamespaceTerminating"},
                                      {"message", "namespace " + namespace_ + " is being terminated"},
                                      {"field", "metadata.namespace"}}});
  return forbidden_by_admission(
      resource, name, "unable to create new content in namespace " + namespace_ + " because it is being terminated",
      std::move(details));
}

}  // namespace nodebound::apiserver
