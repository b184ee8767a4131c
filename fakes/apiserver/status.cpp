#include "fakes/apiserver/status.h"

namespace nodebound {

HttpResponse object_response(int status, const Object& object) {
  HttpResponse response;
  response.status = status;
  response.content_type = "application/json";
  response.body = object.dump(-1, ' ', false, Object::error_handler_t::replace);
  return response;
}

HttpResponse failure(int code, std::string_view reason, const std::string& message) {
  return object_response(code, {{"kind", "Status"},
                                {"apiVersion", "v1"},
                                {"metadata", Object::object()},
                                {"status", "Failure"},
                                {"message", message},
                                {"reason", reason},
                                {"code", code}});
}

Object served_as(const ApiResource& resource, Object object) {
  object["apiVersion"] = resource.group_version;
  object["kind"] = resource.kind;
  return object;
}

std::string qualified_resource(std::string_view group, std::string_view resource) {
  return group.empty() ? std::string(resource) : std::string(resource) + "." + std::string(group);
}

HttpResponse not_found(std::string_view group, std::string_view resource, std::string_view name) {
  return failure(404, "NotFound", qualified_resource(group, resource) + " \"" + std::string(name) + "\" not found");
}

}  // namespace nodebound
