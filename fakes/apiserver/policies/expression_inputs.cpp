#include "fakes/apiserver/policies/expression_inputs.h"

#include <utility>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/webhooks/admission_review.h"

namespace nodebound::apiserver {

cel::AuthorizerAnswer ExpressionAuthority::decide(const cel::AuthorizerQuery& check, std::string_view verb) const {
  Attributes asked;
  asked.verb = verb;
  if (check.stage == cel::AuthorizerQuery::Stage::path) {
    asked.path = check.path;
  } else {
    asked.resource_request = true;
    asked.api_group = check.group;
    asked.api_version = "*";
    asked.resource = check.resource;
    asked.subresource = check.subresource;
    asked.namespace_ = check.namespace_;
    asked.name = check.name;
  }
  Subject account;
  if (!check.account.empty()) {
    const std::string in(check.account_namespace);
    account.name = "system:serviceaccount:" + in + ":" + std::string(check.account);
    account.groups = {"system:serviceaccounts", "system:serviceaccounts:" + in};
  }
  Decision decision = server_.chain->authorize(check.account.empty() ? call_.subject : account, asked);
  return {decision.allowed(), std::move(decision.reason), std::move(decision.error)};
}

ExpressionInputs::ExpressionInputs(const ServerState& server, const Call& call, const ReviewedWrite& write,
                                   const ApiResource& as, const ApiResource& resource)
    : write_(matched_write(call, write)),
      object_(shown_object(server, call, write.object, as)),
      old_object_(shown_old_object(call, write.old_object, as)),
      request_(admission_request_object(call, write, as)),
      authority_(server, call) {
  request_["resource"]["version"] = resource.version;
  authorizer_.decider = request_resource_.decider = &authority_;
  request_resource_.stage = cel::AuthorizerQuery::Stage::resource;
  request_resource_.group = call.resource->group;
  request_resource_.resource = call.resource->resource;
  request_resource_.subresource = write_.subresource;
  request_resource_.namespace_ = write_.namespace_;
  request_resource_.name = write_.name;
}

cel::AdmissionInputs ExpressionInputs::with(const Object& params, const Object& namespace_object,
                                            bool authorizer) const {
  cel::AdmissionInputs out{object_, old_object_, request_, namespace_object, params};
  if (authorizer) {
    out.authorizer = &authorizer_;
    out.request_resource = &request_resource_;
  }
  return out;
}

}  // namespace nodebound::apiserver
