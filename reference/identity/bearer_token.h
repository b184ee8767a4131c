#pragma once

#include <string_view>

#include "reference/identity/subject.h"

namespace nodebound {

/// The token of an `Authorization` header; empty if it has none. As upstream, a second blank hides it
/// (staging/src/k8s.io/apiserver/pkg/authentication/request/bearertoken/bearertoken.go).
std::string_view bearer_token(std::string_view header);

/// `subject` as whoever was authenticated is known: in system:authenticated, unless it is said already what it is in
/// (staging/src/k8s.io/apiserver/pkg/authentication/group/authenticated_group_adder.go).
Subject authenticated(Subject subject);

/// Whoever shows no credential.
Subject anonymous_subject();

}  // namespace nodebound
