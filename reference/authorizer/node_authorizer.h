#pragma once

#include "reference/authorizer/authorizer.h"
#include "reference/cluster/node_graph.h"

namespace nodebound {

/// Decides what a node may do: read objects tied to it in the graph, use its own Lease, CSINode and ResourceSlices, and
/// follow the static rules of nodes (plugin/pkg/auth/authorizer/node/node_authorizer.go, KEP-279). It never denies.
class NodeAuthorizer final : public Authorizer {
 public:
  /// Both must outlive the authorizer.
  NodeAuthorizer(const RuleSet& rules, const NodeGraph& graph) : rules_(rules), graph_(graph) {}

  [[nodiscard]] std::string_view name() const override { return "node"; }
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override;
  /// Allocates nothing, whether it allows or not.
  [[nodiscard]] Decision decide(const Subject& subject, const Attributes& attributes) const override;
  void explain(Decision& decision, const Subject& subject, const Attributes& attributes) const override;
  /// Never complete for a node: what it may do depends on the node graph.
  [[nodiscard]] SubjectRules rules_for(const Subject& subject, const std::string& namespace_) const override;

 private:
  struct Asked;
  struct CsiNodeRules;
  static const CsiNodeRules csinode_rules;
  static const CsiNodeRules csinodeinfo_rules;

  [[nodiscard]] Decision by_resource(const Asked& asked) const;
  [[nodiscard]] Decision core(const Asked& asked) const;
  [[nodiscard]] Decision read_object(const Asked& asked, ObjectKind kind, Rule grant) const;
  [[nodiscard]] Decision get_object(const Asked& asked, ObjectKind kind, Rule grant) const;
  [[nodiscard]] Decision claim(const Asked& asked) const;
  [[nodiscard]] Decision service_account(const Asked& asked) const;
  [[nodiscard]] Decision lease(const Asked& asked) const;
  [[nodiscard]] Decision attachment(const Asked& asked) const;
  [[nodiscard]] Decision csi_node(const Asked& asked, const CsiNodeRules& of) const;
  [[nodiscard]] Decision csi_node_status(const Asked& asked) const;
  [[nodiscard]] Decision resource_slice(const Asked& asked) const;
  [[nodiscard]] Decision node(const Asked& asked) const;
  [[nodiscard]] Decision pod(const Asked& asked) const;
  [[nodiscard]] Decision pod_certificate_request(const Asked& asked) const;
  [[nodiscard]] Decision related(const Asked& asked, ObjectKind kind, Rule grant) const;
  [[nodiscard]] Decision granted(Rule grant) const;
  [[nodiscard]] Decision static_rules(const Attributes& attributes) const;

  const RuleSet& rules_;
  const NodeGraph& graph_;
};

}  // namespace nodebound
