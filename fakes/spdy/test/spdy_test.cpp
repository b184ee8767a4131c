#include <boost/test/unit_test.hpp>

#include "fakes/spdy/server.h"

BOOST_AUTO_TEST_SUITE(spdy_streams)

using namespace nodebound;
using namespace std::string_literals;

namespace {

/// The client's side: opens streams with headers.
class Client {
 public:
  std::string open(std::uint32_t stream, const spdy::Headers& headers) {
    spdy::SpdyFrame out{spdy::Type::syn_stream, false, stream, "\x00\x00\x00"s + static_cast<char>(stream)};
    out.payload += std::string(6, '\0') + writer_.write(headers);
    return spdy::write(out);
  }

 private:
  spdy::HeaderDeflater writer_;
};

/// Sends back what it receives, with the name of the stream.
class Echo final : public spdy::Server {
 private:
  void opened(std::uint32_t stream, const spdy::Headers& headers) override { send(stream, headers.at("name"), false); }
  void received(std::uint32_t stream, const std::string& bytes, bool last) override { send(stream, bytes, last); }
};

std::string taken(BodyStream& stream) {
  std::string out;
  stream.take(out);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(streams_are_accepted_and_keep_their_headers_apart) {
  Client client;
  Echo server;
  std::string opened = client.open(1, {{"name", "a"}});
  opened += client.open(3, {{"name", "bb"}, {"accept", "x"}});
  for (const char& byte : opened) server.receive({&byte, 1});
  std::string out = taken(server);
  spdy::HeaderInflater replies;
  for (const auto& [stream, name] : std::map<std::uint32_t, std::string>{{1, "a"}, {3, "bb"}}) {
    const auto reply = spdy::take_frame(out);
    BOOST_TEST_REQUIRE(reply.has_value());
    BOOST_TEST((reply->type == spdy::Type::syn_reply));
    BOOST_TEST(reply->stream == stream);
    const auto headers = replies.read(reply->payload.substr(4));
    BOOST_TEST_REQUIRE(headers.has_value());
    BOOST_TEST(headers->empty());
    const auto data = spdy::take_frame(out);
    BOOST_TEST_REQUIRE(data.has_value());
    BOOST_TEST((data->type == spdy::Type::data));
    BOOST_TEST(data->payload == name);
  }
}

BOOST_AUTO_TEST_CASE(data_of_streams_that_are_not_open_is_ignored) {
  Client client;
  Echo server;
  server.receive(client.open(1, {{"name", "a"}}));
  taken(server);
  server.receive(spdy::write({spdy::Type::data, false, 5, "lost"}));
  BOOST_TEST(taken(server) == "");
  server.receive(spdy::write({spdy::Type::data, true, 1, "kept"}));
  BOOST_TEST(taken(server) == "\x00\x00\x00\x01\x01\x00\x00\x04kept"s);
}

BOOST_AUTO_TEST_CASE(a_ping_is_sent_back) {
  Echo server;
  const std::string ping = spdy::write({spdy::Type::ping, false, 0, "\x00\x00\x00\x07"s});
  server.receive(ping);
  BOOST_TEST(taken(server) == ping);
}

BOOST_AUTO_TEST_CASE(headers_that_cannot_be_read_end_the_connection) {
  for (const std::string& block : {"rubbish"s, ""s, std::string(40, '\xff')}) {
    Echo server;
    server.receive(spdy::write({spdy::Type::syn_stream, false, 1, std::string(10, '\0') + block}));
    std::string out;
    BOOST_TEST(!server.take(out));
    BOOST_TEST(out == "");
  }
}

// A hundred bytes can be inflated to a hundred thousand.
BOOST_AUTO_TEST_CASE(headers_are_not_inflated_without_end) {
  spdy::HeaderDeflater writer;
  spdy::HeaderInflater reader;
  const std::string block = writer.write({{"name", std::string(10U << 20U, 'x')}});
  BOOST_TEST(block.size() < 20'000U);
  BOOST_TEST(!reader.read(block).has_value());
}

BOOST_AUTO_TEST_CASE(a_frame_that_is_too_long_ends_the_connection) {
  Echo server;
  server.receive("\x00\x00\x00\x01\x00\xff\xff\xff"s);
  server.receive(std::string(spdy::longest_frame, 'x'));
  std::string out;
  BOOST_TEST(!server.take(out));
}

BOOST_AUTO_TEST_CASE(a_client_that_only_sends_is_held_up) {
  Client client;
  Echo server;
  server.receive(client.open(1, {{"name", "a"}}));
  const std::string data = spdy::write({spdy::Type::data, false, 1, std::string(1U << 16U, 'x')});
  for (int i = 0; i < 100 && !server.full(); ++i) server.receive(data);
  BOOST_TEST(server.full());
  taken(server);
  BOOST_TEST(!server.full());
}

BOOST_AUTO_TEST_SUITE_END()
