#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "fakes/apiserver/webhooks/ask_webhook.h"
#include "harness/endpoint/authorizer/authorizer_endpoint.h"

namespace nodebound {

/// An admission webhook under test: where it is, and whom to trust.
struct AdmissionTarget {
  std::string name;  ///< of the target
  std::string url;
  std::string ca_pem;  ///< empty: the authorities of the system
};

/// The options of the API server that asks it: as an authorizer's cluster, without admission plugins of its own.
apiserver::ApiServer::Options options_of_admission_cluster(const RuleSet& rules, apiserver::AdmissionWebhooks webhooks);

/// Waits until the webhook answers an AdmissionReview. An error if it does not within the time.
Result<void> await_admission_webhook(const apiserver::AdmissionWebhooks& webhooks, const AdmissionTarget& target,
                                     std::chrono::milliseconds time);

/// An endpoint whose admission is the webhook alone: the API server of `cluster` asks it about every write of what
/// nodes write. Once it has not answered ten times in a row, nothing more is asked.
Result<std::unique_ptr<Endpoint>> make_admission_endpoint(const AdmissionTarget& target,
                                                          std::shared_ptr<AuthorizerCluster> cluster);

}  // namespace nodebound
