#include <algorithm>

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/admission_changes.h"
#include "fakes/apiserver/write/pod_condition.h"
#include "fakes/wire/go/go_text.h"

namespace nodebound {
namespace {

HttpResponse success(int code) {
  return object_response(code, {{"kind", "Status"},
                                {"apiVersion", "v1"},
                                {"metadata", Object::object()},
                                {"status", "Success"},
                                {"code", code}});
}

// Why a pod cannot be bound; empty if it can (pkg/registry/core/pod/storage/storage.go).
std::string not_bindable(const Object& pod) {
  if (!text(pod, "metadata", "deletionTimestamp").empty()) return "is being deleted, cannot be assigned to a host";
  const std::string_view node = text(pod, "spec", "nodeName");
  if (!node.empty()) return "is already assigned to node " + go_quoted(node);
  return member(pod, "spec", "schedulingGates").empty() ? "" : "has non-empty .spec.schedulingGates";
}

std::optional<HttpResponse> without_address(const Object& node) {
  if (!member(node, "status", "addresses").empty()) return std::nullopt;
  return failure(500, "", "no preferred addresses found; known addresses: []");
}

// Why a binding is wrong, whatever its pod (BindingREST.Create in pkg/registry/core/pod/storage/storage.go).
std::optional<HttpResponse> wrong_binding(const std::string& pod, const Object& binding) {
  const std::string_view named = text(binding, "metadata", "name");
  if (!named.empty() && named != pod) return bad_request("name in URL does not match name in Binding object");
  if (text(binding, "target", "name").empty()) return failure(500, "", "target.name: Required value");
  return std::nullopt;
}

// A request for a pod with several containers must name one (validateContainer in pkg/registry/core/pod/strategy.go).
std::optional<HttpResponse> without_container(const Object& pod, const std::string& container) {
  const std::string name(text(pod, "metadata", "name"));
  std::vector<std::string> names;
  for (const char* list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const Object& own : member(pod, "spec", list)) names.emplace_back(text(own, "name"));
  }
  if (!container.empty()) {
    if (std::find(names.begin(), names.end(), container) != names.end()) return std::nullopt;
    return bad_request("container " + container + " is not valid for pod " + name);
  }
  if (member(pod, "spec", "containers").size() == 1) return std::nullopt;
  return bad_request("a container name must be specified for pod " + name +
                     ", choose one of: " + go_text(Object(names)));
}

// A proxied path must begin with a slash, so `…/proxy` is redirected to `…/proxy/` (proxyRedirectsforRootPath in
// apimachinery's pkg/util/proxy).
std::optional<HttpResponse> redirected(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (!path.ends_with("/proxy")) return std::nullopt;
  const std::string location = std::string(path) + "/" + std::string(target.substr(path.size()));
  return HttpResponse{301, "", "", {{"location", location}}};
}

}  // namespace

// Why the address of the pod's kubelet is unknown (LogLocation and ExecLocation in pkg/registry/core/pod/strategy.go).
std::optional<HttpResponse> ApiServer::without_host(const Object& pod) const {
  const std::string name(text(pod, "metadata", "name"));
  const std::string_view node_name = text(pod, "spec", "nodeName");
  if (node_name.empty()) return bad_request("pod " + name + " does not have a host assigned");
  const Object* node = store_.cluster().find("", "nodes", "", node_name);
  if (node == nullptr) return not_found("", "nodes", node_name);
  return without_address(*node);
}

// There is no kubelet to ask, so a bound pod gets an error; the log of an unbound pod is empty.
HttpResponse ApiServer::log_of(const Object& pod) const {
  if (text(pod, "spec", "nodeName").empty()) return {204, "", {}, {}};
  if (std::optional<HttpResponse> refusal = without_host(pod)) return *refusal;
  const Object* node = store_.cluster().find("", "nodes", "", text(pod, "spec", "nodeName"));
  const std::string host(text(member(*node, "status", "addresses").front(), "address"));
  return failure(500, "InternalError",
                 "Internal error occurred: dial tcp " + host + ":10250: connect: connection refused");
}

// Connections (exec, attach, log, …) are not creates: admission plugins for creates do not see them.
HttpResponse ApiServer::connect(const Call& call) {
  const Attributes& attributes = call.attributes;
  const bool log = attributes.resource == "pods" && attributes.subresource == "log";
  // Reading a log is a get, which has no dryRun; the other connections refuse it.
  if (!log && !query_parameters(call.request.target, "dryRun").empty()) return bad_request("dryRun is not supported");
  const Object* found = store_.cluster().find(call.key());
  if (found == nullptr) {
    return not_found(attributes.api_group, attributes.resource, attributes.name);
  }
  const bool in_container = log || attributes.subresource == "exec" || attributes.subresource == "attach";
  if (in_container) {
    const std::string container = query_parameter(call.request.target, "container");
    if (std::optional<HttpResponse> refusal = without_container(*found, container)) return *refusal;
  }
  if (log) return log_of(*found);
  if (in_container || attributes.subresource == "portforward") {
    if (std::optional<HttpResponse> refusal = without_host(*found)) return *refusal;
  }
  if (attributes.resource == "nodes") {
    if (std::optional<HttpResponse> refusal = without_address(*found)) return *refusal;
    if (call.request.method == "GET" || call.request.method == "HEAD") {
      if (std::optional<HttpResponse> redirect = redirected(call.request.target)) return *redirect;
    }
  }
  return failure(400, "BadRequest", "Upgrade request required");
}

HttpResponse ApiServer::create_subresource(const Call& call) {
  static const Object nothing;
  const Attributes& attributes = call.attributes;
  const Object& body = call.body;
  if (options_.namespaces_first) {
    const std::string& in = attributes.namespace_;
    if (auto refusal = refused_by_namespace(store_.cluster(), *call.resource, in, attributes.name)) return *refusal;
  }
  const AdmissionRequest request = admission_request(call, Operation::create, body, nothing);
  if (const Admission refusal = refused(request)) return refusal_response(request, *refusal, rules_);
  if (attributes.subresource == "binding") {
    if (std::optional<HttpResponse> refusal = wrong_binding(attributes.name, body)) return *refusal;
  }
  const bool named_otherwise = text(body, "metadata", "name") != attributes.name;
  if (attributes.subresource == "eviction" && named_otherwise && defaults_.does(Behaviour::eviction_by_path)) {
    return bad_request("name in URL does not match name in Eviction object");
  }
  const Object* parent = store_.cluster().find(call.key());
  if (parent == nullptr) return not_found(attributes.api_group, attributes.resource, attributes.name);
  const Object owner = *parent;
  if (attributes.subresource == "binding") return bind(call, owner, body);
  if (attributes.subresource == "eviction") return evict(call, body);
  return issue_token(call, owner, body);
}

HttpResponse ApiServer::bind(const Call& call, const Object& pod, const Object& binding) {
  const std::string& name = call.attributes.name;
  const std::string_view target = text(binding, "target", "name");
  if (const std::string why = not_bindable(pod); !why.empty()) {
    return conflict("", "pods/binding", name, "pod " + name + " " + why);
  }
  Object bound = pod;
  bound["spec"]["nodeName"] = target;
  const Object& annotations = member(binding, "metadata", "annotations");
  if (annotations.is_object()) bound["metadata"]["annotations"].update(annotations);
  if (defaults_.does(Behaviour::topology_labels)) {
    const Object& labels = member(binding, "metadata", "labels");
    if (labels.is_object()) bound["metadata"]["labels"].update(labels);
    if (text(binding, "target", "kind") == "Node") copy_topology_labels(store_.cluster(), bound);
  }
  set_condition(
      bound, {{"type", "PodScheduled"}, {"status", "True"}, {"lastProbeTime", nullptr}, {"lastTransitionTime", now()}});
  if (!call.dry_run) store_.put(call.key(), std::move(bound));
  return success(201);
}

HttpResponse ApiServer::evict(const Call& call, const Object& eviction) {
  Call deletion = call;
  deletion.dry_run = call.dry_run || !member(eviction, "deleteOptions", "dryRun").empty();
  const Object& options = member(eviction, "deleteOptions");
  if (std::optional<HttpResponse> refusal = end_pod(deletion, options)) return *refusal;
  return success(201);
}

// The object that a token is bound to must exist, and a pod must run as the service account
// (pkg/registry/core/serviceaccount/storage/token.go).
HttpResponse ApiServer::issue_token(const Call& call, const Object& account, const Object& token_request) {
  const Object& spec = member(token_request, "spec");
  TokenOrder order;
  order.namespace_ = call.attributes.namespace_;
  order.service_account = call.attributes.name;
  order.service_account_uid = text(account, "metadata", "uid");
  order.audiences = strings_of(member(spec, "audiences"));
  const Object& seconds = member(spec, "expirationSeconds");
  if (seconds.is_number_integer()) order.expiration_seconds = seconds.get<std::int64_t>();
  if (order.expiration_seconds < 600) {
    return invalid(
        *call.resource->release, "authentication.k8s.io", "TokenRequest", "",
        {invalid_field("spec.expirationSeconds", seconds, "may not specify a duration less than 10 minutes")});
  }
  if (std::optional<HttpResponse> refusal = bind_token(member(spec, "boundObjectRef"), order)) return *refusal;
  const IssuedToken issued =
      options_.token_issuer ? options_.token_issuer(order) : IssuedToken{"reference-token", "2026-01-01T01:00:00Z", {}};
  Object answer = token_request;
  answer["kind"] = call.subresource->kind;
  answer["apiVersion"] = call.subresource->group_version;
  answer["metadata"]["name"] = order.service_account;
  answer["metadata"]["namespace"] = order.namespace_;
  answer["metadata"]["creationTimestamp"] = now();
  if (defaults_.does(Behaviour::token_request_uid)) answer["metadata"]["uid"] = order.service_account_uid;
  if (!answer["spec"].contains("boundObjectRef")) answer["spec"]["boundObjectRef"] = nullptr;
  answer["spec"]["expirationSeconds"] = order.expiration_seconds;
  if (!issued.audiences.empty()) answer["spec"]["audiences"] = issued.audiences;
  answer["status"] = {{"token", call.dry_run ? "" : issued.token}, {"expirationTimestamp", issued.expiration}};
  return object_response(201, answer);
}

std::optional<HttpResponse> ApiServer::bind_token(const Object& bound, TokenOrder& order) const {
  if (!bound.is_object()) return std::nullopt;
  const std::string kind(text(bound, "kind"));
  const std::string name(text(bound, "name"));
  const bool node = kind == "Node" && defaults_.does(Behaviour::token_node_binding);
  const bool known = kind == "Pod" || kind == "Secret" || node;
  if (!known) {
    if (kind == "Node" && defaults_.does(Behaviour::token_node_gate)) {
      return bad_request(
          "cannot bind token to a Node object as the \"ServiceAccountTokenNodeBinding\" feature-gate is "
          "disabled");
    }
    return bad_request("cannot bind token to object of type /" + std::string(text(bound, "apiVersion")) +
                       ", Kind=" + kind);
  }
  const std::string resource = kind == "Pod" ? "pods" : kind == "Secret" ? "secrets" : "nodes";
  const Object* object = store_.cluster().find("", resource, kind == "Node" ? "" : order.namespace_, name);
  if (object == nullptr) return not_found("", resource, name);
  if (kind == "Pod" && text(*object, "spec", "serviceAccountName") != order.service_account) {
    return bad_request("cannot bind token for serviceaccount " + go_quoted(order.service_account) +
                       " to pod running with different serviceaccount name.");
  }
  order.bound_kind = kind;
  order.bound_name = name;
  order.bound_uid = text(*object, "metadata", "uid");
  const std::string_view uid = text(bound, "uid");
  if (!uid.empty() && uid != order.bound_uid) {
    return conflict("", kind, name,
                    "the UID in the bound object reference (" + std::string(uid) +
                        ") does not match the UID in record. The object might have been deleted and then recreated");
  }
  order.node_name = kind == "Pod" ? text(*object, "spec", "nodeName") : std::string_view();
  const Object* of_pod = store_.cluster().find("", "nodes", "", order.node_name);
  if (of_pod != nullptr) order.node_uid = text(*of_pod, "metadata", "uid");
  return std::nullopt;
}

}  // namespace nodebound
