#pragma once

#include <string>
#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound::authentication {

/// Why kube-apiserver cannot read the claims of a service account token (go-jose's jwt.Claims, and privateClaims of
/// pkg/serviceaccount/claims.go), in its words; empty if it can. `text` is the JSON of the claims: a repeated key is an
/// error, too.
std::string claims_mistake(const Object& claims, std::string_view text);

}  // namespace nodebound::authentication
