#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "fakes/kubelet_api/test/support.h"
#include "fakes/kubelet_api/websocket.h"

using namespace nodebound;
using namespace nodebound::test;
namespace data = boost::unit_test::data;

namespace {

constexpr const char* websocket_headers =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

struct Expected {
  const char* who;
  const char* method;
  const char* target;
  int status;
  const char* body;
};

std::ostream& operator<<(std::ostream& out, const Expected& one) {
  return out << one.who << " " << one.method << " " << one.target;
}

// Measured on real kubelets of 1.31.0, 1.33.0 and 1.36.3 with ci/real-kubelet.
constexpr Expected in_all[] = {
    {"", "GET", "/nope", 404, "404 page not found\n"},
    {"", "GET", "/spec/", 404, "404 page not found\n"},
    {"", "GET", "/pods", 401, "Unauthorized"},
    {"", "HEAD", "/pods", 401, ""},
    {"", "GET", "/exec/a/b/c", 401, "Unauthorized"},
    {"bad", "GET", "/pods", 401, "Unauthorized"},
    {"proxy", "GET", "/healthz", 200, "ok"},
    {"admin", "POST", "/healthz", 200, "ok"},
    {"admin", "GET", "/healthz/nope", 404, "404 page not found\n"},
    {"admin", "GET", "/pods/x", 404, "404: Page Not Found"},
    {"admin", "POST", "/pods", 405, "405: Method Not Allowed"},
    {"admin", "GET", "/run/default/web/web", 405, "405: Method Not Allowed"},
    {"admin", "GET", "/exec/", 404, "404: Page Not Found"},
    {"admin", "GET", "/exec/default/gone/web", 400, "you must specify at least 1 of stdin, stdout, stderr"},
    {"admin", "GET", "/exec/default/gone/web?output=1", 404, "pod does not exist"},
    {"admin", "GET", "/exec/default/web/web?output=1&command=id", 500, "Upgrade request required\n"},
    {"admin", "GET", "/exec/default/web/idle?output=1&command=id", 500, "container not found (\"idle\")"},
    {"admin", "GET", "/exec/default/web/other-uid/web?output=1", 500, "container not found (\"web\")"},
    {"admin", "GET", "/portForward/default/web", 500, "Upgrade request required\n"},
    {"admin", "GET", "/portForward/default/web/other-uid", 404, "pod not found"},
    {"admin", "POST", "/run/default/web/web?cmd=echo%20hi", 200, "echo hi\n"},
    {"admin", "POST", "/run/default/web/web", 200, "\n"},
    {"admin", "POST", "/run/default/gone/web?cmd=id", 404, "pod does not exist"},
    {"admin", "GET", "/containerLogs/default/web/gone", 404, "container \"gone\" not found in pod \"web\""},
    {"admin", "GET", "/containerLogs/default/gone/web", 404, "pod \"gone\" does not exist"},
    {"admin", "GET", "/containerLogs/default/web/web?tailLines=x", 400, R"({"message": "Unable to decode query."})"},
    {"admin", "GET", "/containerLogs/default/web/web?tailLines=-1", 422, R"({"message": "Invalid request."})"},
    {"admin", "GET", "/containerLogs/default/web/web?sinceSeconds=0", 422, R"({"message": "Invalid request."})"},
    {"admin", "GET", "/logs/nope", 404, "404 page not found\n"},
    {"admin", "POST", "/checkpoint/default/web/web", 200,
     R"({"items":["/var/lib/kubelet/checkpoints/checkpoint-web_default-web.tar"]})"},
    {"admin", "POST", "/checkpoint/default/web/web?timeout=x", 404, "cannot parse value of timeout parameter"},
    {"admin", "POST", "/checkpoint/default/web/idle", 500,
     "checkpointing of default/web/idle failed (container idle not found)"},
    {"admin", "GET", "/debug/pprof/", 404, "404: Page Not Found"},
    {"admin", "GET", "/debug/pprof/nope", 404, "Unknown profile\n"},
    {"admin", "GET", "/debug/flags/v", 406, "unsupported http method\n"},
    {"unreviewed", "GET", "/metrics", 500,
     "Authorization error (user=unreviewed, verb=get, resource=nodes, subresource=metrics)"},
};

struct Release {
  const char* version;
  std::vector<Expected> answers;
};

std::ostream& operator<<(std::ostream& out, const Release& one) {
  return out << one.version;
}

const std::vector<Release> by_release = {
    {"1.31.0",
     {{"", "GET", "/runningpods", 301, "<a href=\"/runningpods/\">Moved Permanently</a>.\n\n"},
      {"nobody", "GET", "/pods", 403, "Forbidden (user=nobody, verb=get, resource=nodes, subresource=proxy)"},
      {"nobody", "OPTIONS", "/pods", 403, "Forbidden (user=nobody, verb=, resource=nodes, subresource=proxy)"},
      {"fine", "GET", "/pods", 403, "Forbidden (user=fine, verb=get, resource=nodes, subresource=proxy)"},
      {"unreviewed", "GET", "/pods", 500,
       "Authorization error (user=unreviewed, verb=get, resource=nodes, subresource=proxy)"},
      {"admin", "GET", "/healthz/device-plugin", 404, "404 page not found\n"},
      {"admin", "GET", "/healthz?verbose", 200, "[+]ping ok\n[+]log ok\n[+]syncloop ok\nhealthz check passed\n"},
      {"admin", "GET", "/flagz", 404, "404 page not found\n"},
      {"nobody", "GET", "/statusz", 404, "404 page not found\n"}}},
    {"1.33.0",
     {{"", "GET", "/runningpods?x=1", 301, "<a href=\"/runningpods/?x=1\">Moved Permanently</a>.\n\n"},
      {"nobody", "GET", "/pods", 403,
       "Forbidden (user=nobody, verb=get, resource=nodes, subresource(s)=[pods proxy])\n"},
      {"nobody", "GET", "/statusz", 404, "404 page not found\n"},
      {"admin", "GET", "/runningpods/", 200,
       R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"web","namespace":"default",)"
       R"("uid":"11111111-1111-1111-1111-111111111111","creationTimestamp":null},"spec":{"containers":[{"name":"web",)"
       R"("image":"example.com/web:1","resources":{"requests":{"cpu":"100m"}}}]},"status":{}}]})"
       "\n"}}},
    {"1.36.3",
     {{"", "GET", "/runningpods", 307, "<a href=\"/runningpods/\">Temporary Redirect</a>.\n\n"},
      {"", "POST", "/runningpods", 307, ""},
      {"", "GET", "//pods", 307, "<a href=\"/pods\">Temporary Redirect</a>.\n\n"},
      {"nobody", "GET", "/pods", 403,
       "Forbidden (user=nobody, verb=get, resource=nodes, subresource(s)=[pods proxy])\n"},
      {"nobody", "GET", "/flagz", 403, "Forbidden (user=nobody, verb=get, resource=nodes, subresource(s)=[configz])\n"},
      {"proxy", "GET", "/statusz", 403, "Forbidden (user=proxy, verb=get, resource=nodes, subresource(s)=[statusz])\n"},
      {"unreviewed", "GET", "/pods", 500,
       "Authorization error (user=unreviewed, verb=get, resource=nodes, subresource=pods)"},
      {"admin", "GET", "/healthz?verbose", 200,
       "[+]ping ok\n[+]log ok\n[+]syncloop ok\n[+]device-plugin ok\nhealthz check passed\n"},
      {"fine", "GET", "/pods", 200,
       R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"web","namespace":"default",)"
       R"("uid":"11111111-1111-1111-1111-111111111111","creationTimestamp":"2026-01-01T00:00:00Z"},)"
       R"("spec":{"containers":[{"name":"web","image":"example.com/web:1","resources":{"requests":{"cpu":"100m"}}},)"
       R"({"name":"idle","image":"example.com/idle:1","resources":{"requests":{"cpu":"100m"}}}],"nodeName":"node-a"},)"
       R"("status":{"phase":"Running"}}]})"
       "\n"},
      {"admin", "GET", "/runningpods/", 200,
       R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"web","namespace":"default",)"
       R"("uid":"11111111-1111-1111-1111-111111111111"},"spec":{"containers":[{"name":"web",)"
       R"("image":"example.com/web:1","resources":{"requests":{"cpu":"100m"}}}]},"status":{}}]})"
       "\n"},
      {"admin", "GET", "/containerLogs/default/web/web?stream=Stdout", 400,
       "unable to return the given log stream: \"Stdout\". Please enable PodLogsQuerySplitStreams feature gate in "
       "kubelet"}}},
};

void check(ServedKubelet& kubelet, const Expected& expected) {
  const std::string answer = kubelet.ask(expected.who, expected.method, expected.target);
  BOOST_TEST(status_of(answer) == expected.status, expected << " got " << answer);
  BOOST_TEST(body_of(answer) == expected.body, expected << " got " << answer);
}

}  // namespace

BOOST_DATA_TEST_CASE(a_release_answers_as_a_real_kubelet_of_it, data::make(by_release), release) {
  ServedKubelet kubelet(release.version);
  for (const Expected& expected : in_all) check(kubelet, expected);
  for (const Expected& expected : release.answers) check(kubelet, expected);
}

BOOST_AUTO_TEST_CASE(headers_are_those_of_net_http_and_go_restful) {
  ServedKubelet kubelet("1.36.3");
  const std::string redirect = kubelet.ask("", "HEAD", "/stats");
  BOOST_TEST(has_header(redirect, "location: /stats/"));
  BOOST_TEST(redirect.find("content-length") == std::string::npos);
  BOOST_TEST(has_header(kubelet.ask("", "GET", "/nope"), "x-content-type-options: nosniff"));
  BOOST_TEST(has_header(kubelet.ask("", "HEAD", "/pods"), "content-length: 12"));
  BOOST_TEST(has_header(kubelet.ask("admin", "PUT", "/stats/summary"), "allow: GET, POST"));
  BOOST_TEST(!has_header(kubelet.ask("admin", "GET", "/healthz/ping"), "x-content-type-options: nosniff"));
  BOOST_TEST(has_header(kubelet.ask("admin", "GET", "/configz"), "transfer-encoding: chunked"));
  BOOST_TEST(kubelet.ask("admin", "HEAD", "/configz").find("content-length") == std::string::npos);
  BOOST_TEST(has_header(kubelet.ask("admin", "GET", "/metrics/resource"),
                        "content-type: text/plain; version=0.0.4; charset=utf-8; escaping=underscores"));
  BOOST_TEST(body_of(kubelet.ask("admin", "GET", "/pods", "Accept: text/plain\r\n")) ==
             "406: Not Acceptable\n\nAvailable representations: application/json");
  ServedKubelet old("1.24.0");
  BOOST_TEST(old.ask("admin", "PUT", "/stats/summary").find("allow: ") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_target_without_a_path_is_none_of_the_kubelets) {
  ServedKubelet kubelet("1.36.3");
  check(kubelet, {"", "GET", "*", 400, ""});
  BOOST_TEST(has_header(kubelet.ask("", "GET", "*"), "connection: close"));
  BOOST_TEST(kubelet.ask("", "HEAD", "*").find("content-length") == std::string::npos);
  check(kubelet, {"", "GET", "/*", 404, "404 page not found\n"});
  check(kubelet, {"", "OPTIONS", "/*", 404, "404 page not found\n"});
  check(kubelet, {"", "OPTIONS", "*", 200, ""});
  check(kubelet, {"", "CONNECT", "http://node-b/pods", 404, "404 page not found\n"});
  BOOST_TEST(has_header(kubelet.ask("", "GET", "http://node-b"), "location: /"));
}

BOOST_AUTO_TEST_CASE(bodies_of_requests_are_read_where_a_kubelet_reads_them) {
  ServedKubelet kubelet("1.36.3");
  BOOST_TEST(body_of(kubelet.ask("admin", "POST", "/stats/summary", "Content-Type: bad/;;\r\n", "x")) ==
             "Internal Error: parse form failed: mime: expected token after slash");
  BOOST_TEST(body_of(kubelet.ask("admin", "PUT", "/debug/flags/v", "", "2")) ==
             "successfully set klog.logging.verbosity to 2\n");
  BOOST_TEST(body_of(kubelet.ask("admin", "PUT", "/debug/flags/v", "", "x")) ==
             "strconv.ParseUint: parsing \"x\": invalid syntax\n");
}

BOOST_AUTO_TEST_CASE(without_debugging_handlers_their_paths_are_refused_after_authentication) {
  ServedKubelet kubelet("1.36.3", KubeletRoutes::Port::main,
                        [](KubeletConfiguration& one) { one.settings.debugging_handlers = false; });
  check(kubelet, {"", "GET", "/run/x", 401, "Unauthorized"});
  check(kubelet, {"", "GET", "/configz", 404, "404 page not found\n"});
  check(kubelet, {"admin", "POST", "/exec/default/web/web", 405, "Debug endpoints are disabled.\n"});
  check(kubelet, {"admin", "GET", "/healthz", 200, "ok"});
}

BOOST_AUTO_TEST_CASE(the_read_only_port_asks_nobody_who_they_are) {
  ServedKubelet kubelet("1.36.3", KubeletRoutes::Port::read_only);
  check(kubelet, {"", "GET", "/healthz", 200, "ok"});
  check(kubelet, {"", "GET", "/exec/default/web/web", 405, "Debug endpoints are disabled.\n"});
  check(kubelet, {"", "GET", "/configz", 404, "404 page not found\n"});
  BOOST_TEST(status_of(kubelet.ask("", "GET", "/pods")) == 200);
}

BOOST_AUTO_TEST_CASE(the_healthz_port_had_profiles_once) {
  const auto status = [](const std::string& version, const std::string& target) {
    ServedKubelet kubelet(version);
    KubeletHealthHandler health(*kubelet.answers);
    return health.handle({"GET", target, {}, ""}).status;
  };
  BOOST_TEST(status("1.36.3", "/healthz") == 200);
  BOOST_TEST(status("1.36.3", "/pods") == 404);
  BOOST_TEST(status("1.15.0", "/debug/pprof/heap") == 404);
  BOOST_TEST(status("1.14.3", "/debug/pprof/heap") == 200);
}

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

BOOST_AUTO_TEST_CASE(streams_of_logs_are_looked_at_since_there_are_any) {
  ServedKubelet now("1.36.3");
  const std::string logs = "/containerLogs/default/web/web?";
  for (const char* query : {"stream=x", "stream=", "stream=Stdout&tailLines=1", "stream=Stderr&tail=1"}) {
    const std::string target = logs + query;
    check(now, {"admin", "GET", target.c_str(), 422, R"({"message": "Invalid request."})"});
  }
  BOOST_TEST(status_of(now.ask("admin", "GET", logs + "stream=Stdout&tail=all")) == 400);
  BOOST_TEST(status_of(now.ask("admin", "GET", logs + "stream=All&tailLines=1")) == 200);
  ServedKubelet before("1.31.0");
  BOOST_TEST(status_of(before.ask("admin", "GET", logs + "stream=x")) == 200);
}

BOOST_AUTO_TEST_CASE(metrics_are_of_the_media_type_that_is_asked_for) {
  ServedKubelet now("1.36.3");
  ServedKubelet before("1.30.0");
  const auto type = [](ServedKubelet& kubelet, const std::string& accept) {
    const std::string answer = kubelet.ask("admin", "GET", "/metrics/probes", "Accept: " + accept + "\r\n");
    const std::size_t begin = answer.find("content-type: ") + 14;
    return answer.substr(begin, answer.find("\r\n", begin) - begin);
  };
  const std::string text = "text/plain; version=0.0.4; charset=utf-8";
  const std::string protobuf =
      "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited";
  const char* asked = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";
  BOOST_TEST(type(now, asked) == protobuf + "; escaping=underscores");
  BOOST_TEST(type(before, asked) == protobuf);
  BOOST_TEST(type(now, "text/plain;escaping=dots") == text + "; escaping=dots");
  BOOST_TEST(type(now, "text/plain;escaping=x") == text + "; escaping=underscores");
  BOOST_TEST(type(now, std::string("text/plain, ") + asked) == text + "; escaping=underscores");
  BOOST_TEST(type(before, "text/plain;escaping=dots") == text);
}

BOOST_AUTO_TEST_CASE(a_kubelet_translates_v5_itself_since_1_36) {
  const std::string v5 = std::string(websocket_headers) + "Sec-WebSocket-Protocol: v5.channel.k8s.io\r\n";
  const char* target = "/exec/default/web/web?output=1&command=echo";
  ServedKubelet now("1.36.3");
  BOOST_TEST(now.ask("admin", "GET", target, v5).find(R"({"metadata":{},"status":"Success"})") != std::string::npos);
  ServedKubelet before("1.35.0");
  BOOST_TEST(status_of(before.ask("admin", "GET", target, v5)) == 403);
}

BOOST_AUTO_TEST_CASE(zpages_wanted_to_be_told_that_text_is_taken) {
  ServedKubelet kubelet("1.34.0", KubeletRoutes::Port::main, {},
                        {{"ComponentFlagz", true}, {"ComponentStatusz", true}});
  BOOST_TEST(body_of(kubelet.ask("admin", "GET", "/statusz")) == "media type not acceptable, must be: text/plain\n");
  const std::string page = kubelet.ask("admin", "GET", "/flagz", "Accept: text/plain\r\n");
  BOOST_TEST(page.find("\nkubelet flags\n") != std::string::npos);
  BOOST_TEST(status_of(kubelet.ask("admin", "GET", "/flagz", "Accept: *\r\n")) == 200);
  BOOST_TEST(status_of(kubelet.ask("admin", "GET", "/flagz", "Accept: text/plain;version=1\r\n")) == 406);
  ServedKubelet now("1.36.3");
  BOOST_TEST(now.ask("admin", "GET", "/statusz").find("\nUp: 0 hr 00 min 00 sec\n") != std::string::npos);
  BOOST_TEST(status_of(now.ask("admin", "GET", "/statusz", "Accept: application/json\r\n")) == 406);
  BOOST_TEST(status_of(now.ask("admin", "GET", "/statusz", "Accept: *\r\n")) == 200);
  BOOST_TEST(status_of(now.ask("admin", "GET", "/statusz", "Accept: */json\r\n")) == 406);
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
