#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "fakes/apiserver/http.h"
#include "reference/identity/subject.h"
#include "reference/result.h"

namespace nodebound {

/// What a target was seen to be, never what it or its owner says without a look.
struct Observation {
  /// `gitVersion` of `/version`, for example `v1.36.3`.
  std::string version;
  /// Feature gates of `/metrics` (`kubernetes_feature_enabled`); empty where the target does not serve them.
  std::map<std::string, bool> feature_gates;
  /// `group/version` of every API group version that is served; `v1` for the core group.
  std::set<std::string> api_versions;
};

/// A place to send requests from, used by one thread: it keeps a connection for each subject that has asked.
class Session {
 public:
  virtual ~Session() = default;

  /// Sends one request as `subject`. An error means that no HTTP answer came back (refused, reset, timed out, TLS);
  /// any answer, a refusal too, is a response.
  virtual Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) = 0;
};

/// Puts something between a session and who uses it.
using WrapSession = std::function<std::unique_ptr<Session>(std::unique_ptr<Session>)>;

/// Something that answers requests of the Kubernetes API: the embedded reference, or a real API server.
class Endpoint {
 public:
  virtual ~Endpoint() = default;

  /// How the target is named on the command line and in reports; holds no secret.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual const Observation& observed() const = 0;

  /// The subject that sets scenarios up and asks SubjectAccessReviews: the endpoint sends its requests with the
  /// strongest credentials it has.
  [[nodiscard]] virtual const Subject& administrator() const = 0;

  /// True where a write is visible to every later decision: then there is nothing to wait for.
  [[nodiscard]] virtual bool decides_on_latest_state() const = 0;

  /// True where the target ends with the run, so that nothing made on it has to be removed.
  [[nodiscard]] virtual bool disposable() const = 0;

  /// Where a target is that does not end with the run, and by what it is known.
  struct Address {
    std::string server;     ///< URL
    std::string authority;  ///< SHA-256 of the authorities its certificate is checked by; empty: those of the system
  };
  [[nodiscard]] virtual Address address() const { return {}; }

  /// What the endpoint itself makes on its target, to come by certificates, goes through `wrap` from now on. Before
  /// anything else is asked of it, or not at all.
  virtual void wrap_own_requests(WrapSession /*wrap*/) {}

  /// Thread-safe. A session must not outlive its endpoint.
  virtual std::unique_ptr<Session> open_session() = 0;

  /// The context of a kubeconfig by which a cluster was named; empty for other targets.
  [[nodiscard]] virtual std::string context() const { return {}; }
};

}  // namespace nodebound
