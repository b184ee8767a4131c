#pragma once

#include <memory>

#include "harness/mutants/faults/faulty_access_control.h"
#include "harness/mutants/faults/remembered_graph.h"

namespace nodebound::mutants {

/// The cluster of a graph fault, once with the wrong edge and once without.
class RememberedEdge {
 public:
  RememberedEdge(const GraphFault& fault, const MutantServer& server);

  void changed(const ObjectKey& key, const Change& change);

  /// Whether the wrong edge leads the node to what it asks for.
  [[nodiscard]] bool leads(const Inquiry& asked, const Cluster& cluster) const;

 private:
  MutantServer server_;
  const RuleSet& rules_without_;
  RememberedGraph with_;
  RememberedGraph without_;
  Misreading misreading_;  ///< for faults whose edge leads too far
};

/// Lets nodes have what only the wrong edge leads to.
class GraphAuthorizer final : public Authorizer {
 public:
  GraphAuthorizer(std::unique_ptr<Authorizer> own, const RememberedEdge& edge, const Cluster& cluster)
      : own_(std::move(own)), edge_(edge), cluster_(cluster) {}

  [[nodiscard]] std::string_view name() const override { return own_->name(); }
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override;
  [[nodiscard]] SubjectRules rules_for(const Subject& subject, const std::string& namespace_) const override {
    return own_->rules_for(subject, namespace_);
  }

 private:
  std::unique_ptr<Authorizer> own_;
  const RememberedEdge& edge_;
  const Cluster& cluster_;
};

}  // namespace nodebound::mutants
