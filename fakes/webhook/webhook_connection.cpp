#include "fakes/webhook/webhook_connection.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl.hpp>
#include <charconv>
#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "fakes/webhook/webhook_link.h"
#include "fakes/wire/certificates/openssl.h"
#include "fakes/wire/go/go_duration.h"
#include "reference/encoding/ascii.h"
#include "reference/encoding/base64.h"

namespace nodebound::webhook {
namespace {

namespace asio = boost::asio;
using Clock = WebhookLink::Clock;
using Kind = WebhookFailure::Kind;

constexpr std::size_t most_redirects = 10;     ///< net/http
constexpr int most_retries = 10;               ///< client-go, of answers with Retry-After
constexpr std::size_t most_idle_links = 25;    ///< client-go, for each server
constexpr std::chrono::seconds most_idle{90};  ///< net/http

bool is_header_value(std::string_view value) {
  return value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

Result<void> trust_authorities(asio::ssl::context& tls, const WebhookAddress& address) {
  if (address.skip_verification) return {};
  if (address.ca_pem.empty()) {
    boost::system::error_code ignored;
    tls.set_default_verify_paths(ignored);
    return {};
  }
  const auto anchors = openssl::parse_certificates("certificate authority of " + address.url.text(), address.ca_pem);
  if (!anchors) return tl::unexpected(anchors.error());
  X509_STORE* store = SSL_CTX_get_cert_store(tls.native_handle());
  for (const openssl::Certificate& anchor : *anchors) X509_STORE_add_cert(store, anchor.get());
  // As in Go, a listed certificate is trusted even if it is not a root.
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  return {};
}

Result<void> set_up_webhook_tls(asio::ssl::context& tls, const WebhookAddress& address) {
  tls.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                  asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
  if (const auto trusted = trust_authorities(tls, address); !trusted) return trusted;
  if (address.certificate_pem.empty()) return {};
  const auto key = openssl::parse_private_key("client key of " + address.url.text(), address.key_pem);
  if (!key) return tl::unexpected(key.error());
  boost::system::error_code error;
  tls.use_certificate_chain(asio::buffer(address.certificate_pem), error);
  if (error || SSL_CTX_use_PrivateKey(tls.native_handle(), key->get()) != 1) {
    return openssl::failure("client certificate of " + address.url.text(),
                            "is no certificate in PEM, or the client key does not belong to it");
  }
  return {};
}

/// OpenSSL writes to sockets without MSG_NOSIGNAL, so a server that hangs up would end this process.
void ignore_pipes_that_break() {
  static std::once_flag once;
  std::call_once(once, [] { std::signal(SIGPIPE, SIG_IGN); });
}

struct WebhookHop {
  WebhookUrl url;
  bool posts = true;  ///< otherwise GET without a body
  std::string referer = {};
};

/// Go sends no Referer from https to http.
std::string referer_of(const WebhookUrl& from, const WebhookUrl& to) {
  return from.tls && !to.tls ? std::string() : from.text();
}

/// The seconds of Retry-After, if client-go obeys it.
std::optional<std::chrono::seconds> wait_before_retry(const HttpResponse& answer) {
  if (answer.status != 429 && answer.status < 500) return std::nullopt;
  const auto header = answer.headers.find("retry-after");
  if (header == answer.headers.end()) return std::nullopt;
  const std::string& text = header->second;
  int seconds = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::chrono::seconds(std::max(seconds, 0));
}

}  // namespace

class WebhookConnection::State {
 public:
  State(WebhookAddress address, Options options)
      : address_(std::move(address)),
        options_(std::move(options)),
        first_(address_.url),
        tls_(asio::ssl::context::tls_client) {
    first_.target = posted_path(first_) + "?timeout=" + go_duration(options_.time.count());
    url_ = first_.text();
  }

  Result<void> set_up() {
    if (!is_header_value(options_.user_agent) || !is_header_value(address_.token)) {
      return input_error(address_.url.text(), "the token of the user holds a line break");
    }
    return set_up_webhook_tls(tls_, address_);
  }

  [[nodiscard]] const std::string& url() const { return url_; }

  tl::expected<HttpResponse, WebhookFailure> post(std::string_view json) {
    const Clock::time_point deadline = Clock::now() + options_.time;
    for (int tries = 1;; ++tries) {
      auto answer = follow(json, deadline);
      if (!answer || tries > most_retries) return answer;
      const auto wait = wait_before_retry(*answer);
      if (!wait) return answer;
      std::this_thread::sleep_until(std::min(Clock::now() + *wait, deadline));
    }
  }

 private:
  struct Idle {
    std::unique_ptr<WebhookLink> link;
    Clock::time_point since;
  };

  /// One request with the redirects of its answers.
  tl::expected<HttpResponse, WebhookFailure> follow(std::string_view json, Clock::time_point deadline) {
    const auto failed = [](const std::string& url, WebhookFailure failure) {
      failure.text = "Post \"" + url + "\": " + failure.text;
      return tl::unexpected(std::move(failure));
    };
    WebhookHop hop{first_};
    for (std::size_t hops = 1;; ++hops) {
      auto answer = exchange(hop, json, deadline);
      if (!answer) {
        if (answer.error().in_body) return tl::unexpected(std::move(answer.error().failure));
        return failed(hop.url.text(), std::move(answer.error().failure));
      }
      const bool keeps_method = answer->status == 307 || answer->status == 308;
      const bool changes_method = answer->status == 301 || answer->status == 302 || answer->status == 303;
      const auto location = answer->headers.find("location");
      if ((!keeps_method && !changes_method) || location == answer->headers.end() || location->second.empty()) {
        return std::move(*answer);
      }
      auto next = resolve_location(hop.url, location->second);
      if (!next) {
        return failed(hop.url.text(), {Kind::misled, "failed to parse Location header \"" + location->second +
                                                         "\": " + next.error().what});
      }
      if (hops >= most_redirects) return failed(location->second, {Kind::misled, "stopped after 10 redirects"});
      std::string referer = referer_of(hop.url, *next);
      hop = {std::move(*next), hop.posts && keeps_method, std::move(referer)};
    }
  }

  tl::expected<HttpResponse, WebhookLink::Broken> exchange(const WebhookHop& hop, std::string_view json,
                                                           Clock::time_point deadline) {
    std::unique_ptr<WebhookLink> link = idle_link(hop.url);
    if (!link) {
      const bool elsewhere = !address_.connect_host.empty() && hop.url.server() == address_.url.server();
      const WebhookLink::Peer peer = elsewhere ? WebhookLink::Peer{address_.connect_host, address_.connect_port}
                                               : WebhookLink::Peer{hop.url.host, hop.url.port};
      link = std::make_unique<WebhookLink>(tls_, hop.url,
                                           WebhookLink::Trust{address_.server_name, address_.skip_verification}, peer);
      if (auto failure = link->connect(deadline)) return tl::unexpected(WebhookLink::Broken{std::move(*failure)});
    }
    auto answer = link->ask(request_of(hop, json), deadline, options_.most_body_bytes);
    if (answer && link->reusable()) keep(hop.url, std::move(link));
    return answer;
  }

  std::unique_ptr<WebhookLink> idle_link(const WebhookUrl& url) {
    const std::lock_guard lock(mutex_);
    std::vector<Idle>& links = idle_[url.server()];
    while (!links.empty()) {
      Idle last = std::move(links.back());
      links.pop_back();
      if (Clock::now() - last.since < most_idle && last.link->reusable()) return std::move(last.link);
    }
    return nullptr;
  }

  void keep(const WebhookUrl& url, std::unique_ptr<WebhookLink> link) {
    const std::lock_guard lock(mutex_);
    std::vector<Idle>& links = idle_[url.server()];
    if (links.size() < most_idle_links) links.push_back({std::move(link), Clock::now()});
  }

  /// Headers as net/http writes them, in its order.
  std::string request_of(const WebhookHop& hop, std::string_view json) {
    std::string out = (hop.posts ? "POST " : "GET ") + hop.url.target + " HTTP/1.1\r\nHost: " + hop.url.authority +
                      "\r\nUser-Agent: " + options_.user_agent + "\r\n";
    if (hop.posts) out += "Content-Length: " + std::to_string(json.size()) + "\r\n";
    out += "Accept: application/json, */*\r\n";
    const std::string shown = authorization();
    if (!shown.empty()) out += "Authorization: " + shown + "\r\n";
    if (hop.posts) out += "Content-Type: application/json\r\n";
    if (!hop.referer.empty()) out += "Referer: " + hop.referer + "\r\n";
    out += "\r\n";
    if (hop.posts) out += json;
    return out;
  }

  /// client-go shows it to whomever a redirect leads.
  std::string authorization() {
    if (!address_.user.empty()) return "Basic " + base64_encode(address_.user + ":" + address_.password);
    std::string token = address_.token;
    if (!address_.token_file.empty()) {
      std::ifstream file(address_.token_file, std::ios::binary);
      std::string text(trimmed(std::string(std::istreambuf_iterator<char>(file), {})));
      // While the file is being replaced, the last token serves.
      const std::lock_guard lock(mutex_);
      if (!text.empty() && is_header_value(text)) last_token_ = std::move(text);
      token = last_token_;
    }
    return token.empty() ? std::string() : "Bearer " + token;
  }

  const WebhookAddress address_;
  const Options options_;
  WebhookUrl first_;
  std::string url_;
  asio::ssl::context tls_;
  std::mutex mutex_;
  std::string last_token_;
  std::map<std::string, std::vector<Idle>> idle_;
};

WebhookConnection::WebhookConnection(std::unique_ptr<State> state) : state_(std::move(state)) {}
WebhookConnection::~WebhookConnection() = default;

Result<std::unique_ptr<WebhookConnection>> WebhookConnection::open(WebhookAddress address, Options options) {
  ignore_pipes_that_break();
  auto state = std::make_unique<State>(std::move(address), std::move(options));
  if (const auto set_up = state->set_up(); !set_up) return tl::unexpected(set_up.error());
  return std::unique_ptr<WebhookConnection>(new WebhookConnection(std::move(state)));
}

tl::expected<HttpResponse, WebhookFailure> WebhookConnection::post(std::string_view json) {
  return state_->post(json);
}

const std::string& WebhookConnection::url() const {
  return state_->url();
}

}  // namespace nodebound::webhook
