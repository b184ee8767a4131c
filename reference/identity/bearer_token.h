#pragma once

#include <string_view>

#include "reference/identity/subject.h"

namespace nodebound {

/// The token of an `Authorization` header; empty if there is none. As upstream, a second blank before the token hides
/// it (staging/src/k8s.io/apiserver/pkg/authentication/request/bearertoken/bearertoken.go).
std::string_view bearer_token(std::string_view header);

/// Whether a second blank hides the token of an `Authorization` header.
bool hides_token(std::string_view header);

/// `subject` with the group system:authenticated, unless it is anonymous or already in system:authenticated or
/// system:unauthenticated (staging/src/k8s.io/apiserver/pkg/authentication/group/authenticated_group_adder.go).
Subject authenticated(Subject subject);

/// The subject of a request without credentials.
Subject anonymous_subject();

}  // namespace nodebound
