#pragma once

#include <optional>
#include <set>
#include <string>

#include "fakes/wire/requests.h"
#include "harness/simulate/control_plane/load_balancer.h"
#include "harness/simulate/plan/object_path.h"

namespace nodebound::simulate {

/// The administrator of a plan's cluster: may do everything, and does the work of controllers.
class ClusterAdministrator {
 public:
  explicit ClusterAdministrator(LoadBalancer& servers) : servers_(servers) {}

  HttpResponse call(const char* method, const std::string& target, const Object& body = nullptr);

  /// Creates an object, and its namespace if necessary. Replaces an existing object.
  Result<void> apply(Object object, const std::string& where);
  /// Deletes an object. Also succeeds if it does not exist.
  Result<void> remove(const ObjectPath& gone, const std::string& where);
  /// Nothing if the object does not exist.
  std::optional<Object> find(const ObjectPath& path);
  /// Empty if the object does not exist.
  std::string uid_of(const ObjectPath& path);
  /// Creates the namespace with what controllers put into each: a ServiceAccount and the root certificates. Does so
  /// once for each namespace.
  void make_namespace(const std::string& name);
  /// The API version in which the server has a resource, `v1` or `apps/v1`; empty if it has none.
  std::string served_version(const std::string& resource);

 private:
  LoadBalancer& servers_;
  std::set<std::string> namespaces_;  ///< created and not deleted
};

}  // namespace nodebound::simulate
