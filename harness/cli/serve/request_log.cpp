#include "harness/cli/serve/request_log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "reports/text.h"

namespace nodebound {
namespace {

std::string line_of(const IncomingRequest& request, const AuditEvent& event, const HttpResponse& response) {
  const std::string who = event.impersonated ? event.impersonated->name
                          : event.subject    ? event.subject->name
                                             : "nobody";
  const auto rule = response.headers.find("x-nodebound-rule");
  std::string out = request.method + " " + request.target + " by " + who + ": " + std::to_string(response.status);
  if (rule != response.headers.end()) out += ", " + rule->second;
  // Targets and names are what clients sent.
  return printable(out);
}

}  // namespace

ApiHandler::Answered request_log() {
  auto logger = std::make_shared<spdlog::logger>("requests", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("%H:%M:%S.%e %v", spdlog::pattern_time_type::utc);
  return [logger](const IncomingRequest& request, const AuditEvent& event, const HttpResponse& response) {
    logger->info("{}", line_of(request, event, response));
  };
}

}  // namespace nodebound
