#include "harness/cli/serve/request_log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "reports/text.h"

namespace nodebound::cli {
namespace {

std::shared_ptr<spdlog::logger> logger_of_requests() {
  auto logger = std::make_shared<spdlog::logger>("requests", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("%H:%M:%S.%e %v", spdlog::pattern_time_type::utc);
  return logger;
}

// Targets and names are what clients sent.
std::string line_of(const IncomingRequest& request, const HttpResponse& response) {
  return printable(request.method + " " + request.target + ": " + std::to_string(response.status));
}

std::string line_of(const IncomingRequest& request, const serving::AuditEvent& event, const HttpResponse& response) {
  const std::string who = event.impersonated ? event.impersonated->name
                          : event.subject    ? event.subject->name
                                             : "nobody";
  const auto rule = response.headers.find("x-nodebound-rule");
  std::string out = request.method + " " + request.target + " by " + who + ": " + std::to_string(response.status);
  if (rule != response.headers.end()) out += ", " + rule->second;
  return printable(out);
}

}  // namespace

serving::ApiHandler::Answered request_log() {
  return [logger = logger_of_requests()](const IncomingRequest& request, const serving::AuditEvent& event,
                                         const HttpResponse& response) {
    logger->info("{}", line_of(request, event, response));
  };
}

LoggedHandler::LoggedHandler(HttpHandler& inner) : inner_(inner), log_(logger_of_requests()) {}

HttpResponse LoggedHandler::handle(const IncomingRequest& request) {
  HttpResponse response = inner_.handle(request);
  log_->info("{}", line_of(request, response));
  return response;
}

std::optional<HttpResponse> LoggedHandler::handle_without_body(const IncomingRequest& request) {
  std::optional<HttpResponse> response = inner_.handle_without_body(request);
  if (response) log_->info("{}", line_of(request, *response));
  return response;
}

}  // namespace nodebound::cli
