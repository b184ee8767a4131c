#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fakes/authentication/service_account_tokens.h"
#include "fakes/wire/http.h"

namespace nodebound::authentication {

/// What others need to verify service account tokens without asking this server about each: the OpenID provider
/// configuration and the keys (KEP-1393). `server_url` is where this server can be reached. Nothing at other paths, and
/// nothing at all if the issuer is no https URL (pkg/serviceaccount/openidmetadata.go).
std::optional<HttpResponse> issuer_document(const ServiceAccountTokens& tokens, const std::string& server_url,
                                            std::string_view path);

}  // namespace nodebound::authentication
