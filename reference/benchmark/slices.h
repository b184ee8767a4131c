#pragma once

#include <iosfwd>
#include <span>
#include <utility>

#include "reference/authorizer/node_authorizer.h"
#include "reference/benchmark/topology.h"
#include "reference/cluster/two_copies.h"

namespace nodebound {

/// A graph and the authorizer that asks it.
struct Decider {
  Decider(const RuleSet& rules, NodeGraph made) : graph(std::move(made)), authorizer(rules, graph) {}
  Decider(const Decider&) = delete;
  Decider& operator=(const Decider&) = delete;

  NodeGraph graph;
  NodeAuthorizer authorizer;
};
using SharedDecider = TwoCopies<Decider>;

/// Answers the lines of `in`, so that ci/benchmark/authorizer can let two authorizers take turns (the other is
/// ci/go/benchmark):
///
///     decide FROM TO COUNT    makes COUNT decisions about the requests FROM to TO, in turn, and prints
///                             "slice BUSY TOOK ALLOCATIONS": nanoseconds of the processor, and of the clock
///     explain FROM TO COUNT   the same, with the reasons of refusals written
///     beside FROM TO COUNT    decides as next to a writer: each decision is a read of its own
///     write PER_SECOND        from now on adds and removes pods, so often; 0 ends it. Prints "slice WRITES 0 0". Then
///                             only `beside` reads while the writer gets on
///
/// Returns whether it understood all lines.
bool answer_slices(std::istream& in, std::ostream& out, SharedDecider& shared, std::span<const Request> requests);

}  // namespace nodebound
