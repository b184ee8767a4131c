#pragma once

#include <set>
#include <string>
#include <string_view>

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/http.h"
#include "harness/scenario/request_text.h"
#include "harness/scenario/scenario.h"
#include "reference/cluster/object.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// Gives what one scenario calls by short names the names that no other scenario, run or user of the cluster has.
/// Namespaces, cluster-scoped objects and nodes get the prefix; objects in a namespace of the scenario keep theirs, and
/// so does `system:…` and what is written `=name`, which may be percent-encoded. A namespace `=like-this-{own}` begins
/// like this, and has a name of the scenario's own in it.
class Names {
 public:
  /// What the target serves: its group versions as observed, and what a release as it is judged by has of each. Both
  /// must outlive the names.
  struct Served {
    const std::set<std::string>& group_versions;
    const ApiResources& resources;
  };

  Names(std::string run_id, std::size_t scenario_number, Served served);

  /// The group whose members the administrator lets past the authorizers, so that admission is met alone.
  [[nodiscard]] std::string widened_group() const { return "nodebound:" + run_id_ + ":widened"; }

  [[nodiscard]] std::string cluster_scoped(std::string_view name) const;
  [[nodiscard]] std::string namespace_name(std::string_view name) const;
  [[nodiscard]] std::string object_name(const RequestText& request) const;

  /// Whether a name is kept, where others could have an object of it.
  [[nodiscard]] bool shares_name(const RequestText& request) const;

  /// `v1` or `certificates.k8s.io/v1beta1`: the newest version that has the resource and that the target serves, or
  /// else the newest that it serves of the same group.
  [[nodiscard]] std::string api_version(const RequestText& request) const;

  /// Kind and API version of what is sent to the request's resource or subresource.
  [[nodiscard]] Object envelope(const RequestText& request) const;

  /// Path of the object, or of the collection where the request names none or `collection` says so.
  [[nodiscard]] std::string path(const RequestText& request, bool collection = false) const;

  /// Who a check asks as. `widened` adds the group that RBAC lets do everything.
  [[nodiscard]] Subject subject(const Scenario& scenario, std::string_view as, bool widened = false) const;

  /// Node that the check's subject is, as the target knows it; empty if it is none.
  [[nodiscard]] std::string node_of(std::string_view as) const;

  [[nodiscard]] const std::string& run_id() const { return run_id_; }

 private:
  std::string run_id_;
  std::string prefix_;
  [[nodiscard]] const ApiResource* served_resource(const RequestText& request) const;
  /// `{node}` and `{ns shop}` as they are called on the target.
  [[nodiscard]] std::string with_own_names(std::string_view text) const;

  Served served_;
};

}  // namespace nodebound
