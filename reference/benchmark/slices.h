#pragma once

#include <iosfwd>
#include <span>

#include "reference/authorizer/node_authorizer.h"
#include "reference/benchmark/topology.h"

namespace nodebound {

/// Answers the lines of `in`, so that ci/benchmark/authorizer can let two authorizers take turns (the other is
/// ci/go/benchmark):
///
///     decide FROM TO COUNT    makes COUNT decisions about the requests FROM to TO, in turn, and prints
///                             "slice BUSY TOOK ALLOCATIONS": nanoseconds of the processor, and of the clock
///     explain FROM TO COUNT   the same, with the reasons of refusals written
///     write PER_SECOND        from now on adds and removes pods, so often; 0 ends it. Prints "slice WRITES 0 0". While
///                             pods are written, decisions lock the graph as the fake API server does.
///
/// Returns whether it understood all lines.
bool answer_slices(std::istream& in, std::ostream& out, const NodeAuthorizer& authorizer, NodeGraph& graph,
                   std::span<const Request> requests);

}  // namespace nodebound
