#pragma once

#include <memory>
#include <string>

#include "harness/endpoint/endpoint.h"
#include "harness/guest/run_bounds.h"

namespace nodebound::guest {

/// A session at a cluster that others use. It sends only what RunBounds allow; any other request is an error of kind
/// `withheld`.
class GuestSession final : public Session {
 public:
  GuestSession(std::unique_ptr<Session> session, RunBounds bounds)
      : session_(std::move(session)), bounds_(std::move(bounds)) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    if (const auto allowed = bounds_.allow(request); !allowed) return tl::unexpected<Error>(allowed.error());
    auto response = session_->send(subject, request);
    if (response) bounds_.note(request, *response);
    return response;
  }

 private:
  std::unique_ptr<Session> session_;
  RunBounds bounds_;
};

/// The session of a scenario. If the target outlives the run, the session stays within the run's bounds.
std::unique_ptr<Session> open_run_session(Endpoint& endpoint, const std::string& scenario, const std::string& run_id,
                                          bool keeps_dry_runs);

}  // namespace nodebound::guest
