#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "reference/cel/evaluation/authorizer_query.h"
#include "reference/cel/functions/functions.h"
#include "reference/cluster/names.h"

namespace nodebound::cel {

std::string_view AuthorizerQuery::type_name() const {
  switch (stage) {
    case Stage::authorizer:
      return "kubernetes.authorization.Authorizer";
    case Stage::path:
      return "kubernetes.authorization.PathCheck";
    case Stage::group:
      return "kubernetes.authorization.GroupCheck";
    case Stage::resource:
      break;
  }
  return "kubernetes.authorization.ResourceCheck";
}

namespace {

using Stage = AuthorizerQuery::Stage;

// An authorization check is so expensive that an expression can make two of them (pkg/cel/library/cost.go).
constexpr std::uint64_t check_cost = 350'000;

template <typename Made>
Value kept_opaque(Arena& arena, const Made& made) {
  return Value::of(static_cast<const Opaque&>(*new (arena.memory().allocate(sizeof(Made), alignof(Made))) Made(made)));
}

const AuthorizerQuery* check_of(const Value& value, Stage stage) {
  if (!value.is(Value::Kind::opaque)) return nullptr;
  const auto* out = dynamic_cast<const AuthorizerQuery*>(&value.opaque());
  return out != nullptr && out->stage == stage ? out : nullptr;
}

const AccessDecision* decision_of(const Value& value) {
  return value.is(Value::Kind::opaque) ? dynamic_cast<const AccessDecision*>(&value.opaque()) : nullptr;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

Value mismatch() {
  return Value::error(no_such_overload);
}

// The next stage of a check, with one more text.
Value narrowed(Arena& arena, Arguments arguments, Stage from, Stage to, std::string_view AuthorizerQuery::*text) {
  const AuthorizerQuery* const check = check_of(arguments[0], from);
  if (check == nullptr || !arguments[1].is(Value::Kind::string)) return mismatch();
  AuthorizerQuery out = *check;
  out.stage = to;
  out.*text = arguments[1].text();
  return kept_opaque(arena, out);
}

Value of_path(Arena& arena, Arguments arguments) {
  if (arguments[1].is(Value::Kind::string) && is_blank(arguments[1].text())) {
    return Value::error("path must not be empty");
  }
  return narrowed(arena, arguments, Stage::authorizer, Stage::path, &AuthorizerQuery::path);
}

Value of_group(Arena& arena, Arguments arguments) {
  return narrowed(arena, arguments, Stage::authorizer, Stage::group, &AuthorizerQuery::group);
}

Value of_service_account(Arena& arena, Arguments arguments) {
  const AuthorizerQuery* const check = check_of(arguments[0], Stage::authorizer);
  if (check == nullptr || !arguments[1].is(Value::Kind::string) || !arguments[2].is(Value::Kind::string)) {
    return mismatch();
  }
  if (!wrong_dns_subdomain(std::string(arguments[2].text())).empty()) {
    return Value::error("Invalid service account name");
  }
  if (!wrong_dns_label(std::string(arguments[1].text())).empty()) {
    return Value::error("Invalid service account namespace");
  }
  AuthorizerQuery out = *check;
  out.account_namespace = arguments[1].text();
  out.account = arguments[2].text();
  return kept_opaque(arena, out);
}

Value of_resource(Arena& arena, Arguments arguments) {
  if (arguments[1].is(Value::Kind::string) && is_blank(arguments[1].text())) {
    return Value::error("resource must not be empty");
  }
  return narrowed(arena, arguments, Stage::group, Stage::resource, &AuthorizerQuery::resource);
}

template <std::string_view AuthorizerQuery::*text>
Value with(Arena& arena, Arguments arguments) {
  return narrowed(arena, arguments, Stage::resource, Stage::resource, text);
}

Value decided(Arena& arena, const AuthorizerQuery* check, const Value& verb) {
  if (check == nullptr || !verb.is(Value::Kind::string)) return mismatch();
  const AuthorizerAnswer answer = check->decider->decide(*check, verb.text());
  AccessDecision out;
  out.allowed = answer.allowed;
  out.reason = arena.keep(answer.reason);
  out.error = arena.keep(answer.error);
  return kept_opaque(arena, out);
}

Value check_path(Arena& arena, Arguments arguments) {
  return decided(arena, check_of(arguments[0], Stage::path), arguments[1]);
}

Value check_resource(Arena& arena, Arguments arguments) {
  return decided(arena, check_of(arguments[0], Stage::resource), arguments[1]);
}

Value is_allowed(Arena& /*arena*/, Arguments arguments) {
  const AccessDecision* const decision = decision_of(arguments[0]);
  return decision == nullptr ? mismatch() : Value::of(decision->allowed);
}

Value has_error(Arena& /*arena*/, Arguments arguments) {
  const AccessDecision* const decision = decision_of(arguments[0]);
  return decision == nullptr ? mismatch() : Value::of(!decision->error.empty());
}

Value reason_of(Arena& /*arena*/, Arguments arguments) {
  const AccessDecision* const decision = decision_of(arguments[0]);
  return decision == nullptr ? mismatch() : Value::of(decision->reason);
}

Value error_of(Arena& /*arena*/, Arguments arguments) {
  const AccessDecision* const decision = decision_of(arguments[0]);
  return decision == nullptr ? mismatch() : Value::of(decision->error);
}

std::uint64_t cost_of_check(Arguments, const Value&) {
  return check_cost;
}

}  // namespace

std::span<const NamedImplementation> authorizer_functions() {
  static constexpr std::array<NamedImplementation, 13> all = {{
      {"authorizer_path", {of_path, cost_of_one}},
      {"authorizer_group", {of_group, cost_of_one}},
      {"authorizer_serviceaccount", {of_service_account, cost_of_one}},
      {"groupcheck_resource", {of_resource, cost_of_one}},
      {"resourcecheck_subresource", {with<&AuthorizerQuery::subresource>, cost_of_one}},
      {"resourcecheck_namespace", {with<&AuthorizerQuery::namespace_>, cost_of_one}},
      {"resourcecheck_name", {with<&AuthorizerQuery::name>, cost_of_one}},
      {"pathcheck_check", {check_path, cost_of_check}},
      {"resourcecheck_check", {check_resource, cost_of_check}},
      {"decision_allowed", {is_allowed, cost_of_one}},
      {"decision_errored", {has_error, cost_of_one}},
      {"decision_reason", {reason_of, cost_of_one}},
      {"decision_error", {error_of, cost_of_one}},
  }};
  return all;
}

}  // namespace nodebound::cel
