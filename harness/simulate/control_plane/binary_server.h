#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "harness/endpoint/control_plane.h"
#include "harness/endpoint/credentials/identity.h"
#include "harness/endpoint/subject_session.h"
#include "harness/simulate/clock/simulated_clock.h"
#include "harness/simulate/control_plane/planned_servers.h"
#include "harness/simulate/control_plane/server_builds.h"

namespace nodebound::simulate {

/// Real builds of kube-apiserver, one after the other on one etcd. Subjects ask with client certificates; service
/// accounts are impersonated. The server uses the machine's clock, not the plan's.
///
/// An API server learns of writes by watching itself, a little later. In a plan, seconds lie between a write and the
/// requests that may notice it; here there would be no delay. So a request at a later time of the plan, or after one by
/// the administrator, waits until the server has caught up, and no refusal is caused by delay.
class BinaryServer final : public PlannedServers {
 public:
  BinaryServer(std::vector<ServerBuild> builds, const SimulatedClock& clock)
      : builds_(std::move(builds)), clock_(clock) {}

  /// The only server has number 0.
  Result<void> start(std::size_t number, const Plan::ControlPlane& control_plane) override;
  HttpResponse handle(std::size_t number, const Subject& subject, const HttpRequest& request) override;
  void tick() override {}
  [[nodiscard]] bool streams() const override { return false; }
  [[nodiscard]] bool settles_at_once() const override { return false; }
  [[nodiscard]] bool knows_tokens() const override { return false; }

  /// Why the last unanswered request has no answer.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  [[nodiscard]] std::size_t unanswered() const { return unanswered_; }

 private:
  Result<std::unique_ptr<HttpClient>> connect(const Subject& subject);
  [[nodiscard]] BinaryOptions options_for(const ServerBuild& build, const Plan::ControlPlane& control_plane) const;
  HttpResponse send(const Subject& subject, const HttpRequest& request);
  void wait_until_it_knows(bool administrator);
  void note_write(bool administrator);

  struct Write {
    std::chrono::steady_clock::time_point real;
    fake_kubelet::KubeletTime planned;
    bool administrator = false;
  };

  std::vector<ServerBuild> builds_;
  const SimulatedClock& clock_;
  std::unique_ptr<ControlPlane> plane_;
  std::unique_ptr<CertificateStore> certificates_;
  std::unique_ptr<SubjectSession> session_;
  std::optional<Write> write_;  ///< the last write that the server may not know of yet
  std::optional<Error> failure_;
  std::size_t unanswered_ = 0;
};

}  // namespace nodebound::simulate
