#include "fakes/wire/requests.h"

#include <vector>

#include "reference/cluster/object.h"

namespace nodebound {

bool is_write(const HttpRequest& request) {
  const std::string& method = request.method;
  return method == "POST" || method == "PUT" || method == "PATCH" || method == "DELETE";
}

bool is_dry_run(const HttpRequest& request) {
  if (request.method == "DELETE" && !request.body.empty()) {
    const Object options = Object::parse(request.body, nullptr, false);
    return options.is_object() && member(options, "dryRun") == Object::array({"All"});
  }
  return query_parameters(request.target, "dryRun") == std::vector<std::string>{"All"};
}

std::string api_path(const std::string& group_version, const std::string& resource, const std::string& namespace_,
                     const std::string& name) {
  std::string out = (group_version.find('/') == std::string::npos ? "/api/" : "/apis/") + group_version;
  if (!namespace_.empty()) out += "/namespaces/" + percent_encoded(namespace_);
  out += "/" + resource;
  return name.empty() ? out : out + "/" + percent_encoded(name);
}

std::string object_path(const Attributes& request, const std::string& name) {
  const std::string group_version =
      request.api_group.empty() ? request.api_version : request.api_group + "/" + request.api_version;
  // A request that names a Namespace is taken for one in that namespace.
  const bool of_namespace = request.resource == "namespaces";
  return api_path(group_version, request.resource, of_namespace ? std::string() : request.namespace_, name);
}

std::string with_parameter(std::string target, const std::string& parameter) {
  const char before = target.find('?') == std::string::npos ? '?' : '&';
  return target += before + parameter;
}

std::string without_parameter(std::string target, const std::string& name) {
  for (const char before : {'?', '&'}) {
    const std::size_t at = target.find(before + name + "=");
    if (at == std::string::npos) continue;
    const std::size_t end = target.find('&', at + 1);
    if (end == std::string::npos) return target.substr(0, at);
    return target.erase(at + 1, end - at);
  }
  return target;
}

}  // namespace nodebound
