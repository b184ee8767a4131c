#pragma once

#include <string>

#include "fakes/wire/http.h"
#include "harness/simulate/clock/simulated_clock.h"
#include "harness/simulate/plan/plan.h"
#include "reference/identity/subject.h"

namespace nodebound::simulate {

/// The API servers of a plan, on one store: a write through one of them is visible through all.
class PlannedServers {
 public:
  virtual ~PlannedServers() = default;

  /// Replaces server `number` by one of that version and with those flags, or adds it if it is the next number. The
  /// watches of a replaced server end. Stored objects stay.
  virtual Result<void> start(std::size_t number, const Plan::ControlPlane& control_plane) = 0;

  /// Transport errors are answers with status 0.
  virtual HttpResponse handle(std::size_t number, const Subject& subject, const HttpRequest& request) = 0;

  /// Ends watches whose time is over. Call it regularly.
  virtual void tick() = 0;

  /// Whether watches stay open and report changes.
  [[nodiscard]] virtual bool streams() const = 0;

  /// Whether a write affects decisions at once, so that a repeated request gets the same answer until the next write.
  [[nodiscard]] virtual bool settles_at_once() const = 0;

  /// Whether they authenticate tokens of the plan, which expire on the plan's clock.
  [[nodiscard]] virtual bool knows_tokens() const = 0;
};

}  // namespace nodebound::simulate
