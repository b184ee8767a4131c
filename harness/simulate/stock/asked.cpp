#include "harness/simulate/stock/asked.h"

#include <algorithm>
#include <array>

#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"

namespace nodebound::simulate {
namespace {

// Other parameters say since when, for how long or how much, which differs from time to time.
constexpr std::array<const char*, 5> wanted_parameters{"fieldSelector", "labelSelector", "sendInitialEvents",
                                                       "propagationPolicy", "gracePeriodSeconds"};

std::string without_node(std::string text, std::string_view node) {
  for (std::size_t at = text.find(node); at != std::string::npos; at = text.find(node, at)) {
    text.replace(at, node.size(), "NODE");
    at += std::string_view("NODE").size();
  }
  return text;
}

std::string resource_of(const Object& about) {
  const std::string group(text(about, "apiGroup"));
  const std::string subresource(text(about, "subresource"));
  return (group.empty() ? "" : group + "/") + std::string(text(about, "apiVersion")) + " " +
         std::string(text(about, "resource")) + (subresource.empty() ? "" : "/" + subresource);
}

// A create names its object in the body, of which not every log tells.
std::string object_of(std::string_view verb, const Object& about) {
  const std::string namespace_(text(about, "namespace"));
  const bool unnamed = verb == "create" && text(about, "subresource").empty();
  const std::string name(unnamed || text(about, "resource") == "events" ? "" : text(about, "name"));
  return namespace_.empty() ? name : namespace_ + "/" + name;
}

std::string request_of(const Object& event) {
  const std::string target(text(event, "requestURI"));
  const Object& about = member(event, "objectRef");
  std::string out(text(event, "verb"));
  if (text(about, "resource").empty()) return out + " " + target.substr(0, target.find('?'));
  out += " " + resource_of(about);
  const std::string object = object_of(text(event, "verb"), about);
  if (!object.empty()) out += " " + object;
  char before = '?';
  for (const char* parameter : wanted_parameters) {
    const std::string value = query_parameter(target, parameter);
    if (value.empty()) continue;
    out += before + std::string(parameter) + "=" + value;
    before = '&';
  }
  return out;
}

void only_in(const std::vector<std::string>& one, const std::vector<std::string>& other, const std::string& whose,
             std::vector<std::string>& out) {
  for (const std::string& request : one) {
    if (std::find(other.begin(), other.end(), request) == other.end()) out.push_back(whose + request);
  }
}

}  // namespace

Result<std::vector<std::string>> asked_by(std::string_view user, std::string_view node, std::string_view audit_log,
                                          const std::string& file) {
  std::vector<std::string> out;
  std::size_t number = 0;
  while (!audit_log.empty()) {
    const std::string_view line = audit_log.substr(0, audit_log.find('\n'));
    audit_log.remove_prefix(std::min(audit_log.size(), line.size() + 1));
    ++number;
    if (line.empty()) continue;
    const Object event = Object::parse(line, nullptr, false);
    if (!event.is_object()) {
      return input_error(file + ":" + std::to_string(number), "expected an audit event in JSON",
                         "one event a line, as kube-apiserver's --audit-log-path writes them");
    }
    if (text(event, "user", "username") != user) continue;
    std::string request = without_node(request_of(event), node);
    if (std::find(out.begin(), out.end(), request) == out.end()) out.push_back(std::move(request));
  }
  return out;
}

std::vector<std::string> asked_differently(const std::vector<std::string>& stock,
                                           const std::vector<std::string>& fake) {
  std::vector<std::string> out;
  only_in(stock, fake, "only the stock kubelet: ", out);
  only_in(fake, stock, "only the fake kubelet: ", out);
  return out;
}

}  // namespace nodebound::simulate
