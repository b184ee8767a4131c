#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "fakes/apiserver/policies/matched_write.h"
#include "fakes/apiserver/webhooks/ask_webhook.h"
#include "fakes/store/change.h"
#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/admission/admission.h"
#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

/// Which webhooks: those that may change an object, or those that only see what will be stored.
enum class WebhookKind { mutating, validating };

/// An entry of a webhook configuration.
struct AdmissionWebhook {
  std::string configuration;
  std::size_t index = 0;     ///< among all webhooks of its kind, in the order in which they are asked
  ObjectPtr of;              ///< the configuration, which never changes
  std::size_t position = 0;  ///< in it

  [[nodiscard]] const Object& entry() const;
  [[nodiscard]] std::string name() const { return std::string(text(entry(), "name")); }
  /// Names it among all.
  [[nodiscard]] std::string id() const;
  [[nodiscard]] bool ignores_failures() const { return text(entry(), "failurePolicy") == "Ignore"; }
  [[nodiscard]] bool asked_again() const { return text(entry(), "reinvocationPolicy") == "IfNeeded"; }
  /// Whether it may be asked about what is not to be stored.
  [[nodiscard]] bool takes_dry_runs() const;
  /// The first version of AdmissionReview that it takes and API servers send; empty if there is none.
  [[nodiscard]] std::string review_version() const;
  [[nodiscard]] std::chrono::seconds time() const;
};

/// The webhooks that are configured, in the order in which they are asked.
std::vector<AdmissionWebhook> configured_webhooks(const Cluster& cluster, WebhookKind kind);

/// The resource, in the version of the webhook's rule, as which a webhook is asked about a write; null if it is not.
/// The error is the answer to a write in a namespace that does not exist.
tl::expected<const ApiResource*, HttpResponse> matched_by(const AdmissionWebhook& webhook, const MatchedWrite& write,
                                                          const Cluster& cluster, const ApiResources& resources);

/// Where a webhook is asked. The error says why that cannot be known.
tl::expected<WebhookRequest, std::string> request_to(const AdmissionWebhook& webhook, const Cluster& cluster);

}  // namespace nodebound::apiserver
