#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/check/names.h"
#include "harness/endpoint/endpoint.h"
#include "harness/guest/unrunnable.h"
#include "harness/journal/journaled_session.h"
#include "harness/scenario/scenario.h"

namespace nodebound {

/// The binding that `widen` creates.
inline constexpr std::string_view widening_request = "create clusterrolebindings/widened";

/// Prepares and changes the target for one scenario, with the endpoint's own credentials, and removes what it made.
class Administrator {
 public:
  /// `is_guest` says that others use the cluster, or that of a target that is asked the same questions.
  Administrator(Endpoint& endpoint, Session& session, const Names& names, journal::Journal& journal,
                bool is_guest = false, Circumstances& circumstances = real_circumstances())
      : endpoint_(endpoint),
        session_(endpoint, session, journal, names.run_id()),
        names_(names),
        is_guest_(is_guest || !endpoint.disposable()),
        circumstances_(circumstances) {}

  /// All requests to the target go through this session, so that what they make is removed at the end.
  [[nodiscard]] Session& session() { return session_; }

  [[nodiscard]] Circumstances& circumstances() { return circumstances_; }

  /// Sends a request as the administrator. Statuses 429 and 5xx are retried for a while.
  Result<HttpResponse> send(const std::string& method, const std::string& target, const Object& body,
                            const std::string& content_type = "application/json");

  Result<void> perform(const Action& action);

  /// Requests the token at its first use, and keeps it.
  Result<std::string> token(const TokenText& wanted);

  /// Namespaces, each with the service account for pods, are made when something first needs them.
  Result<void> ensure_namespace(const std::string& name);

  /// Creates an object for the scenario, labelled and recorded.
  Result<void> create(const RequestText& target, Object body);

  /// Has RBAC allow everything to the scenario's widened group, so that requests test admission alone.
  Result<void> widen();

  Result<Object> get(const RequestText& target);

  /// The paths of the objects that it has made; some may be gone.
  [[nodiscard]] std::vector<std::string> made() const;

  /// Whether others use the cluster too: then nothing that the run makes there may be able to run.
  [[nodiscard]] bool is_guest() const { return is_guest_; }

  /// An object with its placeholders filled in: `{a}`, `{ns shop}`, `{uid nodes/a}`, `{csr system:node:{a}}`.
  Result<Object> resolve(const Object& object);
  Result<std::string> resolve(const std::string& text);

  /// Removes what was made through the session, in reverse order. Returns an error for each failure.
  std::vector<Error> clean_up();

 private:
  /// POST of an object. Also succeeds if an unanswered earlier attempt has made it.
  Result<Object> post(const std::string& collection, const std::string& path, const Object& body);
  /// Whether one of the scenario's pods controls the object.
  [[nodiscard]] bool is_of_own_pod(const Object& object) const;
  /// Gives an object that a controller of the cluster made first what ours has more.
  Result<Object> complete(const std::string& path, const Object& body);
  [[nodiscard]] Result<void> may_touch(const RequestText& target) const;
  Result<void> remove(const RequestText& target);
  Result<void> bind(const Action& action);
  Result<void> change(const Action& action);
  Result<void> expect_success(const Result<HttpResponse>& response, const std::string& doing);

  Endpoint& endpoint_;
  journal::JournaledSession session_;
  const Names& names_;
  bool is_guest_;
  Circumstances& circumstances_;
  std::vector<std::string> namespaces_;
  std::map<std::string, std::string> tokens_;             ///< by subject
  std::map<std::string, std::vector<std::string>> uids_;  ///< all UIDs of the objects at a path, the present one last
};

}  // namespace nodebound
