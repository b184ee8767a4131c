#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// Which object of a cluster, in the words of plans: `[NAMESPACE/]RESOURCE/NAME`.
struct ObjectPath {
  std::string resource;  ///< plural name
  std::string namespace_;
  std::string name;

  /// `shop/secrets/db`, as it is written.
  [[nodiscard]] std::string text() const {
    return (namespace_.empty() ? "" : namespace_ + "/") + resource + "/" + name;
  }
};

/// Without a name if `text` has no slash. Whether there is such a resource is for the caller to see.
inline ObjectPath split_path(std::string_view text) {
  const std::size_t first = text.find('/');
  if (first == std::string_view::npos) return {};
  const std::size_t second = text.find('/', first + 1);
  const std::string head(text.substr(0, first));
  if (second == std::string_view::npos) return {head, "", std::string(text.substr(first + 1))};
  return {std::string(text.substr(first + 1, second - first - 1)), head, std::string(text.substr(second + 1))};
}

}  // namespace nodebound
