#pragma once

#include <string>

#include "fakes/wire/http.h"

namespace nodebound {

/// What a Go client makes of an answer that is an error and no Status.
struct ResponseError {
  std::string reason;
  std::string words;
};

/// `said` is what the server wrote (NewGenericServerResponse in apimachinery's pkg/api/errors).
ResponseError response_error(int status, const std::string& said);

/// The error that client-go returns for an answer of that status: the Status in the body, or else words of its own
/// (transformResponse in its rest/request.go).
std::string error_words(const HttpResponse& response);

}  // namespace nodebound
