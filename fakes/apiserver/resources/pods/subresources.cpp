#include "fakes/apiserver/resources/pods/subresources.h"

#include <algorithm>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/resources/pods/admission.h"
#include "fakes/apiserver/resources/pods/condition.h"
#include "fakes/apiserver/resources/pods/disruption_budgets.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/remove.h"
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

// Why the address of the pod's kubelet is unknown (LogLocation and ExecLocation in pkg/registry/core/pod/strategy.go).
std::optional<HttpResponse> without_host(const ServerState& server, const Object& pod) {
  const std::string name(text(pod, "metadata", "name"));
  const std::string_view node_name = text(pod, "spec", "nodeName");
  if (node_name.empty()) return bad_request("pod " + name + " does not have a host assigned");
  const Object* node = server.store.cluster().find("", "nodes", "", node_name);
  if (node == nullptr) return not_found("", "nodes", node_name);
  return without_address(*node);
}

// An evicted pod gets a condition that says so (addConditionAndDeletePod in pkg/registry/core/pod/storage/eviction.go).
std::optional<HttpResponse> end_pod(ServerState& server, const Call& call, Object options) {
  const ObjectKey key = call.key();
  Object pod = served_as(*call.resource, *server.store.cluster().find(key));
  if (server.defaults.does(Behaviour::disruption_target) && !call.dry_run) {
    if (std::optional<std::string> unmet = unmet_precondition(pod, options)) {
      return conflict(call.resource->group, call.resource->kind, key.name, *unmet);
    }
    if (member(options, "preconditions").is_object()) options["preconditions"].erase("resourceVersion");
    const bool said = set_condition(pod, {{"type", "DisruptionTarget"},
                                          {"status", "True"},
                                          {"reason", "EvictionByEvictionAPI"},
                                          {"message", "Eviction API: evicting"},
                                          {"lastProbeTime", nullptr},
                                          {"lastTransitionTime", server.now()}});
    if (said) server.store.put(key, std::move(pod));
  }
  return remove_object(server, call, key, options, true).refusal;
}

}  // namespace

std::optional<HttpResponse> wrong_binding(const ServerState&, const Call& call) {
  const std::string_view named = text(call.body, "metadata", "name");
  if (!named.empty() && named != call.attributes.name)
    return bad_request("name in URL does not match name in Binding object");
  if (text(call.body, "target", "name").empty()) return failure(500, "", "target.name: Required value");
  return std::nullopt;
}

HttpResponse bind_pod(ServerState& server, const Call& call, const Object& pod) {
  const Object& binding = call.body;
  const std::string& name = call.attributes.name;
  const std::string_view target = text(binding, "target", "name");
  if (const std::string why = not_bindable(pod); !why.empty()) {
    return conflict("", "pods/binding", name, "pod " + name + " " + why);
  }
  Object bound = pod;
  bound["spec"]["nodeName"] = target;
  const Object& annotations = member(binding, "metadata", "annotations");
  if (annotations.is_object()) bound["metadata"]["annotations"].update(annotations);
  if (server.defaults.does(Behaviour::topology_labels)) {
    const Object& labels = member(binding, "metadata", "labels");
    if (labels.is_object()) bound["metadata"]["labels"].update(labels);
    if (text(binding, "target", "kind") == "Node") copy_topology_labels(server.store.cluster(), bound);
  }
  set_condition(
      bound,
      {{"type", "PodScheduled"}, {"status", "True"}, {"lastProbeTime", nullptr}, {"lastTransitionTime", server.now()}});
  if (!call.dry_run) server.store.put(call.key(), std::move(bound));
  return success(201);
}

std::optional<HttpResponse> wrong_eviction(const ServerState& server, const Call& call) {
  const bool named_otherwise = text(call.body, "metadata", "name") != call.attributes.name;
  if (!named_otherwise || !server.defaults.does(Behaviour::eviction_by_path)) return std::nullopt;
  return bad_request("name in URL does not match name in Eviction object");
}

HttpResponse evict_pod(ServerState& server, const Call& call, const Object& pod) {
  Call deletion = call;
  const Object& options = member(call.body, "deleteOptions");
  deletion.dry_run = call.dry_run || !member(options, "dryRun").empty();
  BudgetAnswer answer = ask_budgets(server, pod);
  if (answer.refusal) return *answer.refusal;
  if (!answer.counted.is_null() && !deletion.dry_run) store_budget(server, std::move(answer.counted));
  if (std::optional<HttpResponse> refusal = end_pod(server, deletion, options)) return *refusal;
  return success(201);
}

std::optional<HttpResponse> without_address(const Object& node) {
  if (!member(node, "status", "addresses").empty()) return std::nullopt;
  return failure(500, "", "no preferred addresses found; known addresses: []");
}

// The log of an unbound pod is empty.
std::optional<HttpResponse> read_log(const ServerState& server, const Call& call, const Object& pod) {
  if (auto refusal = without_container(pod, query_parameter(call.request.target, "container"))) return refusal;
  const std::string_view node_name = text(pod, "spec", "nodeName");
  if (node_name.empty()) return HttpResponse{204, "", {}, {}};
  if (auto refusal = without_host(server, pod)) return refusal;
  const Object* node = server.store.cluster().find("", "nodes", "", node_name);
  const std::string host(text(member(*node, "status", "addresses").front(), "address"));
  return failure(500, "InternalError",
                 "Internal error occurred: dial tcp " + host + ":10250: connect: connection refused");
}

std::optional<HttpResponse> enter_container(const ServerState& server, const Call& call, const Object& pod) {
  if (auto refusal = without_container(pod, query_parameter(call.request.target, "container"))) return refusal;
  return without_host(server, pod);
}

std::optional<HttpResponse> forward_port(const ServerState& server, const Call&, const Object& pod) {
  return without_host(server, pod);
}

}  // namespace nodebound
