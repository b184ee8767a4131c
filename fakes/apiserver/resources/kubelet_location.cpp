#include "fakes/apiserver/resources/kubelet_location.h"

#include <algorithm>
#include <vector>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"

namespace nodebound::apiserver {
namespace {

constexpr int kubelet_port = 10250;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// Go's path.Join of a path that begins with a slash: nothing leads above the root.
std::string cleaned_path(std::string_view path) {
  std::vector<std::string_view> kept;
  for (const std::string_view segment : split(path, '/')) {
    if (segment == ".." && !kept.empty()) kept.pop_back();
    if (!segment.empty() && segment != "." && segment != "..") kept.push_back(segment);
  }
  std::string out;
  for (const std::string_view segment : kept) out.append("/").append(segment);
  return out.empty() || path.ends_with('/') ? out + "/" : out;
}

// URL.EscapedPath of net/url
std::string escaped_path(std::string_view path) {
  constexpr std::string_view plain = "/$&+,:;=@";
  std::string out;
  for (const char& c : path)
    out += plain.find(c) != std::string_view::npos ? std::string(1, c) : percent_encoded({&c, 1});
  return out;
}

/// Where the proxied part of a path begins: after `/api/v1/nodes/NAME/proxy` or
/// `/api/v1/namespaces/NS/pods/NAME/proxy`.
std::size_t end_of_prefix(std::string_view path, bool namespaced) {
  std::size_t end = 0;
  for (int segment = namespaced ? 7 : 5; segment > 0 && end < path.size(); --segment) {
    end = std::min(path.find('/', end + 1), path.size());
  }
  return end;
}

}  // namespace

OrAnswer<Onward> kubelet_of(const ServerState& server, std::string_view node) {
  const ObjectPtr found = server.store.cluster().find("", "nodes", "", node);
  if (found == nullptr) return tl::unexpected(not_found("", "nodes", node));
  const Object& addresses = member(*found, "status", "addresses");
  if (addresses.empty()) return tl::unexpected(failure(500, "", "no preferred addresses found; known addresses: []"));
  Onward out;
  for (const Object& own : addresses) out.addresses.emplace_back(text(own, "type"), text(own, "address"));
  const Object& told = member(*found, "status", "daemonEndpoints", "kubeletEndpoint", "Port");
  const int port = told.is_number_integer() && told > 0 ? told.get<int>() : kubelet_port;
  out.port = std::to_string(port);
  return out;
}

std::optional<ProxiedName> proxied_name(std::string_view id) {
  const std::vector<std::string_view> parts = split(id, ':');
  if (parts.size() > 3) return std::nullopt;
  ProxiedName out;
  if (parts.size() == 3) out.scheme = parts.front();
  out.name = parts.size() == 3 ? parts[1] : parts.front();
  if (parts.size() > 1) out.port = parts.back();
  const bool known = out.scheme.empty() || out.scheme == "http" || out.scheme == "https";
  return known && !out.name.empty() ? std::optional(out) : std::nullopt;
}

HttpResponse passed_on(HttpResponse otherwise, Onward to) {
  otherwise.stream = std::make_shared<PassedOn>(std::move(to));
  return otherwise;
}

HttpResponse passed_on_by_path(const Call& call, HttpResponse otherwise, Onward to) {
  const std::string_view target = call.request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string query(target.substr(path.size()));
  const std::size_t end = end_of_prefix(path, call.resource->namespaced);
  to.prefix = path.substr(0, end);
  to.redirects = end == path.size() && (call.request.method == "GET" || call.request.method == "HEAD");
  if (to.redirects) otherwise = HttpResponse{301, "", "", {{"location", to.prefix + "/" + query}}};
  to.target = escaped_path(cleaned_path(percent_decoded(path.substr(end), false))) + query;
  return passed_on(std::move(otherwise), std::move(to));
}

}  // namespace nodebound::apiserver
