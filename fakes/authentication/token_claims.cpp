#include "fakes/authentication/token_claims.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fakes/authentication/repeated_key.h"
#include "fakes/wire/go/go_types.h"

namespace nodebound::authentication {
namespace {

constexpr const char* own_claims = "kubernetes.io";
constexpr std::array<const char*, 4> references{"serviceaccount", "pod", "node", "secret"};

std::string not_text(const Object& value) {
  return value.is_null() || value.is_string() ? "" : cannot_unmarshal(value, "value of type string");
}

/// Go finds no number where one exceeds the range of a double.
std::string not_time(const Object& value) {
  constexpr double beyond = 1e308;
  const bool time = value.is_number() && std::abs(value.get<double>()) < beyond;
  return value.is_null() || time ? "" : "go-jose/go-jose/jwt: expected number value to unmarshal NumericDate";
}

std::string not_audience(const Object& claims) {
  const auto found = claims.find("aud");
  if (found == claims.end() || found->is_string()) return {};
  const bool texts = found->is_array() &&
                     std::all_of(found->begin(), found->end(), [](const Object& each) { return each.is_string(); });
  return texts ? "" : "go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience";
}

std::string first_of(std::initializer_list<std::string> mistakes) {
  for (const std::string& mistake : mistakes) {
    if (!mistake.empty()) return mistake;
  }
  return {};
}

std::string not_reference(const Object& value) {
  if (value.is_null()) return {};
  if (!value.is_object()) return cannot_unmarshal(value, "value of type serviceaccount.ref");
  return first_of({not_text(member(value, "name")), not_text(member(value, "uid"))});
}

std::string own_mistake(const Object& own) {
  if (own.is_null()) return {};
  if (!own.is_object()) return cannot_unmarshal(own, "value of type serviceaccount.kubernetes");
  for (const char* name : references) {
    if (std::string mistake = not_reference(member(own, name)); !mistake.empty()) return mistake;
  }
  return first_of({not_text(member(own, "namespace")), not_time(member(own, "warnafter"))});
}

/// Only objects that Go decodes into structs are checked; others are skipped.
bool is_read(std::string_view place) {
  const std::string own = std::string("/") + own_claims;
  if (place.empty() || place == own) return true;
  return std::any_of(references.begin(), references.end(), [&](const char* name) { return place == own + "/" + name; });
}

}  // namespace

std::string claims_mistake(const Object& claims, std::string_view text) {
  if (const auto key = repeated_key(text, is_read)) return "json: duplicate key '" + *key + "' in object";
  return first_of({not_text(member(claims, "iss")), not_text(member(claims, "sub")), not_audience(claims),
                   not_time(member(claims, "exp")), not_time(member(claims, "nbf")), not_time(member(claims, "iat")),
                   not_text(member(claims, "jti")), own_mistake(member(claims, own_claims))});
}

}  // namespace nodebound::authentication
