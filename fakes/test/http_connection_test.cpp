#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>

#include "fakes/http/memory_connection.h"

BOOST_AUTO_TEST_SUITE(http_connection)

using namespace nodebound;

namespace {

/// A stream of prepared pieces.
class Pieces final : public BodyStream {
 public:
  bool take(std::string& out) override {
    out += std::exchange(next, {});
    return !over;
  }
  void on_ready(std::function<void()> notify) override { ready = std::move(notify); }

  std::string next;
  bool over = false;
  std::function<void()> ready;
};

/// Answers with the request that it got.
class Echo final : public HttpHandler {
 public:
  HttpResponse handle(const IncomingRequest& request) override {
    ++requests;
    last = request;
    if (request.target == "/throw") throw std::runtime_error("secret");
    HttpResponse response;
    response.status = request.body_too_large ? 413 : request.body_error.empty() ? 200 : 500;
    response.content_type = "text/plain";
    response.body = request.method + " " + request.target + " " + request.body + request.body_error;
    if (request.target == "/close") response.headers["connection"] = "close";
    if (request.target == "/watch") {
      response.body.clear();
      response.stream = stream;
    }
    return response;
  }

  /// Answers early, as to a forbidden caller or a read.
  std::optional<HttpResponse> handle_without_body(const IncomingRequest& request) override {
    ++asked_without_body;
    if (request.target != "/unread") return std::nullopt;
    return handle(request);
  }

  int requests = 0;
  int asked_without_body = 0;
  IncomingRequest last;
  std::shared_ptr<Pieces> stream = std::make_shared<Pieces>();
};

struct World {
  Echo handler;
  MemoryConnection client{handler};
};

bool is(const std::string& answer, std::string_view status) {
  return answer.starts_with("HTTP/1.1 " + std::string(status) + "\r\n");
}

bool ends(const std::string& answer, std::string_view body) {
  return answer.ends_with("\r\n\r\n" + std::string(body));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(http_connection, World)

BOOST_AUTO_TEST_CASE(a_request_is_answered_and_the_connection_kept) {
  const std::string first = client.send("GET /a?b=%20 HTTP/1.1\r\nHost: x\r\nX-One: 1\r\nx-one: 2\r\n\r\n");
  BOOST_TEST(is(first, "200 OK"));
  BOOST_TEST(ends(first, "GET /a?b=%20 "));
  BOOST_TEST(handler.last.header("x-one") == "1");
  BOOST_TEST(handler.last.headers.size() == 3U);
  BOOST_TEST(!client.closed());
  BOOST_TEST(ends(client.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"), "POST /b body"));
  BOOST_TEST(!client.closed());
}

BOOST_AUTO_TEST_CASE(it_does_not_matter_how_the_bytes_are_cut) {
  const std::string request =
      "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  std::string answer;
  for (const char c : request) answer += client.send({&c, 1});
  BOOST_TEST(ends(answer, "POST /b abcde"));
  BOOST_TEST(handler.requests == 1);
}

BOOST_AUTO_TEST_CASE(requests_sent_ahead_are_answered_in_turn) {
  const std::string answers = client.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(handler.requests == 2);
  BOOST_TEST((answers.find("GET /1") < answers.find("GET /2")));
}

BOOST_AUTO_TEST_CASE(a_client_may_ask_to_close) {
  BOOST_TEST(is(client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), "200 OK"));
  BOOST_TEST(client.closed());
}

BOOST_AUTO_TEST_CASE(http_1_0_is_answered_in_kind) {
  BOOST_TEST(client.send("GET /livez HTTP/1.0\r\n\r\n").starts_with("HTTP/1.0 200 OK\r\n"));
  BOOST_TEST(client.closed());
}

BOOST_AUTO_TEST_CASE(a_head_has_no_body) {
  const std::string answer = client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(answer.ends_with("\r\n\r\n"));
  BOOST_TEST((answer.find("content-length: 8\r\n") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_whole_url_is_a_target_too) {
  client.send("GET https://host:6443/a?b HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(handler.last.target == "/a?b");
}

// As url.ParseRequestURI of Go 1.26 reads them.
BOOST_AUTO_TEST_CASE(targets_are_read_as_net_http_reads_urls) {
  const std::pair<const char*, const char*> cases[] = {
      {"GET /a//b?c", "/a//b?c"},
      {"GET http://host?b", "?b"},
      {"GET http://", ""},
      {"GET ftp://a@host:1/b", "/b"},
      {"GET http:/a//b", "/a//b"},
      {"GET http:a?b", "?b"},
      {"GET http://[::1]:80/a", "/a"},
      {"GET http://%C3%BC/a", "/a"},
      {"GET *", "*"},
      {"CONNECT host:443", ""},
      {"CONNECT http://host/a", "//host/a"},
      {"CONNECT /a", "/a"},
      {"CONNECT host/a", "/a"},
      {"CONNECT ", ""},
      {"CONNECT *", ""},
      {"GET /\xc3\xbc|", "/\xc3\xbc|"},
  };
  for (const auto& [line, target] : cases) {
    handler.last.target = "none";
    MemoryConnection(handler).send(std::string(line) + " HTTP/1.1\r\nHost: x\r\n\r\n");
    BOOST_TEST(handler.last.target == target, line << " was read as " << handler.last.target);
  }
  const int answered = handler.requests;
  for (const std::string line :
       {"GET ", "GET a", "GET a ", "GET :a", "GET 1a:/b", "GET http://%2fhost/", "GET http://h:x/", "GET http://a:1:2/",
        "GET http://h[::1]/", "GET http://[::1/", "GET http://a b@h/", "GET http://a#@h/", "GET http://h/%zz",
        "CONNECT a:b", "GET /\x7f"}) {
    BOOST_TEST(is(MemoryConnection(handler).send(line + " HTTP/1.1\r\nHost: x\r\n\r\n"), "400 Bad Request"), line);
  }
  BOOST_TEST(handler.requests == answered);
}

BOOST_AUTO_TEST_CASE(what_concerns_the_server_as_a_whole_reaches_no_handler) {
  BOOST_TEST(is(client.send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"), "200 OK"));
  BOOST_TEST(!client.closed());
  BOOST_TEST(handler.requests == 0);
}

BOOST_AUTO_TEST_CASE(a_handler_may_close_the_connection) {
  const std::string answer = client.send("GET /close HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST((answer.find("\r\nconnection: close\r\n") != std::string::npos));
  BOOST_TEST(client.closed());
}

BOOST_AUTO_TEST_CASE(who_connects_needs_no_host) {
  BOOST_TEST(is(client.send("CONNECT a:1 HTTP/1.1\r\n\r\n"), "200 OK"));
}

BOOST_AUTO_TEST_CASE(a_client_that_asks_whether_to_go_on_is_told_so_once) {
  BOOST_TEST(client.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n") ==
             "HTTP/1.1 100 Continue\r\n\r\n");
  BOOST_TEST(client.send("bo").empty());
  BOOST_TEST(ends(client.send("dy"), "POST /b body"));
}

// The answers of a kube-apiserver 1.36.3; ci/compare/wire compares both.
BOOST_AUTO_TEST_CASE(what_is_no_http_is_answered_as_go_does) {
  const std::string host = "Host: a\r\n";
  const std::pair<std::string, const char*> cases[] = {
      {"GARBAGE\r\n\r\n", "400 Bad Request"},
      {"\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\n\r\n", "400 Bad Request: missing required Host header"},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "400 Bad Request: malformed Host header"},
      {"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
      {"GET version HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
      {"G(T / HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n", "400 Bad Request: invalid header name"},
      {"GET / HTTP/1.1\r\nHost: a\r\nBad\tHeader: x\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\n Host: a\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n", "400 Bad Request"},
      {"GET /  HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/x.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/0.9\r\nHost: a\r\n\r\n", "505 HTTP Version Not Supported: unsupported protocol version"},
      {"GET / HTTP/2.5\r\nHost: a\r\n\r\n", "505 HTTP Version Not Supported: unsupported protocol version"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", "501 Not Implemented"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", "501 Not Implemented"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
       "501 Not Implemented"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Length\r\n\r\n",
       "400 Bad Request"},
      {"\x01\x02\x03\r\n\r\n", "400 Bad Request"},
  };
  for (const auto& [bytes, status] : cases) {
    MemoryConnection other(handler);
    const std::string answer = other.send(bytes);
    BOOST_TEST(is(answer, status), bytes << " was answered " << answer);
    BOOST_TEST(other.closed());
  }
  for (const std::string length :
       {"x", "-1", "+1", "", "1, 1", "0x1", "1_0", "1.0", "9223372036854775808", "1\r\nContent-Length: 2",
        "1\r\nContent-Length: 01", "x\r\nTransfer-Encoding: chunked"}) {
    MemoryConnection other(handler);
    const std::string answer = other.send("POST / HTTP/1.1\r\n" + host + "Content-Length: " + length + "\r\n\r\n");
    BOOST_TEST(is(answer, "400 Bad Request"), length << " was answered " << answer);
  }
  BOOST_TEST(handler.requests == 0);
}

BOOST_AUTO_TEST_CASE(what_can_be_read_in_two_ways_is_read_as_go_does) {
  const std::string next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string post = "POST /b HTTP/1.1\r\nHost: a\r\n";
  const std::pair<std::string, const char*> cases[] = {
      // Chunks take precedence over a length.
      {post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", "POST /b ab"},
      {post + "Content-Length: 2\r\nContent-Length:  2 \r\n\r\nab", "POST /b ab"},
      {post + "Content-Length:\r\n 2\r\n\r\nab", "POST /b ab"},
      {post + "Transfer-Encoding: CHUNKED\r\n\r\n2 \t\r\nab\r\n0;a\r\n\r\n", "POST /b ab"},
      {"POST /b HTTP/1.1\nHost: a\nContent-Length: 2\n\nab", "POST /b ab"},
      {"GET /b HTTP/1.9\r\nHost: a\r\n\r\n", "GET /b "},
  };
  for (const auto& [bytes, body] : cases) {
    MemoryConnection other(handler);
    const std::string answer = other.send(bytes);
    BOOST_TEST(ends(answer, body), bytes << " was answered " << answer);
    BOOST_TEST(ends(other.send(next), "GET /next "), bytes);
  }
}

BOOST_AUTO_TEST_CASE(a_body_that_cannot_be_read_says_why_and_is_the_last) {
  const std::pair<std::string, const char*> cases[] = {
      {"zz\r\n", "invalid byte in chunk length"},
      {"\r\n", "empty hex number for chunk length"},
      {"00000000000000001\r\n", "http chunk length too large"},
      {"2\n", "chunked line ends with bare LF"},
      {"2;a\rb\r\n", "invalid CR in chunked line"},
      {"2\r\nabcd", "malformed chunked encoding"},
      {"0\r\nX\r\n\r\n", "malformed MIME header: missing colon: \"X\""},
      {"0\r\n: x\r\n\r\n", "malformed MIME header line: \": x\""},
      {"0\r\n X: y\r\n\r\n", "malformed MIME header initial line: \" X: y\""},
  };
  for (const auto& [bytes, error] : cases) {
    MemoryConnection other(handler);
    const std::string answer = other.send("POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + bytes);
    BOOST_TEST(ends(answer, "POST /b " + std::string(error)), bytes << " was answered " << answer);
    BOOST_TEST(other.closed());
  }
}

BOOST_AUTO_TEST_CASE(a_body_that_nobody_reads_is_passed_over) {
  const std::string begin = "POST /unread HTTP/1.1\r\nHost: x\r\n";
  BOOST_TEST(client.send(begin + "Content-Length: 4\r\n\r\nbo").empty());
  BOOST_TEST(handler.requests == 1);
  BOOST_TEST(is(client.send("dy"), "200 OK"));
  BOOST_TEST(!client.closed());
  BOOST_TEST(ends(client.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n"), "GET /next "));
  // If the body is long, broken, or waits for 100 Continue, nobody can tell where the next request begins.
  for (const std::string rest :
       {"Content-Length: 300000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n", "Connection: close\r\nContent-Length: 4\r\n\r\n"}) {
    MemoryConnection other(handler);
    BOOST_TEST(is(other.send(begin + rest), "200 OK"), rest);
    BOOST_TEST(other.closed(), rest);
  }
}

BOOST_AUTO_TEST_CASE(what_a_client_expects_and_cannot_have_ends_the_connection) {
  const std::string answer = client.send("GET /a HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n");
  BOOST_TEST(is(answer, "417 Expectation Failed"));
  BOOST_TEST(client.closed());
  BOOST_TEST(handler.requests == 0);
}

BOOST_AUTO_TEST_CASE(line_ends_are_passed_over_after_a_post_alone) {
  BOOST_TEST(is(client.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"), "200 OK"));
  BOOST_TEST(ends(client.send("\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n"), "GET /a "));
  BOOST_TEST(is(client.send("\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n"), "400 Bad Request"));
}

BOOST_AUTO_TEST_CASE(headers_and_bodies_have_limits) {
  HttpLimits limits;
  limits.header_bytes = 1000;
  limits.body_bytes = 10;
  MemoryConnection headers(handler, {}, limits);
  BOOST_TEST(is(headers.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(2000, 'a')),
                "431 Request Header Fields Too Large"));
  BOOST_TEST(headers.closed());
  MemoryConnection line(handler, {}, limits);
  BOOST_TEST(is(line.send("GET /" + std::string(2000, 'a')), "431 Request Header Fields Too Large"));
  BOOST_TEST(line.closed());
  BOOST_TEST(handler.requests == 0);

  for (const std::string body :
       {"Content-Length: 11\r\n\r\n01234567890", "Transfer-Encoding: chunked\r\n\r\nb\r\n01234567890"}) {
    MemoryConnection bodies(handler, {}, limits);
    BOOST_TEST(is(bodies.send("POST / HTTP/1.1\r\nHost: a\r\n" + body), "413 Request Entity Too Large"));
    BOOST_TEST(handler.last.body_too_large);
    BOOST_TEST(bodies.closed());
  }
  MemoryConnection just(handler, {}, limits);
  BOOST_TEST(is(just.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789"), "200 OK"));
}

BOOST_AUTO_TEST_CASE(fields_after_a_body_are_no_headers) {
  const std::string request =
      "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nX-One: 1\r\n\r\n2\r\nab\r\n0\r\n"
      "Authorization: Bearer root\r\nImpersonate-User: root\r\nX-One: 2\r\nHost: y\r\nConnection: close\r\n\r\n";
  std::string answer;
  for (const char byte : request) answer += client.send({&byte, 1});
  answer += client.send(request);
  BOOST_TEST(handler.requests == 2);
  BOOST_TEST(ends(answer, "POST /b ab"));
  BOOST_TEST(!client.closed());
  BOOST_TEST(handler.last.header("authorization") == "");
  BOOST_TEST(handler.last.header("impersonate-user") == "");
  const HeaderFields expected = {{"host", "x"}, {"transfer-encoding", "chunked"}, {"x-one", "1"}};
  BOOST_TEST((handler.last.headers == expected));
}

BOOST_AUTO_TEST_CASE(what_stands_between_chunks_may_not_go_on_for_ever) {
  const std::string begin = "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string endless : {"1;a=", "0\r\nX: ", "0\r\nX: a\r\nY: "}) {
    MemoryConnection other(handler);
    BOOST_TEST(other.send(begin + endless) == "");
    std::string answer;
    for (int i = 0; i < 100 && answer.empty(); ++i) answer = other.send(std::string(1000, 'a'));
    BOOST_TEST(is(answer, "500 Internal Server Error"));
    BOOST_TEST(other.closed());
  }
  BOOST_TEST(is(client.send(begin + "3000\r\n" + std::string(0x3000, 'a') + "\r\n0\r\n\r\n"), "200 OK"));
}

BOOST_AUTO_TEST_CASE(what_a_handler_throws_is_not_told) {
  const std::string answer = client.send("GET /throw HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(is(answer, "500 Internal Server Error"));
  BOOST_TEST((answer.find("secret") == std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_field_may_be_long_as_long_as_all_are_not_too_long) {
  const auto send = [&](const std::string& field) {
    return MemoryConnection(handler).send("GET / HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n");
  };
  BOOST_TEST(is(send("Accept: " + std::string(70'000, 'a')), "200 OK"));
  BOOST_TEST(is(send(std::string(70'000, 'a') + ": b"), "200 OK"));
  BOOST_TEST(is(send("Accept: " + std::string(1'100'000, 'a')), "431 Request Header Fields Too Large"));
}

BOOST_AUTO_TEST_CASE(a_body_may_end_before_it_begins_and_byte_by_byte) {
  const std::string request = "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  std::string answer;
  for (const char byte : request) {
    BOOST_TEST(answer.empty());
    answer += client.send({&byte, 1});
  }
  BOOST_TEST(is(answer, "200 OK"));
  BOOST_TEST(handler.requests == 1);
}

BOOST_AUTO_TEST_CASE(a_stream_is_sent_in_chunks_as_it_comes) {
  handler.stream->next = "one\n";
  const std::string begin = client.send("GET /watch HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST((begin.find("transfer-encoding: chunked\r\n") != std::string::npos));
  BOOST_TEST((begin.find("content-length") == std::string::npos));
  BOOST_TEST(ends(begin, "4\r\none\n\r\n"));
  BOOST_TEST(client.send().empty());
  handler.stream->next = "0123456789abcdef";
  BOOST_TEST(client.send() == "10\r\n0123456789abcdef\r\n");
  handler.stream->over = true;
  BOOST_TEST(client.send() == "0\r\n\r\n");
  BOOST_TEST(handler.stream.use_count() == 1);
  BOOST_TEST(is(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), "200 OK"));
}

BOOST_AUTO_TEST_CASE(a_server_that_stops_ends_its_streams) {
  client.send("GET /watch HTTP/1.1\r\nHost: a\r\n\r\n");
  client.connection().finish();
  BOOST_TEST(client.send() == "0\r\n\r\n");
  BOOST_TEST(client.closed());
}

BOOST_AUTO_TEST_CASE(who_sends_on_during_a_stream_is_cut_off) {
  client.send("GET /watch HTTP/1.1\r\nHost: a\r\n\r\n");
  client.send(std::string(70'000, 'x'));
  BOOST_TEST(client.closed());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
