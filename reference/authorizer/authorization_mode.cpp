#include "reference/authorizer/authorization_mode.h"

#include <array>

namespace nodebound {
namespace {

constexpr std::array mode_names = {"Node", "RBAC", "ABAC", "Webhook", "AlwaysAllow", "AlwaysDeny"};

}  // namespace

const char* to_string(AuthorizationMode mode) {
  return mode_names[static_cast<std::size_t>(mode)];
}

std::string to_text(const std::vector<AuthorizationMode>& modes) {
  std::string out;
  for (const AuthorizationMode mode : modes) out += (out.empty() ? "" : ",") + std::string(to_string(mode));
  return out;
}

Result<AuthorizationMode> parse_authorization_mode(const std::string& where, const std::string& text) {
  for (std::size_t i = 0; i < mode_names.size(); ++i) {
    if (text == mode_names[i]) return static_cast<AuthorizationMode>(i);
  }
  return input_error(where, "\"" + text + "\" is not a valid mode",
                     "there are Node, RBAC, ABAC, Webhook, AlwaysAllow and AlwaysDeny");
}

}  // namespace nodebound
