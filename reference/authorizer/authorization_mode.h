#pragma once

#include <string>
#include <vector>

#include "reference/result.h"

namespace nodebound {

/// An authorizer, as kube-apiserver's flag --authorization-mode names it.
enum class AuthorizationMode { node, rbac, abac, webhook, always_allow, always_deny };

/// `Node`, `RBAC`, `ABAC`, `Webhook`, `AlwaysAllow` or `AlwaysDeny`.
const char* to_string(AuthorizationMode mode);

/// `Node,RBAC`
std::string to_text(const std::vector<AuthorizationMode>& modes);

/// An input error at `where` that says which modes there are, if the text is none.
Result<AuthorizationMode> parse_authorization_mode(const std::string& where, const std::string& text);

}  // namespace nodebound
