#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "harness/endpoint/child_process.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(serve_faults)

using namespace command_line;
using namespace nodebound;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

const std::string maps = "/api/v1/namespaces/default/configmaps";
const std::string faults = "/nodebound/v1/faults";

/// `nodebound serve` with faults, over a network.
struct Served {
  explicit Served(const std::vector<std::string>& flags = {}) {
    std::vector<std::string> all = {"serve", "--secure-port", "0", "--kubeconfig-out", folder.path.string(), "--node",
                                    "a"};
    all.insert(all.end(), flags.begin(), flags.end());
    process = ChildProcess::start(project::nodebound_program, all, folder.path / "log").value();
    const auto end = steady_clock::now() + std::chrono::seconds(60);
    while (!process->last_lines(1).ends_with("node-a.kubeconfig") && !process->ending() && steady_clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(5));
    }
  }

  std::unique_ptr<HttpClient> client(const std::string& who) const {
    const Kubeconfig kubeconfig = load_kubeconfig((folder.path / (who + ".kubeconfig")).string()).value();
    return make_http_client(kubeconfig.server, credentials_of(kubeconfig).value(), {}).value();
  }
  Result<HttpResponse> ask(const std::string& method, const std::string& target, const std::string& body = {},
                           const std::string& who = "admin") const {
    return client(who)->send({method, target, "application/json", body});
  }
  int set(const std::string& body) const { return ask("PUT", faults, R"({"faults":[)" + body + "]}")->status; }
  int make(const std::string& name) const {
    return ask("POST", maps, R"({"metadata":{"name":")" + name + R"("}})")->status;
  }

  Folder folder;
  std::unique_ptr<ChildProcess> process;
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
  const Served served({"--fault", "latency=1500ms;path=" + maps + "/slow"});
  // More connections than the server has threads.
  std::vector<std::thread> slow;
  std::atomic<int> answered = 0;
  const auto begin = steady_clock::now();
  for (int i = 0; i < 24; ++i) {
    slow.emplace_back([&] { answered += served.ask("GET", maps + "/slow")->status == 404 ? 1 : 0; });
  }
  const auto client = served.client("admin");
  int quick = 0;
  while (answered == 0 && steady_clock::now() - begin < std::chrono::seconds(60)) {
    quick += client->send({"GET", maps, {}, {}})->status == 200 ? 1 : 0;
  }
  for (std::thread& thread : slow) thread.join();
  BOOST_TEST((steady_clock::now() - begin >= milliseconds(1500)));
  BOOST_TEST(answered == 24);
  BOOST_TEST(quick > 10);
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
