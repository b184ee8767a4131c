#include "fakes/apiserver/write/fields/field_writer.h"

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/write/patch.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

constexpr std::size_t longest_manager = 128;

std::string program_of(const HttpRequest& request) {
  const auto agent = request.headers.find("user-agent");
  if (agent == request.headers.end()) return {};
  std::string out;
  for (const char c : agent->second.substr(0, agent->second.find('/'))) {
    if (c >= ' ' && c <= '~' && out.size() < longest_manager) out += c;
  }
  return out;
}

// What a write of a resource does not change: the status.
FieldSet fields_out_of_reach(const ApiResource& resource, const Strategy& strategy) {
  if (strategy.out_of_reach != nullptr) return strategy.out_of_reach();
  return resource.subresource("status") == nullptr ? FieldSet() : FieldSet{{"f:status"}};
}

// What a write of a resource, or through its subresource, does not change: the status, or all but the status.
FieldSet fields_out_of_reach(const Call& call) {
  if (call.subresource == nullptr) return fields_out_of_reach(*call.resource, *call.strategy);
  if (call.through != nullptr && call.through->out_of_reach != nullptr) return call.through->out_of_reach();
  if (call.subresource->name != "status") return {};
  if (call.subresource->keeps_metadata) return {{"f:spec"}, {"f:metadata"}};
  return {{"f:spec"}};
}

}  // namespace

FieldWriter field_writer(const Call& call) {
  const ApiResource& resource = *call.resource;
  const std::string manager = query_parameter(call.request.target, "fieldManager");
  return {ValueType::of_kind({resource.group, resource.version, resource.kind}, resource.release),
          manager.empty() ? program_of(call.request) : manager, resource.group_version, call.attributes.subresource,
          // A scale is recorded without its time (apimachinery's managedfields/scalehandler.go).
          call.through != nullptr && call.through->view != nullptr ? Object() : Object(call.now),
          fields_out_of_reach(call)};
}

FieldWriter server_itself(const ApiResource& resource, const Strategy& strategy, const std::string& now) {
  return {ValueType::of_kind({resource.group, resource.version, resource.kind}, resource.release),
          "kube-apiserver",
          resource.group_version,
          "",
          Object(now),
          fields_out_of_reach(resource, strategy)};
}

Tracked tracked_managers(const ServerState& server) {
  const bool all = server.options.tracks_updates && server.defaults.does(Behaviour::updates_managed);
  return all ? Tracked::all : Tracked::appliers;
}

void record_fields(const ServerState& server, const Call& call, const Object& before, Object& after) {
  if (patch_type(call.request.content_type) == apply_patch) return;
  record_update(field_writer(call), tracked_managers(server), before, after);
}

}  // namespace nodebound::apiserver
