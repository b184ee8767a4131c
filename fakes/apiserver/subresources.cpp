#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/json_body.h"
#include "fakes/apiserver/status.h"

namespace nodebound {

// Connections (exec, attach, log, …) are no creates: admission of creates does not see them.
HttpResponse ApiServer::connect(const Call& call) {
  const Attributes& attributes = call.attributes;
  if (store_.cluster().find(call.key()) == nullptr) {
    return not_found(attributes.api_group, attributes.resource, attributes.name);
  }
  return failure(400, "BadRequest", "Upgrade request required");
}

HttpResponse ApiServer::create_subresource(const Call& call) {
  static const Object nothing;
  const Attributes& attributes = call.attributes;
  const Object* parent = store_.cluster().find(call.key());
  if (parent == nullptr) return not_found(attributes.api_group, attributes.resource, attributes.name);
  const Object body = parsed_json(call.request.body);
  if (body.is_discarded() || !body.is_object()) {
    return failure(400, "BadRequest", "expected a JSON object as the request's body");
  }
  const Object owner = *parent;
  const AdmissionRequest request = admission_request(call, Operation::create, body, nothing);
  if (const Admission refusal = refused(request)) return refusal_response(request, *refusal, rules_);
  if (attributes.subresource == "binding") return bind(call, owner, body);
  if (attributes.subresource == "eviction") return evict(call, owner, body);
  return issue_token(call, body);
}

HttpResponse ApiServer::bind(const Call& call, const Object& pod, const Object& binding) {
  if (!text(pod, "spec", "nodeName").empty()) {
    return failure(409, "Conflict",
                   "Operation cannot be fulfilled on pods/binding \"" + call.attributes.name + "\": pod " +
                       call.attributes.name + " is already assigned to node \"" +
                       std::string(text(pod, "spec", "nodeName")) + "\"");
  }
  Object bound = pod;
  bound["spec"]["nodeName"] = text(binding, "target", "name");
  if (!call.dry_run) store_.put(call.key(), bound);
  return object_response(201, {{"kind", "Status"}, {"apiVersion", "v1"}, {"status", "Success"}, {"code", 201}});
}

HttpResponse ApiServer::evict(const Call& call, const Object&, const Object& eviction) {
  const bool dry_run = call.dry_run || !member(eviction, "deleteOptions", "dryRun").empty();
  if (!dry_run) erase(call.key());
  return object_response(201, {{"kind", "Status"}, {"apiVersion", "v1"}, {"status", "Success"}, {"code", 201}});
}

// The bound pod must exist and run as the service account (pkg/registry/core/serviceaccount/storage/token.go).
HttpResponse ApiServer::issue_token(const Call& call, const Object& token_request) {
  const Object& bound = member(token_request, "spec", "boundObjectRef");
  if (text(bound, "kind") == "Pod") {
    const Object* pod = store_.cluster().find("", "pods", call.attributes.namespace_, text(bound, "name"));
    if (pod == nullptr) return not_found("", "pods", text(bound, "name"));
    if (text(*pod, "spec", "serviceAccountName") != call.attributes.name) {
      return failure(400, "BadRequest",
                     "cannot bind token for serviceaccount " + go_quoted(call.attributes.name) +
                         " to pod running with different serviceaccount name.");
    }
    const std::string_view uid = text(bound, "uid");
    if (!uid.empty() && uid != text(*pod, "metadata", "uid")) {
      return failure(409, "Conflict",
                     "Operation cannot be fulfilled on Pod \"" + std::string(text(bound, "name")) +
                         "\": the UID in the bound object reference (" + std::string(uid) +
                         ") does not match the UID in record. The object might have been deleted and then recreated");
    }
  }
  Object answer = token_request;
  answer["kind"] = call.subresource->kind;
  answer["apiVersion"] = call.subresource->group_version;
  answer["status"] = {{"token", call.dry_run ? "" : "reference-token"},
                      {"expirationTimestamp", "2026-01-01T01:00:00Z"}};
  return object_response(201, answer);
}

}  // namespace nodebound
