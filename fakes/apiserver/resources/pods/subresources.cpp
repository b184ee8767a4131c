#include "fakes/apiserver/resources/pods/subresources.h"

#include <algorithm>
#include <charconv>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/resources/kubelet_location.h"
#include "fakes/apiserver/resources/pods/admission.h"
#include "fakes/apiserver/resources/pods/condition.h"
#include "fakes/apiserver/resources/pods/disruption_budgets.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/remove.h"
#include "fakes/wire/go/go_text.h"
#include "reference/authorizer/query_flag.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
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
OrAnswer<std::string> container_of(const Object& pod, std::string container) {
  const std::string name(text(pod, "metadata", "name"));
  std::vector<std::string> names;
  for (const char* list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const Object& own : member(pod, "spec", list)) names.emplace_back(text(own, "name"));
  }
  if (!container.empty()) {
    if (std::find(names.begin(), names.end(), container) != names.end()) return container;
    return tl::unexpected(bad_request("container " + container + " is not valid for pod " + name));
  }
  const Object& containers = member(pod, "spec", "containers");
  if (containers.size() == 1) return std::string(text(containers.front(), "name"));
  return tl::unexpected(
      bad_request("a container name must be specified for pod " + name + ", choose one of: " + go_text(Object(names))));
}

// The kubelet of the pod's Node (ExecLocation in pkg/registry/core/pod/strategy.go).
OrAnswer<Onward> kubelet_of_pod(const ServerState& server, const Object& pod) {
  const std::string_view node = text(pod, "spec", "nodeName");
  if (!node.empty()) {
    // Upstream names the resource of the request when it does not find the pod's Node.
    if (server.store.cluster().find("", "nodes", "", node) == nullptr)
      return tl::unexpected(not_found("", "pods", node));
    return kubelet_of(server, node);
  }
  const std::string name(text(pod, "metadata", "name"));
  return tl::unexpected(bad_request("pod " + name + " does not have a host assigned"));
}

/// A query as a kubelet gets it, in the order of the names.
class Query {
 public:
  explicit Query(std::string_view asked) : asked_(asked) {}

  /// A flag that the client sets, by the name and the value that the kubelet knows.
  void flag(std::string_view name, std::string_view own_name, std::string_view value) {
    if (query_flag(asked_, name).value_or(false)) add(own_name, value);
  }
  /// A parameter that is passed on as it is.
  void keep(std::string_view name) {
    if (const std::string value = query_parameter(asked_, name); !value.empty()) add(name, value);
  }
  void add(std::string_view name, std::string_view value) {
    text_ += text_.empty() ? '?' : '&';
    text_.append(name).append("=").append(percent_encoded(value));
  }

  [[nodiscard]] const std::string& asked() const { return asked_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string asked_;
  std::string text_;
};

std::string path_of(const char* what, const Object& pod) {
  return "/" + std::string(what) + "/" + std::string(text(pod, "metadata", "namespace")) + "/" +
         std::string(text(pod, "metadata", "name"));
}

// The options of a log that a kubelet gets (LogLocation in pkg/registry/core/pod/strategy.go).
std::string log_query(const ServerState& server, const std::string& target) {
  Query query(target);
  query.flag("follow", "follow", "true");
  query.keep("limitBytes");
  query.flag("previous", "previous", "true");
  query.keep("sinceSeconds");
  query.keep("sinceTime");
  if (server.rules.release().is_on("PodLogsQuerySplitStreams")) {
    const std::string stream = query_parameter(target, "stream");
    query.add("stream", stream.empty() ? "All" : stream);
  }
  query.keep("tailLines");
  query.flag("timestamps", "timestamps", "true");
  return query.text();
}

// What is wrong with the numbers of a log (ValidatePodLogOptions in pkg/apis/core/validation/validation.go).
std::optional<HttpResponse> wrong_log_options(const ServerState& server, const Call& call) {
  validation::FieldMistakes mistakes;
  const std::pair<const char*, std::int64_t> least[] = {{"tailLines", 0}, {"limitBytes", 1}, {"sinceSeconds", 1}};
  for (const auto& [name, smallest] : least) {
    const std::string given = query_parameter(call.request.target, name);
    if (given.empty()) continue;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
    if (error != std::errc() || end != given.data() + given.size()) {
      return bad_request("strconv.ParseInt: parsing " + go_quoted(given) + ": invalid syntax");
    }
    if (number < smallest) {
      mistakes.push_back(validation::invalid_field(
          name, number, smallest == 0 ? "must be greater than or equal to 0" : "must be greater than 0"));
    }
  }
  if (mistakes.empty()) return std::nullopt;
  return invalid(server.rules.release(), "", "PodLogOptions", call.attributes.name, mistakes);
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

std::optional<HttpResponse> wrong_binding(const ServerState& server, const Call& call) {
  const std::string_view named = text(call.body, "metadata", "name");
  const bool may_lack_name = !server.defaults.does(Behaviour::binding_names_its_pod);
  if (named != call.attributes.name && !(named.empty() && may_lack_name))
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

// The log of an unbound pod is empty.
std::optional<HttpResponse> read_log(const ServerState& server, const Call& call, const Object& pod) {
  const std::string& target = call.request.target;
  if (auto refusal = wrong_log_options(server, call)) return refusal;
  const auto container = container_of(pod, query_parameter(target, "container"));
  if (!container) return container.error();
  if (text(pod, "spec", "nodeName").empty()) return HttpResponse{204, "", {}, {}};
  auto kubelet = kubelet_of_pod(server, pod);
  if (!kubelet) return kubelet.error();
  kubelet->kind = Onward::Kind::log;
  kubelet->name = call.attributes.name;
  kubelet->target = path_of("containerLogs", pod) + "/" + *container + log_query(server, target);
  Query skip(target);
  skip.flag("insecureSkipTLSVerifyBackend", "skip", "1");
  kubelet->skip_verification = !skip.text().empty();
  const std::string where = kubelet->addresses.front().second + ":" + kubelet->port;
  HttpResponse nobody = failure(
      500, "", "Get \"https://" + where + kubelet->target + "\": dial tcp " + where + ": connect: connection refused");
  return passed_on(std::move(nobody), std::move(*kubelet));
}

std::optional<HttpResponse> enter_container(const ServerState& server, const Call& call, const Object& pod) {
  const auto container = container_of(pod, query_parameter(call.request.target, "container"));
  if (!container) return container.error();
  auto kubelet = kubelet_of_pod(server, pod);
  if (!kubelet) return kubelet.error();
  Query query(call.request.target);
  for (const std::string& word : query_parameters(call.request.target, "command")) {
    if (call.attributes.subresource == "exec") query.add("command", word);
  }
  query.flag("stderr", "error", "1");
  query.flag("stdin", "input", "1");
  query.flag("stdout", "output", "1");
  query.flag("tty", "tty", "1");
  kubelet->kind = Onward::Kind::upgrade;
  kubelet->target = path_of(call.attributes.subresource.c_str(), pod) + "/" + *container + query.text();
  return passed_on(bad_request("Upgrade request required"), std::move(*kubelet));
}

std::optional<HttpResponse> forward_port(const ServerState& server, const Call& call, const Object& pod) {
  auto kubelet = kubelet_of_pod(server, pod);
  if (!kubelet) return kubelet.error();
  std::string ports;
  for (const std::string& port : query_parameters(call.request.target, "ports")) {
    ports += (ports.empty() ? "" : ",") + port;
  }
  Query query(call.request.target);
  if (!ports.empty()) query.add("port", ports);
  kubelet->kind = Onward::Kind::upgrade;
  kubelet->target = path_of("portForward", pod) + query.text();
  return passed_on(bad_request("Upgrade request required"), std::move(*kubelet));
}

// The network address of a pod (ResourceLocation in pkg/registry/core/pod/strategy.go).
std::optional<HttpResponse> proxy_pod(const ServerState&, const Call& call, const Object& pod) {
  const ProxiedName named = proxied_name(call.attributes.name).value();
  Onward to;
  to.kubelet = false;
  to.global_only = true;
  to.tls = named.scheme == "https";
  const Object& addresses = member(pod, "status", "podIPs");
  if (!addresses.empty()) to.host = text(addresses.front(), "ip");
  if (to.host.empty()) return bad_request("address not allowed");
  to.port = named.port;
  for (const Object& container : member(pod, "spec", "containers")) {
    const Object& ports = member(container, "ports");
    if (to.port.empty() && !ports.empty()) to.port = member(ports.front(), "containerPort").dump();
  }
  if (to.port.empty()) to.port = to.tls ? "443" : "80";
  HttpResponse nobody =
      failure(503, "ServiceUnavailable", "error trying to reach service: dial tcp " + to.authority() + ": i/o timeout");
  return passed_on_by_path(call, std::move(nobody), std::move(to));
}

}  // namespace nodebound::apiserver
