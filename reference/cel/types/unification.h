#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/cel/types/type.h"

namespace nodebound::cel {

/// What type parameters have been found to stand for (cel-go's checker/types.go).
class Substitutions {
 public:
  /// Whether `from` can be used as `to`. What that needs parameters to stand for is remembered if it can.
  bool assign(const TypePtr& from, const TypePtr& to);
  bool assign(const std::vector<TypePtr>& from, const std::vector<TypePtr>& to);
  void add(const std::string& parameter, TypePtr type) { bound_[parameter] = std::move(type); }

  /// `type` with what its parameters stand for; those that stand for nothing yet stay, or become dyn.
  [[nodiscard]] TypePtr apply(const TypePtr& type, bool unbound_to_dyn = false) const;

 private:
  struct Validity {
    bool valid;
    bool bound;
  };
  bool assignable(const TypePtr& a, const TypePtr& b);
  bool assignable(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b);
  Validity substitute(const TypePtr& type, const TypePtr& parameter);
  [[nodiscard]] bool occurs_not(const Type& type, const Type& within) const;
  [[nodiscard]] const TypePtr* find(const Type& type) const;

  std::map<std::string, TypePtr> bound_;
};

bool is_dyn_or_error(const Type& type);
/// The one of two types that can stand for both.
const TypePtr& most_general(const TypePtr& a, const TypePtr& b);

}  // namespace nodebound::cel
