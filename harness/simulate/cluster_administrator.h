#pragma once

#include <optional>
#include <set>
#include <string>

#include "harness/simulate/load_balancer.h"
#include "harness/simulate/object_path.h"

namespace nodebound {

/// `/api/v1/namespaces/shop/secrets/db`; without a name, the collection.
std::string api_path(const std::string& group_version, const std::string& resource, const std::string& namespace_,
                     const std::string& name = {});

/// Whoever runs the cluster of a plan: may do anything, and does what controllers would.
class ClusterAdministrator {
 public:
  explicit ClusterAdministrator(LoadBalancer& servers) : servers_(servers) {}

  HttpResponse call(const char* method, const std::string& target, const Object& body = nullptr);

  /// Creates an object, its namespace with it; replaces one that is there.
  Result<void> apply(Object object, const std::string& where);
  /// That it is not there is well.
  Result<void> remove(const ObjectPath& gone, const std::string& where);
  /// Nothing if it is not there.
  std::optional<Object> find(const ObjectPath& path);
  /// Empty if it is not there.
  std::string uid_of(const ObjectPath& path);
  /// With what controllers put into each: a ServiceAccount and the root certificates. One that it has made is there.
  void make_namespace(const std::string& name);
  /// The version in which the server has a resource, `v1` or `apps/v1`; empty if it has none.
  std::string served_version(const std::string& resource);

 private:
  LoadBalancer& servers_;
  std::set<std::string> namespaces_;  ///< that it has made, and not deleted
};

}  // namespace nodebound
