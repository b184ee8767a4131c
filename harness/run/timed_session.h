#pragma once

#include <chrono>
#include <memory>

#include "harness/endpoint/endpoint.h"

namespace nodebound {

/// Counts the requests of a session and their time, so that the run's own share can be computed. Knows whether the last
/// request was answered.
class TimedSession final : public Session {
 public:
  /// What it counts in must outlive the session.
  TimedSession(std::unique_ptr<Session> session, std::size_t& requests, double& seconds, bool& unanswered)
      : session_(std::move(session)), requests_(requests), seconds_(seconds), unanswered_(unanswered) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    const auto started = std::chrono::steady_clock::now();
    Result<HttpResponse> response = session_->send(subject, request);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    ++requests_;
    unanswered_ = !response;
    return response;
  }

 private:
  std::unique_ptr<Session> session_;
  std::size_t& requests_;
  double& seconds_;
  bool& unanswered_;
};

}  // namespace nodebound
