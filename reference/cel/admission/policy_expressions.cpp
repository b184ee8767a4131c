#include "reference/cel/admission/policy_expressions.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace nodebound::cel {
namespace {

using Results = std::vector<TypePtr>;

// The type that others see: of what has no type of a declaration, any.
TypePtr declared_type(const TypePtr& type) {
  switch (type->kind) {
    case Type::Kind::list:
      return list_of(declared_type(type->parameters[0]));
    case Type::Kind::map:
      return map_of(declared_type(type->parameters[0]), declared_type(type->parameters[1]));
    case Type::Kind::boolean:
    case Type::Kind::bytes:
    case Type::Kind::floating:
    case Type::Kind::duration:
    case Type::Kind::integer:
    case Type::Kind::null:
    case Type::Kind::string:
    case Type::Kind::timestamp:
    case Type::Kind::unsigned_integer:
      return type;
    default:
      return make_type(Type::Kind::dyn);
  }
}

/// Compiles the expressions of one policy, each kind in an environment of its own.
class PolicyCompiler {
 public:
  PolicyCompiler(const Object& spec, const Release& release)
      : release_(release),
        params_(member(spec, "paramKind").is_object()),
        composes_(!member(spec, "variables").empty()) {}

  AdmissionExpression::Compiled compile(std::string_view expression, const Results& results, bool authorizer,
                                        bool variables) {
    const AdmissionScope scope{params_, authorizer, variables && composes_};
    return AdmissionExpression::compile(expression, environment(scope), results);
  }

  PolicyVariable variable(const Object& entry) {
    PolicyVariable out{std::string(text(entry, "name")), compile(text(entry, "expression"), {}, true, true)};
    types_[out.name] = out.expression ? declared_type(out.expression->type()) : make_type(Type::Kind::dyn);
    environments_.clear();
    return out;
  }

 private:
  std::shared_ptr<const Environment> environment(const AdmissionScope& scope) {
    auto& out = environments_[{scope.authorizer, scope.variables}];
    if (out == nullptr) out = admission_environment(release_, scope, types_);
    return out;
  }

  const Release& release_;
  const bool params_;
  const bool composes_;
  VariableTypes types_;
  std::map<std::pair<bool, bool>, std::shared_ptr<const Environment>> environments_;
};

}  // namespace

PolicyExpressions policy_expressions(const Object& spec, const Release& release) {
  const Results condition = {make_type(Type::Kind::boolean)};
  const Results message = {make_type(Type::Kind::string)};
  const Results annotation = {make_type(Type::Kind::string), make_type(Type::Kind::null)};
  PolicyCompiler compiler(spec, release);
  PolicyExpressions out;
  for (const Object& one : member(spec, "matchConditions")) {
    out.match_conditions.push_back(compiler.compile(text(one, "expression"), condition, true, false));
  }
  for (const Object& one : member(spec, "variables")) out.variables.push_back(compiler.variable(one));
  for (const Object& one : member(spec, "validations")) {
    out.validations.push_back(compiler.compile(text(one, "expression"), condition, true, true));
    const std::string_view expression = text(one, "messageExpression");
    auto& own = out.messages.emplace_back();
    if (!expression.empty()) own = compiler.compile(expression, message, false, true);
  }
  for (const Object& one : member(spec, "auditAnnotations")) {
    out.audit_annotations.push_back(compiler.compile(text(one, "valueExpression"), annotation, true, true));
  }
  return out;
}

}  // namespace nodebound::cel
