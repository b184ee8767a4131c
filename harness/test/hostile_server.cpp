#include "harness/test/hostile_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace hostile {
namespace {

std::string ok(const std::string& headers, const std::string& body) {
  return "HTTP/1.1 200 OK\r\n" + headers + "\r\n" + body;
}

std::string json(const std::string& body, const std::string& status = "200 OK") {
  return "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

std::string version(const std::string& text) {
  return json(R"({"gitVersion":)" + text + "}");
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (; times > 0; --times) out += text;
  return out;
}

const std::string chunked = "Transfer-Encoding: chunked\r\n";
const std::string page = std::string(4096, 'x');

/// Sends the bytes and closes the connection.
std::function<void(Peer&)> says(const std::string& bytes) {
  return [bytes](Peer& peer) { peer.send(bytes); };
}

/// Sends the bytes and then nothing more.
std::function<void(Peer&)> says_and_waits(const std::string& bytes) {
  return [bytes](Peer& peer) {
    peer.send(bytes);
    peer.wait_until_gone();
  };
}

/// Sends the bytes and then repeats one part for ever.
std::function<void(Peer&)> goes_on(const std::string& first, const std::string& rest, int pause_ms = 0) {
  return [first, rest, pause_ms](Peer& peer) {
    peer.send(first);
    peer.send_for_ever(rest, pause_ms);
  };
}

const char* const late = "no answer within 300 ms";
const char* const closed = "was closed before the answer was complete";
const char* const not_http = "is not HTTP/1.1";
const char* const line = "a line of the answer's head is longer";
const char* const head = "headers are longer";
const char* const body = "the answer is longer than the";
const char* const interim = "interim answers";
const char* const other = "does not answer like a Kubernetes API server";
const char* const deep = "is nested deeper than 200 levels";
const char* const odd = "is not a Kubernetes version";
constexpr int drip = 10;

std::vector<Behaviour> table() {
  std::vector<Behaviour> all = {
      // Before an answer
      {"is silent", "", [](Peer& peer) { peer.wait_until_gone(); }, late},
      {"closes", "", says(""), closed},
      {"resets", "", [](Peer& peer) { peer.reset(); }, closed},
      {"closes in the status line", "", says("HTTP/1."), closed},
      {"closes in the headers", "", says("HTTP/1.1 200 OK\r\nA: b\r\n"), closed},
      {"sends its head byte by byte", "", goes_on("HTTP/1.1 200 OK\r\nA: ", "b", drip), late},
      {"stops in the status line", "", says_and_waits("HTTP/1.1 200"), late},
      {"stops in the headers", "", says_and_waits("HTTP/1.1 200 OK\r\nA: b\r\n"), late},
      {"speaks no HTTP", "", says_and_waits("SSH-2.0-OpenSSH_9.2\r\n"), not_http},
      {"speaks HTTP/2", "", says_and_waits(std::string("\0\0\x12\4\0\0\0\0\0\r\n", 11)), not_http},
      {"speaks HTTP/0.9", "", says_and_waits("<html>\r\n"), not_http},
      {"has a status of four digits", "", says_and_waits("HTTP/1.1 2000 OK\r\n\r\n"), not_http},
      {"has no status", "", says_and_waits("HTTP/1.1 OK\r\n\r\n"), not_http},
      {"has a status of letters", "", says_and_waits("HTTP/1.1 abc OK\r\n\r\n"), not_http},
      // Heads
      {"has an endless reason", "", goes_on("HTTP/1.1 200 ", page), line},
      {"has an endless header name", "", goes_on("HTTP/1.1 200 OK\r\n", page), line},
      {"has an endless header value", "", goes_on("HTTP/1.1 200 OK\r\nA: ", page), line},
      {"has an endless line of NULs", "", goes_on("HTTP/1.1 200 OK\r\nA: ", std::string(512, '\0')), line},
      {"sends endless garbage", "", goes_on("", "\x7f\x01\x02\x1b[2J\xff\xfe"), line},
      {"has endless headers", "", goes_on("HTTP/1.1 200 OK\r\n", "A: b\r\n"), head},
      {"has endless headers of other names", "", goes_on("HTTP/1.1 200 OK\r\n", "A" + page.substr(0, 90) + ": b\r\n"),
       head},
      {"folds a header for ever", "", goes_on("HTTP/1.1 200 OK\r\nA: b\r\n", " c\r\n"), head},
      {"has endless cookies", "", goes_on("HTTP/1.1 200 OK\r\n", "Set-Cookie: a=" + page + "\r\n"), head},
      {"has escapes in its content type", "",
       says(ok("Content-Type: \x1b]0;owned\x07\xe2\x80\xae\r\nContent-Length: 2\r\n", "{}")), other},
      // Interim answers
      {"continues for ever", "", goes_on("", "HTTP/1.1 100 Continue\r\n\r\n"), interim},
      {"continues for ever, in time", "", goes_on("", "HTTP/1.1 100 Continue\r\n\r\n", drip), interim},
      {"gives early hints for ever", "", goes_on("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), interim},
      {"is processing for ever", "", goes_on("", "HTTP/1.1 102 Processing\r\n\r\n"), interim},
      {"changes to another protocol", "",
       goes_on("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", page), other},
      // Statuses
      {"answers 000", "", says_and_waits("HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n"), ""},
      {"answers 204 with a body", "", goes_on("HTTP/1.1 204 No Content\r\n\r\n", page), other},
      {"redirects to itself", "", says("HTTP/1.1 302 Found\r\nLocation: /version\r\nContent-Length: 0\r\n\r\n"), other},
      {"redirects to a file", "",
       says("HTTP/1.1 301 Moved\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"), other},
      {"is unauthorized", "", says(json("{}", "401 Unauthorized")), "is refused with status 401"},
      {"is forbidden", "", says(json("{}", "403 Forbidden")), "is refused with status 403"},
      {"wants to be asked later", "",
       says("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 99999999999\r\nContent-Length: 0\r\n\r\n"), other},
      {"fails", "", says(json("{}", "500 Internal Server Error")), other},
      // Bodies
      {"has an endless body", "", goes_on(ok("", ""), page), body},
      {"has an endless body in chunks", "", goes_on(ok(chunked, ""), "1000\r\n" + page + "\r\n"), body},
      {"has endless chunks of a byte", "", goes_on(ok(chunked, ""), "1\r\nx\r\n"), body},
      {"has an endless size of a chunk", "", goes_on(ok(chunked, ""), std::string(512, '0')), body},
      {"has an endless extension of a chunk", "", goes_on(ok(chunked, "1;"), page), body},
      {"has a chunk larger than memory", "", goes_on(ok(chunked, "7FFFFFFFFFFFFFFF\r\n"), page), body},
      {"has a chunk of a size past 64 bits", "", goes_on(ok(chunked, "FFFFFFFFFFFFFFFFFFFFF\r\n"), page), ""},
      {"has a chunk of a negative size", "", says_and_waits(ok(chunked, "-1\r\nx\r\n")), ""},
      {"has a chunk of no size", "", says_and_waits(ok(chunked, "zz\r\nx\r\n")), ""},
      {"has endless trailers", "", goes_on(ok(chunked, "2\r\n{}\r\n0\r\n"), "A: b\r\n"), ""},
      {"has a length larger than memory", "", goes_on(ok("Content-Length: 1000000000000000000\r\n", ""), page), body},
      {"has a length past 64 bits", "", goes_on(ok("Content-Length: 99999999999999999999999\r\n", ""), page), body},
      {"has a negative length", "", goes_on(ok("Content-Length: -1\r\n", ""), page), body},
      {"has a length of letters", "", goes_on(ok("Content-Length: many\r\n", ""), page), ""},
      {"has two lengths", "", goes_on(ok("Content-Length: 2\r\nContent-Length: 70000\r\n", "{}"), page), ""},
      {"has a length and chunks", "", goes_on(ok("Content-Length: 2\r\n" + chunked, ""), "1000\r\n" + page + "\r\n"), ""},
      {"closes in the body", "", says(ok("Content-Length: 10\r\n", "{}")), closed},
      {"closes in a chunk", "", says(ok(chunked, "a\r\n{}")), closed},
      {"stops in the body", "", says_and_waits(ok("Content-Length: 10\r\n", "{}")), "its body has no end"},
      {"stops in a chunk", "", says_and_waits(ok(chunked, "a\r\n{}")), "its body has no end"},
      {"sends its body byte by byte", "", goes_on(ok("Content-Length: 60000\r\n", ""), "x", drip), late},
      {"sends its chunks byte by byte", "", goes_on(ok(chunked, ""), "1\r\nx\r\n", drip), late},
      {"sends blanks before its JSON for ever", "", goes_on(ok("", ""), std::string(512, ' ')), body},
      {"says gzip and sends endless zeros", "", goes_on(ok("Content-Encoding: gzip\r\n", "\x1f\x8b\x08"), page), body},
      // JSON
      {"nests lists", "", says(json(std::string(30'000, '[') + std::string(30'000, ']'))), deep},
      {"nests lists that do not end", "", says(json(std::string(60'000, '['))), deep},
      {"nests objects", "", says(json(repeated(R"({"a":)", 10'000) + "1" + std::string(10'000, '}'))), deep},
      {"answers with half an object", "", says(json(R"({"gitVersion":"v1.36)")), other},
      {"answers with nothing", "", says(json("")), other},
      {"answers with a page", "", says(ok("Content-Type: text/html\r\nContent-Length: 6\r\n", "<html>")), other},
      {"answers with bytes that are not UTF-8", "", says(json("{\"gitVersion\":\"v1\xff\xfe\"}")), other},
      {"has a number as its version", "", says(version("136")), other},
      // Versions
      {"has escapes in its version", "", says(version(R"("v1\u001b]0;owned\u0007\u001b[2J")")), odd},
      {"turns its version round", "", says(version("\"v1\u202e6.63.1\u2066\"")), odd},
      {"has C1 controls in its version", "", says(version("\"v1\u009b2J\u0085\"")), odd},
      {"forges a line with its version", "", says(version(R"("v1\nnodebound: everything conforms")")), odd},
      {"has a version of 60,000 bytes", "", says(version("\"v1." + std::string(60'000, '1') + "\"")), odd},
      {"has a version past 64 bits", "", says(version(R"("v99999999999999999999.1.1")")), odd},
      {"has the version of no release", "", says(version(R"("v1.2.3")")), ""},
      {"has a negative version", "", says(version(R"("v-1.-2.-3")")), odd},
      // After a correct beginning
      {"has endless groups", "/apis", goes_on(ok(chunked, ""), "1000\r\n" + page + "\r\n"), body},
      {"has two megabytes of groups", "/apis",
       says(json(R"({"groups":[)" + repeated(R"({"name":"a","versions":[]},)", 80'000) + "{}]}")), body},
      {"nests its groups", "/apis", says(json(R"({"groups":)" + std::string(300'000, '['))), deep},
      {"has endless metrics", "/metrics", goes_on(ok("", ""), "etcd_requests{a=\"b\"} 1\n"), "/metrics: "},
      {"has endless gates", "/metrics", goes_on(ok("", ""), "kubernetes_feature_enabled{name=\"A\"} 1\n"), "/metrics: "},
      {"has a metric without end", "/metrics", goes_on(ok("", "kubernetes_feature_enabled{name=\""), page),
       "/metrics: "},
      {"answers what nobody has asked", "/version",
       [](Peer& peer) {
         peer.send(version("\"v1.36.3\"") + json("{\"versions\":[\"" + std::string(100, 'x') + "\"]}", "500 No"));
         peer.send_for_ever("x", drip);
       },
       ""},
  };
  return all;
}

}  // namespace

const std::vector<Behaviour>& behaviours() {
  static const std::vector<Behaviour> all = table();
  return all;
}

bool Peer::send(const std::string& bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Peer::send_for_ever(const std::string& bytes, int pause_ms) {
  const std::string block = pause_ms > 0 ? bytes : repeated(bytes, 1 + 16'384 / bytes.size());
  while (send(block)) {
    if (pause_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
  }
}

void Peer::wait_until_gone() {
  std::array<char, 4096> ignored{};
  while (recv(socket_, ignored.data(), ignored.size(), 0) > 0) {
  }
}

void Peer::reset() const {
  const linger at_once{1, 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

Server::Server(const Behaviour& behaviour, bool well_at_first)
    : behaviour_(behaviour), well_at_first_(well_at_first), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof own;
  auto* const address = reinterpret_cast<sockaddr*>(&own);
  // The ports of connections that have ended will do.
  const int yes = 1;
  if (setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 || bind(listener_, address, size) != 0 ||
      listen(listener_, 64) != 0 || getsockname(listener_, address, &size) != 0) {
    throw std::system_error(errno, std::generic_category(), "a server cannot listen on loopback");
  }
  port_ = ntohs(own.sin_port);
  accepting_ = std::thread([this] { accept_all(); });
}

Server::~Server() {
  shutdown(listener_, SHUT_RDWR);
  accepting_.join();
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const int one : sockets_) shutdown(one, SHUT_RDWR);
  }
  for (std::thread& thread : threads_) thread.join();
  close(listener_);
}

void Server::accept_all() {
  for (int socket = 0; (socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
    const std::lock_guard lock(mutex_);
    sockets_.push_back(socket);
    threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void Server::serve(int socket) {
  Peer peer(socket);
  std::string input;
  std::array<char, 16'384> part{};
  for (bool goes_on = true; goes_on;) {
    const std::size_t end = input.find("\r\n\r\n");
    if (end == std::string::npos) {
      const ssize_t got = recv(socket, part.data(), part.size(), 0);
      if (got <= 0) break;
      input.append(part.data(), static_cast<std::size_t>(got));
      continue;
    }
    const std::string request = input.substr(0, end);
    const std::size_t length_at = request.find("Content-Length: ");
    const std::size_t length = length_at == std::string::npos ? 0 : std::stoul(request.substr(length_at + 16));
    while (input.size() < end + 4 + length) {
      const ssize_t got = recv(socket, part.data(), part.size(), 0);
      if (got <= 0) break;
      input.append(part.data(), static_cast<std::size_t>(got));
    }
    input.erase(0, end + 4 + length);
    const std::size_t blank = request.find(' ');
    const std::string target = request.substr(blank + 1, request.find(' ', blank + 1) - blank - 1);
    goes_on = answer(peer, request.substr(0, blank), target.substr(0, target.find('?')));
  }
  const std::lock_guard lock(mutex_);
  std::erase(sockets_, socket);
  close(socket);
}

bool Server::answer(Peer& peer, const std::string& method, const std::string& path) {
  const bool there = behaviour_.path.empty() || behaviour_.path == path;
  const bool discovery = path == "/version" || path == "/api" || path == "/apis" || path == "/metrics" ||
                         path == "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  if (there && !(well_at_first_ && discovery)) {
    ++met_;
    behaviour_.act(peer);
    return false;
  }
  if (path == "/version") return peer.send(version("\"v1.36.3\""));
  if (path == "/api") return peer.send(json(R"({"versions":["v1"]})"));
  if (path == "/apis") return peer.send(json(R"({"groups":[]})"));
  if (path == "/metrics") return peer.send(json(""));
  if (path.ends_with("/selfsubjectreviews")) {
    return peer.send(json(R"({"status":{"userInfo":{"username":"admin"}}})", "201 Created"));
  }
  return peer.send(json("{}", method == "POST" ? "201 Created" : "200 OK"));
}

}  // namespace hostile
