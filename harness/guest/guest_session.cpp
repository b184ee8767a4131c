#include "harness/guest/guest_session.h"

namespace nodebound::guest {

std::unique_ptr<Session> open_run_session(Endpoint& endpoint, const std::string& scenario, const std::string& run_id,
                                          bool keeps_dry_runs) {
  auto session = endpoint.open_session_of(scenario);
  if (endpoint.disposable()) return session;
  return std::make_unique<GuestSession>(std::move(session), RunBounds(run_id, keeps_dry_runs));
}

}  // namespace nodebound::guest
