#include <arpa/inet.h>
#include <boost/test/unit_test.hpp>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "harness/endpoint/child_process.h"
#include "harness/endpoint/kubeconfig.h"
#include "harness/test/command_line.h"

using namespace command_line;
using namespace nodebound;
using nlohmann::json;

namespace {

/// A nodebound of our own that goes on until the test ends.
std::unique_ptr<ChildProcess> started(const std::vector<std::string>& flags, const std::filesystem::path& log,
                                      const std::string& said) {
  auto process = ChildProcess::start(NODEBOUND_BINARY, flags, log).value();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (process->last_lines(3).find(said) == std::string::npos && !process->ending() &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return process;
}

/// A kubelet of node a, and the API server that it asks.
struct ServedKubelet {
  explicit ServedKubelet(const std::string& release) {
    server = started(
        {"serve", "--release", release, "--secure-port", "0", "--kubeconfig-out", folder.path.string(), "--node", "a"},
        folder.path / "server.log", "node-a.kubeconfig");
    folder.write("config.yaml",
                 "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\naddress: 127.0.0.1\n"
                 "authentication: {x509: {clientCAFile: " +
                     (folder.path / "ca.crt").string() + "}}\n");
    kubelet =
        started({"kubelet", "--release", release, "--config", (folder.path / "config.yaml").string(), "--kubeconfig",
                 (folder.path / "node-a.kubeconfig").string(), "--hostname-override", "a", "--port", "0"},
                folder.path / "kubelet.log", "listening on");
  }

  ServerAddress address() const {
    const std::string line = kubelet->last_lines(1);
    ServerAddress out{true, "127.0.0.1", 0, "", "", "", true};
    out.port = static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1)));
    return out;
  }

  HttpResponse ask(const std::string& who, const std::string& target, const HttpHeaders& headers = {}) const {
    Credentials credentials;
    if (!who.empty()) {
      const auto kubeconfig = load_kubeconfig((folder.path / (who + ".kubeconfig")).string()).value();
      credentials = credentials_of(kubeconfig).value();
    }
    credentials.headers.insert(credentials.headers.end(), headers.begin(), headers.end());
    return make_http_client(address(), credentials, {}).value()->send({"GET", target, "", "", false, {}, {}}).value();
  }

  Folder folder;
  std::unique_ptr<ChildProcess> server;
  std::unique_ptr<ChildProcess> kubelet;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_kubelet_asks_its_api_server_who_may) {
  const ServedKubelet served("1.36.3");
  BOOST_TEST(served.ask("", "/pods").status == 401);
  const HttpResponse pods = served.ask("admin", "/pods");
  BOOST_TEST_REQUIRE(pods.status == 200, pods.body);
  BOOST_TEST(json::parse(pods.body)["items"][0]["spec"]["nodeName"] == "a");
  // A node may not even ask itself.
  BOOST_TEST(served.ask("node-a", "/pods").body ==
             "Forbidden (user=system:node:a, verb=get, resource=nodes, subresource(s)=[pods proxy])\n");
  served.kubelet->stop();
  BOOST_TEST(served.kubelet->ending().value() == "with exit status 0");
}

BOOST_AUTO_TEST_CASE(clients_that_do_not_behave_hold_up_nobody) {
  const ServedKubelet served("1.36.3");
  const std::uint16_t port = served.address().port;
  // Some say nothing, some begin what they do not end.
  std::vector<int> sockets;
  for (int i = 0; i < 300; ++i) {
    sockets.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    BOOST_REQUIRE(connect(sockets.back(), reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    if (i % 2 == 1) BOOST_REQUIRE(send(sockets.back(), "\x16\x03\x01\x02", 4, MSG_NOSIGNAL) == 4);
  }
  BOOST_TEST(served.ask("admin", "/healthz").status == 200);
  BOOST_TEST(served.ask("admin", "/healthz", {{"X-Long", std::string(2 << 20, 'x')}}).status == 431);
  BOOST_TEST(served.ask("admin", "/" + std::string(100'000, 'x')).status == 404);
  BOOST_TEST(served.ask("", "/pods", {{"Authorization", "Bearer \xff\xfe"}}).status == 401);
  BOOST_TEST(served.ask("admin", "/healthz").status == 200);
  for (const int each : sockets) close(each);
}

BOOST_AUTO_TEST_CASE(a_kubelet_does_not_start_with_what_it_cannot_do) {
  const Folder folder;
  folder.write("config.yaml", "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n");
  folder.write("typo.yaml", "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nport: x\n");
  const std::string config = " --config " + (folder.path / "config.yaml").string();
  const std::pair<std::string, std::string> mistakes[] = {
      {config, "no client provided, cannot use webhook authentication"},
      {config + " --authentication-token-webhook=false", "no client provided, cannot use webhook authorization"},
      {"--authorization-mode RBAC", "unknown authorization mode RBAC"},
      {"--authorization-mode ''", "no authorization mode specified"},
      {"--client-ca-file /nonexistent", "open /nonexistent: No such file or directory"},
      {"--config /nonexistent", "failed to read kubelet config file \"/nonexistent\""},
      {"--config " + (folder.path / "typo.yaml").string(), "cannot unmarshal string"},
      {"--release 1.9" + config, "came with 1.10"},
      {"--port 70000", "must be between"},
      {"--authorization-webhook-cache-authorized-ttl 3x", "unknown unit \"x\""},
      {"--feature-gates NoSuchGate=true", "no release has a feature gate NoSuchGate"},
      {"--kubeconfig /nonexistent", "/nonexistent"},
  };
  for (const auto& [arguments, expected] : mistakes) {
    const Ended run = command_line::nodebound("kubelet --read-only-port 0 " + arguments);
    BOOST_TEST(run.code == 2, arguments << " ended with " << run.code);
    BOOST_TEST(says(run, expected), arguments << " said " << run.output);
  }
}
