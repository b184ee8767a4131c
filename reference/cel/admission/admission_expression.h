#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/cel/evaluation/authorizer_query.h"
#include "reference/cel/evaluation/value.h"
#include "reference/cel/match_condition.h"
#include "reference/cel/types/type.h"
#include "reference/cluster/object.h"
#include "reference/release/release.h"

namespace nodebound::cel {

/// Which variables an expression of admission can use, besides those that each has.
struct AdmissionScope {
  bool params = false;
  bool authorizer = true;
  bool variables = false;  ///< those of a policy

  bool operator==(const AdmissionScope&) const = default;
};

/// Of the variables of a policy, what is known so far.
using VariableTypes = std::map<std::string, TypePtr>;

/// The environment of the expressions of admission: match conditions of webhooks, and policies
/// (pkg/admission/plugin/cel/compile.go below k8s.io/apiserver).
std::shared_ptr<const Environment> admission_environment(const Release& release, const AdmissionScope& scope,
                                                         const VariableTypes& variables = {});

/// What the variables of an expression stand for in one request.
struct AdmissionInputs {
  const Object& object;
  const Object& old_object;
  const Object& request;
  const Object& namespace_object;
  const Object& params;
  const AuthorizerQuery* authorizer = nullptr;
  const AuthorizerQuery* request_resource = nullptr;
  const Map* variables = nullptr;
};

/// An expression of admission, compiled once and safe to be evaluated by many threads.
class AdmissionExpression {
 public:
  using Compiled = tl::expected<AdmissionExpression, CompileError>;

  /// `results` are the types of which it may be; empty: any.
  static Compiled compile(std::string_view expression, const std::shared_ptr<const Environment>& environment,
                          std::span<const TypePtr> results);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const TypePtr& type() const { return type_; }

  struct Outcome {
    Value value;  ///< may be an error; lives as long as the memory and the inputs
    std::uint64_t cost = 0;
  };
  [[nodiscard]] Outcome evaluate(const AdmissionInputs& inputs, std::pmr::memory_resource& memory) const;

 private:
  std::string text_;
  TypePtr type_;
  std::shared_ptr<const Program> program_;
};

/// A match condition of a webhook: is true or false.
AdmissionExpression::Compiled compile_admission_condition(std::string_view expression, const Release& release);

}  // namespace nodebound::cel
