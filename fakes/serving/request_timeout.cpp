#include "fakes/serving/request_timeout.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "fakes/apiserver/status.h"
#include "fakes/wire/go/go_duration.h"

namespace nodebound::serving {
namespace {

constexpr std::array<std::string_view, 5> long_subresources = {"attach", "exec", "proxy", "log", "portforward"};

bool may_run_long(const Attributes& attributes) {
  if (attributes.verb == "watch" || attributes.verb == "proxy") return true;
  if (!attributes.resource_request) return attributes.path.starts_with("/debug/pprof/");
  return std::find(long_subresources.begin(), long_subresources.end(), attributes.subresource) !=
         long_subresources.end();
}

}  // namespace

std::optional<HttpResponse> wrong_timeout(const IncomingRequest& request, const Attributes& attributes) {
  const std::string timeout = query_parameter(request.target, "timeout");
  if (timeout.empty() || may_run_long(attributes)) return std::nullopt;
  const auto duration = parse_go_duration(timeout);
  if (duration) return std::nullopt;
  return apiserver::bad_request("invalid timeout specified in the request URL - " + duration.error());
}

}  // namespace nodebound::serving
