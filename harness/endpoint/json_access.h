#pragma once

#include <nlohmann/json.hpp>
#include <string>

/// Reads members of JSON from a server. Nothing in it is reliable, so a member of the wrong type counts as absent.
namespace nodebound {

/// A string member, or empty.
inline std::string text_at(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A list member, or an empty list.
inline nlohmann::json list_at(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return nlohmann::json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : nlohmann::json::array();
}

/// An object member, or an empty object.
inline nlohmann::json object_at(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return nlohmann::json::object();
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : nlohmann::json::object();
}

}  // namespace nodebound
