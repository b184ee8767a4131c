#pragma once

#include "fakes/apiserver/webhooks/ask_webhook.h"

namespace nodebound {

/// Reaches admission webhooks over the network, and keeps the connections to them.
AdmissionWebhooks admission_webhooks();

}  // namespace nodebound
