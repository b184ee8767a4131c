#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "fakes/wire/http.h"
#include "fakes/wire/onward.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

template <typename Value>
using OrAnswer = tl::expected<Value, HttpResponse>;

/// Where the kubelet of a Node is reached, or why that is unknown (NodeConnectionInfoGetter in
/// pkg/kubelet/client/kubelet_client.go).
OrAnswer<Onward> kubelet_of(const ServerState& server, std::string_view node);

/// `name`, `name:port` or `scheme:name:port`, as the proxies of nodes, pods and services understand a name
/// (SplitSchemeNamePort in apimachinery's pkg/util/net).
struct ProxiedName {
  std::string scheme;
  std::string name;
  std::string port;
};
std::optional<ProxiedName> proxied_name(std::string_view id);

/// An answer for whoever cannot pass the request on, which says where it should go.
HttpResponse passed_on(HttpResponse otherwise, Onward to);

/// The same for the proxies: what is asked of `to` is the part of the request's path behind `/proxy`, and its query. A
/// read of the root is redirected to a path that ends with a slash, and goes nowhere.
HttpResponse passed_on_by_path(const Call& call, HttpResponse otherwise, Onward to);

}  // namespace nodebound::apiserver
