#pragma once

#include <set>
#include <string>
#include <string_view>

#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"
#include "harness/scenario/request_text.h"
#include "harness/scenario/scenario.h"
#include "reference/cluster/object.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// Maps the short names of one scenario to names that no other scenario, run or user of the cluster has. Namespaces,
/// cluster-scoped objects and nodes get a prefix. Objects in a namespace of the scenario keep their names, as do
/// `system:…` and names written `=name`, which may be percent-encoded. A namespace `=like-this-{own}` keeps this
/// beginning, followed by a unique part.
class Names {
 public:
  /// What the target serves: the group versions that were observed, and the resources of the release by which it is
  /// judged. Both must outlive the names.
  struct Served {
    const std::set<std::string>& group_versions;
    const ApiResources& resources;
  };

  Names(std::string run_id, std::size_t scenario_number, Served served);

  /// The group that the administrator lets past the authorizers, so that requests test admission alone.
  [[nodiscard]] std::string widened_group() const { return "nodebound:" + run_id_ + ":widened"; }

  [[nodiscard]] std::string cluster_scoped(std::string_view name) const;
  [[nodiscard]] std::string namespace_name(std::string_view name) const;
  [[nodiscard]] std::string object_name(const RequestText& request) const;

  /// Whether a name stays unchanged although others could have an object of that name.
  [[nodiscard]] bool shares_name(const RequestText& request) const;

  /// `v1` or `certificates.k8s.io/v1beta1`: the newest version that has the resource and that the target serves;
  /// otherwise the newest that the target serves of the same group.
  [[nodiscard]] std::string api_version(const RequestText& request) const;

  /// Kind and API version of the body for the request's resource or subresource.
  [[nodiscard]] Object envelope(const RequestText& request) const;

  /// The path of the object; of the collection if the request names none or `collection` is set.
  [[nodiscard]] std::string path(const RequestText& request, bool collection = false) const;

  /// The subject of a check that is not the administrator. `widened` adds the group to which RBAC allows everything.
  [[nodiscard]] Subject subject(const Scenario& scenario, const SubjectText& as, bool widened = false) const;

  [[nodiscard]] const std::string& run_id() const { return run_id_; }

 private:
  std::string run_id_;
  std::string prefix_;
  [[nodiscard]] const ApiResource* served_resource(const RequestText& request) const;
  /// The names on the target for `{node}` and `{ns shop}`.
  [[nodiscard]] std::string with_own_names(std::string_view text) const;

  Served served_;
};

}  // namespace nodebound
