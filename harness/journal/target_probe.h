#pragma once

#include <string>

#include "harness/endpoint/endpoint.h"
#include "harness/journal/journal.h"

namespace nodebound::journal {

/// The identity of the endpoint's cluster.
ClusterIdentity identify(Endpoint& endpoint);

/// Tries what the target does with a dry run, on a Namespace of the run's own, and removes whatever it stored. The
/// journal keeps the result, so this happens once.
Result<DryRuns> try_dry_run(Endpoint& endpoint, Journal& journal, const std::string& run);

/// Whether dry runs are known to have no effect there.
bool keeps_dry_runs(Endpoint& endpoint, Journal& journal, const std::string& run);

}  // namespace nodebound::journal
