#include <array>
#include <string>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

constexpr Column service_account_columns[] = {
    name_column,
    {"Secrets", [](const Object& o, Now) { return Object(member(o, "secrets").size()); }, 0, "string", "",
     Behaviour::column_secrets},
    age_column};

// tokens -------------------------------------------------------------------------------------------------------------

// The object that a token is bound to must exist, and a pod must run as the service account
// (pkg/registry/core/serviceaccount/storage/token.go).
std::optional<HttpResponse> bind_token(const ServerState& server, const Object& bound, TokenOrder& order) {
  if (!bound.is_object()) return std::nullopt;
  const std::string kind(text(bound, "kind"));
  const std::string name(text(bound, "name"));
  const bool node = kind == "Node" && server.defaults.does(Behaviour::token_node_binding);
  const bool known = kind == "Pod" || kind == "Secret" || node;
  if (!known) {
    if (kind == "Node" && server.defaults.does(Behaviour::token_node_gate)) {
      return bad_request(
          "cannot bind token to a Node object as the \"ServiceAccountTokenNodeBinding\" feature-gate is "
          "disabled");
    }
    return bad_request("cannot bind token to object of type /" + std::string(text(bound, "apiVersion")) +
                       ", Kind=" + kind);
  }
  const std::string resource = kind == "Pod" ? "pods" : kind == "Secret" ? "secrets" : "nodes";
  const ObjectPtr object = server.store.cluster().find("", resource, kind == "Node" ? "" : order.namespace_, name);
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
  const ObjectPtr of_pod = server.store.cluster().find("", "nodes", "", order.node_name);
  if (of_pod != nullptr) order.node_uid = text(*of_pod, "metadata", "uid");
  return std::nullopt;
}

HttpResponse issue_token(ServerState& server, const Call& call, const Object& account) {
  const Object& token_request = call.body;
  const Object& spec = member(token_request, "spec");
  TokenOrder order;
  order.namespace_ = call.attributes.namespace_;
  order.service_account = call.attributes.name;
  order.service_account_uid = text(account, "metadata", "uid");
  order.audiences = strings_of(member(spec, "audiences"));
  const Object& seconds = member(spec, "expirationSeconds");
  if (seconds.is_number_integer()) order.expiration_seconds = seconds.get<std::int64_t>();
  if (order.expiration_seconds < 600) {
    return invalid(*call.resource->release, "authentication.k8s.io", "TokenRequest", "",
                   {validation::invalid_field("spec.expirationSeconds", seconds,
                                              "may not specify a duration less than 10 minutes")});
  }
  if (std::optional<HttpResponse> refusal = bind_token(server, member(spec, "boundObjectRef"), order)) return *refusal;
  const IssuedToken issued = server.options.token_issuer ? server.options.token_issuer(order)
                                                         : IssuedToken{"reference-token", "2026-01-01T01:00:00Z", {}};
  Object answer = token_request;
  answer["kind"] = call.subresource->kind;
  answer["apiVersion"] = call.subresource->group_version;
  answer["metadata"]["name"] = order.service_account;
  answer["metadata"]["namespace"] = order.namespace_;
  answer["metadata"]["creationTimestamp"] = call.now;
  if (server.defaults.does(Behaviour::token_request_uid)) answer["metadata"]["uid"] = order.service_account_uid;
  if (!answer["spec"].contains("boundObjectRef")) answer["spec"]["boundObjectRef"] = nullptr;
  answer["spec"]["expirationSeconds"] = order.expiration_seconds;
  if (!issued.audiences.empty()) answer["spec"]["audiences"] = issued.audiences;
  answer["status"] = {{"token", call.dry_run ? "" : issued.token}, {"expirationTimestamp", issued.expiration}};
  return object_response(201, answer);
}

constexpr std::array service_account_subresources = {SubresourceStrategy{.name = "token", .create = issue_token}};

}  // namespace

std::span<const Strategy> strategies::service_accounts() {
  static constexpr std::array kinds = {Strategy{
      .resource = "serviceaccounts",
      .columns = TableColumns(service_account_columns),
      .subresources = service_account_subresources,
  }};
  return kinds;
}

}  // namespace nodebound::apiserver
