#pragma once

#include <set>
#include <string>
#include <string_view>

#include "fakes/apiserver/http.h"
#include "harness/scenario/request_text.h"
#include "harness/scenario/scenario.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// Gives what one scenario calls by short names the names that no other scenario, run or user of the cluster has.
/// Namespaces, cluster-scoped objects and nodes get the prefix; objects in a namespace of the scenario keep theirs, and
/// so does `system:…` and what is written `=name`, which may be percent-encoded.
class Names {
 public:
  /// `served` are the group versions of the target, as observed; it must outlive the names.
  Names(std::string run_id, std::size_t scenario_number, const std::set<std::string>& served);

  /// The group whose members the administrator lets past the authorizers, so that admission is met alone.
  [[nodiscard]] std::string widened_group() const { return "nodebound:" + run_id_ + ":widened"; }

  [[nodiscard]] std::string cluster_scoped(std::string_view name) const;
  [[nodiscard]] std::string namespace_name(std::string_view name) const;
  [[nodiscard]] std::string object_name(const RequestText& request) const;

  /// `v1` or `certificates.k8s.io/v1beta1`: the version that scenarios are written for, or else the newest that the
  /// target serves of the same group.
  [[nodiscard]] std::string api_version(const RequestText& request) const;

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
  const std::set<std::string>& served_;
};

/// Percent-encodes a query value.
std::string query_encoded(std::string_view text);

}  // namespace nodebound
