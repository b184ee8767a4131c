#pragma once

#include <memory>

#include "fakes/http/handler.h"
#include "fakes/serving/api_handler.h"

namespace spdlog {
class logger;
}

namespace nodebound::cli {

/// Logs each answered request on standard error, with the time in UTC. Thread-safe.
///
///     12:00:01.234 GET /api/v1/nodes/b by system:node:a: 403, node-read-own
serving::ApiHandler::Answered request_log();

/// Logs in the same way each request that a handler answers, where nobody knows the subject.
///
///     12:00:01.234 GET /pods: 403
class LoggedHandler final : public HttpHandler {
 public:
  explicit LoggedHandler(HttpHandler& inner);

  HttpResponse handle(const IncomingRequest& request) override;
  std::optional<HttpResponse> handle_without_body(const IncomingRequest& request) override;

 private:
  HttpHandler& inner_;
  std::shared_ptr<spdlog::logger> log_;
};

}  // namespace nodebound::cli
