#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/kubelet/settings.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// Where a request ends up that was sent to a kubelet.
struct KubeletRoute {
  enum class Kind {
    handler,             ///< `handler` answers it
    not_found,           ///< no path of the kubelet: before authentication
    redirect,            ///< to `location`, before authentication
    no_route,            ///< below a path of the kubelet, but nothing there: after authentication
    method_not_allowed,  ///< `allowed` are; after authentication
    disabled             ///< switched off, as `message` says; after authentication
  };

  Kind kind = Kind::not_found;
  std::string handler;  ///< id of its entry in routes.toml: `pods`, `exec`
  std::string path;     ///< decoded: what authorization sees
  std::string location;
  std::vector<std::string> allowed;
  std::string message;
  std::vector<std::string> parameters;  ///< values of the variables in the path: namespace, pod, …

  /// Whether it is asked first who sends it, and whether they may.
  [[nodiscard]] bool is_guarded() const { return kind != Kind::not_found && kind != Kind::redirect; }
};

/// The paths of a kubelet of one release: Go's ServeMux before, go-restful's router behind authentication
/// (pkg/kubelet/server/server.go).
class KubeletRoutes {
 public:
  enum class Port { main, read_only };

  KubeletRoutes(const RuleSet& rules, const KubeletSettings& settings, Port port = Port::main);

  /// `target` has path and query, percent-encoded.
  [[nodiscard]] KubeletRoute find(std::string_view method, std::string_view target) const;

  /// The status of a redirect.
  [[nodiscard]] int redirect_status() const { return redirect_status_; }

 private:
  struct Template {
    std::vector<std::string> segments;  ///< `{}` is a variable, `*` all that is left
    std::vector<std::string> methods;   ///< none: any
    std::string handler;
  };
  /// What is registered with the ServeMux: one path, or, with a slash at its end, all below it.
  struct Pattern {
    std::string path;
    std::string handler;              ///< answers the path whatever the method is
    std::vector<Template> templates;  ///< or these are looked through
    std::string disabled;             ///< or it is switched off
  };

  void add(Pattern pattern);
  [[nodiscard]] const Pattern* pattern_of(std::string_view path) const;
  [[nodiscard]] KubeletRoute below(const Pattern& pattern, std::string_view method, std::string path) const;

  std::vector<Pattern> patterns_;
  bool escaped_paths_;
  int redirect_status_;
};

}  // namespace nodebound
