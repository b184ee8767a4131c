#include "fakes/wire/go/response_error.h"

#include <array>

#include "fakes/wire/go/json.h"
#include "reference/cluster/object.h"
#include "reference/release/refusal_text.h"

namespace nodebound {
namespace {

struct KnownStatus {
  int status;
  const char* reason;
  const char* words;
};

// Those whose words do not depend on what the server wrote.
constexpr std::array known_statuses = {
    KnownStatus{401, "Unauthorized", "the server has asked for the client to provide credentials"},
    KnownStatus{404, "NotFound", "the server could not find the requested resource"},
    KnownStatus{405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
    KnownStatus{409, "Conflict", "the server reported a conflict"},
    KnownStatus{422, "Invalid", "the server rejected our request due to an error in our request"},
    KnownStatus{429, "TooManyRequests",
                "the server has received too many requests and has asked us to try again later"},
    KnownStatus{503, "ServiceUnavailable", "the server is currently unable to handle the request"},
    KnownStatus{504, "Timeout",
                "the server was unable to return a response in the time allotted, but may still be processing the "
                "request"}};

std::string trimmed_text(const std::string& text) {
  constexpr const char* spaces = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(spaces);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

}  // namespace

ResponseError response_error(int status, const std::string& said) {
  for (const KnownStatus& own : known_statuses) {
    if (own.status == status) return {own.reason, own.words};
  }
  if (status == 403) return {"Forbidden", said};
  if (status == 406) return {"NotAcceptable", said};
  if (status == 415) return {"UnsupportedMediaType", said};
  if (status >= 500) {
    return {"InternalError",
            "an error on the server (" + go_quoted(said) + ") has prevented the request from succeeding"};
  }
  return {"", "the server responded with the status code " + std::to_string(status) +
                  " but did not return more information"};
}

std::string error_words(const HttpResponse& response) {
  const Object body = read_json(response.body).value_or(nullptr);
  if (text(body, "kind") == "Status" && text(body, "apiVersion") == "v1" && text(body, "status") != "Success") {
    return std::string(text(body, "message"));
  }
  const bool is_text = response.content_type.empty() || response.content_type.starts_with("text/");
  return response_error(response.status, is_text ? trimmed_text(response.body) : "unknown").words;
}

}  // namespace nodebound
