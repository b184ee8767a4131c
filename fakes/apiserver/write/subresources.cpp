#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/write.h"

namespace nodebound {

HttpResponse answer_connect(const ServerState& server, const Call& call) {
  const Attributes& attributes = call.attributes;
  const SubresourceStrategy& through = *call.through;
  if (!through.takes_dry_run && !query_parameters(call.request.target, "dryRun").empty()) {
    return bad_request("dryRun is not supported");
  }
  const Object* found = server.store.cluster().find(call.key());
  if (found == nullptr) return not_found(attributes.api_group, attributes.resource, attributes.name);
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
  const AdmissionRequest request = admission_request(call, Operation::create, call.body, nothing);
  if (auto refusal = refused_by_plugins(server, request)) return *refusal;
  const SubresourceStrategy& through = *call.through;
  if (through.wrong_body != nullptr) {
    if (auto refusal = through.wrong_body(server, call)) return *refusal;
  }
  const Object* parent = server.store.cluster().find(call.key());
  if (parent == nullptr) return not_found(attributes.api_group, attributes.resource, attributes.name);
  const Object owner = *parent;
  return through.create(server, call, owner);
}

}  // namespace nodebound
