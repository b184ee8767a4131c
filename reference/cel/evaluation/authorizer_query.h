#pragma once

#include <string>
#include <string_view>

#include "reference/cel/evaluation/value.h"

namespace nodebound::cel {

class AuthorizerQuery;

/// What the authorizers of an API server say of a check.
struct AuthorizerAnswer {
  bool allowed = false;
  std::string reason;
  std::string error;
};

/// Asks the authorizers on behalf of expressions.
class AuthorizerDecider {
 public:
  virtual ~AuthorizerDecider() = default;
  [[nodiscard]] virtual AuthorizerAnswer decide(const AuthorizerQuery& check, std::string_view verb) const = 0;
};

/// The variable `authorizer`, and what its functions make of it (pkg/cel/library/authz.go below k8s.io/apiserver). Its
/// texts live as long as the evaluation.
class AuthorizerQuery final : public Opaque {
 public:
  enum class Stage { authorizer, path, group, resource };

  Stage stage = Stage::authorizer;
  const AuthorizerDecider* decider = nullptr;
  /// Instead of whoever sends the request; empty: the sender.
  std::string_view account_namespace = {};
  std::string_view account = {};

  std::string_view path = {};
  std::string_view group = {};
  std::string_view resource = {};
  std::string_view subresource = {};
  std::string_view namespace_ = {};
  std::string_view name = {};
  std::string_view field_selector = {};
  std::string_view label_selector = {};

  [[nodiscard]] std::string_view type_name() const override;
};

/// What `check` returns.
class AccessDecision final : public Opaque {
 public:
  bool allowed = false;
  std::string_view reason = {};
  std::string_view error = {};

  [[nodiscard]] std::string_view type_name() const override { return "kubernetes.authorization.Decision"; }
};

}  // namespace nodebound::cel
