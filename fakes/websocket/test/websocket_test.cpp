#include <boost/test/unit_test.hpp>

#include "fakes/http/memory_connection.h"
#include "fakes/websocket/handshake.h"
#include "fakes/websocket/watch_frames.h"

BOOST_AUTO_TEST_SUITE(websocket_streams)

using namespace nodebound;
using namespace std::string_literals;

namespace {

/// A frame as a client sends it, masked with zeros.
std::string masked(websocket::Opcode opcode, const std::string& payload) {
  std::string out = websocket::frame(opcode, payload);
  out[1] = static_cast<char>(static_cast<unsigned char>(out[1]) | 0x80U);
  return out.insert(out.size() - payload.size(), 4, '\0');
}

/// A watch whose events are there from the start.
class Events final : public BodyStream {
 public:
  Events(std::string text, bool more) : text_(std::move(text)), more_(more) {}
  bool take(std::string& out) override {
    out += std::exchange(text_, {});
    return more_;
  }
  void on_ready(std::function<void()> /*notify*/) override {}

 private:
  std::string text_;
  bool more_;
};

/// Answers a watch over WebSocket, whatever is asked.
struct Watched final : HttpHandler {
  HttpResponse handle(const IncomingRequest& request) override {
    HttpResponse watch;
    watch.status = 200;
    watch.content_type = type;
    watch.stream = std::make_shared<Events>(events, more);
    return watch_over_websocket(request, std::move(watch));
  }

  std::string events;
  bool more = true;
  std::string type = "application/json";
};

std::string asking(const std::string& more) {
  return "GET /watch HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         more + "\r\n";
}

constexpr const char* with_origin = "Origin: http://localhost\r\n";

std::string after_head(const std::string& answer) {
  return answer.substr(answer.find("\r\n\r\n") + 4);
}

}  // namespace

// The statuses and words are those of kube-apiserver 1.36.3 (ci/compare/streams).
BOOST_AUTO_TEST_CASE(a_watch_sends_each_event_in_a_message) {
  Watched watched;
  watched.events = "{\"type\":\"ADDED\"}\n{\"type\":\"DELETED\"}\n{\"ty";
  MemoryConnection connection(watched);
  const std::string answer = connection.send(asking(with_origin));
  BOOST_TEST(answer.starts_with("HTTP/1.1 101 Switching Protocols\r\n"));
  BOOST_TEST(answer.find("\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n") != std::string::npos);
  BOOST_TEST(answer.find("sec-websocket-protocol") == std::string::npos);
  // What is not whole waits.
  BOOST_TEST(after_head(answer) == "\x81\x11{\"type\":\"ADDED\"}\n\x81\x13{\"type\":\"DELETED\"}\n"s);
}

BOOST_AUTO_TEST_CASE(a_watch_in_protobuf_sends_its_events_without_their_lengths) {
  Watched watched;
  watched.type = "application/vnd.kubernetes.protobuf;stream=watch";
  watched.events = "\x00\x00\x00\x02hi\x00\x00\x00\x01x\x00\x00"s;
  MemoryConnection connection(watched);
  BOOST_TEST(after_head(connection.send(asking(with_origin))) == "\x82\x02hi\x82\x01x"s);
}

BOOST_AUTO_TEST_CASE(a_watch_that_ends_closes_normally) {
  Watched watched;
  watched.more = false;
  MemoryConnection connection(watched);
  BOOST_TEST(after_head(connection.send(asking(with_origin))) == "\x88\x02\x03\xe8"s);
  BOOST_TEST(connection.closed());
}

BOOST_AUTO_TEST_CASE(a_handshake_says_where_it_comes_from_and_offers_one_protocol) {
  Watched watched;
  const auto answer = [&](const std::string& more) { return MemoryConnection(watched).send(asking(more)); };
  BOOST_TEST(answer("").starts_with("HTTP/1.1 403 "));
  const std::string origin = with_origin;
  BOOST_TEST(answer(origin + "Sec-WebSocket-Protocol: a, b\r\n").starts_with("HTTP/1.1 400 "));
  const std::string one = answer(origin + "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.dG9r, a\r\n");
  BOOST_TEST(one.starts_with("HTTP/1.1 101 "));
  BOOST_TEST(one.find("\r\nsec-websocket-protocol: a\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(pings_are_answered_and_a_close_ends_the_watch) {
  Watched watched;
  MemoryConnection connection(watched);
  connection.send(asking(with_origin));
  BOOST_TEST(connection.send(masked(websocket::Opcode::text, "ignored")) == "");
  BOOST_TEST(connection.send(masked(websocket::Opcode::ping, "you?")) == "\x8a\x04you?"s);
  connection.send(masked(websocket::Opcode::close, ""));
  BOOST_TEST(connection.closed());
}

BOOST_AUTO_TEST_CASE(what_is_not_masked_breaks_the_protocol) {
  websocket::IgnoredFrames frames;
  BOOST_TEST(frames.receive("\x81\x02hi") == "\x88\x02\x03\xea"s);
  BOOST_TEST(frames.closed());
}

BOOST_AUTO_TEST_CASE(a_frame_of_any_length_is_passed_over_piece_by_piece) {
  websocket::IgnoredFrames frames;
  std::string head = "\x82\xff\x00\x00\x00\x00\x00\x10\x00\x00"s + std::string(4, '\0');
  for (const char& byte : head) BOOST_TEST(frames.receive({&byte, 1}) == "");
  const std::string piece(1U << 16U, 'x');
  for (int i = 0; i < 16; ++i) BOOST_TEST(frames.receive(piece) == "");
  BOOST_TEST(frames.receive(masked(websocket::Opcode::ping, "")) == "\x8a\x00"s);
  BOOST_TEST(!frames.closed());
}

BOOST_AUTO_TEST_CASE(a_client_that_only_asks_is_held_up) {
  WatchFrames stream(std::make_shared<Events>("", true), false);
  const std::string ping = masked(websocket::Opcode::ping, std::string(100, 'p'));
  BOOST_TEST(!stream.full());
  for (int i = 0; i < 1000 && !stream.full(); ++i) stream.receive(ping);
  BOOST_TEST(stream.full());
  std::string out;
  BOOST_TEST(stream.take(out));
  BOOST_TEST(out.starts_with("\x8a\x64ppp"));
  BOOST_TEST(!stream.full());
}

BOOST_AUTO_TEST_SUITE_END()
