#include "harness/endpoint/https_client.h"

#include <algorithm>
#include <arpa/inet.h>
#include <csignal>
#include <httplib.h>
#include <mutex>
#include <netdb.h>

#include "fakes/authentication/openssl.h"

namespace nodebound {
namespace {

using openssl::Certificate;
using openssl::Key;
using TrustAnchors = std::vector<Certificate>;

struct ClientIdentity {
  std::vector<Certificate> chain;
  Key key;
};

/// Believe these authorities and no other. Left alone, httplib adds those of the system to whatever store it is given,
/// and takes 20 ms for each client to read them; a folder that holds none is what keeps it from that.
void trust_only(httplib::SSLClient& client, const TrustAnchors& anchors) {
  client.set_ca_cert_path({}, "/dev/null");
  X509_STORE* store = SSL_CTX_get_cert_store(client.ssl_context());
  for (const Certificate& anchor : anchors) X509_STORE_add_cert(store, anchor.get());
  // As Go does it, a listed certificate is trusted though it may not be a root.
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
}

bool is_header_text(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

bool is_request_line_text(const std::string& text) {
  return is_header_text(text) && text.find(' ') == text.npos;
}

/// httplib connects to a host other than the one it verifies only by address.
std::string resolve(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return host;
  std::array<char, NI_MAXHOST> text{};
  const int named =
      getnameinfo(found->ai_addr, found->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  freeaddrinfo(found);
  return named == 0 ? text.data() : host;
}

class HttplibClient : public HttpClient {
 public:
  HttplibClient(const ServerAddress& server, const HttpHeaders& headers, const Timeouts& timeouts,
                const TrustAnchors& anchors, const ClientIdentity& identity, Repeats repeats);

  Result<HttpResponse> send(const HttpRequest& request) override;

 private:
  struct Exchange {
    httplib::Response response;
    httplib::Error error = httplib::Error::Success;
    bool answer_began = false;
    bool reused_connection = false;
    std::chrono::milliseconds took{};
  };

  void use_tls(const ServerAddress& server, const TrustAnchors& anchors, const ClientIdentity& identity);
  void configure(const Timeouts& timeouts);
  Exchange exchange(const HttpRequest& request);
  [[nodiscard]] bool closed_while_idle(const Exchange& exchange) const;
  [[nodiscard]] Error explain(const HttpRequest& request, const Exchange& exchange) const;

  std::string url_;
  std::string base_path_;
  httplib::Headers headers_;
  Timeouts timeouts_;
  Repeats repeats_;
  std::unique_ptr<httplib::ClientImpl> client_;
  httplib::SSLClient* tls_ = nullptr;  ///< `client_`, where it speaks TLS
  int connections_ = 0;
};

HttplibClient::HttplibClient(const ServerAddress& server, const HttpHeaders& headers, const Timeouts& timeouts,
                             const TrustAnchors& anchors, const ClientIdentity& identity, Repeats repeats)
    : url_(url_of(server)), base_path_(server.base_path), timeouts_(timeouts), repeats_(repeats) {
  const std::string host = server.host.find(':') == std::string::npos ? server.host : "[" + server.host + "]";
  headers_ = {{"Host", host + ":" + std::to_string(server.port)},
              {"Accept", "application/json"},
              {"Accept-Encoding", "identity"},
              {"User-Agent", "nodebound"}};
  for (const auto& [name, value] : headers) headers_.emplace(name, value);
  if (server.tls) {
    use_tls(server, anchors, identity);
  } else {
    client_ = std::make_unique<httplib::ClientImpl>(server.host, server.port);
  }
  configure(timeouts);
}

void HttplibClient::use_tls(const ServerAddress& server, const TrustAnchors& anchors, const ClientIdentity& identity) {
  const std::string& name = server.server_name.empty() ? server.host : server.server_name;
  X509* certificate = identity.chain.empty() ? nullptr : identity.chain.front().get();
  auto client = std::make_unique<httplib::SSLClient>(name, server.port, certificate, identity.key.get());
  tls_ = client.get();
  SSL_CTX* context = tls_->ssl_context();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  for (std::size_t i = 1; i < identity.chain.size(); ++i) SSL_CTX_add1_chain_cert(context, identity.chain[i].get());
  tls_->enable_server_certificate_verification(!server.skip_verification);
  if (!anchors.empty() || server.skip_verification) trust_only(*tls_, anchors);
  if (name != server.host) tls_->set_hostname_addr_map({{name, resolve(server.host)}});
  client_ = std::move(client);
}

void HttplibClient::configure(const Timeouts& timeouts) {
  client_->set_keep_alive(true);
  client_->set_tcp_nodelay(true);
  client_->set_follow_location(false);
  client_->set_url_encode(false);
  client_->set_decompress(false);
  client_->set_connection_timeout(timeouts.connect);
  client_->set_read_timeout(timeouts.answer);
  client_->set_write_timeout(timeouts.answer);
  // Called for every socket that httplib makes: the only sign of whether a request went over a new connection.
  client_->set_socket_options([this](socket_t) { ++connections_; });
}

HttplibClient::Exchange HttplibClient::exchange(const HttpRequest& request) {
  Exchange out;
  httplib::Request wire;
  wire.method = request.method;
  wire.path = base_path_ + request.target;
  wire.headers = headers_;
  wire.body = request.body;
  if (!request.body.empty()) {
    wire.set_header("Content-Type", request.content_type.empty() ? "application/json" : request.content_type);
  }
  for (const auto& [name, value] : request.headers) {
    wire.headers.erase(name);
    wire.set_header(name, value);
  }
  bool complete = false;
  wire.response_handler = [&](const httplib::Response& head) {
    out.answer_began = true;
    complete = request.watch && head.status == 200;
    return !complete;
  };
  const int connections_before = connections_;
  const auto start = std::chrono::steady_clock::now();
  client_->send(wire, out.response, out.error);
  out.took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  out.reused_connection = connections_ == connections_before;
  if (complete) out.error = httplib::Error::Success;
  return out;
}

bool HttplibClient::closed_while_idle(const Exchange& exchange) const {
  const bool broken = exchange.error == httplib::Error::Read || exchange.error == httplib::Error::Write;
  return broken && exchange.reused_connection && !exchange.answer_began && exchange.took < timeouts_.answer;
}

Result<HttpResponse> HttplibClient::send(const HttpRequest& request) {
  if (!is_request_line_text(request.target) || !is_request_line_text(request.method) ||
      !is_header_text(request.content_type)) {
    return input_error(url_, "a request line cannot hold spaces or line breaks; expected a percent-encoded target");
  }
  Exchange last = exchange(request);
  if (repeats_ == Repeats::if_closed && closed_while_idle(last)) last = exchange(request);
  if (last.error != httplib::Error::Success) return tl::unexpected(explain(request, last));

  HttpResponse out;
  out.status = last.response.status;
  out.body = std::move(last.response.body);
  for (const auto& [name, value] : last.response.headers) {
    std::string key = name;
    std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::tolower(c); });
    std::string& known = out.headers[key];
    known += known.empty() ? value : ", " + value;
  }
  if (const auto type = out.headers.find("content-type"); type != out.headers.end()) out.content_type = type->second;
  return out;
}

Error HttplibClient::explain(const HttpRequest& request, const Exchange& exchange) const {
  const std::string where = request.method + " " + url_ + request.target;
  const auto error = [&](std::string what, std::string hint = {}) {
    return Error{Error::Kind::unreachable, where, std::move(what), std::move(hint)};
  };
  const auto seconds = [](std::chrono::milliseconds time) { return std::to_string(time.count() / 1000) + " s"; };
  switch (exchange.error) {
    case httplib::Error::Connection:
      return error("no connection: it was refused, or the host is not known", "check the address, and that it listens");
    case httplib::Error::ConnectionTimeout:
      return error("no connection within " + seconds(timeouts_.connect), "check the address and what lies between");
    case httplib::Error::SSLConnection:
      return error("the TLS handshake failed", "check that this port speaks HTTPS, in TLS 1.2 or newer");
    case httplib::Error::SSLServerVerification: {
      const long code = tls_ == nullptr ? X509_V_OK : tls_->get_openssl_verify_result();
      return code == X509_V_OK ? error("the server's certificate is not for this host name",
                                       "give the name it has: tls-server-name in the kubeconfig")
                               : error(std::string("the server's certificate is not to be believed: ") +
                                           X509_verify_cert_error_string(code),
                                       "check certificate-authority-data in the kubeconfig");
    }
    case httplib::Error::Read:
    case httplib::Error::Write:
      if (exchange.took >= timeouts_.answer) return error("no answer within " + seconds(timeouts_.answer));
      return error("the connection was closed before the answer was complete");
    default:
      return error("no HTTP answer (" + httplib::to_string(exchange.error) + ")");
  }
}

/// OpenSSL writes to sockets without MSG_NOSIGNAL, so a server that hangs up would end this process.
void ignore_broken_pipes() {
  static std::once_flag once;
  std::call_once(once, [] { std::signal(SIGPIPE, SIG_IGN); });
}

Result<ClientIdentity> read_identity(const Credentials& credentials) {
  ClientIdentity identity;
  if (credentials.certificate_pem.empty()) return identity;
  auto chain = openssl::parse_certificates("client certificate", credentials.certificate_pem);
  if (!chain) return tl::unexpected(chain.error());
  auto key = openssl::parse_private_key("client key", credentials.key_pem);
  if (!key) return tl::unexpected(key.error());
  if (X509_check_private_key(chain->front().get(), key->get()) != 1) {
    return openssl::failure("client key", "is not the key of the client certificate");
  }
  identity.chain = std::move(*chain);
  identity.key = std::move(*key);
  return identity;
}

}  // namespace

std::string url_of(const ServerAddress& server) {
  const std::string host = server.host.find(':') == std::string::npos ? server.host : "[" + server.host + "]";
  return (server.tls ? "https://" : "http://") + host + ":" + std::to_string(server.port) + server.base_path;
}

Result<std::unique_ptr<HttpClient>> make_http_client(const ServerAddress& server, const Credentials& credentials,
                                                     const Timeouts& timeouts, Repeats repeats) {
  ignore_broken_pipes();
  for (const auto& [name, value] : credentials.headers) {
    if (!is_request_line_text(name) || !is_header_text(value)) {
      return input_error(url_of(server), "the value of header " + name + " cannot be sent: it holds a line break");
    }
  }
  auto identity = read_identity(credentials);
  if (!identity) return tl::unexpected(identity.error());
  TrustAnchors anchors;
  if (!server.ca_pem.empty()) {
    auto parsed = openssl::parse_certificates("certificate authority of " + url_of(server), server.ca_pem);
    if (!parsed) return tl::unexpected(parsed.error());
    anchors = std::move(*parsed);
  }
  return std::make_unique<HttplibClient>(server, credentials.headers, timeouts, anchors, *identity, repeats);
}

}  // namespace nodebound
