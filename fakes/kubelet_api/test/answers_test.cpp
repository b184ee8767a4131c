#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "fakes/kubelet_api/test/support.h"

BOOST_AUTO_TEST_SUITE(kubelet_api_answers)

using namespace nodebound;
using namespace nodebound::kubelet_api;
using namespace nodebound::test;
namespace data = boost::unit_test::data;

namespace {

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
    {"admin", "GET", "/attach/default/web/%0e?output=1", 500, R"(container not found ("\x0e"))"},
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
    {"admin", "GET", "/%6cogs/messages/", 404, "404 page not found\n"},
    {"admin", "GET", "/containerLogs/default/%eb/web", 404, R"(pod "\xeb" does not exist)"},
    {"admin", "DELETE", "/metrics/slis", 200, "metrics reset\n"},
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
  BOOST_TEST(has_header(kubelet.ask("", "GET", "//?"), "location: /"));
  const std::string no_page = kubelet.ask("admin", "GET", "/statusz", "Accept: application/yaml\r\n");
  BOOST_TEST(has_header(no_page, "content-type: application/yaml"));
  BOOST_TEST(body_of(no_page).starts_with("apiVersion: v1\ncode: 406\n"));
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

BOOST_AUTO_TEST_SUITE_END()
