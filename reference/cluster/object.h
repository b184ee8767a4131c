#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

/// An API object as JSON.
using Object = nlohmann::json;

/// The member with that name, or null (a JSON null, never a null reference) if `object` has none.
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

/// A string member, as a view into the object; empty if it is missing or not a string.
template <typename... Names>
std::string_view text(const Object& object, Names... names) {
  const Object& found = member(object, names...);
  return found.is_string() ? std::string_view(found.get_ref<const std::string&>()) : std::string_view();
}

/// Whether the value is an empty string.
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

/// Whether two maps or lists are the same; a missing one equals an empty one.
inline bool same_entries(const Object& a, const Object& b) {
  return a == b || (a.empty() && b.empty());
}

inline constexpr std::string_view mirror_annotation = "kubernetes.io/config.mirror";

inline bool is_mirror_pod(const Object& pod) {
  const Object& annotations = member(pod, "metadata", "annotations");
  return annotations.is_object() && annotations.contains(mirror_annotation);
}

}  // namespace nodebound
