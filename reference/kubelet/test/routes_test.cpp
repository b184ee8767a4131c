#include "reference/kubelet/routes.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(kubelet_routes)

using namespace nodebound;
using test::rules_of;

namespace {

// The outcome in one word, the handler's name, or the redirect's location.
std::string outcome(const KubeletRoute& route) {
  switch (route.kind) {
    case KubeletRoute::Kind::handler:
      return route.handler;
    case KubeletRoute::Kind::not_found:
      return "404 before";
    case KubeletRoute::Kind::redirect:
      return "-> " + route.location;
    case KubeletRoute::Kind::no_route:
      return "404 after";
    case KubeletRoute::Kind::method_not_allowed: {
      std::string out = "405";
      for (const std::string& method : route.allowed) out += " " + method;
      return out;
    }
    case KubeletRoute::Kind::not_acceptable:
      return "406";
    case KubeletRoute::Kind::disabled:
      return route.message;
  }
  return "";
}

std::string outcome(const char* version, const char* method, const char* target) {
  const RuleSet rules = rules_of(version);
  return outcome(KubeletRoutes(rules, KubeletSettings::of_flags(rules)).find(method, target));
}

struct Probe {
  const char* version;
  const char* method;
  const char* target;
  const char* outcome;
};

std::ostream& operator<<(std::ostream& out, const Probe& probe) {
  return out << probe.version << ' ' << probe.method << ' ' << probe.target;
}

// As real servers of these releases answer.
const Probe probes[] = {
    {"1.36.3", "GET", "/", "404 before"},
    {"1.36.3", "GET", "/nope", "404 before"},
    {"1.36.3", "GET", "/podsx", "404 before"},
    {"1.36.3", "GET", "/configz/", "404 before"},
    {"1.36.3", "GET", "/metrics/x", "404 before"},
    {"1.36.3", "GET", "/healthz/", "404 before"},
    {"1.36.3", "GET", "/spec/", "404 before"},
    {"1.36.3", "GET", "/runningPods/", "404 before"},
    {"1.36.3", "GET", "/allocatedPods", "404 before"},
    {"1.36.3", "GET", "/runningpods?x=1", "-> /runningpods/?x=1"},
    {"1.36.3", "POST", "/stats", "-> /stats/"},
    {"1.36.3", "GET", "/logs", "-> /logs/"},
    {"1.36.3", "GET", "/checkpoint", "-> /checkpoint/"},
    {"1.36.3", "GET", "/debug/pprof", "-> /debug/pprof/"},
    {"1.36.3", "GET", "/pods/../exec/a/b/c", "-> /exec/a/b/c"},
    {"1.36.3", "GET", "//pods", "-> /pods"},
    {"1.36.3", "GET", "/stats%2fsummary", "404 before"},
    {"1.36.3", "GET", "/exec%2fa/b/c", "404 before"},
    {"1.36.3", "GET", "/pods/%2e%2e/exec/a/b/c", "404 after"},
    {"1.36.3", "GET", "/stats/%2e%2e/exec/a/b/c", "404 after"},
    {"1.36.3", "GET", "/%70ods", "pods"},
    {"1.36.3", "GET", "/pods", "pods"},
    {"1.36.3", "GET", "/pods/", "pods"},
    {"1.36.3", "GET", "/pods/x", "404 after"},
    {"1.36.3", "HEAD", "/pods", "405 GET"},
    {"1.36.3", "CONNECT", "/pods", "405 GET"},
    {"1.36.3", "GET", "/stats/", "404 after"},
    {"1.36.3", "PUT", "/stats/summary", "405 GET POST"},
    {"1.36.3", "FOO", "/metrics", "metrics"},
    {"1.36.3", "GET", "/exec", "404 after"},
    {"1.36.3", "GET", "/exec/a/b", "404 after"},
    {"1.36.3", "GET", "/exec/a/b/c/", "exec"},
    {"1.36.3", "PUT", "/exec/a/b/c/d", "405 GET POST"},
    {"1.36.3", "GET", "/run/a/b/c", "405 POST"},
    {"1.36.3", "GET", "/logs/a/b", "logs"},
    {"1.36.3", "GET", "/debug/pprof/", "404 after"},
    {"1.36.3", "GET", "/debug/pprof/heap", "pprof"},
    {"1.36.3", "GET", "/debug/flags/v", "debug-flags"},
    {"1.36.3", "GET", "/debug/flags/", "404 before"},
    {"1.36.3", "GET", "/statusz", "statusz"},
    {"1.35.4", "GET", "/statusz", "404 before"},
    {"1.29.0", "GET", "/stats%2fsummary", "stats-summary"},
    {"1.29.0", "GET", "/exec%2fa/b/c", "exec"},
    {"1.29.0", "GET", "/pods/%2e%2e/exec/a/b/c", "-> /exec/a/b/c"},
    {"1.29.0", "POST", "/checkpoint/a/b/c", "404 before"},
    {"1.30.0", "POST", "/checkpoint/a/b/c", "checkpoint"},
    {"1.20.0", "GET", "/stats/", "404 after"},
    {"1.17.0", "GET", "/stats/", "stats"},
    {"1.17.0", "GET", "/spec", "-> /spec/"},
    {"1.17.0", "GET", "/spec/", "spec"},
    {"1.17.0", "GET", "/metrics/resource", "404 before"},
    {"1.17.0", "GET", "/metrics/resource/v1alpha1", "metrics-resource"},
    {"1.7.2", "GET", "/metrics/cadvisor", "404 before"},
    {"1.7.3", "GET", "/metrics/cadvisor", "metrics-cadvisor"},
    {"1.11.0", "GET", "/healthz/log", "404 before"},
    {"1.12.0", "GET", "/healthz/log", "healthz"},
};

}  // namespace

BOOST_DATA_TEST_CASE(paths_lead_where_they_do_in_real_kubelets, boost::unit_test::data::make(probes), probe) {
  BOOST_TEST(outcome(probe.version, probe.method, probe.target) == probe.outcome);
}

BOOST_AUTO_TEST_CASE(a_redirect_keeps_the_method_from_1_36_on) {
  for (const auto& [version, status] : {std::pair("1.35.4", 301), std::pair("1.36.0", 307)}) {
    const RuleSet rules = rules_of(version);
    BOOST_TEST(KubeletRoutes(rules, KubeletSettings::of_file(rules)).redirect_status() == status);
  }
}

BOOST_AUTO_TEST_CASE(variables_are_what_stands_in_their_place) {
  const RuleSet rules = rules_of("1.36.3");
  const KubeletRoutes routes(rules, KubeletSettings::of_file(rules));
  const KubeletRoute exec = routes.find("GET", "/exec/default/web/a%2fb?output=1");
  BOOST_TEST(exec.path == "/exec/default/web/a/b");
  BOOST_TEST((exec.parameters == std::vector<std::string>{"default", "web", "a", "b"}));
  BOOST_TEST((routes.find("GET", "/logs/a/b").parameters == std::vector<std::string>{"a/b"}));
}

BOOST_AUTO_TEST_CASE(only_what_a_client_takes_is_served) {
  const RuleSet rules = rules_of("1.36.3");
  const KubeletRoutes routes(rules, KubeletSettings::of_file(rules));
  for (const char* accept : {"", "*/*", "application/json", "text/html, application/json;q=0.5"}) {
    BOOST_TEST(outcome(routes.find("GET", "/pods", accept)) == "pods", accept);
  }
  for (const char* accept : {"text/plain", "application/vnd.kubernetes.protobuf", "application/jsonx"}) {
    BOOST_TEST(outcome(routes.find("GET", "/pods", accept)) == "406", accept);
  }
  BOOST_TEST(outcome(routes.find("GET", "/metrics", "image/png")) == "metrics");
  BOOST_TEST(outcome(routes.find("GET", "/exec/a/b/c", "text/html, */*")) == "exec");
  BOOST_TEST(outcome(routes.find("GET", "/exec/a/b/c", "application/json")) == "406");
}

BOOST_AUTO_TEST_CASE(without_debugging_handlers_their_paths_refuse_or_are_gone) {
  for (const auto& [version, expected] :
       {std::pair("1.8.0", "404 before"), std::pair("1.9.0", "Debug endpoints are disabled.")}) {
    const RuleSet rules = rules_of(version);
    KubeletSettings settings = KubeletSettings::of_flags(rules);
    settings.debugging_handlers = false;
    const KubeletRoutes routes(rules, settings);
    for (const char* target : {"/exec/a/b/c", "/run/", "/runningpods/", "/debug/pprof/", "/logs/x"}) {
      BOOST_TEST(outcome(routes.find("DELETE", target)) == expected, version << " " << target);
    }
    BOOST_TEST(outcome(routes.find("GET", "/configz")) == "404 before");
    BOOST_TEST(outcome(routes.find("GET", "/pods")) == "pods");
  }
}

BOOST_AUTO_TEST_CASE(the_read_only_port_has_what_needs_no_debugging_handlers) {
  struct Row {
    const char* version;
    const char* target;
    const char* outcome;
  };
  const GateSettings gates = {{"ContainerCheckpoint", true}};
  for (const Row& row :
       {Row{"1.31.0", "/checkpoint/a/b/c", "405 POST"}, Row{"1.31.14", "/checkpoint/a/b/c", "404 before"},
        Row{"1.31.0", "/pods", "pods"}, Row{"1.31.0", "/exec/a/b/c", "Debug endpoints are disabled."},
        Row{"1.31.0", "/configz", "404 before"}}) {
    const RuleSet rules = rules_of(row.version, gates);
    const KubeletRoutes routes(rules, KubeletSettings::of_flags(rules), KubeletRoutes::Port::read_only);
    BOOST_TEST(outcome(routes.find("GET", row.target)) == row.outcome, row.version << " " << row.target);
  }
}

BOOST_AUTO_TEST_CASE(statusz_was_for_everybody_in_1_35) {
  for (const auto& [version, expected] :
       {std::pair("1.34.0", "404 before"), std::pair("1.35.0", "statusz"), std::pair("1.36.0", "404 before")}) {
    const RuleSet rules = rules_of(version, {{"ComponentStatusz", true}});
    const KubeletRoutes routes(rules, KubeletSettings::of_file(rules), KubeletRoutes::Port::read_only);
    BOOST_TEST(outcome(routes.find("GET", "/statusz")) == expected, version);
  }
}

BOOST_AUTO_TEST_CASE(handlers_are_switched_off_by_their_settings) {
  for (const auto& [version, expected] :
       {std::pair("1.18.0", "logs"), std::pair("1.19.0", "logs endpoint is disabled.")}) {
    const RuleSet rules = rules_of(version);
    KubeletSettings settings = KubeletSettings::of_file(rules);
    settings.system_log_handler = false;
    BOOST_TEST(outcome(KubeletRoutes(rules, settings).find("GET", "/logs/x")) == expected, version);
  }
  const RuleSet rules = rules_of("1.36.3");
  KubeletSettings settings = KubeletSettings::of_file(rules);
  settings.profiling_handler = false;
  settings.debug_flags_handler = false;
  const KubeletRoutes routes(rules, settings);
  BOOST_TEST(outcome(routes.find("GET", "/debug/pprof/heap")) == "profiling endpoint is disabled.");
  BOOST_TEST(outcome(routes.find("PUT", "/debug/flags/v")) == "flags endpoint is disabled.");
}

BOOST_AUTO_TEST_SUITE_END()
