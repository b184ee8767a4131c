#pragma once

#include "fakes/apiserver/webhooks/ask_webhook.h"

namespace nodebound::cli {

/// Reaches admission webhooks over the network, and keeps the connections to them.
apiserver::AdmissionWebhooks admission_webhooks();

}  // namespace nodebound::cli
