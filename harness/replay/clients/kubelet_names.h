#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "harness/replay/audit_event.h"

namespace nodebound::replay {

/// Of which nodes kubelets are that do not say so by their user name: by what a request names, or by what another one
/// from the same address named. In memory that does not grow with the log.
class KubeletNames {
 public:
  /// The request as it would be with a name of the kubelet's own; nothing if its node is not known.
  std::optional<LoggedRequest> with_own_name(const LoggedRequest& request);

 private:
  static constexpr std::size_t most_addresses = 200'000;

  std::map<std::string, std::string> by_address_;
};

}  // namespace nodebound::replay
