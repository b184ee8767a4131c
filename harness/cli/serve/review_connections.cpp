#include "harness/cli/serve/review_connections.h"

namespace nodebound::cli {

Result<void> ReviewConnections::check() {
  auto made = client();
  if (!made) return tl::unexpected(made.error());
  idle_.push_back(std::move(*made));
  return {};
}

// The token file is read for each connection, because its content is replaced while a kubelet runs.
Result<std::unique_ptr<HttpClient>> ReviewConnections::client() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto out = std::move(idle_.back());
      idle_.pop_back();
      return out;
    }
  }
  const auto credentials = credentials_of(kubeconfig_);
  if (!credentials) return tl::unexpected(credentials.error());
  // The review client itself decides whether to repeat a review whose connection was reset.
  return make_http_client(kubeconfig_.server, *credentials, {}, Repeats::never);
}

kubelet_api::ReviewTransport::Reply ReviewConnections::post(const HttpRequest& request) {
  auto connection = client();
  if (!connection) return {};
  auto response = (*connection)->send(request);
  if (!response) return {{}, response.error().connection == Error::Connection::closed};
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(*connection));
  return {std::move(*response), false};
}

}  // namespace nodebound::cli
