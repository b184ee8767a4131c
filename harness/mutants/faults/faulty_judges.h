#pragma once

#include <memory>

#include "fakes/apiserver/review/judges.h"
#include "harness/mutants/faults/flipped_rules.h"
#include "harness/mutants/faults/loosened.h"
#include "harness/mutants/faults/remembered_graph.h"
#include "harness/mutants/inquiry.h"
#include "harness/mutants/mutant.h"

namespace nodebound {

/// What the judges of one server share.
struct Bench {
  const RuleSet& rules;
  FlippedRules& flipped;
  const HttpRequest*& request;  ///< the request that the server is answering
};

/// An authorizer or admission plugin of the reference as it would be with other rules.
class Chambers {
 public:
  Chambers(const Bench& bench, const Cluster& cluster) : bench_(bench), cluster_(cluster) {}

  [[nodiscard]] const Bench& bench() const { return bench_; }
  [[nodiscard]] Surroundings around() const { return {cluster_, *bench_.request}; }
  [[nodiscard]] const Catalogue& catalogue() const { return bench_.rules.catalogue(); }

  /// `mode` is Node or RBAC.
  [[nodiscard]] Ask<Decision> authorizer(AuthorizationMode mode) const;
  /// `name` is that of an admission plugin of the reference.
  [[nodiscard]] Ask<Admission> plugin(const std::string& name, const Authorizer& authorizers) const;
  [[nodiscard]] const Cluster& cluster() const { return cluster_; }

 private:
  Bench bench_;
  const Cluster& cluster_;
};

/// What an authorizer with the loosening answers.
Decision with_fault(const Loosening& fault, const Inquiry& asked, const Chambers& chambers, const Ask<Decision>& ask,
                    const Decision& truth);

/// The same for an admission plugin.
Admission with_fault(const Loosening& fault, const Inquiry& asked, const Chambers& chambers, const Ask<Admission>& ask,
                     const Admission& truth, std::string_view plugin);

/// The judges of a mutant that is wrong for some questions only. A mutant that flips a whole rule is a server with
/// other rules instead.
std::shared_ptr<Judges> make_faulty_judges(const Mutant& mutant, const Bench& bench);

}  // namespace nodebound
