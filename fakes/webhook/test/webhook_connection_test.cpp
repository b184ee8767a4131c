#include "fakes/webhook/webhook_connection.h"

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

#include "fakes/http/server.h"
#include "fakes/wire/certificates/pki.h"
#include "reference/cluster/object.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(webhook_connection)

namespace {

using namespace nodebound;
using namespace nodebound::webhook;
using Kind = WebhookFailure::Kind;

/// Answers by a function, over TLS, and remembers what it was asked.
class Webhook final : public HttpHandler {
 public:
  using Answer = std::function<HttpResponse(const IncomingRequest&)>;

  explicit Webhook(Answer answer, const std::vector<std::string>& names = {"127.0.0.1"})
      : authority_(CertificateAuthority::create("webhook").value()), answer_(std::move(answer)) {
    const IssuedCertificate certificate = authority_.issue_server(names).value();
    HttpsServerOptions options;
    options.certificate_pem = certificate.certificate_pem;
    options.key_pem = certificate.key_pem;
    options.client_ca_pem = authority_.certificate_pem();
    server_ = HttpsServer::start(options, *this).value();
  }

  HttpResponse handle(const IncomingRequest& request) override {
    const std::lock_guard lock(mutex_);
    asked_.push_back(request);
    return answer_(request);
  }

  [[nodiscard]] std::string url(const std::string& host = "127.0.0.1") const {
    return "https://" + host + ":" + std::to_string(server_->port()) + "/review";
  }
  [[nodiscard]] WebhookAddress address(const std::string& host = "127.0.0.1") const {
    WebhookAddress out{parse_webhook_url(url(host), "test").value()};
    out.ca_pem = authority_.certificate_pem();
    return out;
  }
  [[nodiscard]] const CertificateAuthority& authority() const { return authority_; }
  [[nodiscard]] std::vector<IncomingRequest> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  const CertificateAuthority authority_;
  const Answer answer_;
  std::mutex mutex_;
  std::vector<IncomingRequest> asked_;
  std::unique_ptr<HttpsServer> server_;
};

/// Sends these bytes to each connection once a request's head has come, and closes it.
class RawServer {
 public:
  explicit RawServer(std::string bytes) : bytes_(std::move(bytes)) {
    thread_ = std::thread([this] {
      while (!ended_) serve();
    });
  }
  ~RawServer() {
    ended_ = true;
    boost::asio::io_context context;
    boost::asio::ip::tcp::socket wake(context);
    boost::system::error_code ignored;
    wake.connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  [[nodiscard]] WebhookAddress address() const {
    return {parse_webhook_url("http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()), "test").value()};
  }

 private:
  void serve() {
    boost::system::error_code error;
    boost::asio::ip::tcp::socket socket(context_);
    acceptor_.accept(socket, error);
    if (error || ended_) return;
    boost::asio::streambuf head;
    boost::asio::read_until(socket, head, "{}", error);
    boost::asio::write(socket, boost::asio::buffer(bytes_), error);
  }

  const std::string bytes_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_{context_, {boost::asio::ip::make_address("127.0.0.1"), 0}};
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

HttpResponse answer(int status, std::string body = "{}") {
  return {status, "application/json", std::move(body), {}};
}

HttpResponse redirect(int status, const std::string& location) {
  return {status, "text/plain", "", {{"location", location}}};
}

tl::expected<HttpResponse, WebhookFailure> post_to(WebhookAddress address, WebhookConnection::Options options = {}) {
  auto connection = WebhookConnection::open(std::move(address), std::move(options));
  BOOST_REQUIRE(connection);
  return (*connection)->post("{}");
}

WebhookFailure failure_of_bytes(std::string bytes, WebhookConnection::Options options = {}) {
  const RawServer server(std::move(bytes));
  const auto got = post_to(server.address(), std::move(options));
  BOOST_REQUIRE(!got);
  return got.error();
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("webhook-test-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

 private:
  const std::filesystem::path path_;
};

std::string kubeconfig_of(const Object& cluster, const Object& user) {
  return Object{{"current-context", "c"},
                {"contexts", {{{"name", "c"}, {"context", {{"cluster", "s"}, {"user", "u"}}}}}},
                {"clusters", {{{"name", "s"}, {"cluster", cluster}}}},
                {"users", {{{"name", "u"}, {"user", user}}}}}
      .dump();
}

}  // namespace

BOOST_AUTO_TEST_CASE(posts_what_client_go_posts) {
  Webhook webhook([](const auto&) { return answer(201, "[1]"); });
  WebhookAddress address = webhook.address();
  address.token = "secret";
  WebhookConnection::Options options;
  options.user_agent = "kube-apiserver/v1.36.3 (linux/amd64) kubernetes/abc";
  const auto got = post_to(address, options);
  BOOST_REQUIRE(got);
  BOOST_TEST(got->status == 201);
  BOOST_TEST(got->body == "[1]");
  BOOST_TEST(got->content_type == "application/json");
  const IncomingRequest asked = webhook.asked().at(0);
  BOOST_TEST(asked.method == "POST");
  BOOST_TEST(asked.target == "/review?timeout=30s");
  BOOST_TEST(asked.body == "{}");
  std::string headers;
  for (const auto& [name, value] : asked.headers) headers += name + "=" + value + ";";
  BOOST_TEST(headers == "host=" + address.url.authority +
                            ";user-agent=kube-apiserver/v1.36.3 (linux/amd64) kubernetes/abc;content-length=2;"
                            "accept=application/json, */*;authorization=Bearer secret;content-type=application/json;");
}

BOOST_AUTO_TEST_CASE(shows_its_certificate_and_keeps_its_connection) {
  Webhook webhook([](const auto&) { return answer(200); });
  const IssuedCertificate own = webhook.authority().issue_client({"api", {}, {}, {}}).value();
  WebhookAddress address = webhook.address();
  address.certificate_pem = own.certificate_pem;
  address.key_pem = own.key_pem;
  const auto connection = WebhookConnection::open(address).value();
  BOOST_REQUIRE(connection->post("{}"));
  BOOST_REQUIRE(connection->post("{}"));
  const auto asked = webhook.asked();
  BOOST_REQUIRE(asked.size() == 2U);
  BOOST_TEST(!asked[0].peer->certificates.empty());
  BOOST_TEST(asked[0].peer == asked[1].peer);
}

BOOST_AUTO_TEST_CASE(serves_several_threads) {
  Webhook webhook([](const IncomingRequest& request) { return answer(200, request.body); });
  const auto connection = WebhookConnection::open(webhook.address()).value();
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 20; ++k) {
        const std::string body = std::to_string(100 * i + k);
        const auto got = connection->post(body);
        right += got && got->body == body ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(right == 160);
}

BOOST_AUTO_TEST_CASE(names_what_is_wrong_with_a_certificate) {
  Webhook webhook([](const auto&) { return answer(200); }, {"webhook.test", "10.0.0.1"});
  const std::string failed = "Post \"" + webhook.url() + "?timeout=30s\": tls: failed to verify certificate: x509: ";
  const auto other_address = post_to(webhook.address());
  BOOST_REQUIRE(!other_address);
  BOOST_TEST((other_address.error().kind == Kind::not_trusted));
  BOOST_TEST(other_address.error().text == failed + "certificate is valid for 10.0.0.1, not 127.0.0.1");

  WebhookAddress address = webhook.address();
  address.server_name = "another.test";
  const auto other_name = post_to(address);
  BOOST_REQUIRE(!other_name);
  BOOST_TEST(other_name.error().text == failed + "certificate is valid for webhook.test, not another.test");

  address.server_name = "webhook.test";
  BOOST_TEST(post_to(address).has_value());
  address.ca_pem = CertificateAuthority::create("another").value().certificate_pem();
  const auto unknown = post_to(address);
  BOOST_REQUIRE(!unknown);
  BOOST_TEST(unknown.error().text == failed + "certificate signed by unknown authority");

  address.ca_pem.clear();
  address.skip_verification = true;
  address.server_name.clear();
  BOOST_TEST(post_to(address).has_value());
}

BOOST_AUTO_TEST_CASE(follows_redirects_as_net_http) {
  Webhook other([](const auto&) { return answer(200, "other"); });
  for (const int status : {301, 302, 303, 307, 308}) {
    Webhook webhook([&](const IncomingRequest& request) {
      return request.target.starts_with("/review") ? redirect(status, "../moved/./here?a=b") : answer(200, "moved");
    });
    const auto got = post_to(webhook.address());
    BOOST_REQUIRE(got);
    BOOST_TEST(got->body == "moved");
    const auto asked = webhook.asked();
    BOOST_REQUIRE(asked.size() == 2U);
    BOOST_TEST(asked[1].target == "/moved/here?a=b");
    BOOST_TEST(asked[1].method == (status < 304 ? "GET" : "POST"));
    BOOST_TEST(asked[1].body == (status < 304 ? "" : "{}"));
    BOOST_TEST(asked[1].header("referer") == webhook.url() + "?timeout=30s");
  }
}

BOOST_AUTO_TEST_CASE(trusts_the_same_authorities_after_a_redirect) {
  Webhook stranger([](const auto&) { return answer(200); });
  Webhook webhook([&](const auto&) { return redirect(307, stranger.url()); });
  const auto got = post_to(webhook.address());
  BOOST_REQUIRE(!got);
  BOOST_TEST((got.error().kind == Kind::not_trusted));
  BOOST_TEST(got.error().text.starts_with("Post \"" + stranger.url() + "\": tls: "));
  BOOST_TEST(stranger.asked().empty());
}

BOOST_AUTO_TEST_CASE(stops_after_ten_redirects) {
  Webhook webhook([](const auto&) { return redirect(302, "/review"); });
  const auto got = post_to(webhook.address());
  BOOST_REQUIRE(!got);
  BOOST_TEST((got.error().kind == Kind::misled));
  BOOST_TEST(got.error().text == "Post \"/review\": stopped after 10 redirects");
  BOOST_TEST(webhook.asked().size() == 10U);
}

BOOST_AUTO_TEST_CASE(gives_back_a_redirect_that_leads_nowhere) {
  Webhook webhook([](const auto&) { return HttpResponse{307, "text/plain", "where", {}}; });
  const auto got = post_to(webhook.address());
  BOOST_REQUIRE(got);
  BOOST_TEST(got->status == 307);
  BOOST_TEST(got->body == "where");
}

BOOST_AUTO_TEST_CASE(asks_again_where_the_answer_says_when) {
  int left = 3;
  Webhook webhook([&](const auto&) {
    HttpResponse out = answer(left > 0 ? 503 : 200);
    if (left-- > 0) out.headers["retry-after"] = "0";
    return out;
  });
  const auto got = post_to(webhook.address());
  BOOST_REQUIRE(got);
  BOOST_TEST(got->status == 200);
  BOOST_TEST(webhook.asked().size() == 4U);

  Webhook never([](const auto&) {
    HttpResponse out = answer(429, "busy");
    out.headers["retry-after"] = "0";
    return out;
  });
  const auto refused = post_to(never.address());
  BOOST_REQUIRE(refused);
  BOOST_TEST(refused->status == 429);
  BOOST_TEST(never.asked().size() == 11U);
}

BOOST_AUTO_TEST_CASE(tells_broken_answers_apart) {
  const WebhookFailure nothing = failure_of_bytes("");
  BOOST_TEST((nothing.kind == Kind::closed));
  BOOST_TEST(nothing.text.ends_with("/?timeout=30s\": EOF"));
  const WebhookFailure half = failure_of_bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}");
  BOOST_TEST((half.kind == Kind::closed));
  BOOST_TEST(half.text == "unexpected error when reading response body. Please retry. Original error: unexpected EOF");
  const WebhookFailure chunks = failure_of_bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}");
  BOOST_TEST((chunks.kind == Kind::closed));
  BOOST_TEST((failure_of_bytes("SSH-2.0-OpenSSH_9.2\r\n\r\n").kind == Kind::other));
}

BOOST_AUTO_TEST_CASE(bounds_answers_in_size_and_time) {
  WebhookConnection::Options options;
  options.most_body_bytes = 1000;
  const std::string body(1001, 'x');
  for (const std::string& head : {std::string("Content-Length: 1001\r\n"), std::string()}) {
    const WebhookFailure large = failure_of_bytes("HTTP/1.1 200 OK\r\n" + head + "\r\n" + body, options);
    BOOST_TEST((large.kind == Kind::other));
    BOOST_TEST(large.text == "the answer is larger than 1000 bytes");
  }
  options.time = std::chrono::milliseconds(50);
  boost::asio::io_context context;
  boost::asio::ip::tcp::acceptor silent(context, {boost::asio::ip::make_address("127.0.0.1"), 0});
  const std::string url = "http://127.0.0.1:" + std::to_string(silent.local_endpoint().port());
  const auto late = post_to({parse_webhook_url(url, "test").value()}, options);
  BOOST_REQUIRE(!late);
  BOOST_TEST((late.error().kind == Kind::timeout));
  BOOST_TEST(late.error().text == "Post \"" + url + "/?timeout=50ms\": context deadline exceeded");
}

BOOST_AUTO_TEST_CASE(says_who_does_not_listen) {
  const auto got = post_to({parse_webhook_url("https://127.0.0.1:1/x", "test").value()});
  BOOST_REQUIRE(!got);
  BOOST_TEST((got.error().kind == Kind::not_reached));
  BOOST_TEST(got.error().text ==
             "Post \"https://127.0.0.1:1/x?timeout=30s\": dial tcp 127.0.0.1:1: connect: connection refused");
}

BOOST_AUTO_TEST_CASE(posts_to_the_clean_path_without_query) {
  const auto path_of = [](const std::string& url) { return posted_path(parse_webhook_url(url, "test").value()); };
  BOOST_TEST(path_of("https://a") == "/");
  BOOST_TEST(path_of("https://a/b//c/../d/?x=y#z") == "/b/d");
  BOOST_TEST(path_of("https://a:8443/a%20b%3Fc") == "/a%20b%3Fc");
}

BOOST_AUTO_TEST_CASE(refuses_urls_that_are_none) {
  for (const char* url : {"", "webhook", "ftp://a/", "https://", "https://a:0", "https://a:b", "https://a b",
                          "https://user:password@a/", "https://a:65536"}) {
    BOOST_TEST(!parse_webhook_url(url, "test").has_value(), url);
  }
  const auto v6 = parse_webhook_url("https://[::1]:8443/x", "test");
  BOOST_REQUIRE(v6);
  BOOST_TEST(v6->host == "::1");
  BOOST_TEST(v6->port == "8443");
}

BOOST_AUTO_TEST_CASE(reads_kubeconfigs) {
  const Folder folder;
  const auto ca = folder.write("ca.pem", "authority");
  const auto token = folder.write("token", "t\n");
  const auto file = folder.write("kubeconfig", kubeconfig_of({{"server", "https://a.test/x"},
                                                              {"certificate-authority", "ca.pem"},
                                                              {"tls-server-name", "b.test"}},
                                                             {{"tokenFile", token.string()},
                                                              {"client-certificate-data", base64_encode("c")},
                                                              {"client-key-data", base64_encode("k")}}));
  const auto read = read_webhook_kubeconfig(file);
  BOOST_REQUIRE(read);
  BOOST_TEST(read->url.text() == "https://a.test/x");
  BOOST_TEST(read->ca_pem == "authority");
  BOOST_TEST(read->server_name == "b.test");
  BOOST_TEST(read->token_file == token);
  BOOST_TEST(read->certificate_pem == "c");
  BOOST_TEST(read->key_pem == "k");
}

BOOST_AUTO_TEST_CASE(says_what_is_wrong_with_a_kubeconfig) {
  const Folder folder;
  const auto problem_of = [&](const std::string& text) {
    const auto read = read_webhook_kubeconfig(folder.write("kubeconfig", text));
    return read ? std::string("none") : read.error().what;
  };
  const Object server = {{"server", "https://a.test"}};
  BOOST_TEST(problem_of(kubeconfig_of(server, {})) == "none");
  BOOST_TEST(problem_of("[]") == "is no kubeconfig: expected a mapping");
  BOOST_TEST(problem_of("{}") == "has no current-context");
  BOOST_TEST(problem_of("current-context: x") == "there is no entry \"x\" in contexts");
  BOOST_TEST(problem_of("{current-context: x, contexts: 5}") == "expected a list");
  BOOST_TEST(problem_of(kubeconfig_of(Object::object(), {})) == "has no server");
  BOOST_TEST(problem_of(kubeconfig_of({{"server", 5}}, {})) == "expected a string");
  BOOST_TEST(problem_of(kubeconfig_of(server, {{"exec", Object::object()}})) == "is not supported here");
  BOOST_TEST(problem_of(kubeconfig_of(server, {{"client-key-data", "aw=="}})) ==
             "client-certificate and client-key go together; one of them is missing");
  BOOST_TEST(problem_of(kubeconfig_of({{"server", "https://a"}, {"certificate-authority-data", "%"}}, {})) ==
             "is not base64");
  BOOST_TEST(!read_webhook_kubeconfig("/dev/zero").has_value());
  BOOST_TEST(!read_webhook_kubeconfig("/no/such/file").has_value());
}

BOOST_AUTO_TEST_CASE(refuses_certificates_that_cannot_be_used) {
  WebhookAddress address{parse_webhook_url("https://a.test", "test").value()};
  address.ca_pem = "rubbish";
  BOOST_TEST(!WebhookConnection::open(address).has_value());
  address.ca_pem.clear();
  address.certificate_pem = "rubbish";
  address.key_pem = "rubbish";
  BOOST_TEST(!WebhookConnection::open(address).has_value());
  address.certificate_pem.clear();
  address.token = "a\r\nb: c";
  BOOST_TEST(!WebhookConnection::open(address).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
