#include "harness/mutants/faults/graph_authorizer.h"

#include <algorithm>

#include "reference/authorizer/node_authorizer.h"

namespace nodebound::mutants {
namespace {

Misreading misreading_of(GraphFault::What what) {
  if (what == GraphFault::What::every_node) return *parse_misreading("node-any");
  if (what == GraphFault::What::every_namespace) return *parse_misreading("namespace-any");
  return [](const Inquiry& asked, const Surroundings&) { return std::vector<Inquiry>{asked}; };
}

}  // namespace

RememberedEdge::RememberedEdge(const GraphFault& fault, const MutantServer& server)
    : server_(server),
      rules_without_(server.flipped.with({fault.edge})),
      with_(server.rules, fault.what),
      without_(rules_without_, fault.what),
      misreading_(misreading_of(fault.what)) {}

void RememberedEdge::changed(const ObjectKey& key, const Change& change) {
  with_.changed(key, change);
  without_.changed(key, change);
}

bool RememberedEdge::leads(const Inquiry& asked, const Cluster& cluster) const {
  const NodeAuthorizer with(server_.rules, with_.cluster().graph());
  // The edge's rule may also grant something itself, so only the paths through the edge are removed.
  const NodeAuthorizer without(server_.rules, without_.cluster().graph());
  const std::vector<Inquiry> questions = misreading_(asked, {cluster, *server_.request});
  return std::any_of(questions.begin(), questions.end(), [&](const Inquiry& question) {
    return with.authorize(question.subject, question.attributes).allowed() &&
           !without.authorize(question.subject, question.attributes).allowed();
  });
}

Decision GraphAuthorizer::authorize(const Subject& subject, const Attributes& attributes) const {
  Decision truth = own_->authorize(subject, attributes);
  if (truth.allowed() || !edge_.leads(Inquiry::of(subject, attributes), cluster_)) return truth;
  return Decision::allow(truth.rule);
}

}  // namespace nodebound::mutants
