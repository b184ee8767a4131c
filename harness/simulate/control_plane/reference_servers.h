#pragma once

#include <memory>

#include "harness/simulate/control_plane/planned_servers.h"

namespace nodebound::simulate {

/// The reference in process, at the time of `clock`, which must outlive it.
std::unique_ptr<PlannedServers> make_reference_servers(const Catalogue& catalogue, const SimulatedClock& clock);

}  // namespace nodebound::simulate
