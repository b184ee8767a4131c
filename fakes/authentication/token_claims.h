#pragma once

#include <string>
#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound {

/// What Go says of a JSON value that is to become a value of the type.
std::string cannot_be(const Object& value, const char* type);

/// What kube-apiserver cannot read of the claims of a token of a service account (go-jose's jwt.Claims, and
/// privateClaims of pkg/serviceaccount/claims.go), in its words; empty if it reads all. `text` is what they were read
/// from: a key that is there twice is a mistake, too.
std::string claims_mistake(const Object& claims, std::string_view text);

}  // namespace nodebound
