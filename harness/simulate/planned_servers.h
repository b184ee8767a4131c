#pragma once

#include <memory>
#include <string>

#include "fakes/apiserver/http.h"
#include "harness/simulate/plan.h"
#include "harness/simulate/simulated_clock.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// The API servers of a plan, on one store: what is written through one of them is seen through all.
class PlannedServers {
 public:
  virtual ~PlannedServers() = default;

  /// Has one of that version and with those flags take the place of server `number`, whose watches end, or be the next
  /// of them. What was written stays.
  virtual Result<void> start(std::size_t number, const Plan::ControlPlane& control_plane) = 0;

  /// Errors of the way there are answers with status 0.
  virtual HttpResponse handle(std::size_t number, const Subject& subject, const HttpRequest& request) = 0;

  /// Ends watches whose time has come. To be called now and then.
  virtual void tick() = 0;

  /// Whether watches go on and tell of what changes.
  [[nodiscard]] virtual bool streams() const = 0;

  /// Whether what is written decides at once, so that the same request is answered alike until something is written.
  [[nodiscard]] virtual bool settles_at_once() const = 0;

  /// Whether they review tokens of the plan, whose time is the plan's.
  [[nodiscard]] virtual bool knows_tokens() const = 0;
};

/// The reference, in process, at the time of `clock`, which must outlive it.
std::unique_ptr<PlannedServers> make_reference_servers(const Catalogue& catalogue, const SimulatedClock& clock);

}  // namespace nodebound
