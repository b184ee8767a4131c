#include <atomic>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "harness/test/served_cluster.h"

BOOST_AUTO_TEST_SUITE(serve_faults)

using namespace command_line;
using namespace nodebound;
using nlohmann::json;

namespace {

const std::string maps = "/api/v1/namespaces/default/configmaps";
const std::string faults = "/nodebound/v1/faults";

std::vector<std::string> with_node(std::vector<std::string> flags) {
  flags.insert(flags.end(), {"--node", "a"});
  return flags;
}

/// `nodebound serve` with faults, over a network.
struct Served : ServedCluster {
  explicit Served(std::vector<std::string> flags = {}) : ServedCluster("", with_node(std::move(flags))) {}

  Result<HttpResponse> ask(const std::string& method, const std::string& target, const std::string& body = {},
                           const std::string& who = "admin") const {
    return client(who)->send({method, target, "application/json", body});
  }
  int set(const std::string& body) const { return ask("PUT", faults, R"({"faults":[)" + body + "]}")->status; }
  int make(const std::string& name) const {
    return ask("POST", maps, R"({"metadata":{"name":")" + name + R"("}})")->status;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(faults_come_over_the_network) {
  const Served served({"--fault", "status=429;user=system:node:*;times=1", "--fault", "reset=before;path=/version"});
  const HttpResponse busy = served.ask("GET", "/api/v1/nodes/a", {}, "node-a").value();
  BOOST_TEST(busy.status == 429);
  BOOST_TEST(busy.headers.at("retry-after") == "1");
  BOOST_TEST(served.ask("GET", "/api/v1/nodes/a", {}, "node-a")->status == 404);
  BOOST_TEST(!served.ask("GET", "/version"));

  BOOST_TEST(served.make("m") == 201);
  BOOST_TEST(served.set(R"({"reset": "body"})") == 200);
  BOOST_TEST(!served.ask("GET", maps + "/m"));
  const json shown = json::parse(served.ask("GET", faults)->body);
  BOOST_TEST(shown["faults"][0]["hits"].get<int>() >= 1);
  BOOST_TEST(served.ask("DELETE", faults)->status == 200);
  BOOST_TEST(served.ask("GET", maps + "/m")->status == 200);
  BOOST_TEST(served.ask("GET", "/version")->status == 200);
}

BOOST_AUTO_TEST_CASE(latency_holds_up_whom_it_is_for_and_nobody_else) {
  const Served served(
      {"--fault", "latency=3600s;path=" + maps + "/held", "--fault", "latency=50ms;path=" + maps + "/late"});
  // More connections than the server has threads. Nobody waits an hour for the answer.
  std::vector<std::thread> held;
  std::atomic<int> answered = 0;
  for (int i = 0; i < 24; ++i) {
    held.emplace_back([&] {
      RequestLimits limits;
      limits.answer = std::chrono::seconds(2);
      if (served.client("admin", limits)->send({"GET", maps + "/held", {}, {}})) ++answered;
    });
  }
  const auto client = served.client();
  for (int i = 0; i < 20; ++i) BOOST_TEST(client->send({"GET", maps, {}, {}})->status == 200);
  for (std::thread& thread : held) thread.join();
  BOOST_TEST(answered == 0);
  BOOST_TEST(served.ask("GET", maps + "/late")->status == 404);
}

BOOST_AUTO_TEST_CASE(watches_end_and_break_over_the_network) {
  const Served served;
  served.make("m");
  served.set(R"({"drop-watch": 1})");
  const HttpResponse dropped = served.ask("GET", maps + "?watch=1").value();
  BOOST_TEST(json::parse(dropped.body)["object"]["metadata"]["name"] == "m");
  served.set(R"({"drop-watch": "1s"})");
  BOOST_TEST(served.ask("GET", maps + "?watch=1&resourceVersion=1000000")->status == 200);
  served.set(R"({"reset": "body", "verb": "watch", "seed": 1})");
  for (int i = 0; i < 4; ++i) served.make("n" + std::to_string(i));
  BOOST_TEST(!served.ask("GET", maps + "?watch=1"));
}

BOOST_AUTO_TEST_CASE(a_fault_that_is_none_is_bad_usage) {
  const Ended run = command_line::nodebound("serve --secure-port 0 --fault 'latency=soon'");
  BOOST_TEST(run.code == 2);
  BOOST_TEST(says(run, "--fault 'latency=soon': latency=soon: expected a time like 200ms"), run.output);
}

BOOST_AUTO_TEST_SUITE_END()
