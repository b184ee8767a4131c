#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/kubelet/settings.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The destination of a request to a kubelet.
struct KubeletRoute {
  enum class Kind {
    handler,             ///< `handler` answers it
    not_found,           ///< not a path of the kubelet: 404 before authentication
    redirect,            ///< to `location`, before authentication
    no_route,            ///< nothing at this place below a path of the kubelet: 404 after authentication
    method_not_allowed,  ///< only the methods in `allowed` are; after authentication
    not_acceptable,      ///< only `produces` is available; after authentication
    disabled             ///< switched off, as `message` says: 405 after authentication
  };

  Kind kind = Kind::not_found;
  std::string handler;  ///< a name in routes.toml: `pods`, `exec`
  std::string path;     ///< decoded, for authorization
  std::string location;
  std::vector<std::string> allowed;
  std::string produces;
  std::string message;
  std::vector<std::string> parameters;  ///< values of the path's variables: namespace, pod, …

  /// Whether the request is authenticated and authorized first.
  [[nodiscard]] bool is_guarded() const { return kind != Kind::not_found && kind != Kind::redirect; }
};

/// The paths of a kubelet of one release: Go's ServeMux, and behind authentication go-restful's router
/// (pkg/kubelet/server/server.go). Immutable.
class KubeletRoutes {
 public:
  enum class Port { main, read_only };

  KubeletRoutes(const RuleSet& rules, const KubeletSettings& settings, Port port = Port::main);

  /// `target` has path and query, percent-encoded; `accept` is the header, empty for none.
  [[nodiscard]] KubeletRoute find(std::string_view method, std::string_view target, std::string_view accept = {}) const;

  /// The HTTP status of a redirect.
  [[nodiscard]] int redirect_status() const { return redirect_status_; }

  struct Template {
    std::vector<std::string> segments;  ///< `{}` is a variable; `*` at the end matches the rest
    std::vector<std::string> methods;
    std::string handler;
  };

  /// A pattern registered with the ServeMux: one path or, with a slash at its end, everything below it.
  struct Pattern {
    std::string path;
    std::size_t root = 0;             ///< how many segments the root of a web service has; 0 if it is no web service
    std::vector<Template> templates;  ///< of the web service
    std::string handler;              ///< otherwise the handler that answers any method
    std::string produces;
    std::string message;  ///< or the message that it is switched off
  };

 private:
  [[nodiscard]] const Pattern* exactly(std::string_view path) const;
  [[nodiscard]] const Pattern* match(std::string_view path) const;

  std::vector<Pattern> patterns_;
  bool escaped_paths_;
  int redirect_status_;
};

}  // namespace nodebound
