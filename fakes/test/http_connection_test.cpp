#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>

#include "fakes/http/memory_connection.h"

BOOST_AUTO_TEST_SUITE(http_connection)

using namespace nodebound;

namespace {

/// Gives what it was told to, piece by piece.
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

/// Answers with what it was asked.
class Echo final : public HttpHandler {
 public:
  HttpResponse handle(const IncomingRequest& request) override {
    ++requests;
    last = request;
    if (request.target == "/throw") throw std::runtime_error("secret");
    HttpResponse response;
    response.status = request.body_too_large ? 413 : 200;
    response.content_type = "text/plain";
    response.body = request.method + " " + request.target + " " + request.body;
    if (request.target == "/close") response.headers["connection"] = "close";
    if (request.target == "/watch") {
      response.body.clear();
      response.stream = stream;
    }
    return response;
  }

  int requests = 0;
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

// What a kube-apiserver 1.36.3 answers, tried over TLS.
BOOST_AUTO_TEST_CASE(what_is_no_http_is_answered_as_go_does) {
  const std::pair<const char*, const char*> cases[] = {
      {"GARBAGE\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\n\r\n", "400 Bad Request: missing required Host header"},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400 Bad Request: too many Host headers"},
      {"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
      {"GET version HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n", "400 Bad Request: invalid header name"},
      {"GET /  HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/x.1\r\nHost: a\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.9\r\nHost: a\r\n\r\n", "505 HTTP Version Not Supported: unsupported protocol version"},
      {"GET / HTTP/2.5\r\nHost: a\r\n\r\n", "505 HTTP Version Not Supported: unsupported protocol version"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", "400 Bad Request"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400 Bad Request"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400 Bad Request"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", "501 Not Implemented"},
      {"\x01\x02\x03\r\n\r\n", "400 Bad Request"},
  };
  for (const auto& [bytes, status] : cases) {
    MemoryConnection other(handler);
    const std::string answer = other.send(bytes);
    BOOST_TEST(is(answer, status), bytes << " was answered " << answer);
    BOOST_TEST(other.closed());
  }
  BOOST_TEST(handler.requests == 0);
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

  for (const std::string body : {"Content-Length: 11\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nb\r\n01234567890"}) {
    MemoryConnection bodies(handler, {}, limits);
    BOOST_TEST(is(bodies.send("POST / HTTP/1.1\r\nHost: a\r\n" + body), "413 Payload Too Large"));
    BOOST_TEST(handler.last.body_too_large);
    BOOST_TEST(bodies.closed());
  }
  MemoryConnection just(handler, {}, limits);
  BOOST_TEST(is(just.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789"), "200 OK"));
}

BOOST_AUTO_TEST_CASE(what_a_handler_throws_is_not_told) {
  const std::string answer = client.send("GET /throw HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(is(answer, "500 Internal Server Error"));
  BOOST_TEST((answer.find("secret") == std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_header_longer_than_can_be_kept_is_refused) {
  for (const std::string& field : {"Accept: " + std::string(70000, 'a'), std::string(70000, 'a') + ": b"}) {
    MemoryConnection other(handler);
    BOOST_TEST(
        is(other.send("GET / HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n"), "431 Request Header Fields Too Large"));
    BOOST_TEST(other.closed());
  }
  BOOST_TEST(is(client.send("GET / HTTP/1.1\r\nHost: a\r\nAccept: " + std::string(60000, 'a') + "\r\n\r\n"), "200 OK"));
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
