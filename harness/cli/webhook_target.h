#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/endpoint/admission/admission_endpoint.h"
#include "harness/endpoint/authorizer/watched_cluster.h"
#include "harness/endpoint/authorizer/webhook_decider.h"
#include "harness/endpoint/https_client.h"

namespace nodebound::cli {

/// Flags that say how a webhook under test is reached, and how it reaches the cluster that it decides on.
struct WebhookTargetFlags {
  std::string version = "v1";
  std::string config_file;
  std::string ca_file;
  std::string certificate_file;
  std::string key_file;
  std::string token_file;
  std::chrono::milliseconds wait = std::chrono::seconds(60);
  std::chrono::milliseconds settle_within = std::chrono::seconds(15);
  std::uint16_t cluster_port = 0;
  std::string cluster_folder;

  void add_to(CLI::App& command);
};

/// Where the webhook is and what it is shown. `url` is the target's, or empty if the flags name a kubeconfig.
Result<webhook::WebhookAddress> webhook_address_of(const WebhookTargetFlags& flags, const std::string& url);

/// A webhook under test and the cluster that it watches.
struct WatchingWebhook {
  std::string url;
  std::unique_ptr<WatchedCluster> cluster;
  std::shared_ptr<WebhookDecider> decider;
};

/// Serves the cluster, says where its kubeconfig is, and waits until the webhook answers.
Result<WatchingWebhook> open_authorization_webhook(const WebhookTargetFlags& flags, const std::string& url,
                                                   const RequestLimits& limits,
                                                   const std::shared_ptr<AuthorizerCluster>& cluster);

/// An admission webhook under test and the cluster that it watches, and whose API server asks it.
struct WatchingAdmission {
  std::unique_ptr<WatchedCluster> cluster;
  std::unique_ptr<Endpoint> endpoint;
};

/// Serves the cluster, says where its kubeconfig is, waits until the webhook answers, and makes the endpoint.
Result<WatchingAdmission> open_admission_webhook(const WebhookTargetFlags& flags, const std::string& target,
                                                 const std::string& url, const RuleSet& rules);

}  // namespace nodebound::cli
