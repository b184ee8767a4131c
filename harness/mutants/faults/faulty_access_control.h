#pragma once

#include <memory>

#include "fakes/apiserver/review/access_control.h"
#include "harness/mutants/faults/flipped_rules.h"
#include "harness/mutants/faults/loosened.h"
#include "harness/mutants/faults/remembered_graph.h"
#include "harness/mutants/inquiry.h"
#include "harness/mutants/mutant.h"

namespace nodebound::mutants {

/// What the authorizers and admission plugins of one server share.
struct MutantServer {
  const RuleSet& rules;
  FlippedRules& flipped;
  const HttpRequest*& request;  ///< the request that the server is answering
};

/// An authorizer or admission plugin of the reference as it would be with other rules.
class OtherRules {
 public:
  OtherRules(const MutantServer& server, const Cluster& cluster) : server_(server), cluster_(cluster) {}

  [[nodiscard]] const MutantServer& server() const { return server_; }
  [[nodiscard]] Surroundings around() const { return {cluster_, *server_.request}; }
  [[nodiscard]] const Catalogue& catalogue() const { return server_.rules.catalogue(); }

  /// `mode` is Node or RBAC.
  [[nodiscard]] Ask<Decision> authorizer(AuthorizationMode mode) const;
  /// `name` is that of an admission plugin of the reference.
  [[nodiscard]] Ask<Admission> plugin(const std::string& name, const apiserver::PluginInputs& inputs) const;
  [[nodiscard]] const Cluster& cluster() const { return cluster_; }

 private:
  MutantServer server_;
  const Cluster& cluster_;
};

/// What an authorizer with the loosening answers.
Decision with_fault(const Loosening& fault, const Inquiry& asked, const OtherRules& other_rules,
                    const Ask<Decision>& ask, const Decision& truth);

/// The same for an admission plugin.
Admission with_fault(const Loosening& fault, const Inquiry& asked, const OtherRules& other_rules,
                     const Ask<Admission>& ask, const Admission& truth, std::string_view plugin);

/// The access control of a mutant that is wrong for some questions only. A mutant that flips a whole rule is a server
/// with other rules instead.
std::shared_ptr<apiserver::AccessControl> make_faulty_access_control(const Mutant& mutant, const MutantServer& server);

}  // namespace nodebound::mutants
