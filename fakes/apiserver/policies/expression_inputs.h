#pragma once

#include <memory_resource>

#include "fakes/apiserver/policies/matched_write.h"
#include "reference/cel/admission/admission_expression.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

/// Asks the server's authorizers what the subject of a call, or a service account, may do.
class ExpressionAuthority final : public cel::AuthorizerDecider {
 public:
  ExpressionAuthority(const ServerState& server, const Call& call) : server_(server), call_(call) {}
  [[nodiscard]] cel::AuthorizerAnswer decide(const cel::AuthorizerQuery& check, std::string_view verb) const override;

 private:
  const ServerState& server_;
  const Call& call_;
};

/// What the variables of expressions stand for in one write. The call and the write must outlive it.
class ExpressionInputs {
 public:
  /// `as` is the resource in the version of the rule that matches; `resource` is what `request.resource` says.
  ExpressionInputs(const ServerState& server, const Call& call, const ReviewedWrite& write, const ApiResource& as,
                   const ApiResource& resource);
  ExpressionInputs(const ExpressionInputs&) = delete;
  ExpressionInputs& operator=(const ExpressionInputs&) = delete;

  /// Null params are those of a policy without any.
  [[nodiscard]] cel::AdmissionInputs with(const Object& params, const Object& namespace_object,
                                          bool authorizer = true) const;

 private:
  const MatchedWrite write_;
  const Object object_;
  const Object old_object_;
  Object request_;
  const ExpressionAuthority authority_;
  cel::AuthorizerQuery authorizer_;
  cel::AuthorizerQuery request_resource_;
};

}  // namespace nodebound::apiserver
