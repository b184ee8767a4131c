#pragma once

#include "reference/admission/admission.h"
#include "reference/authorizer/authorizer.h"
#include "reference/cluster/cluster.h"

namespace nodebound {

/// Limits a node's writes to its own objects and pods (plugin/pkg/admission/noderestriction/admission.go, KEP-279). It
/// checks the object as submitted, before the strategy resets any field, so a forbidden change counts even through a
/// status update.
class NodeRestriction final : public AdmissionPlugin {
 public:
  /// All must outlive the plugin. `authorizer` says which audiences a node was granted.
  NodeRestriction(const RuleSet& rules, const Cluster& cluster, const Authorizer& authorizer)
      : rules_(rules), cluster_(cluster), authorizer_(authorizer) {}

  [[nodiscard]] std::string_view name() const override { return "NodeRestriction"; }
  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override;

 private:
  // node_restriction_pods.cpp
  [[nodiscard]] Admission pod(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission pod_delete(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission pod_create(std::string_view node, const Object& pod) const;
  [[nodiscard]] Admission pod_owner(std::string_view node, const Object& pod) const;
  [[nodiscard]] Admission pod_references(std::string_view node, const Object& pod) const;
  [[nodiscard]] Admission volume_references(std::string_view node, const Object& pod) const;
  [[nodiscard]] Admission pod_status(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission pod_eviction(std::string_view node, const AdmissionRequest& request) const;

  // node_restriction_nodes.cpp
  [[nodiscard]] Admission node(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission labels(std::string_view node, const Object& object, const Object& old_object,
                                 Operation operation) const;
  [[nodiscard]] Admission contents(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] bool allowed_label(std::string_view key) const;

  // node_restriction_tokens.cpp
  [[nodiscard]] Admission token(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission audience(const AdmissionRequest& request, const Object& pod) const;

  // node_restriction_certificates.cpp
  [[nodiscard]] Admission certificate_request(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission pod_certificate_request(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission certificate_of_pod(const AdmissionRequest& request, const Object& pod) const;
  [[nodiscard]] Admission signer_of_certificate(const AdmissionRequest& request, const Object& pod) const;

  // node_restriction.cpp
  [[nodiscard]] Admission claim(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission lease(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission csi_node_info(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission csi_node(std::string_view node, const AdmissionRequest& request) const;
  [[nodiscard]] Admission resource_slice(std::string_view node, const AdmissionRequest& request) const;

  const RuleSet& rules_;
  const Cluster& cluster_;
  const Authorizer& authorizer_;
};

}  // namespace nodebound
