#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/run/journal.h"
#include "harness/run/names.h"
#include "harness/scenario/scenario.h"

namespace nodebound {

inline constexpr std::string_view run_label = "nodebound.dev/run";

/// What `widen` makes.
inline constexpr std::string_view widening_request = "create clusterrolebindings/widened";

/// Prepares and changes the target for one scenario, with the endpoint's own credentials, and removes what it made.
class Administrator {
 public:
  Administrator(Endpoint& endpoint, Session& session, const Names& names, Journal& journal)
      : endpoint_(endpoint), session_(session), names_(names), journal_(journal) {}

  /// Sends a request as the administrator; statuses 429 and 5xx are tried again for a while.
  Result<HttpResponse> send(const std::string& method, const std::string& target, const Object& body,
                            const std::string& content_type = "application/json");

  Result<void> perform(const Action& action);

  /// Namespaces, with the service account that pods run as, are made when something first needs them.
  Result<void> ensure_namespace(const std::string& name);

  /// Creates an object of the scenario's own making, labelled and recorded.
  Result<void> create(const RequestText& target, Object body);

  /// Has RBAC let the scenario's widened group do everything, so that admission is met alone.
  Result<void> widen();

  Result<Object> get(const RequestText& target);

  /// Sees to it that what somebody else is about to make is removed at the end, too; not where its name may be that of
  /// an object of others.
  void expect(const RequestText& target);

  /// An object with its placeholders filled in: `{a}`, `{ns shop}`, `{uid nodes/a}`, `{csr system:node:{a}}`.
  Result<Object> resolve(const Object& object);
  Result<std::string> resolve(const std::string& text);

  /// Removes what was made, in reverse order. Every failure is one of the errors.
  std::vector<Error> clean_up();

 private:
  [[nodiscard]] Result<void> may_touch(const RequestText& target) const;
  Result<void> remove(const RequestText& target);
  Result<void> bind(const Action& action);
  Result<void> change(const Action& action);
  Result<void> expect_success(const Result<HttpResponse>& response, const std::string& doing);

  Endpoint& endpoint_;
  Session& session_;
  const Names& names_;
  Journal& journal_;
  std::vector<std::string> namespaces_;
  std::vector<std::string> made_;                         ///< paths
  std::map<std::string, std::vector<std::string>> uids_;  ///< that the objects at a path have had, the present one last
};

/// Deletes an object at once, without grace period, and takes its finalizers away if they hold it back. An object that
/// is not there is no error; the path of a collection is one, as a cluster is shared with others.
Result<void> delete_object(Session& session, const Subject& administrator, const std::string& path);

}  // namespace nodebound
