#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "fakes/wire/http.h"
#include "harness/endpoint/capability.h"
#include "harness/endpoint/circumstances.h"
#include "harness/endpoint/server_settings.h"
#include "reference/identity/subject.h"
#include "reference/result.h"

namespace nodebound {

/// What a target was observed to be, not what it or its owner claims.
struct Observation {
  /// `gitVersion` of `/version`, for example `v1.36.3`.
  std::string version;
  /// Feature gates of `/metrics` (`kubernetes_feature_enabled`); empty where the target does not serve them.
  std::map<std::string, bool> feature_gates;
  /// `group/version` of every API group version that is served; `v1` for the core group.
  std::set<std::string> api_versions;
};

/// A place to send requests from, for one thread. It keeps a connection for each subject that has asked.
class Session {
 public:
  virtual ~Session() = default;

  /// Sends one request as `subject`. An error means that no HTTP answer came back (refused, reset, timed out, TLS).
  /// Every HTTP answer, including a refusal, is a response.
  virtual Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) = 0;
};

/// Wraps a session, to see or change what passes through it.
using WrapSession = std::function<std::unique_ptr<Session>(std::unique_ptr<Session>)>;

/// Something that answers requests to the Kubernetes API: the embedded reference, or a real API server.
class Endpoint {
 public:
  virtual ~Endpoint() = default;

  /// The target's name on the command line and in reports; contains no secret.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual const Observation& observed() const = 0;

  /// What it can be asked.
  [[nodiscard]] virtual Capabilities capabilities() const { return of_api_server(); }

  /// Starts another target like this one, but with these settings. It ends with what is returned, which this endpoint
  /// must outlive. Only for one with Capability::own_server; call it from the main thread.
  virtual Result<std::unique_ptr<Endpoint>> start_with(const ServerSettings& settings);

  /// The subject that sets scenarios up and asks SubjectAccessReviews: the endpoint sends its requests with the
  /// strongest credentials it has.
  [[nodiscard]] virtual const Subject& administrator() const = 0;

  /// True if every write is visible to all later decisions, so that there is nothing to wait for.
  [[nodiscard]] virtual bool decides_on_latest_state() const = 0;

  /// True if the target learns of writes by watching a cluster of ours, where nothing else keeps it from it: if it does
  /// not come to know one, what it then refuses unduly is its own fault.
  [[nodiscard]] virtual bool must_learn_of_writes() const { return false; }

  /// True if the target ends with the run, so that nothing has to be removed from it.
  [[nodiscard]] virtual bool disposable() const = 0;

  /// The identity of a target that outlives the run.
  struct Address {
    std::string server;     ///< URL
    std::string authority;  ///< SHA-256 of the authorities that its certificate is checked by; empty: the system's
  };
  [[nodiscard]] virtual Address address() const { return {}; }

  /// From now on, what the endpoint itself makes on its target to get certificates goes through `wrap`. Call it before
  /// anything else is asked of the endpoint, or not at all.
  virtual void wrap_own_requests(WrapSession /*wrap*/) {}

  /// Thread-safe. A session must not outlive its endpoint.
  virtual std::unique_ptr<Session> open_session() = 0;

  /// Ends the conversation with the target after the last question. An error if what it did then or before makes its
  /// answers unreliable.
  [[nodiscard]] virtual Result<void> finish() { return {}; }

  /// A session for all requests of the scenario with this id. A scenario has one.
  virtual std::unique_ptr<Session> open_session_of(const std::string& /*scenario*/) { return open_session(); }

  /// Those of the scenario, as long as its session is open; with an empty id, of what the run does between scenarios.
  virtual Circumstances& circumstances_of(const std::string& /*scenario*/) { return real_circumstances(); }

  /// The kubeconfig context by which the user named the cluster; empty for other targets.
  [[nodiscard]] virtual std::string context() const { return {}; }
};

}  // namespace nodebound
