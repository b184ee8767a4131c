#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

/// An API object as it is written in JSON.
using Object = nlohmann::json;

/// The member of that name, or null (a JSON null, never a null reference) if `object` has none.
inline const Object& member(const Object& object, std::string_view name) {
  static const Object null;
  if (!object.is_object()) return null;
  const auto found = object.find(name);
  return found == object.end() ? null : *found;
}

template <typename... Names>
const Object& member(const Object& object, std::string_view first, Names... rest) {
  return member(member(object, first), rest...);
}

/// A string member, as a view into the object; empty if there is none or it is no string.
template <typename... Names>
std::string_view text(const Object& object, Names... names) {
  const Object& found = member(object, names...);
  return found.is_string() ? std::string_view(found.get_ref<const std::string&>()) : std::string_view();
}

/// A string, with nothing in it.
inline bool is_empty_text(const Object& value) {
  return value.is_string() && value.get_ref<const std::string&>().empty();
}

/// The strings among a list's items.
inline std::vector<std::string> strings_of(const Object& list) {
  std::vector<std::string> out;
  for (const Object& item : list) {
    if (item.is_string()) out.push_back(item.get<std::string>());
  }
  return out;
}

template <typename... Names>
bool is_true(const Object& object, Names... names) {
  const Object& found = member(object, names...);
  return found.is_boolean() && found.get<bool>();
}

/// A map or list that is missing says the same as one without entries.
inline bool same_entries(const Object& a, const Object& b) {
  return a == b || (a.empty() && b.empty());
}

inline constexpr std::string_view mirror_annotation = "kubernetes.io/config.mirror";

inline bool is_mirror_pod(const Object& pod) {
  const Object& annotations = member(pod, "metadata", "annotations");
  return annotations.is_object() && annotations.contains(mirror_annotation);
}

}  // namespace nodebound
