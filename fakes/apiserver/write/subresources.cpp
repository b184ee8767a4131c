#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/resources/kubelet_location.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/webhooks/connect_options.h"
#include "fakes/apiserver/webhooks/webhook_admission.h"
#include "fakes/apiserver/write/write.h"
#include "fakes/wire/go/go_text.h"

namespace nodebound::apiserver {
namespace {

// A WebSocket is opened with GET, and still enters a container (ensureAuthorizedForVerb in
// pkg/registry/core/pod/rest/authorize.go).
std::optional<HttpResponse> refused_connection(const ServerState& server, const Call& call) {
  if (!call.through->connects_as_create || !server.rules.in_force(Rule::pod_connection_create)) return std::nullopt;
  Attributes attributes = call.attributes;
  if (attributes.verb == "create") return std::nullopt;
  attributes.verb = "create";
  const Decision decision = server.chain->authorize(call.subject, attributes);
  if (decision.allowed()) return std::nullopt;
  if (!decision.error.empty()) return failure(500, "", decision.error);
  const std::string resource = qualified_resource(attributes.api_group, attributes.resource);
  HttpResponse out =
      failure(403, "Forbidden", resource + " " + go_quoted(attributes.name) + " is forbidden: " + decision.reason,
              status_details(attributes.api_group, attributes.resource, attributes.name));
  name_rule(server.rules, Rule::pod_connection_create, out);
  return out;
}

// What policies and webhooks say of a connection. Logs are a read.
std::optional<HttpResponse> refused_by_admission(const ServerState& server, const Call& call) {
  static const Object nothing;
  if (!has_validators(server, call) || call.through->takes_dry_run) return std::nullopt;
  Object options = connect_options(call);
  const std::string& name = call.attributes.name;
  const auto no_plugins = [] { return std::optional<HttpResponse>(); };
  if (auto refusal = mutated(server, call, {Operation::connect, options, nothing, nullptr, name}, no_plugins)) {
    return refusal;
  }
  return refused_by_validators(server, call, {Operation::connect, options, nothing, nullptr, name});
}

}  // namespace

HttpResponse answer_connect(const ServerState& server, const Call& call) {
  const Attributes& attributes = call.attributes;
  const SubresourceStrategy& through = *call.through;
  if (!through.takes_dry_run && !query_parameters(call.request.target, "dryRun").empty()) {
    return bad_request("dryRun is not supported");
  }
  if (auto refusal = refused_connection(server, call)) return *refusal;
  if (auto refusal = refused_by_admission(server, call)) return *refusal;
  const auto named = through.named_with_port ? proxied_name(attributes.name) : std::nullopt;
  if (through.named_with_port && !named) {
    std::string kind = call.resource->kind;
    kind.front() = static_cast<char>(kind.front() - 'A' + 'a');
    return bad_request("invalid " + kind + " request " + go_quoted(attributes.name));
  }
  const std::string& name = named ? named->name : attributes.name;
  const ObjectPtr found = server.store.cluster().find(call.key(name));
  if (found == nullptr) return not_found(attributes.api_group, attributes.resource, name);
  if (through.connect != nullptr) {
    if (auto answer = through.connect(server, call, *found)) return *answer;
  }
  return failure(400, "BadRequest", "Upgrade request required");
}

HttpResponse create_subresource(ServerState& server, const Call& call) {
  static const Object nothing;
  const Attributes& attributes = call.attributes;
  if (server.options.namespaces_first) {
    const std::string& in = attributes.namespace_;
    if (auto refusal = refused_by_namespace(server.store.cluster(), *call.resource, in, attributes.name)) {
      return *refusal;
    }
  }
  Call changed = call;
  const AdmissionRequest request = admission_request(call, Operation::create, changed.body, nothing);
  const auto plugins = [&] { return refused_by_plugins(server, request); };
  const std::string& name = attributes.name;
  if (auto refusal = mutated(server, call, {Operation::create, changed.body, nothing, nullptr, name}, plugins)) {
    return *refusal;
  }
  const SubresourceStrategy& through = *call.through;
  if (through.wrong_body != nullptr) {
    if (auto refusal = through.wrong_body(server, changed)) return *refusal;
  }
  if (auto refusal = refused_by_plugins(server, request, AdmissionPhase::validation)) return *refusal;
  if (auto refusal = refused_by_validators(server, call, {Operation::create, changed.body, nothing, nullptr, name})) {
    return *refusal;
  }
  const ObjectPtr parent = server.store.cluster().find(call.key());
  if (parent == nullptr) return not_found(attributes.api_group, attributes.resource, attributes.name);
  const Object owner = *parent;
  return through.create(server, changed, owner);
}

}  // namespace nodebound::apiserver
