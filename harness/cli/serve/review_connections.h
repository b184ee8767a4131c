#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "fakes/kubelet_api/review_client.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/endpoint/https_client.h"

namespace nodebound::cli {

/// Sends reviews to the API server of a kubeconfig, over as many connections as there are concurrent reviews.
class ReviewConnections final : public kubelet_api::ReviewTransport {
 public:
  explicit ReviewConnections(Kubeconfig kubeconfig) : kubeconfig_(std::move(kubeconfig)) {}

  /// An input error if the kubeconfig does not suffice for a connection.
  Result<void> check();

  Reply post(const HttpRequest& request) override;

 private:
  Result<std::unique_ptr<HttpClient>> client();

  Kubeconfig kubeconfig_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<HttpClient>> idle_;
};

/// For a kubelet without an API server: every review fails.
class NoReviews final : public kubelet_api::ReviewTransport {
 public:
  Reply post(const HttpRequest& /*request*/) override { return {}; }
};

}  // namespace nodebound::cli
