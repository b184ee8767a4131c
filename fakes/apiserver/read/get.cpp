#include "fakes/apiserver/call.h"
#include "fakes/apiserver/read/read.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "reference/authorizer/query_flag.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

HttpResponse nothing_to_get(const ServerState& server, const Call& call) {
  const Attributes& attributes = call.attributes;
  const std::string_view group = call.through == nullptr ? "" : call.through->group_of_missing;
  const bool apart = !group.empty() && server.defaults.does(Behaviour::scales_told_apart);
  if (!apart) return not_found(attributes.api_group, attributes.resource, attributes.name);
  return not_found(group, attributes.full_resource(), attributes.name);
}

}  // namespace

HttpResponse answer_get(ServerState& server, const Call& call) {
  const Attributes& attributes = call.attributes;
  const bool exports = query_flag(call.request.target, "export").value_or(false);
  if (exports && attributes.subresource.empty() && server.defaults.does(Behaviour::no_exports)) {
    return bad_request("the export parameter, deprecated since v1.14, is no longer supported");
  }
  if (auto refusal = impossible_name(attributes.name)) return *refusal;
  const Result<std::optional<std::uint64_t>> version = read_resource_version(call.request.target);
  if (!version) {
    return call.resource->uncached ? bad_request("invalid resource version: " + version.error().what)
                                   : failure(500, "", version.error().what);
  }
  if (*version && **version > server.store.version()) return too_new(server, !call.resource->uncached, **version);
  const KeptObject object = call.request.server_fault.behind == 0
                                ? server.store.cluster().find_kept(call.key())
                                : *server.store.object_at(call.key(), server.read_version(call, version->value_or(0)));
  if (!object) return nothing_to_get(server, call);
  return answer_object(server, call, 200, object);
}

}  // namespace nodebound::apiserver
