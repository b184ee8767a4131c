#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "fakes/kubelet_api/review_client.h"
#include "harness/endpoint/https_client.h"
#include "harness/endpoint/kubeconfig.h"

namespace nodebound {

/// Carries reviews to the API server of a kubeconfig, over as many connections as there are reviews at a time.
class ReviewConnections final : public ReviewTransport {
 public:
  explicit ReviewConnections(Kubeconfig kubeconfig) : kubeconfig_(std::move(kubeconfig)) {}

  /// An input error if no connection can be made with what the kubeconfig has.
  Result<void> check();

  Reply post(const HttpRequest& request) override;

 private:
  Result<std::unique_ptr<HttpClient>> client();

  Kubeconfig kubeconfig_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<HttpClient>> idle_;
};

/// Of a kubelet that has no API server: no review ever comes back.
class NoReviews final : public ReviewTransport {
 public:
  Reply post(const HttpRequest& /*request*/) override { return {}; }
};

}  // namespace nodebound
