#include <atomic>
#include <boost/test/unit_test.hpp>
#include <httplib.h>
#include <sys/socket.h>
#include <thread>

#include "fakes/wire/certificates/openssl.h"
#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/https_client.h"
#include "harness/endpoint/loopback.h"
#include "harness/endpoint/observe.h"

BOOST_AUTO_TEST_SUITE(endpoint_https_client)

using namespace nodebound;
using std::chrono::milliseconds;

namespace {

HttpRequest get(std::string target) {
  return {"GET", std::move(target), {}, {}, false};
}

struct ServerIdentity {
  CertificateAuthority authority;
  openssl::Certificate certificate;
  openssl::Key key;

  static ServerIdentity make() {
    auto authority = CertificateAuthority::create("test");
    BOOST_REQUIRE(authority);
    const auto issued = authority->issue_server({"localhost", "127.0.0.1"});
    BOOST_REQUIRE(issued);
    auto chain = openssl::parse_certificates("test", issued->certificate_pem);
    auto key = openssl::parse_private_key("test", issued->key_pem);
    BOOST_REQUIRE((chain && key));
    return {std::move(*authority), std::move(chain->front()), std::move(*key)};
  }
};

/// An HTTPS server with a few paths, which tells what the client showed: headers, and whether it had a certificate.
struct Server {
  int verify_mode;  ///< of OpenSSL
  int tls_version;  ///< the newest; 0: any
  ServerIdentity identity = ServerIdentity::make();
  httplib::SSLServer http{[this](SSL_CTX& context) {
    SSL_CTX_use_certificate(&context, identity.certificate.get());
    SSL_CTX_use_PrivateKey(&context, identity.key.get());
    SSL_CTX_set_verify(&context, verify_mode, [](int, X509_STORE_CTX*) { return 1; });
    if (tls_version != 0) SSL_CTX_set_max_proto_version(&context, tls_version);
    SSL_CTX_set_session_id_context(&context, reinterpret_cast<const unsigned char*>("test"), 4);
    return true;
  }};
  std::atomic<int> requests{0};
  std::atomic<bool> ends{false};
  ServerAddress address;
  std::thread thread;

  explicit Server(int verify = SSL_VERIFY_PEER, int version = 0) : verify_mode(verify), tls_version(version) {
    add_targets();
    http.set_keep_alive_timeout(1);
    address.host = "127.0.0.1";
    address.port = static_cast<std::uint16_t>(http.bind_to_any_port("127.0.0.1"));
    address.ca_pem = identity.authority.certificate_pem();
    thread = std::thread([this] { http.listen_after_bind(); });
    // A stop() before it listens would have no effect.
    while (!http.is_running()) std::this_thread::sleep_for(milliseconds(1));
  }
  ~Server() {
    ends = true;
    http.stop();
    thread.join();
  }

  void add_targets() {
    http.set_logger([this](const auto&, const auto&) { ++requests; });
    http.Get("/echo", [](const httplib::Request& in, httplib::Response& out) {
      std::string seen;
      for (const char* name : {"Accept", "Accept-Encoding", "X-Extra", "Host"}) {
        seen += in.get_header_value(name) + "\n";
      }
      const std::unique_ptr<X509, openssl::Deleter<X509_free>> peer(SSL_get1_peer_certificate(in.ssl));
      out.set_header("X-Client", peer ? "certificate" : "none");
      out.set_header("Warning", "a");
      out.headers.emplace("Warning", "b");
      out.set_content(seen, "text/plain");
    });
    http.Post("/things", [](const httplib::Request& in, httplib::Response& out) {
      out.status = 201;
      out.set_content(in.get_header_value("Content-Type") + " " + in.body, "application/json");
    });
    http.Get("/moved", [](const auto&, httplib::Response& out) { out.set_redirect("/echo"); });
    http.Get("/slow", [](const auto&, httplib::Response&) { std::this_thread::sleep_for(milliseconds(600)); });
    http.Get("/watch", [this](const auto&, httplib::Response& out) {
      out.set_chunked_content_provider("application/json", [this](std::size_t, httplib::DataSink& sink) {
        std::this_thread::sleep_for(milliseconds(10));
        return !ends && sink.is_writable();
      });
    });
  }

  [[nodiscard]] std::unique_ptr<HttpClient> client(const Credentials& credentials = {},
                                                   const RequestLimits& limits = {}) const {
    auto made = make_http_client(address, credentials, limits);
    BOOST_REQUIRE(made);
    return std::move(*made);
  }
};

/// Accepts connections, reads from each, and hangs up without an answer.
struct RudeServer {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  std::atomic<int> accepted{0};
  ServerAddress address;
  std::thread thread;

  RudeServer() {
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof own;
    BOOST_REQUIRE(bind(listener, reinterpret_cast<sockaddr*>(&own), size) == 0);
    getsockname(listener, reinterpret_cast<sockaddr*>(&own), &size);
    listen(listener, 5);
    address.tls = false;
    address.host = "127.0.0.1";
    address.port = ntohs(own.sin_port);
    thread = std::thread([this] { hang_up_on_everyone(); });
  }
  ~RudeServer() {
    shutdown(listener, SHUT_RDWR);
    thread.join();
    close(listener);
  }
  void hang_up_on_everyone() {
    for (int peer = 0; (peer = accept(listener, nullptr, nullptr)) >= 0;) {
      ++accepted;
      std::array<char, 4096> request{};
      [[maybe_unused]] const auto size = read(peer, request.data(), request.size());
      close(peer);
    }
  }
};

std::string failure(HttpClient& client, const HttpRequest& request) {
  const auto answer = client.send(request);
  BOOST_REQUIRE(!answer);
  BOOST_TEST((answer.error().kind == Error::Kind::unreachable));
  return answer.error().text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(status_headers_and_body_arrive) {
  const Server server;
  const auto client = server.client({{}, {}, {{"X-Extra", "one"}}});
  const auto answer = client->send(get("/echo?a=%2F"));
  BOOST_REQUIRE(answer);
  BOOST_TEST(answer->status == 200);
  BOOST_TEST(answer->content_type == "text/plain");
  BOOST_TEST(answer->body ==
             "application/json\nidentity\none\n127.0.0.1:" + std::to_string(server.address.port) + "\n");
  BOOST_TEST(answer->headers.at("warning") == "a, b");
  BOOST_TEST((answer->warnings == std::vector<std::string>{"a", "b"}));
  BOOST_TEST(answer->headers.at("x-client") == "none");
  const auto made = client->send({"POST", "/things", "application/merge-patch+json", "{}", false});
  BOOST_REQUIRE(made);
  BOOST_TEST(made->status == 201);
  BOOST_TEST(made->body == "application/merge-patch+json {}");
  const auto missing = client->send(get("/none"));
  BOOST_REQUIRE(missing);
  BOOST_TEST(missing->status == 404);
}

BOOST_AUTO_TEST_CASE(a_redirect_is_an_answer) {
  const Server server;
  const auto answer = server.client()->send(get("/moved"));
  BOOST_REQUIRE(answer);
  BOOST_TEST(answer->status == 302);
}

BOOST_AUTO_TEST_CASE(a_client_certificate_is_presented) {
  const Server server;
  const auto own = server.identity.authority.issue_client({"system:node:a", {"system:nodes"}, {}, {}});
  BOOST_REQUIRE(own);
  const auto answer = server.client({own->certificate_pem, own->key_pem, {}})->send(get("/echo"));
  BOOST_REQUIRE(answer);
  BOOST_TEST(answer->headers.at("x-client") == "certificate");
  const auto other = server.identity.authority.issue_client({"b", {}, {}, {}});
  BOOST_REQUIRE(other);
  BOOST_TEST(!make_http_client(server.address, {own->certificate_pem, other->key_pem, {}}, {}));
}

BOOST_AUTO_TEST_CASE(a_server_that_wants_a_client_certificate_is_not_one_that_is_gone) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    Server server(SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, version);
    for (const std::size_t body : {0U, 32U << 20U}) {
      const auto answer = server.client()->send({"POST", "/things", "", std::string(body, 'x')});
      BOOST_REQUIRE(!answer);
      BOOST_TEST((answer.error().connection == Error::Connection::certificate_wanted), answer.error().text());
    }
    const auto issued = server.identity.authority.issue_client({"alice", {}, "", {}});
    BOOST_REQUIRE(issued);
    const auto answer =
        server.client({issued->certificate_pem, issued->key_pem, {}})->send({"POST", "/things", "", "x"});
    BOOST_TEST((answer && answer->status == 201));
  }
  const RudeServer rude;
  const auto gone = make_http_client(rude.address, {}, {}, Repeats::never);
  BOOST_REQUIRE(gone);
  const auto answer = (*gone)->send(get("/"));
  BOOST_TEST((!answer && answer.error().connection == Error::Connection::closed));
}

BOOST_AUTO_TEST_CASE(a_watch_is_over_when_its_headers_have_arrived) {
  const Server server;
  const auto client = server.client();
  const auto answer = client->send({"GET", "/watch", {}, {}, true});
  BOOST_REQUIRE(answer);
  BOOST_TEST(answer->status == 200);
  BOOST_TEST(answer->content_type == "application/json");
  BOOST_TEST(answer->body.empty());
  const auto refused = client->send({"GET", "/none", {}, {}, true});
  BOOST_REQUIRE(refused);
  BOOST_TEST(refused->status == 404);
}

BOOST_AUTO_TEST_CASE(a_connection_closed_while_idle_is_replaced) {
  Server server;
  const auto client = server.client();
  BOOST_REQUIRE(client->send(get("/echo")));
  std::this_thread::sleep_for(milliseconds(1300));
  const auto again = client->send({"POST", "/things", {}, "{}", false});
  BOOST_REQUIRE(again);
  BOOST_TEST(again->status == 201);
  BOOST_TEST(server.requests == 2);
}

BOOST_AUTO_TEST_CASE(nothing_else_is_repeated) {
  const RudeServer rude;
  const auto client = make_http_client(rude.address, {}, {});
  BOOST_REQUIRE(client);
  BOOST_TEST(failure(**client, get("/")).find("closed before the answer") != std::string::npos);
  BOOST_TEST(rude.accepted == 1);

  const Server server;
  const auto hasty = server.client({}, {.connect = milliseconds(1000), .answer = milliseconds(200)});
  BOOST_REQUIRE(hasty->send(get("/echo")));
  BOOST_TEST(failure(*hasty, get("/slow")).find("no answer within") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_the_given_authority_and_the_right_name_are_believed) {
  Server server;
  const auto other = CertificateAuthority::create("other");
  BOOST_REQUIRE(other);
  server.address.ca_pem = other->certificate_pem();
  BOOST_TEST(failure(*server.client(), get("/echo")).find("not to be believed") != std::string::npos);
  server.address.ca_pem = {};
  BOOST_TEST(failure(*server.client(), get("/echo")).find("not to be believed") != std::string::npos);
  server.address.skip_verification = true;
  BOOST_TEST(server.client()->send(get("/echo")).has_value());

  server.address.skip_verification = false;
  server.address.ca_pem = server.identity.authority.certificate_pem();
  server.address.server_name = "example.com";
  BOOST_TEST(failure(*server.client(), get("/echo")).find("not for this host name") != std::string::npos);
  server.address.server_name = "localhost";
  BOOST_TEST(server.client()->send(get("/echo")).has_value());
}

BOOST_AUTO_TEST_CASE(a_pinned_certificate_is_believed_whoever_signed_it_and_no_other) {
  Server server;
  server.address.ca_pem = {};
  const auto shown = shown_fingerprint(server.address);
  BOOST_REQUIRE(shown);
  BOOST_TEST(server.requests == 0, "to look at a certificate is to send nothing");
  server.address.fingerprint = *shown;
  BOOST_TEST(server.client()->send(get("/echo")).has_value());
  // With a pinned certificate, neither the name nor the authority matters.
  server.address.server_name = "example.com";
  server.address.ca_pem = CertificateAuthority::create("other")->certificate_pem();
  BOOST_TEST(server.client()->send(get("/echo")).has_value());

  server.address.fingerprint.back() = shown->back() == '0' ? '1' : '0';
  const auto own = server.identity.authority.issue_client({"a", {}, {}, {}});
  const auto client = server.client({own->certificate_pem, own->key_pem, {{"Authorization", "Bearer secret"}}});
  BOOST_TEST(failure(*client, get("/echo")).find("not the one that is pinned: its fingerprint is " + *shown) !=
             std::string::npos);
  BOOST_TEST(server.requests == 2);
}

BOOST_AUTO_TEST_CASE(a_fingerprint_is_read_as_it_is_printed) {
  const std::string digits = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  std::string colons;
  for (std::size_t i = 0; i < digits.size(); i += 2) colons += (i == 0 ? "" : ":") + digits.substr(i, 2);
  for (const std::string& text : {digits, colons, "sha256:" + digits, "sha256 Fingerprint=" + colons,
                                  std::string("SHA256 Fingerprint=00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:"
                                              "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF")}) {
    const auto read = parse_fingerprint(text, "--kubelet-fingerprint");
    BOOST_TEST(read.value_or("") == digits, text);
  }
  for (const std::string& text :
       {std::string(), digits.substr(1), digits + "0", "g" + digits.substr(1), "sha1:" + digits}) {
    const auto read = parse_fingerprint(text, "--kubelet-fingerprint");
    BOOST_TEST(!read, text);
  }
}

BOOST_AUTO_TEST_CASE(no_server_is_an_error_that_says_where) {
  const auto ports = free_loopback_ports(1);
  BOOST_REQUIRE(ports);
  ServerAddress address;
  address.host = "127.0.0.1";
  address.port = ports->front();
  const auto client = make_http_client(address, {}, {});
  BOOST_REQUIRE(client);
  const std::string text = failure(**client, get("/version"));
  BOOST_TEST(text.starts_with("GET https://127.0.0.1:" + std::to_string(address.port) + "/version: no connection"));
}

BOOST_AUTO_TEST_CASE(nothing_can_be_smuggled_into_a_request) {
  const Server server;
  BOOST_TEST(!make_http_client(server.address, {{}, {}, {{"Impersonate-User", "a\r\nImpersonate-Group: b"}}}, {}));
  BOOST_TEST(!server.client()->send(get("/echo HTTP/1.1\r\nX: y")));
  BOOST_TEST(server.requests == 0);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_kubernetes_is_recognised) {
  const Server server;
  const auto seen = observe(*server.client(), url_of(server.address));
  BOOST_REQUIRE(!seen);
  BOOST_TEST(seen.error().what.find("does not answer like a Kubernetes API server: expected") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
