#include <boost/test/unit_test.hpp>

#include "fakes/kubelet_api/test/support.h"
#include "fakes/spdy/frame.h"
#include "fakes/websocket/frame.h"

BOOST_AUTO_TEST_SUITE(kubelet_api_streams)

using namespace nodebound;
using namespace nodebound::kubelet_api;
using namespace nodebound::test;

namespace {

constexpr const char* websocket_headers =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_websocket_gets_what_the_command_says_and_its_status) {
  ServedKubelet kubelet("1.36.3");
  const std::string v4 = std::string(websocket_headers) + "Sec-WebSocket-Protocol: v4.channel.k8s.io\r\n";
  const std::string answer =
      kubelet.ask("proxy", "GET", "/exec/default/web/web?output=1&error=1&command=echo&command=hi", v4);
  BOOST_TEST(status_of(answer) == 101);
  BOOST_TEST(has_header(answer, "sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
  BOOST_TEST(has_header(answer, "sec-websocket-protocol: v4.channel.k8s.io"));
  BOOST_TEST(answer.find("content-length") == std::string::npos);
  using namespace std::string_literals;
  BOOST_TEST(body_of(answer) ==
             "\x82\x01\x01\x82\x09\x01"
             "echo hi\n\x82\x15\x03{\"status\":\"Success\"}\x88\x02\x03\xe8"s);
  const std::string plain = kubelet.ask("proxy", "GET", "/attach/default/web/web?output=1", websocket_headers);
  BOOST_TEST(body_of(plain) ==
             "\x82\x01\x01\x82\x0a\x01"
             "attached\n\x88\x02\x03\xe8"s);
  BOOST_TEST(body_of(kubelet.ask("admin", "GET", "/portForward/default/web?port=0", v4)) == "port \"0\" must be > 0");
}

BOOST_AUTO_TEST_CASE(older_websockets_have_text_in_base64) {
  using namespace std::string_literals;
  ServedKubelet kubelet("1.36.3");
  const auto ask = [&](const std::string& target, const std::string& protocol) {
    return kubelet.ask("admin", "GET", target,
                       std::string(websocket_headers) + "Sec-WebSocket-Protocol: " + protocol + "\r\n");
  };
  const char* exec = "/exec/default/web/web?output=1&command=hi";
  const std::string answer = ask(exec, "v4.base64.channel.k8s.io");
  BOOST_TEST(has_header(answer, "sec-websocket-protocol: v4.base64.channel.k8s.io"));
  BOOST_TEST(body_of(answer) ==
             "\x81\x01\x31\x81\x05\x31"
             "aGkK\x81\x1d\x33"
             "eyJzdGF0dXMiOiJTdWNjZXNzIn0=\x88\x02\x03\xe8"s);
  BOOST_TEST(body_of(ask(exec, "base64.channel.k8s.io")) ==
             "\x81\x01\x31\x81\x05\x31"
             "aGkK\x88\x02\x03\xe8"s);
  const char* forward = "/portForward/default/web?port=80";
  BOOST_TEST(body_of(ask(forward, "v4.base64.channel.k8s.io")) == "\x81\x05\x30UAA=\x81\x05\x31UAA="s);
  for (const char* unknown : {"base64.channel.k8s.io", "channel.k8s.io"}) {
    BOOST_TEST(status_of(ask(forward, unknown)) == 403, unknown);
  }
}

// Tried with kubelets 1.31.0 and 1.36.3.
BOOST_AUTO_TEST_CASE(spdy_has_to_name_its_protocol) {
  const std::string missed =
      "unable to upgrade: header X-Stream-Protocol-Version does not exist in request with 3 headers\n";
  const std::string spdy = "Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ";
  const char* forward = "/portForward/default/web";
  const char* attach = "/attach/default/web/web?output=1";
  ServedKubelet now("1.36.3");
  ServedKubelet before("1.31.0");
  for (const char* target : {forward, attach}) {
    const std::string answer = now.ask("admin", "GET", target, "Connection: Upgrade\r\n");
    BOOST_TEST(status_of(answer) == 400);
    BOOST_TEST(body_of(answer) == missed);
  }
  const std::string lost = before.ask("admin", "GET", forward, "Connection: Upgrade\r\n");
  BOOST_TEST(status_of(lost) == 500);
  BOOST_TEST(body_of(lost) == "invalid upgrade response: status code 200\n");
  BOOST_TEST(body_of(before.ask("admin", "GET", attach, "Connection: Upgrade\r\n")) ==
             "unable to upgrade: X-Stream-Protocol-Version is required\n");
  const std::string unknown = now.ask("admin", "GET", forward, spdy + "a, b\r\n");
  BOOST_TEST(status_of(unknown) == 403);
  BOOST_TEST(
      body_of(unknown) ==
      "unable to upgrade: unable to negotiate protocol: client supports [a b], server accepts [portforward.k8s.io]\n");
  const std::string good = before.ask("admin", "GET", attach, spdy + "v5.channel.k8s.io, v4.channel.k8s.io\r\n");
  BOOST_TEST(status_of(good) == 101);
  BOOST_TEST(has_header(good, "x-stream-protocol-version: v4.channel.k8s.io"));
  BOOST_TEST(body_of(now.ask("admin", "GET", forward,
                             "Connection: Upgrade\r\nX-Stream-Protocol-Version: portforward.k8s.io\r\n")) ==
             "unable to upgrade: missing upgrade headers in request: http.Header{\"Connection\":[]string{\"Upgrade\"}, "
             "\"User-Agent\":[]string{\"Go-http-client/1.1\"}, \"X-Forwarded-For\":[]string{\"127.0.0.1\"}, "
             "\"X-Stream-Protocol-Version\":[]string{\"portforward.k8s.io\"}}\n");
}

BOOST_AUTO_TEST_CASE(a_kubelet_translates_v5_itself_since_1_36) {
  const std::string v5 = std::string(websocket_headers) + "Sec-WebSocket-Protocol: v5.channel.k8s.io\r\n";
  const char* target = "/exec/default/web/web?output=1&command=echo";
  ServedKubelet now("1.36.3");
  BOOST_TEST(now.ask("admin", "GET", target, v5).find(R"({"metadata":{},"status":"Success"})") != std::string::npos);
  ServedKubelet before("1.35.0");
  BOOST_TEST(status_of(before.ask("admin", "GET", target, v5)) == 403);
}

BOOST_AUTO_TEST_CASE(what_comes_for_a_forwarded_port_goes_back) {
  using namespace std::string_literals;
  ServedKubelet kubelet("1.36.3");
  MemoryConnection connection(*kubelet.handler);
  const std::string opened = connection.send("GET /portForward/default/web?port=80 HTTP/1.1\r\nHost: a\r\n" +
                                             std::string(websocket_headers) + "Authorization: Bearer admin\r\n\r\n");
  BOOST_TEST(body_of(opened) == "\x82\x03\x00P\x00\x82\x03\x01P\x00"s);
  // Masked, as a client's frames are: channel 0 and "hi".
  const std::string sent = "\x82\x83\x01\x02\x03\x04\x01"s + static_cast<char>('h' ^ 2) + static_cast<char>('i' ^ 3);
  BOOST_TEST(connection.send(sent.substr(0, 5)) == "");
  BOOST_TEST(connection.send(sent.substr(5)) == "\x82\x03\x00hi"s);
  BOOST_TEST(connection.send("\x88\x80\x01\x02\x03\x04"s) == "\x88\x00"s);
  BOOST_TEST(connection.closed());
}

BOOST_AUTO_TEST_CASE(a_frame_is_taken_when_it_is_whole) {
  std::string input = websocket::frame(websocket::Opcode::binary, std::string(70'000, 'x'));
  const char last = input.back();
  input.pop_back();
  BOOST_TEST(!websocket::take_frame(input).has_value());
  input += last;
  const auto frame = websocket::take_frame(input);
  BOOST_TEST_REQUIRE(frame.has_value());
  BOOST_TEST(frame->payload.size() == 70'000U);
  BOOST_TEST(input.empty());
}

namespace {

constexpr const char* spdy_headers = "Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ";

/// A stream that a client opens with these headers.
std::string opened(spdy::HeaderDeflater& writer, char stream, const spdy::Headers& headers) {
  std::string payload(10, '\0');
  payload[3] = stream;
  return spdy::write({spdy::Type::syn_stream, false, 0, payload + writer.write(headers)});
}

/// What comes on each stream, and whether it has ended.
std::map<std::uint32_t, std::pair<std::string, bool>> data_in(std::string bytes) {
  std::map<std::uint32_t, std::pair<std::string, bool>> out;
  while (const auto frame = spdy::take_frame(bytes)) {
    if (frame->type != spdy::Type::data) continue;
    out[frame->stream].first += frame->payload;
    out[frame->stream].second = frame->last;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(over_spdy_a_command_waits_for_its_streams) {
  ServedKubelet kubelet("1.36.3");
  MemoryConnection connection(*kubelet.handler);
  const std::string head =
      connection.send("POST /exec/default/web/web?output=1&command=hi HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n" +
                      std::string(spdy_headers) + "v4.channel.k8s.io\r\nAuthorization: Bearer admin\r\n\r\n");
  BOOST_TEST(status_of(head) == 101);
  spdy::HeaderDeflater writer;
  BOOST_TEST(data_in(connection.send(opened(writer, 1, {{"streamtype", "error"}}))).empty());
  const auto data = data_in(connection.send(opened(writer, 3, {{"streamtype", "stdout"}})));
  BOOST_TEST_REQUIRE(data.size() == 2U);
  BOOST_TEST(data.at(1).first == R"({"status":"Success"})");
  BOOST_TEST(data.at(3).first == "hi\n");
  BOOST_TEST(data.at(3).second);
  BOOST_TEST(connection.closed());
}

BOOST_AUTO_TEST_CASE(over_spdy_what_comes_for_a_forwarded_port_goes_back) {
  ServedKubelet kubelet("1.36.3");
  MemoryConnection connection(*kubelet.handler);
  connection.send("POST /portForward/default/web HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n" +
                  std::string(spdy_headers) + "portforward.k8s.io\r\nAuthorization: Bearer admin\r\n\r\n");
  spdy::HeaderDeflater writer;
  const auto stream = [](const char* type) {
    return spdy::Headers{{"streamtype", type}, {"port", "80"}, {"requestid", "0"}};
  };
  connection.send(opened(writer, 1, stream("error")));
  connection.send(opened(writer, 3, stream("data")));
  const auto data = data_in(connection.send(spdy::write({spdy::Type::data, false, 3, "there"})));
  BOOST_TEST(data.at(3).first == "there");
  const auto last = data_in(connection.send(spdy::write({spdy::Type::data, true, 3, ""})));
  BOOST_TEST(last.at(3).second);
  BOOST_TEST(last.at(1).second);
}

BOOST_AUTO_TEST_SUITE_END()
