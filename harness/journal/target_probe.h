#pragma once

#include <string>

#include "harness/endpoint/endpoint.h"
#include "harness/journal/journal.h"

namespace nodebound {

/// By what the endpoint's cluster is told from others.
ClusterIdentity identify(Endpoint& endpoint);

/// Tries what the target does with dry runs, with a Namespace of the run's own, and sees to it that nothing of that
/// stays. The journal remembers it: it is tried once.
Result<DryRuns> try_dry_run(Endpoint& endpoint, Journal& journal, const std::string& run);

/// Whether a dry run is known to have no effect there.
bool keeps_dry_runs(Endpoint& endpoint, Journal& journal, const std::string& run);

}  // namespace nodebound
