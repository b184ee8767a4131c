#include "fakes/proxy/kubelet_proxy.h"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <condition_variable>

#include "fakes/apiserver/status.h"
#include "fakes/http/serving_threads.h"
#include "fakes/websocket/handshake.h"
#include "fakes/wire/go/go_text.h"
#include "fakes/wire/go/response_error.h"

namespace nodebound::proxy {
namespace {

constexpr int switching = 101;
constexpr std::size_t longest_refusal = 50'000;  ///< maxReadLength of the response checker

using Addresses = std::vector<std::pair<std::string, std::string>>;

// GetPreferredNodeAddress in pkg/util/node/node.go
std::optional<std::string> preferred_address(const Addresses& addresses, const std::vector<std::string>& types) {
  for (const std::string& type : types) {
    for (const auto& [own, address] : addresses) {
      if (own == type) return address;
    }
  }
  return std::nullopt;
}

// A list of structs as Go's %v writes it.
std::string listed(const Addresses& addresses) {
  std::string out;
  for (const auto& [type, address] : addresses) {
    out += out.empty() ? "" : " ";
    out.append("{").append(type).append(" ").append(address).append("}");
  }
  return "[" + out + "]";
}

/// The headers of one connection, which are not passed on.
constexpr std::array hop_by_hop = {"connection",          "keep-alive", "proxy-authenticate",
                                   "proxy-authorization", "te",         "trailer",
                                   "transfer-encoding",   "upgrade",    "proxy-connection"};

/// What says who asks: the API server has read it, and asks as itself.
bool is_credential(std::string_view name) {
  return name == "authorization" || name.starts_with("impersonate-");
}

bool is_hop_by_hop(std::string_view name) {
  return std::find(hop_by_hop.begin(), hop_by_hop.end(), name) != hop_by_hop.end();
}

std::string canonical(std::string name) {
  bool starts = true;
  for (char& c : name) {
    if (starts && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    starts = c == '-';
  }
  return name;
}

/// A request as bytes.
class Bytes {
 public:
  Bytes(const std::string& method, const Onward& to) : text_(method + " " + to.target + " HTTP/1.1\r\n") {}

  void add(const std::string& name, std::string_view value) {
    text_.append(canonical(name)).append(": ").append(value).append("\r\n");
  }
  std::string with_body(const std::string& body) { return std::move(text_) + "\r\n" + body; }

 private:
  std::string text_;
};

std::string forwarded_for(const IncomingRequest& request) {
  const std::string_view before = request.header("x-forwarded-for");
  const std::string address = request.peer ? request.peer->address : "";
  return before.empty() ? address : std::string(before) + ", " + address;
}

// The token of a WebSocket is taken out of its subprotocols by authentication.
std::string without_token(std::string_view protocols) {
  constexpr std::string_view token = "base64url.bearer.authorization.k8s.io.";
  std::string out;
  for (std::size_t begin = 0; begin <= protocols.size();) {
    const std::size_t end = std::min(protocols.find(',', begin), protocols.size());
    std::string_view one = protocols.substr(begin, end - begin);
    begin = end + 1;
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (!one.starts_with(token)) out.append(out.empty() ? "" : ",").append(one);
  }
  return out;
}

void add_headers(Bytes& bytes, const IncomingRequest& request, bool upgrades) {
  for (const auto& [name, value] : request.headers) {
    if (is_credential(name) || name == "x-forwarded-for" || name == "content-length" || name == "expect") continue;
    const bool kept = !is_hop_by_hop(name) || (upgrades && (name == "connection" || name == "upgrade"));
    if (!kept) continue;
    bytes.add(name, name == "sec-websocket-protocol" ? without_token(value) : value);
  }
  bytes.add("x-forwarded-for", forwarded_for(request));
  const bool has_body = !request.body.empty() || request.method == "POST" || request.method == "PUT";
  if (has_body) bytes.add("content-length", std::to_string(request.body.size()));
}

/// Reads a body to its end, or to a length. It waits.
class WholeBody {
 public:
  static std::optional<std::string> read(BodyStream& stream, std::size_t most, std::chrono::milliseconds time) {
    const auto state = std::make_shared<State>();
    stream.on_ready([state] {
      const std::lock_guard lock(state->mutex);
      state->ready = true;
      state->came.notify_all();
    });
    const auto deadline = std::chrono::steady_clock::now() + time;
    std::string out;
    while (stream.take(out)) {
      if (out.size() > most) break;
      std::unique_lock lock(state->mutex);
      if (!state->came.wait_until(lock, deadline, [&] { return state->ready; })) return std::nullopt;
      state->ready = false;
    }
    stream.on_ready(nullptr);
    out.resize(std::min(out.size(), most));
    return out;
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable came;
    bool ready = false;
  };
};

/// A log ends where it ends, even if the kubelet breaks off: the client is not told.
class LogBody final : public BodyStream {
 public:
  explicit LogBody(std::shared_ptr<BodyStream> stream) : stream_(std::move(stream)) {}
  bool take(std::string& out) override { return stream_->take(out); }
  void on_ready(std::function<void()> notify) override { stream_->on_ready(std::move(notify)); }

 private:
  std::shared_ptr<BodyStream> stream_;
};

// What a client reads of a kubelet's refusal to show a log (GenericHttpResponseChecker in apiserver's
// pkg/registry/generic/rest/response_checker.go).
HttpResponse refused_log(int status, const std::string& said, const std::string& pod) {
  if (status == 500)
    return apiserver::failure(500, "InternalError", "Internal error occurred: " + said,
                              {{"causes", {{{"message", said}}}}});
  if (status == 400) return apiserver::bad_request(said);
  const auto [reason, words] = response_error(status, said);
  return apiserver::failure(status, reason, words + " ( pods/log " + pod + ")",
                            apiserver::status_details("", "pods/log", pod));
}

HttpResponse unknown_failure(const std::string& what) {
  return apiserver::failure(500, "", what);
}

std::string url_of(const Onward& to) {
  return std::string(to.tls ? "https://" : "http://") + to.authority() + to.target;
}

// A redirect to the same server stays behind the proxy; one to another goes to the client as it is (rewriteURL in
// apimachinery's pkg/util/proxy/transport.go).
std::string rewritten(const std::string& location, const Onward& to, const IncomingRequest& request) {
  std::string_view rest = location;
  const std::size_t scheme = rest.find("://");
  const bool absolute = scheme != std::string_view::npos && rest.find('/') == scheme + 1;
  const std::string host(request.header("host"));
  if (absolute || rest.starts_with("//")) {
    rest.remove_prefix(absolute ? scheme + 3 : 2);
    const std::string_view other = rest.substr(0, rest.find_first_of("/?#"));
    if (other != to.authority() && other != host) return location;
    rest.remove_prefix(other.size());
  }
  if (!rest.starts_with('/')) return location;
  const std::string own = "https://" + host;
  return rest.starts_with(to.prefix) ? own + std::string(rest) : own + to.prefix + std::string(rest);
}

/// The answer as the client gets it.
HttpResponse passed_back(Backends::Answer answer) {
  HttpResponse out;
  out.status = answer.status;
  for (auto& [name, value] : answer.headers) {
    if (is_hop_by_hop(name) || name == "content-length" || name == "date") continue;
    if (name.starts_with("access-control-allow-")) continue;
    if (name == "content-type") {
      out.content_type = std::move(value);
    } else {
      out.headers[name] = std::move(value);
    }
  }
  out.stream = std::move(answer.body);
  return out;
}

}  // namespace

bool is_global_unicast(const std::string& text) {
  boost::system::error_code error;
  auto address = boost::asio::ip::make_address(text, error);
  if (error) return false;
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    address = boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6());
  }
  if (address.is_unspecified() || address.is_loopback() || address.is_multicast()) return false;
  if (address.is_v6()) return !address.to_v6().is_link_local();
  const unsigned value = address.to_v4().to_uint();
  return value != 0xFFFFFFFFU && (value >> 16U) != 0xA9FEU;  // 255.255.255.255, and link-local 169.254.0.0/16
}

bool KubeletProxy::permits(const Onward& to) const {
  if (!to.global_only || options_.permits_all || is_global_unicast(to.host)) return true;
  return std::find(options_.permitted.begin(), options_.permitted.end(), to.authority()) != options_.permitted.end();
}

HttpResponse KubeletProxy::forward(const IncomingRequest& request, Onward to, HttpResponse own) {
  if (to.host.empty()) {
    const auto host = preferred_address(to.addresses, options_.address_types);
    if (!host) return unknown_failure("no preferred addresses found; known addresses: " + listed(to.addresses));
    to.host = *host;
  }
  const bool stays = to.kind == Onward::Kind::upgrade ? !asks_for_upgrade(request) : to.redirects;
  if (stays && permits(to)) return own;
  HttpResponse out = permits(to) ? answer_of(request, to) : apiserver::bad_request("address not allowed");
  out.annotations = std::move(own.annotations);
  if (const auto rule = own.headers.find("x-nodebound-rule"); rule != own.headers.end()) out.headers.insert(*rule);
  return out;
}

HttpResponse KubeletProxy::answer_of(const IncomingRequest& request, const Onward& to) {
  const Waiting waiting;
  if (to.kind == Onward::Kind::log) return read_log(to);
  const bool upgrades = to.kind == Onward::Kind::upgrade || asks_for_upgrade(request);
  return upgrades ? upgrade(request, to) : proxy(request, to);
}

HttpResponse KubeletProxy::read_log(const Onward& to) {
  Bytes bytes("GET", to);
  bytes.add("host", to.authority());
  bytes.add("user-agent", "Go-http-client/1.1");
  auto answer = backends_.ask(to, bytes.with_body(""), false);
  const std::string failed = "Get " + go_quoted(url_of(to)) + ": ";
  if (!answer) return unknown_failure(failed + answer.error().what);
  const int status = answer->status;
  const auto location = std::find_if(answer->headers.begin(), answer->headers.end(),
                                     [](const auto& field) { return field.first == "location"; });
  if (status >= 300 && status < 400 && location != answer->headers.end()) {
    return unknown_failure("Get " + go_quoted(location->second) + ": redirects forbidden");
  }
  if (status < 200 || status > 206) {
    const auto said = WholeBody::read(*answer->body, longest_refusal, std::chrono::seconds(10));
    return refused_log(status, said.value_or(""), to.name);
  }
  HttpResponse out;
  out.status = 200;
  out.content_type = "text/plain";
  out.stream = std::make_shared<LogBody>(std::move(answer->body));
  return out;
}

HttpResponse KubeletProxy::upgrade(const IncomingRequest& request, const Onward& to) {
  Bytes bytes(request.method, to);
  add_headers(bytes, request, true);
  auto answer = backends_.ask(to, bytes.with_body(request.body), false);
  if (!answer) {
    const Backends::Failure& failed = answer.error();
    const std::string what = failed.what == "EOF" ? "unexpected EOF" : failed.what;
    return unknown_failure((failed.dialing ? "error dialing backend: " : "") + what);
  }
  if (answer->status != switching && answer->status < 400) {
    return unknown_failure("invalid upgrade response: status code " + std::to_string(answer->status));
  }
  if (answer->status == switching) {
    HeaderFields headers = answer->headers;
    HttpResponse out = passed_back(std::move(*answer));
    for (const auto& [name, value] : headers) {
      if (name == "connection" || name == "upgrade") out.headers[name] = value;
    }
    return out;
  }
  // A refusal is short; it is passed back with what it says, and ends the connection.
  std::shared_ptr<BodyStream> body = answer->body;
  const auto said = WholeBody::read(*body, Backends::Options().waiting_bytes, std::chrono::seconds(10));
  HttpResponse out = passed_back(std::move(*answer));
  out.stream = nullptr;
  out.body = said.value_or("");
  out.headers["connection"] = "close";
  return out;
}

HttpResponse KubeletProxy::proxy(const IncomingRequest& request, const Onward& to) {
  Bytes bytes(request.method, to);
  add_headers(bytes, request, false);
  const std::string path = to.target.substr(0, to.target.find('?'));
  bytes.add("x-forwarded-uri", to.prefix + path);
  bytes.add("x-forwarded-host", request.header("host"));
  bytes.add("x-forwarded-proto", "https");
  auto answer = backends_.ask(to, bytes.with_body(request.body), request.method == "HEAD");
  if (!answer) {
    return apiserver::failure(503, "ServiceUnavailable", "error trying to reach service: " + answer.error().what);
  }
  if (answer->status == switching) {
    return unknown_failure("backend tried to switch protocol " + std::string("\"\"") + " when \"\" was requested");
  }
  HttpResponse out = passed_back(std::move(*answer));
  if (const auto found = out.headers.find("location"); found != out.headers.end()) {
    found->second = rewritten(found->second, to, request);
  }
  return out;
}

}  // namespace nodebound::proxy
