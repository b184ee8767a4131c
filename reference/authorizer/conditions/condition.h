#pragma once

#include <functional>
#include <string>

namespace nodebound {

/// A question about the objects of a request, which the authorizer has not seen: it is answered once they are known
/// (KEP-5681).
struct Condition {
  std::string id;         ///< a label key, unique among the conditions of one answer
  std::string type = {};  ///< a label key that names the language of `expression`; empty if its authorizer knows it
  std::string expression = {};   ///< in that language; empty if the id alone tells its authorizer what to evaluate
  std::string description = {};  ///< for the caller whose request it decides
};

/// What a condition comes to for one request.
struct ConditionResult {
  enum class Value { unevaluatable, yes, no, error };

  Value value = Value::unevaluatable;  ///< unevaluatable: nobody here knows the condition's language
  std::string error = {};              ///< why it could not be evaluated

  static ConditionResult of(bool value) { return {value ? Value::yes : Value::no}; }
  static ConditionResult failed(std::string why) {
    return {Value::error, why.empty() ? "unspecified evaluation error" : std::move(why)};
  }
};

using EvaluateCondition = std::function<ConditionResult(const Condition&)>;

}  // namespace nodebound
