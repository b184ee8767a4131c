#include "harness/replay/cloud_logging.h"

#include <string>
#include <string_view>
#include <vector>

#include "reference/identity/node_identity.h"

namespace nodebound::replay {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t end = text.find(at);
    out.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

// HTTP statuses of google.rpc.Code.
int http_status(int code) {
  switch (code) {
    case 0:
      return 200;
    case 5:
      return 404;
    case 6:
      return 409;
    case 7:
      return 403;
    case 8:
      return 429;
    case 16:
      return 401;
    default:
      return code >= 100 && code < 600 ? code : 500;
  }
}

// `core/v1/namespaces/shop/pods/web/status`, `apps/v1/…`, `certificates.k8s.io/v1/…`
Object reference_of(std::string_view resource_name) {
  std::vector<std::string> parts = split(resource_name, '/');
  if (parts.size() < 3) return nullptr;
  Object out = Object::object();
  if (parts[0] != "core") out["apiGroup"] = parts[0];
  out["apiVersion"] = parts[1];
  parts.erase(parts.begin(), parts.begin() + 2);
  if (parts[0] == "namespaces" && parts.size() > 2) {
    out["namespace"] = parts[1];
    parts.erase(parts.begin(), parts.begin() + 2);
  }
  out["resource"] = parts[0];
  if (parts.size() > 1) out["name"] = parts[1];
  if (parts.size() > 2) out["subresource"] = parts[2];
  return out;
}

}  // namespace

std::optional<Object> event_of_cloud_logging(const Object& entry) {
  const Object& payload = member(entry, "protoPayload");
  if (!text(payload, "serviceName").ends_with("k8s.io")) return std::nullopt;
  const std::vector<std::string> method = split(text(payload, "methodName"), '.');
  Object reference = reference_of(text(payload, "resourceName"));
  if (method.size() < 2 || reference.is_null()) return std::nullopt;
  const std::string user(text(payload, "authenticationInfo", "principalEmail"));
  Object groups = Object::array();
  if (user.starts_with(node_user_prefix)) groups = {nodes_group, "system:authenticated"};
  const Object& code = member(payload, "status", "code");
  Object event = {{"kind", "Event"},
                  {"apiVersion", "audit.k8s.io/v1"},
                  {"level", "Metadata"},
                  {"stage", "ResponseComplete"},
                  {"auditID", text(entry, "operation", "id")},
                  {"verb", method.back()},
                  {"user", {{"username", user}, {"groups", groups}}},
                  {"userAgent", text(payload, "requestMetadata", "callerSuppliedUserAgent")},
                  {"objectRef", reference},
                  {"responseStatus",
                   {{"code", http_status(code.is_number_integer() ? code.get<int>() : 0)},
                    {"message", text(payload, "status", "message")}}},
                  {"requestReceivedTimestamp", text(entry, "timestamp")},
                  {"stageTimestamp", text(entry, "timestamp")}};
  const Object& labels = member(entry, "labels");
  if (labels.is_object()) event["annotations"] = labels;
  if (const Object& request = member(payload, "request"); request.is_object()) event["requestObject"] = request;
  if (const Object& response = member(payload, "response"); response.is_object()) event["responseObject"] = response;
  return event;
}

}  // namespace nodebound::replay
