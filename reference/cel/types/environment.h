#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference/cel/types/type.h"
#include "reference/release/release.h"

namespace nodebound::cel {

/// One signature of a function or operator.
struct Overload {
  std::string id;        ///< cel-go's name of it
  std::string function;  ///< `startsWith`; operators are spelled `_==_`
  bool is_member = false;
  std::vector<TypePtr> arguments;  ///< the first is what a member is called on
  TypePtr result;
  std::vector<std::string> parameters;  ///< names of type parameters in the signature
};

/// What an expression can use: libraries of functions and macros, variables, and the fields of their types.
class Environment {
 public:
  /// The libraries of the release (libraries.toml), without variables.
  explicit Environment(const Release& release);

  /// Declares a variable. Its objects are declared by `declare_object`.
  void declare_variable(std::string name, TypePtr type) { variables_[std::move(name)] = std::move(type); }
  void declare_object(const std::string& name, std::map<std::string, TypePtr> fields);

  /// The overloads of a function in the order in which they are tried; null if there is no such function.
  [[nodiscard]] const std::vector<Overload>* function(const std::string& name) const;
  /// The type of a variable, or `type(…)` of a type's name; null if it is not declared.
  [[nodiscard]] TypePtr identifier(const std::string& name) const;
  /// The fields of an object; null if it has no declaration.
  [[nodiscard]] const std::map<std::string, TypePtr>* fields(const std::string& object) const;
  [[nodiscard]] bool has_macro(std::string_view name, std::size_t arguments, bool is_member) const;

 private:
  std::unordered_map<std::string, std::vector<Overload>> functions_;
  std::map<std::string, TypePtr> variables_;
  std::map<std::string, std::map<std::string, TypePtr>> objects_;
  std::set<std::string, std::less<>> macros_;
};

/// The environment of an authorizer's match conditions: `request` is the spec of a SubjectAccessReview
/// (staging/src/k8s.io/apiserver/pkg/authorization/cel/compile.go).
Environment match_condition_environment(const Release& release);

}  // namespace nodebound::cel
