#pragma once

#include <string>
#include <string_view>

namespace nodebound::simulate {

/// An object of a cluster as plans name it: `[NAMESPACE/]RESOURCE/NAME`.
struct ObjectPath {
  std::string resource;  ///< plural name
  std::string namespace_;
  std::string name;

  /// The written form: `shop/secrets/db`.
  [[nodiscard]] std::string text() const {
    return (namespace_.empty() ? "" : namespace_ + "/") + resource + "/" + name;
  }
};

/// Has no name if `text` has no slash. The caller checks whether the resource exists.
inline ObjectPath split_path(std::string_view text) {
  const std::size_t first = text.find('/');
  if (first == std::string_view::npos) return {};
  const std::size_t second = text.find('/', first + 1);
  const std::string head(text.substr(0, first));
  if (second == std::string_view::npos) return {head, "", std::string(text.substr(first + 1))};
  return {std::string(text.substr(first + 1, second - first - 1)), head, std::string(text.substr(second + 1))};
}

}  // namespace nodebound::simulate
