#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

#include "fakes/test/api_server_world.h"
#include "fakes/wire/onward.h"

BOOST_AUTO_TEST_SUITE(passed_on)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::test;

namespace {

/// A pod on a Node whose kubelet has an address.
struct BoundWorld : World {
  explicit BoundWorld(std::string_view version = "1.36.3", const GateSettings& gates = {}) : World(version, gates) {
    post("/api/v1/nodes", R"({"metadata":{"name":"n"},"status":{
         "addresses":[{"type":"Hostname","address":"h"},{"type":"InternalIP","address":"10.0.0.2"}],
         "daemonEndpoints":{"kubeletEndpoint":{"Port":1234}}}})");
    post(pods, R"({"metadata":{"name":"p"},"spec":{"nodeName":"n","containers":[
         {"name":"main","image":"i","ports":[{"containerPort":8080}]}]}})");
    post(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        R"({"metadata":{"name":"r"},"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods/exec","pods/log"]}]})");
    post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        R"({"metadata":{"name":"r"},"roleRef":{"kind":"ClusterRole","name":"r"},"subjects":[{"kind":"User","name":"r"}]})");
  }

  /// Where a request goes; nothing if it stays.
  std::optional<Onward> way(const std::string& target, const char* method = "GET") {
    const HttpResponse answer = server.handle(admin, {method, target, "", ""});
    const auto passed = std::dynamic_pointer_cast<const PassedOn>(answer.stream);
    return passed ? std::optional(passed->to()) : std::nullopt;
  }

  const Subject reader{"r", {}, "", {}};
};

struct Asked {
  std::string target;
  std::string of_kubelet;
};

std::ostream& operator<<(std::ostream& out, const Asked& asked) {
  return out << asked.target;
}

const std::string proxy = "/api/v1/nodes/n/proxy";

// As kube-apiserver 1.36.3 asks a kubelet.
const Asked asked_of_kubelets[] = {
    {pods + "/p/log", "/containerLogs/ns/p/main"},
    {pods + "/p/log?container=main&follow=1&previous=false&timestamps=true&tailLines=3&sinceSeconds=4&limitBytes=5",
     "/containerLogs/ns/p/main?follow=true&limitBytes=5&sinceSeconds=4&tailLines=3&timestamps=true"},
    {pods + "/p/exec?command=sh&command=-c&stdin=true&stdout=1&stderr=0&tty=True",
     "/exec/ns/p/main?command=sh&command=-c&input=1&output=1&tty=1"},
    {pods + "/p/attach?stderr=1&command=no", "/attach/ns/p/main?error=1"},
    {pods + "/p/portforward?ports=80&ports=81", "/portForward/ns/p?port=80%2C81"},
    {proxy + "/", "/"},
    {proxy + "/stats/summary?a=b%20c", "/stats/summary?a=b%20c"},
    {proxy + "/logs/a%2Fb%20c/", "/logs/a/b%20c/"},
    {proxy + "/logs/../../../pods", "/pods"},
    {proxy + "/%2e%2e/pods", "/pods"},
};

}  // namespace

BOOST_DATA_TEST_CASE_F(BoundWorld, a_kubelet_is_asked_in_its_own_words, boost::unit_test::data::make(asked_of_kubelets),
                       asked) {
  const auto to = way(asked.target);
  BOOST_TEST_REQUIRE(to.has_value());
  BOOST_TEST(to->target == asked.of_kubelet);
  BOOST_TEST(to->kubelet);
  BOOST_TEST(to->tls);
  BOOST_TEST(to->port == "1234");
  BOOST_TEST_REQUIRE(to->addresses.size() == 2U);
  BOOST_TEST(to->addresses.back().second == "10.0.0.2");
  // A kubelet's own address may be any; that of a proxy may not.
  BOOST_TEST(to->global_only == asked.target.starts_with(proxy));
}

BOOST_AUTO_TEST_CASE(a_stream_of_a_log_is_always_named_once_logs_are_split) {
  BoundWorld split("1.36.3", {{"PodLogsQuerySplitStreams", true}});
  BOOST_TEST(split.way(pods + "/p/log").value().target == "/containerLogs/ns/p/main?stream=All");
  BOOST_TEST(split.way(pods + "/p/log?stream=Stderr").value().target == "/containerLogs/ns/p/main?stream=Stderr");
}

BOOST_FIXTURE_TEST_CASE(another_port_of_a_node_is_not_its_kubelet, BoundWorld) {
  const auto kubelet = way("/api/v1/nodes/https:n:1234/proxy/pods");
  BOOST_TEST_REQUIRE(kubelet.has_value());
  BOOST_TEST(kubelet->kubelet);
  BOOST_TEST(kubelet->prefix == "/api/v1/nodes/https:n:1234/proxy");
  const auto other = way("/api/v1/nodes/n:80/proxy/pods");
  BOOST_TEST_REQUIRE(other.has_value());
  BOOST_TEST(!other->kubelet);
  BOOST_TEST(!other->tls);
  BOOST_TEST(other->port == "80");
  BOOST_TEST(get("/api/v1/nodes/ftp:n:1/proxy/").message() == "invalid node request \"ftp:n:1\"");
}

BOOST_FIXTURE_TEST_CASE(a_pod_is_proxied_to_at_its_own_address, BoundWorld) {
  BOOST_TEST(get(pods + "/p/proxy/").message() == "address not allowed");
  put(pods + "/p/status", [&] {
    Object pod = get(pods + "/p").body;
    pod["status"]["podIPs"] = {{{"ip", "10.1.2.3"}}};
    return pod;
  }());
  const auto to = way(pods + "/https:p:/proxy/x");
  BOOST_TEST_REQUIRE(to.has_value());
  BOOST_TEST(to->authority() == "10.1.2.3:8080");
  BOOST_TEST(to->tls);
  BOOST_TEST(!to->kubelet);
  BOOST_TEST(to->global_only);
  BOOST_TEST(to->target == "/x");
}

// Issue 133515; the words are those of kube-apiserver 1.36.3.
BOOST_FIXTURE_TEST_CASE(a_get_of_a_connection_needs_the_permission_to_create, BoundWorld) {
  const Answer refused = call(reader, "GET", pods + "/p/exec?command=sh");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(refused.message() == "pods \"p\" is forbidden: ");
  BOOST_TEST(call(reader, "GET", pods + "/none/exec").status == 403);
  BOOST_TEST(call(admin, "GET", pods + "/p/exec?command=sh").status == 400);
  BOOST_TEST(call(reader, "GET", pods + "/p/log").status == 500);
  BoundWorld before("1.34.0");
  BOOST_TEST(before.call(reader, "GET", pods + "/p/exec?command=sh").status == 400);
}

BOOST_FIXTURE_TEST_CASE(what_is_wrong_with_the_options_of_a_log_is_said_first, BoundWorld) {
  BOOST_TEST(get(pods + "/p/log?tailLines=x").message() == R"(strconv.ParseInt: parsing "x": invalid syntax)");
  const Answer answer = get(pods + "/p/log?tailLines=-1&limitBytes=0&sinceSeconds=0");
  BOOST_TEST(answer.status == 422);
  BOOST_TEST(answer.message() ==
             "PodLogOptions \"p\" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, "
             "limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater "
             "than 0]");
}

BOOST_AUTO_TEST_SUITE_END()
