#include "reference/cel/types/unification.h"

#include <utility>

namespace nodebound::cel {

namespace {

bool less_or_equally_specific(const Type& a, const Type& b) {
  if (a.is(Type::Kind::dyn) || a.is(Type::Kind::parameter)) return true;
  if (b.is(Type::Kind::dyn) || b.is(Type::Kind::parameter) || a.kind != b.kind) return false;
  if (a.is(Type::Kind::type)) return true;
  if (!a.is(Type::Kind::opaque) && !a.is(Type::Kind::list) && !a.is(Type::Kind::map)) return same(a, b);
  if (a.name != b.name || a.parameters.size() != b.parameters.size()) return false;
  for (std::size_t i = 0; i < a.parameters.size(); ++i) {
    if (!less_or_equally_specific(*a.parameters[i], *b.parameters[i])) return false;
  }
  return true;
}

// null can be used as these.
bool is_nullable(const Type& type) {
  return type.is(Type::Kind::opaque) || type.is(Type::Kind::object) || type.is(Type::Kind::duration) ||
         type.is(Type::Kind::timestamp) || type.is(Type::Kind::null) || type.is(Type::Kind::dyn) ||
         type.is(Type::Kind::parameter);
}

}  // namespace

bool is_dyn_or_error(const Type& type) {
  return type.is(Type::Kind::dyn) || type.is(Type::Kind::error);
}

const TypePtr& most_general(const TypePtr& a, const TypePtr& b) {
  return less_or_equally_specific(*a, *b) ? a : b;
}

bool Substitutions::assign(const TypePtr& from, const TypePtr& to) {
  Substitutions tried = *this;
  if (!tried.assignable(from, to)) return false;
  *this = std::move(tried);
  return true;
}

bool Substitutions::assign(const std::vector<TypePtr>& from, const std::vector<TypePtr>& to) {
  Substitutions tried = *this;
  if (!tried.assignable(from, to)) return false;
  *this = std::move(tried);
  return true;
}

const TypePtr* Substitutions::find(const Type& type) const {
  if (!type.is(Type::Kind::parameter)) return nullptr;
  const auto found = bound_.find(type.name);
  return found == bound_.end() ? nullptr : &found->second;
}

bool Substitutions::assignable(const TypePtr& a, const TypePtr& b) {
  if (b->is(Type::Kind::parameter)) {
    const Validity validity = substitute(a, b);
    if (validity.valid) return true;
    if (validity.bound) return false;
  }
  if (a->is(Type::Kind::parameter)) return substitute(b, a).valid;
  if (is_dyn_or_error(*a) || is_dyn_or_error(*b)) return true;
  if (a->is(Type::Kind::null)) return is_nullable(*b);
  if (b->is(Type::Kind::null)) return is_nullable(*a);
  if (a->is(Type::Kind::type)) return b->is(Type::Kind::type);
  if (a->is(Type::Kind::opaque) || a->is(Type::Kind::list) || a->is(Type::Kind::map)) {
    return a->kind == b->kind && a->name == b->name && assignable(a->parameters, b->parameters);
  }
  return a->kind == b->kind && a->name == b->name;
}

bool Substitutions::assignable(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!assignable(a[i], b[i])) return false;
  }
  return true;
}

// Lets `parameter` stand for `type`, or for what is general enough for both.
Substitutions::Validity Substitutions::substitute(const TypePtr& type, const TypePtr& parameter) {
  if (same(*type, *parameter)) return {true, true};
  if (const TypePtr* bound = find(*parameter)) {
    const TypePtr current = *bound;
    if (same(*type, *current)) return {true, true};
    if (!assignable(type, current)) return {false, true};
    const TypePtr& general = most_general(type, current);
    if (occurs_not(*parameter, *general)) bound_[parameter->name] = general;
    return {true, true};
  }
  if (!occurs_not(*parameter, *type)) return {false, false};
  bound_[parameter->name] = type;
  return {true, false};
}

bool Substitutions::occurs_not(const Type& type, const Type& within) const {
  if (same(type, within)) return false;
  if (within.is(Type::Kind::parameter)) {
    const TypePtr* bound = find(within);
    return bound == nullptr || occurs_not(type, **bound);
  }
  for (const TypePtr& one : within.parameters) {
    if (!occurs_not(type, *one)) return false;
  }
  return true;
}

TypePtr Substitutions::apply(const TypePtr& type, bool unbound_to_dyn) const {
  if (const TypePtr* bound = find(*type)) return apply(*bound, unbound_to_dyn);
  if (type->is(Type::Kind::parameter)) return unbound_to_dyn ? make_type(Type::Kind::dyn) : type;
  if (type->parameters.empty()) return type;
  Type out{type->kind, type->name, {}};
  for (const TypePtr& one : type->parameters) out.parameters.push_back(apply(one, unbound_to_dyn));
  return std::make_shared<const Type>(std::move(out));
}

}  // namespace nodebound::cel
