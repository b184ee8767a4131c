#include "harness/endpoint/server_settings.h"

#include <algorithm>

namespace nodebound {

bool ServerSettings::has(AuthorizationMode mode) const {
  return std::find(authorization_modes.begin(), authorization_modes.end(), mode) != authorization_modes.end();
}

std::string ServerSettings::abac_policy_file() const {
  std::string out;
  for (const std::string& line : abac_policy) out += line + '\n';
  return out;
}

}  // namespace nodebound
