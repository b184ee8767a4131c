#pragma once

#include <memory>
#include <string>

#include "fakes/apiserver/http.h"
#include "harness/simulate/plan.h"
#include "harness/simulate/simulated_clock.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// The API server of a plan: one after the other, on one store.
class PlannedServer {
 public:
  virtual ~PlannedServer() = default;

  /// Has one of that version and with those flags take the place of the one that runs. What was written stays.
  virtual Result<void> start(const Plan::ControlPlane& control_plane) = 0;

  /// Errors of the way there are answers with status 0.
  virtual HttpResponse handle(const Subject& subject, const HttpRequest& request) = 0;

  /// Ends watches whose time has come. To be called now and then.
  virtual void tick() = 0;

  /// Whether watches go on and tell of what changes.
  [[nodiscard]] virtual bool streams() const = 0;
};

/// The reference, in process, at the time of `clock`, which must outlive it.
std::unique_ptr<PlannedServer> make_reference_server(const Catalogue& catalogue, const SimulatedClock& clock);

}  // namespace nodebound
