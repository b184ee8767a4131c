#include "fakes/proxy/kubelet_proxy.h"

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <condition_variable>
#include <future>
#include <thread>

#include "fakes/http/duplex_stream.h"
#include "reference/cluster/object.h"

BOOST_AUTO_TEST_SUITE(kubelet_proxy)

using namespace nodebound;
using namespace nodebound::proxy;
using namespace std::string_literals;

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// A server on loopback that reads a request and then does what it is told.
class Kubelet {
 public:
  using Act = std::function<void(tcp::socket&)>;

  explicit Kubelet(Act act)
      : acceptor_(context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)), thread_([this, act = std::move(act)] {
          tcp::socket socket(context_);
          boost::system::error_code error;
          acceptor_.accept(socket, error);
          if (error) return;
          asio::streambuf buffer;
          const std::size_t size = asio::read_until(socket, buffer, "\r\n\r\n", error);
          head_.assign(asio::buffers_begin(buffer.data()),
                       asio::buffers_begin(buffer.data()) + static_cast<std::ptrdiff_t>(size));
          act(socket);
          socket.close(error);
        }) {}
  explicit Kubelet(const std::string& answer)
      : Kubelet([answer](tcp::socket& socket) {
          boost::system::error_code ignored;
          asio::write(socket, asio::buffer(answer), ignored);
        }) {}
  ~Kubelet() { end(); }

  Kubelet(const Kubelet&) = delete;
  Kubelet& operator=(const Kubelet&) = delete;

  [[nodiscard]] std::string port() const { return std::to_string(acceptor_.local_endpoint().port()); }
  /// What it was asked, once it has answered.
  const std::string& head() {
    end();
    return head_;
  }

 private:
  void end() {
    if (thread_.joinable()) thread_.join();
  }

  asio::io_context context_;
  tcp::acceptor acceptor_;
  std::string head_;
  std::thread thread_;
};

void send(tcp::socket& socket, const std::string& bytes) {
  boost::system::error_code ignored;
  asio::write(socket, asio::buffer(bytes), ignored);
}

/// Reads until the other side has gone.
void wait_until_gone(tcp::socket& socket) {
  std::array<char, 4096> piece{};
  boost::system::error_code error;
  while (!error) socket.read_some(asio::buffer(piece), error);
}

Onward at(const std::string& port, Onward::Kind kind, const std::string& target = "/path?q=1") {
  Onward out;
  out.kind = kind;
  out.tls = false;
  out.kubelet = false;
  out.host = "127.0.0.1";
  out.port = port;
  out.target = target;
  out.prefix = "/api/v1/nodes/n/proxy";
  out.name = "web";
  return out;
}

IncomingRequest asked(const HeaderFields& headers = {}, const std::string& method = "GET") {
  IncomingRequest out{method, "/api/v1/nodes/n/proxy/path?q=1", headers, ""};
  out.headers.insert(out.headers.begin(), {"host", "server"});
  out.peer = std::make_shared<const Peer>(Peer{"192.0.2.7", {}});
  return out;
}

const HeaderFields websocket = {{"connection", "Upgrade"}, {"upgrade", "websocket"}};

/// Everything of a stream until it ends.
std::string whole(BodyStream& stream) {
  // A call of it may still be under way when the stream has ended.
  struct State {
    std::mutex mutex;
    std::condition_variable came;
    bool ready = true;
  };
  const auto state = std::make_shared<State>();
  stream.on_ready([state] {
    const std::lock_guard lock(state->mutex);
    state->ready = true;
    state->came.notify_all();
  });
  std::string out;
  while (stream.take(out)) {
    std::unique_lock lock(state->mutex);
    state->came.wait(lock, [&] { return state->ready; });
    state->ready = false;
  }
  stream.on_ready(nullptr);
  return out;
}

struct World {
  HttpResponse ask(const Onward& to, const IncomingRequest& request = asked()) {
    HttpResponse own;
    own.status = 418;
    own.annotations["decision"] = "allow";
    return proxy.forward(request, to, own);
  }
  static std::string message(const HttpResponse& answer) {
    return std::string(text(Object::parse(answer.body), "message"));
  }

  std::unique_ptr<Backends> backends = [] {
    Backends::Options options;
    options.time = std::chrono::milliseconds(2000);
    options.head_bytes = 8192;
    return Backends::make(options).value();
  }();
  KubeletProxy proxy{*backends, {}};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(answers, World)

BOOST_AUTO_TEST_CASE(a_log_is_passed_back_as_text) {
  Kubelet kubelet(
      "HTTP/1.1 200 OK\r\nContent-Type: application/x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\none\r\n4\r\n two\r\n0\r\n\r\n");
  const HttpResponse answer = ask(at(kubelet.port(), Onward::Kind::log, "/containerLogs/default/web/web"));
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.content_type == "text/plain");
  BOOST_TEST(answer.annotations.at("decision") == "allow");
  BOOST_TEST(whole(*answer.stream) == "one two");
  BOOST_TEST(!answer.stream->broken());
  BOOST_TEST(kubelet.head().starts_with("GET /containerLogs/default/web/web HTTP/1.1\r\nHost: 127.0.0.1:"));
}

// The words are those of kube-apiserver 1.36.3 (ci/compare/streams).
BOOST_AUTO_TEST_CASE(a_refused_log_has_the_words_of_the_api_server) {
  const std::map<std::string, std::pair<int, std::string>> words = {
      {"400 Bad Request", {400, "so!"}},
      {"403 Forbidden", {403, "so! ( pods/log web)"}},
      {"500 Internal Server Error", {500, "Internal error occurred: so!"}},
      {"503 Service Unavailable", {503, "the server is currently unable to handle the request ( pods/log web)"}}};
  for (const auto& [status, expected] : words) {
    Kubelet kubelet("HTTP/1.1 " + status + "\r\nContent-Length: 3\r\n\r\nso!");
    const HttpResponse answer = ask(at(kubelet.port(), Onward::Kind::log));
    BOOST_TEST(answer.status == expected.first);
    BOOST_TEST(message(answer) == expected.second);
  }
}

BOOST_AUTO_TEST_CASE(no_redirect_is_followed) {
  const std::string redirect = "HTTP/1.1 302 Found\r\nLocation: https://192.0.2.9/there\r\nContent-Length: 0\r\n\r\n";
  Kubelet first(redirect);
  const HttpResponse log = ask(at(first.port(), Onward::Kind::log));
  BOOST_TEST(log.status == 500);
  BOOST_TEST(message(log) == "Get \"https://192.0.2.9/there\": redirects forbidden");
  Kubelet second(redirect);
  const HttpResponse upgrade = ask(at(second.port(), Onward::Kind::upgrade), asked(websocket));
  BOOST_TEST(upgrade.status == 500);
  BOOST_TEST(message(upgrade) == "invalid upgrade response: status code 302");
  // The client of a proxy decides itself.
  Kubelet third(redirect);
  const HttpResponse proxied = ask(at(third.port(), Onward::Kind::proxy));
  BOOST_TEST(proxied.status == 302);
  BOOST_TEST(proxied.headers.at("location") == "https://192.0.2.9/there");
}

BOOST_AUTO_TEST_CASE(a_redirect_to_the_same_server_stays_behind_the_proxy) {
  Kubelet kubelet("HTTP/1.1 301 Moved Permanently\r\nLocation: /logs/?x=1\r\nContent-Length: 0\r\n\r\n");
  BOOST_TEST(ask(at(kubelet.port(), Onward::Kind::proxy)).headers.at("location") ==
             "https://server/api/v1/nodes/n/proxy/logs/?x=1");
}

BOOST_AUTO_TEST_CASE(a_proxied_answer_is_passed_back_with_its_headers) {
  Kubelet kubelet(
      "HTTP/1.1 207 Some\r\nX-Own: 1\r\nConnection: close\r\nAccess-Control-Allow-Origin: *\r\n"
      "Content-Type: text/odd\r\n\r\nrest");
  const HttpResponse answer = ask(at(kubelet.port(), Onward::Kind::proxy));
  BOOST_TEST(answer.status == 207);
  BOOST_TEST(answer.content_type == "text/odd");
  BOOST_TEST(answer.headers.at("x-own") == "1");
  BOOST_TEST(!answer.headers.contains("connection"));
  BOOST_TEST(!answer.headers.contains("access-control-allow-origin"));
  BOOST_TEST(whole(*answer.stream) == "rest");
}

BOOST_AUTO_TEST_CASE(who_asks_is_not_passed_on) {
  Kubelet kubelet("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  ask(at(kubelet.port(), Onward::Kind::proxy),
      asked({{"authorization", "Bearer secret"}, {"impersonate-user", "u"}, {"x-kept", "1"}, {"te", "trailers"}}));
  const std::string& head = kubelet.head();
  BOOST_TEST(head.find("secret") == std::string::npos);
  BOOST_TEST(head.find("Impersonate") == std::string::npos);
  BOOST_TEST(head.find("Te:") == std::string::npos);
  BOOST_TEST(head.find("X-Kept: 1\r\n") != std::string::npos);
  BOOST_TEST(head.find("X-Forwarded-For: 192.0.2.7\r\n") != std::string::npos);
  Kubelet second("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  HeaderFields headers = websocket;
  headers.emplace_back("sec-websocket-protocol", "base64url.bearer.authorization.k8s.io.c2VjcmV0, v4.channel.k8s.io");
  ask(at(second.port(), Onward::Kind::upgrade), asked(headers));
  BOOST_TEST(second.head().find("Sec-Websocket-Protocol: v4.channel.k8s.io\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_upgraded_connection_carries_bytes_both_ways) {
  Kubelet kubelet([](tcp::socket& socket) {
    send(socket, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst ");
    std::array<char, 5> got{};
    boost::system::error_code ignored;
    asio::read(socket, asio::buffer(got), ignored);
    send(socket, "got " + std::string(got.data(), got.size()));
  });
  const HttpResponse answer = ask(at(kubelet.port(), Onward::Kind::upgrade), asked(websocket));
  BOOST_TEST(answer.status == 101);
  BOOST_TEST(answer.headers.at("connection") == "Upgrade");
  BOOST_TEST(answer.headers.at("upgrade") == "websocket");
  answer.stream->receive("there");
  BOOST_TEST(whole(*answer.stream) == "first got there");
}

BOOST_AUTO_TEST_CASE(a_refused_upgrade_is_passed_back) {
  Kubelet kubelet("HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nno!");
  const HttpResponse answer = ask(at(kubelet.port(), Onward::Kind::upgrade), asked(websocket));
  BOOST_TEST(answer.status == 403);
  BOOST_TEST(answer.body == "no!");
  BOOST_TEST(answer.headers.at("connection") == "close");
}

BOOST_AUTO_TEST_CASE(without_an_upgrade_the_api_server_answers_itself) {
  BOOST_TEST(ask(at("1", Onward::Kind::upgrade)).status == 418);
}

BOOST_AUTO_TEST_CASE(who_cannot_be_reached_is_told_in_the_words_of_the_api_server) {
  const std::string refused = "dial tcp 127.0.0.1:1: connect: connection refused";
  const HttpResponse log = ask(at("1", Onward::Kind::log, "/containerLogs/default/web/web"));
  BOOST_TEST(log.status == 500);
  BOOST_TEST(message(log) == "Get \"http://127.0.0.1:1/containerLogs/default/web/web\": " + refused);
  const HttpResponse upgrade = ask(at("1", Onward::Kind::upgrade), asked(websocket));
  BOOST_TEST(upgrade.status == 500);
  BOOST_TEST(message(upgrade) == "error dialing backend: " + refused);
  const HttpResponse proxied = ask(at("1", Onward::Kind::proxy));
  BOOST_TEST(proxied.status == 503);
  BOOST_TEST(message(proxied) == "error trying to reach service: " + refused);
}

BOOST_AUTO_TEST_CASE(the_preferred_address_of_a_node_is_used) {
  Kubelet kubelet("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
  Onward to = at(kubelet.port(), Onward::Kind::log);
  to.host.clear();
  to.addresses = {{"ExternalIP", "192.0.2.1"}, {"InternalIP", "127.0.0.1"}};
  BOOST_TEST(whole(*ask(to).stream) == "hi");
  to.addresses = {{"Other", "192.0.2.1"}, {"More", "192.0.2.2"}};
  BOOST_TEST(message(ask(to)) == "no preferred addresses found; known addresses: [{Other 192.0.2.1} {More 192.0.2.2}]");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(hostile_kubelets, World)

BOOST_AUTO_TEST_CASE(headers_without_end_are_not_read_to_the_end) {
  Kubelet kubelet([](tcp::socket& socket) {
    send(socket, "HTTP/1.1 200 OK\r\n");
    boost::system::error_code error;
    const std::string line = "X-More: " + std::string(1000, 'x') + "\r\n";
    while (!error) asio::write(socket, asio::buffer(line), error);
  });
  const HttpResponse answer = ask(at(kubelet.port(), Onward::Kind::proxy));
  BOOST_TEST(answer.status == 503);
  BOOST_TEST(message(answer).find("server response headers exceeded 8192 bytes") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_kubelet_that_does_not_answer_is_given_up) {
  Kubelet kubelet([](tcp::socket& socket) { wait_until_gone(socket); });
  const HttpResponse answer = ask(at(kubelet.port(), Onward::Kind::upgrade), asked(websocket));
  BOOST_TEST(answer.status == 500);
  BOOST_TEST(message(answer) == "timeout awaiting response headers");
}

BOOST_AUTO_TEST_CASE(an_answer_that_breaks_off_is_broken_unless_it_is_a_log) {
  const std::string cut = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf";
  Kubelet first(cut);
  const HttpResponse proxied = ask(at(first.port(), Onward::Kind::proxy));
  BOOST_TEST(whole(*proxied.stream) == "half");
  BOOST_TEST(proxied.stream->broken());
  Kubelet second(cut);
  const HttpResponse log = ask(at(second.port(), Onward::Kind::log));
  BOOST_TEST(whole(*log.stream) == "half");
  BOOST_TEST(!log.stream->broken());
}

BOOST_AUTO_TEST_CASE(an_answer_that_never_begins_is_told_of) {
  Kubelet first("");
  BOOST_TEST(message(ask(at(first.port(), Onward::Kind::upgrade), asked(websocket))) == "unexpected EOF");
  Kubelet second("");
  BOOST_TEST(message(ask(at(second.port(), Onward::Kind::proxy))) == "error trying to reach service: EOF");
}

BOOST_AUTO_TEST_CASE(protocols_are_not_switched_unasked) {
  Kubelet kubelet("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nbytes");
  const HttpResponse answer = ask(at(kubelet.port(), Onward::Kind::proxy));
  BOOST_TEST(answer.status == 500);
  BOOST_TEST(answer.stream == nullptr);
}

BOOST_AUTO_TEST_CASE(a_kubelet_that_does_not_read_holds_up_the_client) {
  std::promise<void> reads;
  Kubelet kubelet([&](tcp::socket& socket) {
    send(socket, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    reads.get_future().wait();
    wait_until_gone(socket);
  });
  HttpResponse answer = ask(at(kubelet.port(), Onward::Kind::upgrade), asked(websocket));
  auto stream = std::dynamic_pointer_cast<DuplexStream>(answer.stream);
  BOOST_TEST_REQUIRE(stream != nullptr);
  const std::string piece(1U << 16U, 'x');
  // Beyond what the sockets take, a quarter of a megabyte waits. The sockets may take more a moment later.
  bool full = false;
  for (int i = 0; i < 4096 && !full; ++i) {
    stream->receive(piece);
    full = stream->full();
  }
  BOOST_TEST(full);
  reads.set_value();
  answer.stream = nullptr;
  stream = nullptr;
  BOOST_TEST(kubelet.head().starts_with("GET /path"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(permitted_addresses, World)

BOOST_AUTO_TEST_CASE(only_global_unicast_addresses_are_proxied_to) {
  for (const char* address : {"192.0.2.1", "10.0.0.1", "2001:db8::1", "fd00::1"}) {
    BOOST_TEST(is_global_unicast(address), address);
  }
  for (const char* address :
       {"127.0.0.1", "127.9.9.9", "169.254.169.254", "224.0.0.1", "255.255.255.255", "0.0.0.0", "::1", "fe80::1",
        "ff02::1", "::", "::ffff:127.0.0.1", "::ffff:169.254.0.1", "localhost"}) {
    BOOST_TEST(!is_global_unicast(address), address);
  }
}

BOOST_AUTO_TEST_CASE(a_loopback_address_is_refused_unless_it_is_permitted) {
  Onward to = at("1", Onward::Kind::proxy);
  to.global_only = true;
  const HttpResponse refused = ask(to);
  BOOST_TEST(refused.status == 400);
  BOOST_TEST(message(refused) == "address not allowed");
  KubeletProxy::Options options;
  options.permitted = {"127.0.0.1:1"};
  KubeletProxy one(*backends, options);
  BOOST_TEST(one.forward(asked(), to, {}).status == 503);
  to.port = "2";
  BOOST_TEST(one.forward(asked(), to, {}).status == 400);
  options.permits_all = true;
  KubeletProxy all(*backends, options);
  BOOST_TEST(all.forward(asked(), to, {}).status == 503);
}

BOOST_AUTO_TEST_CASE(a_redirect_to_the_root_is_answered_if_the_address_is_permitted) {
  Onward to = at("1", Onward::Kind::proxy);
  to.redirects = true;
  BOOST_TEST(ask(to).status == 418);
  to.global_only = true;
  BOOST_TEST(ask(to).status == 400);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
