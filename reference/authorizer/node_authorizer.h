#pragma once

#include <cstdint>

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
  enum class Grants : std::uint8_t { nothing, all, what_leads };
  /// What a decision is made of; small, so that it is returned in a register. The reason follows from the rule.
  struct Ruling {
    Rule rule;
    Grants grants;
    ObjectKind kind;  ///< of the object that must lead to the node, for `what_leads`
  };
  static Ruling allowed_by(Rule rule) { return {rule, Grants::all, ObjectKind()}; }
  static Ruling refused_by(Rule rule) { return {rule, Grants::nothing, ObjectKind()}; }
  static const CsiNodeRules csinode_rules;
  static const CsiNodeRules csinodeinfo_rules;

  [[nodiscard]] Ruling by_resource(const Asked& asked) const;
  [[nodiscard]] Ruling core(const Asked& asked) const;
  [[nodiscard]] Ruling read_object(const Asked& asked, ObjectKind kind, Rule grant) const;
  [[nodiscard]] Ruling get_object(const Asked& asked, ObjectKind kind, Rule grant) const;
  [[nodiscard]] Ruling claim(const Asked& asked) const;
  [[nodiscard]] Ruling service_account(const Asked& asked) const;
  [[nodiscard]] Ruling lease(const Asked& asked) const;
  [[nodiscard]] Ruling attachment(const Asked& asked) const;
  [[nodiscard]] Ruling csi_node(const Asked& asked, const CsiNodeRules& of) const;
  [[nodiscard]] Ruling csi_node_status(const Asked& asked) const;
  [[nodiscard]] Ruling resource_slice(const Asked& asked) const;
  [[nodiscard]] Ruling node(const Asked& asked) const;
  [[nodiscard]] Ruling pod(const Asked& asked) const;
  [[nodiscard]] Ruling pod_certificate_request(const Asked& asked) const;
  [[nodiscard]] Ruling related(const Asked& asked, ObjectKind kind, Rule grant) const;
  [[nodiscard]] Ruling granted(Rule grant) const;
  [[nodiscard]] Ruling static_rules(const Attributes& attributes) const;

  const RuleSet& rules_;
  const NodeGraph& graph_;
};

}  // namespace nodebound
