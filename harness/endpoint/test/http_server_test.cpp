#include <arpa/inet.h>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <condition_variable>
#include <mutex>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "fakes/http/server.h"
#include "fakes/http/serving_threads.h"
#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/https_client.h"

BOOST_AUTO_TEST_SUITE(http_server)

using namespace nodebound;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

class Ticker final : public BodyStream {
 public:
  bool take(std::string& out) override {
    const std::lock_guard lock(mutex_);
    out += std::exchange(pending_, {});
    return true;
  }
  void on_ready(std::function<void()> notify) override {
    const std::lock_guard lock(mutex_);
    notify_ = std::move(notify);
  }
  void push(const std::string& text) {
    std::function<void()> notify;
    {
      const std::lock_guard lock(mutex_);
      pending_ += text;
      notify = notify_;
    }
    if (notify) notify();
  }

 private:
  std::mutex mutex_;
  std::string pending_;
  std::function<void()> notify_;
};

class Echo final : public HttpHandler {
 public:
  HttpResponse handle(const IncomingRequest& request) override {
    HttpResponse response;
    response.status = request.body_too_large ? 413 : 200;
    response.content_type = "text/plain";
    response.body = std::string(request.peer->certificates.empty() ? "none" : "some") + " " + request.peer->address +
                    " " + std::to_string(request.body.size());
    if (request.target == "/watch") response.stream = stream;
    return response;
  }
  std::shared_ptr<Ticker> stream = std::make_shared<Ticker>();
};

/// Answers only once `wanted` requests have come.
class Gathering final : public HttpHandler {
 public:
  explicit Gathering(int count) : count_(count) {}
  HttpResponse handle(const IncomingRequest& /*request*/) override {
    std::unique_lock lock(mutex_);
    const int awaited = (came_++ / count_ + 1) * count_;
    all_.notify_all();
    const Waiting waiting;
    const bool together = all_.wait_for(lock, std::chrono::seconds(20), [&] { return came_ >= awaited; });
    return {together ? 200 : 500, "text/plain", "", {}};
  }

 private:
  int count_;
  std::mutex mutex_;
  std::condition_variable all_;
  int came_ = 0;
};

struct World {
  World() : authority(CertificateAuthority::create("test").value()), other(CertificateAuthority::create("x").value()) {
    const IssuedCertificate own = authority.issue_server(apiserver_names()).value();
    options.certificate_pem = own.certificate_pem;
    options.key_pem = own.key_pem;
    options.client_ca_pem = authority.certificate_pem();
  }

  void start() { server = HttpsServer::start(options, handler).value(); }

  std::unique_ptr<HttpClient> client(const Credentials& credentials = {}) const {
    ServerAddress address;
    address.host = "127.0.0.1";
    address.port = server->port();
    address.ca_pem = authority.certificate_pem();
    return make_http_client(address, credentials, {milliseconds(5000), milliseconds(5000)}).value();
  }
  std::string get(const Credentials& credentials = {}) const {
    const auto answer = client(credentials)->send({"GET", "/", {}, {}, false, {}, {}});
    return answer ? answer->body : answer.error().text();
  }
  static Credentials certificate_of(const CertificateAuthority& issuer) {
    const IssuedCertificate issued = issuer.issue_client({"me", {}, "", {}}).value();
    return {issued.certificate_pem, issued.key_pem, {}};
  }

  CertificateAuthority authority;
  CertificateAuthority other;
  HttpsServerOptions options;
  Echo handler;
  std::unique_ptr<HttpsServer> server;
};

/// A socket without TLS, for misbehaving clients.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { close(socket_); }

  void send(std::string_view bytes) const { connected_send(bytes); }
  /// All bytes until the server closes the connection.
  std::string rest() const {
    std::string out;
    std::array<char, 4096> buffer{};
    for (ssize_t size = 0; (size = recv(socket_, buffer.data(), buffer.size(), 0)) > 0;) {
      out.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return out;
  }
  bool connected = false;

 private:
  void connected_send(std::string_view bytes) const {
    BOOST_TEST(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
  }
  int socket_;
};

/// A TLS client that sends what it is told, when it is told.
class SlowClient {
 public:
  explicit SlowClient(std::uint16_t port) : context_(SSL_CTX_new(TLS_client_method())) {
    BIO* connection = BIO_new_ssl_connect(context_);
    BIO_set_conn_hostname(connection, ("127.0.0.1:" + std::to_string(port)).c_str());
    connection_ = connection;
    connected = BIO_do_connect(connection_) == 1;
  }
  ~SlowClient() {
    BIO_free_all(connection_);
    SSL_CTX_free(context_);
  }
  SlowClient(const SlowClient&) = delete;
  SlowClient& operator=(const SlowClient&) = delete;

  void send(std::string_view bytes) const { BIO_write(connection_, bytes.data(), static_cast<int>(bytes.size())); }
  std::string rest() const {
    std::string out;
    std::array<char, 4096> buffer{};
    for (int size = 0; (size = BIO_read(connection_, buffer.data(), buffer.size())) > 0;) {
      out.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return out;
  }
  bool connected = false;

 private:
  SSL_CTX* context_;
  BIO* connection_ = nullptr;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(http_server, World)

BOOST_AUTO_TEST_CASE(clients_come_with_any_certificate_or_none) {
  start();
  BOOST_TEST(get() == "none 127.0.0.1 0");
  BOOST_TEST(get(certificate_of(authority)) == "some 127.0.0.1 0");
  BOOST_TEST(get(certificate_of(other)) == "some 127.0.0.1 0");
}

BOOST_AUTO_TEST_CASE(without_authorities_no_certificate_is_asked_for) {
  options.client_ca_pem.clear();
  start();
  BOOST_TEST(get(certificate_of(authority)) == "none 127.0.0.1 0");
}

BOOST_AUTO_TEST_CASE(a_connection_serves_many_requests_and_large_bodies) {
  start();
  const auto kept = client();
  for (int i = 0; i < 20; ++i) BOOST_TEST(kept->send({"GET", "/", {}, {}, false, {}, {}}).value().status == 200);
  const std::string just(3U << 20U, 'x');
  BOOST_TEST(kept->send({"POST", "/", "text/plain", just, false, {}, {}}).value().body == "none 127.0.0.1 3145728");
  BOOST_TEST(client()->send({"POST", "/", "text/plain", just + "x", false, {}, {}}).value().status == 413);
}

BOOST_AUTO_TEST_CASE(plain_http_is_told_so) {
  start();
  const RawClient plain(server->port());
  plain.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(plain.rest() == "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
  const RawClient garbage(server->port());
  garbage.send("\x01\x02\x03");
  BOOST_TEST(garbage.rest().empty());
}

BOOST_AUTO_TEST_CASE(half_a_handshake_is_dropped_and_holds_up_nobody) {
  options.handshake_time = milliseconds(300);
  options.threads = 1;
  start();
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 50; ++i) {
    silent.push_back(std::make_unique<RawClient>(server->port()));
    if (i % 2 == 0) silent.back()->send("\x16\x03\x01\x02");
  }
  BOOST_TEST(get() == "none 127.0.0.1 0");
  // Ends only because the server closes.
  for (const auto& client : silent) BOOST_TEST(client->rest().empty());
}

BOOST_AUTO_TEST_CASE(slow_clients_are_dropped_and_hold_up_nobody) {
  options.header_time = milliseconds(300);
  options.body_time = milliseconds(300);
  options.threads = 1;
  start();
  std::vector<std::unique_ptr<SlowClient>> slow;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(std::make_unique<SlowClient>(server->port()));
    BOOST_TEST(slow.back()->connected);
    slow.back()->send(i % 2 == 0 ? "GET / HTT" : "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nbo");
  }
  BOOST_TEST(get() == "none 127.0.0.1 0");
  // Ends only because the server closes.
  for (const auto& client : slow) BOOST_TEST(client->rest().empty());
  SlowClient idle(server->port());
  std::this_thread::sleep_for(milliseconds(600));
  idle.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  BOOST_TEST(idle.rest().starts_with("HTTP/1.1 200 OK"));
}

BOOST_AUTO_TEST_CASE(who_reads_an_answer_late_gets_all_of_it) {
  start();
  SlowClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n" + std::string(3'200'000, 'x'));
  std::this_thread::sleep_for(milliseconds(100));
  BOOST_TEST(client.rest().starts_with("HTTP/1.1 413 "));
}

BOOST_AUTO_TEST_CASE(a_stream_is_sent_as_it_comes_and_let_go_of_with_its_reader) {
  start();
  const auto watcher = client();
  const auto answer = watcher->send({"GET", "/watch", {}, {}, true, {}, {}});
  BOOST_TEST(answer.value().status == 200);
  const auto end = steady_clock::now() + std::chrono::seconds(10);
  // The client has closed after the headers; the server learns it by reading or by writing.
  while (handler.stream.use_count() > 1 && steady_clock::now() < end) {
    handler.stream->push("event\n");
    std::this_thread::sleep_for(milliseconds(5));
  }
  BOOST_TEST(handler.stream.use_count() == 1);
  BOOST_TEST(get() == "none 127.0.0.1 0");
}

BOOST_AUTO_TEST_CASE(a_stream_may_outlive_the_server) {
  start();
  const auto watcher = client();
  BOOST_TEST(watcher->send({"GET", "/watch", {}, {}, true, {}, {}}).value().status == 200);
  server.reset();
  handler.stream->push("event\n");
  std::string left;
  BOOST_TEST(handler.stream->take(left));
  BOOST_TEST(left == "event\n");
}

BOOST_AUTO_TEST_CASE(clients_are_served_side_by_side) {
  start();
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto own = client();
      for (int k = 0; k < 20; ++k) {
        const auto answer = own->send({"GET", "/", {}, {}, false, {}, {}});
        if (answer && answer->status == 200) ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(good == 160);
}

BOOST_AUTO_TEST_CASE(a_server_stops_with_clients_connected) {
  start();
  const auto idle = client();
  BOOST_TEST(idle->send({"GET", "/", {}, {}, false, {}, {}}).value().status == 200);
  // It waits for who is being answered, not for who is idle: then this test would not end.
  server->stop(std::chrono::hours(1));
  BOOST_TEST(!idle->send({"GET", "/", {}, {}, false, {}, {}}).has_value());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_served_is_an_error) {
  start();
  HttpsServerOptions taken = options;
  taken.port = server->port();
  BOOST_TEST(!HttpsServer::start(taken, handler).has_value());
  HttpsServerOptions elsewhere = options;
  elsewhere.address = "nowhere";
  BOOST_TEST(HttpsServer::start(elsewhere, handler).error().where == "--bind-address");
  HttpsServerOptions foreign = options;
  foreign.key_pem = other.key_pem();
  BOOST_TEST(HttpsServer::start(foreign, handler).error().where == "--tls-private-key-file");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(without_tls_it_is_plain_http) {
  Echo echo;
  HttpsServerOptions options;
  options.tls = false;
  const auto server = HttpsServer::start(options, echo).value();
  ServerAddress address;
  address.tls = false;
  address.host = "127.0.0.1";
  address.port = server->port();
  const auto client = make_http_client(address, {}, {}).value();
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(client->send({"POST", "/", "", "12345", false, {}, {}})->body == "none 127.0.0.1 5");
  }
}

BOOST_AUTO_TEST_CASE(handlers_that_wait_keep_nobody_from_being_served) {
  constexpr int many = 40;
  World world;
  Gathering gathering(many);
  world.options.threads = 2;
  world.server = HttpsServer::start(world.options, gathering).value();
  // In the second round the stand-in threads of the first round serve again.
  for (int round = 1; round <= 2; ++round) {
    std::atomic<int> served = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < many; ++i) {
      clients.emplace_back([&] {
        const auto answer = world.client()->send({"GET", "/", {}, {}, false, {}, {}});
        if (answer && answer->status == 200) ++served;
      });
    }
    for (std::thread& client : clients) client.join();
    BOOST_TEST(served == many);
  }
}

BOOST_AUTO_TEST_SUITE_END()
