#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nodebound::lint {

/// A flag of kube-apiserver: `--name=value` or `--name value`.
struct ApiServerFlag {
  std::string name;
  std::string value;
  std::size_t line = 0;  ///< from 1
};

class ApiServerFlags {
 public:
  ApiServerFlags() = default;
  explicit ApiServerFlags(std::vector<ApiServerFlag> flags) : flags_(std::move(flags)) {}

  [[nodiscard]] bool empty() const { return flags_.empty(); }
  /// The last flag of that name, which counts; null if there is none.
  [[nodiscard]] const ApiServerFlag* find(std::string_view name) const;
  /// The items of all flags of that name, which are lists: `a,b`.
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const;
  /// The first flag whose name begins so; null if there is none.
  [[nodiscard]] const ApiServerFlag* beginning_with(std::string_view prefix) const;

 private:
  std::vector<ApiServerFlag> flags_;
};

/// The flags of kube-apiserver in the command of a Pod manifest (YAML or JSON), behind `ExecStart=` in a unit file, or
/// in a shell command. None if the text runs no kube-apiserver.
ApiServerFlags read_apiserver_flags(std::string_view text);

}  // namespace nodebound::lint
