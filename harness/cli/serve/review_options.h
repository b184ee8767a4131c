#pragma once

#include <cstdint>
#include <string>

#include "fakes/kubelet_api/review_client.h"

namespace nodebound::cli {

/// Seconds since 1970.
std::int64_t seconds_now();

/// How a kubelet of this process sends its reviews: by the machine's clock, with real waits, which end early once the
/// process has been told to end.
kubelet_api::ReviewClient::Options review_options(const std::string& content_type);

}  // namespace nodebound::cli
