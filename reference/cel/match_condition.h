#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/cel/subject_access_review.h"
#include "reference/release/release.h"

namespace nodebound::cel {

class Environment;
class Program;

/// What a match condition, or all of an authorizer's together, say of a request.
struct Match {
  enum class Answer { yes, no, error };
  Answer answer = Answer::error;
  /// In cel-go's words, if `answer` is `error`.
  std::string error;
  /// What evaluation cost, in the units of the API server's limit for each call.
  std::uint64_t cost = 0;
};

/// Why an expression is no match condition here.
struct CompileError {
  enum class Kind {
    refused,      ///< kube-apiserver refuses it, too; `what` are its words
    unsupported,  ///< kube-apiserver may take it; `what` says where and what Nodebound does not support
  };
  Kind kind = Kind::refused;
  std::string what;
};

/// An expression of `matchConditions` in an AuthorizationConfiguration, compiled once and safe to be evaluated by many
/// threads (staging/src/k8s.io/apiserver/pkg/authorization/cel).
class MatchCondition {
 public:
  using Compiled = tl::expected<MatchCondition, CompileError>;

  /// Parses and type-checks the expression in the environment of the release.
  static Compiled compile(std::string_view expression, const Release& release);
  /// The same in an environment that is made once, by match_condition_environment(), for many.
  static Compiled compile(std::string_view expression, const std::shared_ptr<const Environment>& environment);

  [[nodiscard]] const std::string& expression() const { return expression_; }
  /// Whether it selects a field of that name anywhere: only then does the API server show selectors to it.
  [[nodiscard]] bool uses_field_selector() const { return uses_field_selector_; }
  [[nodiscard]] bool uses_label_selector() const { return uses_label_selector_; }

  /// Asks this condition alone.
  [[nodiscard]] Match evaluate(const SubjectAccessReviewSpec& request) const;

 private:
  friend Match evaluate_all(std::span<const MatchCondition> conditions, const SubjectAccessReviewSpec& request);

  std::string expression_;
  std::shared_ptr<const Program> program_;
  bool uses_field_selector_ = false;
  bool uses_label_selector_ = false;
};

/// Asks all conditions of one authorizer, in their order: `no` as soon as one is false, even after an error; otherwise
/// the errors, or `yes`. With no condition it is `yes`.
Match evaluate_all(std::span<const MatchCondition> conditions, const SubjectAccessReviewSpec& request);

}  // namespace nodebound::cel
