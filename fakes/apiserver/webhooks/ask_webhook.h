#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <tl/expected.hpp>

namespace nodebound::apiserver {

/// One request to an admission webhook.
struct WebhookRequest {
  std::string url;           ///< as errors show it, without the time-out that is added to it
  std::string connect_host;  ///< where a Service's webhook is; empty: where the URL says
  std::string connect_port;
  std::string ca_pem;  ///< whom to trust; empty: the authorities of the system
  std::chrono::seconds time{10};
  std::string body;  ///< an AdmissionReview
};

/// Sends a request to an admission webhook: the body of its answer, or the error in client-go's words. Called from
/// several threads, while others read and write.
using AskAdmissionWebhook = std::function<tl::expected<std::string, std::string>(const WebhookRequest& request)>;

/// How an API server reaches the admission webhooks that its configurations name.
struct AdmissionWebhooks {
  AskAdmissionWebhook ask = nullptr;           ///< null: they are not asked
  std::function<std::string()> uid = nullptr;  ///< draws the uid of a review or of an object
};

}  // namespace nodebound::apiserver
