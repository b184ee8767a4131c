#include "reference/cel/admission/admission_expression.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "reference/cel/admission/json_value.h"
#include "reference/cel/checked_expression.h"
#include "reference/cel/evaluation/program.h"

namespace nodebound::cel {
namespace {

// In the order of their slots.
const std::vector<std::string> variable_names = {"object", "oldObject",  "request",   "namespaceObject",
                                                 "params", "authorizer", "variables", "authorizer.requestResource"};

TypePtr string_type() {
  return make_type(Type::Kind::string);
}

void declare_request(Environment& out) {
  const TypePtr string = string_type();
  const TypePtr strings = list_of(string);
  out.declare_object("kubernetes.GroupVersionKind", {{"group", string}, {"version", string}, {"kind", string}});
  out.declare_object("kubernetes.GroupVersionResource", {{"group", string}, {"version", string}, {"resource", string}});
  out.declare_object("kubernetes.UserInfo",
                     {{"username", string}, {"uid", string}, {"groups", strings}, {"extra", map_of(string, strings)}});
  const TypePtr kind = object_type("kubernetes.GroupVersionKind");
  const TypePtr resource = object_type("kubernetes.GroupVersionResource");
  out.declare_object("kubernetes.AdmissionRequest", {{"kind", kind},
                                                     {"resource", resource},
                                                     {"subResource", string},
                                                     {"requestKind", kind},
                                                     {"requestResource", resource},
                                                     {"requestSubResource", string},
                                                     {"name", string},
                                                     {"namespace", string},
                                                     {"operation", string},
                                                     {"userInfo", object_type("kubernetes.UserInfo")},
                                                     {"dryRun", make_type(Type::Kind::boolean)},
                                                     {"options", make_type(Type::Kind::dyn)}});
  out.declare_variable("request", object_type("kubernetes.AdmissionRequest"));
}

void declare_namespace(Environment& out) {
  const TypePtr string = string_type();
  const TypePtr strings = list_of(string);
  const TypePtr texts = map_of(string, string);
  const TypePtr number = make_type(Type::Kind::integer);
  const TypePtr time = make_type(Type::Kind::timestamp);
  out.declare_object("kubernetes.NamespaceSpec", {{"finalizers", strings}});
  out.declare_object(
      "kubernetes.NamespaceCondition",
      {{"status", string}, {"type", string}, {"lastTransitionTime", time}, {"message", string}, {"reason", string}});
  out.declare_object("kubernetes.NamespaceStatus",
                     {{"conditions", list_of(object_type("kubernetes.NamespaceCondition"))}, {"phase", string}});
  out.declare_object("kubernetes.NamespaceMetadata", {{"name", string},
                                                      {"generateName", string},
                                                      {"namespace", string},
                                                      {"labels", texts},
                                                      {"annotations", texts},
                                                      {"UID", string},
                                                      {"creationTimestamp", time},
                                                      {"deletionGracePeriodSeconds", number},
                                                      {"deletionTimestamp", time},
                                                      {"generation", number},
                                                      {"resourceVersion", string},
                                                      {"finalizers", strings}});
  out.declare_object("kubernetes.Namespace", {{"metadata", object_type("kubernetes.NamespaceMetadata")},
                                              {"spec", object_type("kubernetes.NamespaceSpec")},
                                              {"status", object_type("kubernetes.NamespaceStatus")}});
  out.declare_variable("namespaceObject", object_type("kubernetes.Namespace"));
}

}  // namespace

std::shared_ptr<const Environment> admission_environment(const Release& release, const AdmissionScope& scope,
                                                         const VariableTypes& variables) {
  auto out = std::make_shared<Environment>(release);
  const TypePtr dyn = make_type(Type::Kind::dyn);
  out->declare_variable("object", dyn);
  out->declare_variable("oldObject", dyn);
  declare_request(*out);
  declare_namespace(*out);
  if (scope.params) out->declare_variable("params", dyn);
  if (scope.authorizer) {
    out->declare_variable("authorizer", object_type("kubernetes.authorization.Authorizer"));
    out->declare_variable("authorizer.requestResource", object_type("kubernetes.authorization.ResourceCheck"));
  }
  if (scope.variables) {
    out->declare_object("kubernetes.variables", variables);
    out->declare_variable("variables", object_type("kubernetes.variables"));
  }
  return out;
}

AdmissionExpression::Compiled AdmissionExpression::compile(std::string_view expression,
                                                           const std::shared_ptr<const Environment>& environment,
                                                           std::span<const TypePtr> results) {
  const Source source(expression);
  auto tree = checked_expression(source, *environment);
  if (!tree) return tl::unexpected(std::move(tree.error()));
  const Type& type = *(*tree)->type;
  const bool right = results.empty() ||
                     std::any_of(results.begin(), results.end(), [&](const TypePtr& one) { return same(type, *one); });
  if (!right) {
    std::string expected;
    for (const TypePtr& one : results) expected += (expected.empty() ? "" : " ") + to_string(*one);
    if (results.size() > 1) expected = "one of [" + expected + "]";
    return tl::unexpected(
        CompileError{CompileError::Kind::refused, "must evaluate to " + expected + " but got " + to_string(type)});
  }
  auto program = planned_program(source, **tree, environment, variable_names);
  if (!program) return tl::unexpected(std::move(program.error()));
  AdmissionExpression out;
  out.text_ = std::string(expression);
  out.type_ = (*tree)->type;
  out.program_ = std::move(*program);
  return out;
}

AdmissionExpression::Outcome AdmissionExpression::evaluate(const AdmissionInputs& inputs,
                                                           std::pmr::memory_resource& memory) const {
  const auto access = [](const AuthorizerQuery* check) {
    return check == nullptr ? Value::error("no such attribute(s): authorizer")
                            : Value::of(static_cast<const Opaque&>(*check));
  };
  const std::array<Value, 8> values = {json_value(inputs.object, memory),
                                       json_value(inputs.old_object, memory),
                                       json_value(inputs.request, memory),
                                       json_value(inputs.namespace_object, memory),
                                       json_value(inputs.params, memory),
                                       access(inputs.authorizer),
                                       inputs.variables == nullptr ? Value::null() : Value::of(*inputs.variables),
                                       access(inputs.request_resource)};
  const Program::Outcome outcome = program_->evaluate(values, memory);
  return {outcome.value, outcome.cost};
}

AdmissionExpression::Compiled compile_admission_condition(std::string_view expression, const Release& release) {
  const std::array results = {make_type(Type::Kind::boolean)};
  return AdmissionExpression::compile(expression, admission_environment(release, {}), results);
}

}  // namespace nodebound::cel
