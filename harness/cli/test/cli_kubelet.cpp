#include <arpa/inet.h>
#include <boost/test/unit_test.hpp>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "harness/endpoint/child_process.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/endpoint/loopback.h"
#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(cli_kubelet)

using namespace command_line;
using namespace nodebound;
using nlohmann::json;

namespace {

/// A nodebound process that runs until the test ends.
std::unique_ptr<ChildProcess> started(const std::vector<std::string>& flags, const std::filesystem::path& log,
                                      const std::string& said) {
  auto process = ChildProcess::start(project::nodebound_program, flags, log).value();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (process->last_lines(3).find(said) == std::string::npos && !process->ending() &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return process;
}

/// A kubelet of node a, and its API server.
struct ServedKubelet {
  explicit ServedKubelet(const std::string& release, const std::vector<std::string>& more = {}) {
    server = started(
        {"serve", "--release", release, "--secure-port", "0", "--kubeconfig-out", folder.path.string(), "--node", "a"},
        folder.path / "server.log", "node-a.kubeconfig");
    folder.write("config.yaml",
                 "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\naddress: 127.0.0.1\n"
                 "authentication: {x509: {clientCAFile: " +
                     (folder.path / "ca.crt").string() + "}}\n");
    std::vector<std::string> flags = {"kubelet",
                                      "--release",
                                      release,
                                      "--config",
                                      (folder.path / "config.yaml").string(),
                                      "--kubeconfig",
                                      (folder.path / "node-a.kubeconfig").string(),
                                      "--hostname-override",
                                      "a",
                                      "--port",
                                      "0"};
    flags.insert(flags.end(), more.begin(), more.end());
    kubelet = started(flags, folder.path / "kubelet.log", "listening on");
  }

  ServerAddress address() const {
    const std::string line = kubelet->last_lines(1);
    ServerAddress out;
    out.host = "127.0.0.1";
    out.skip_verification = true;
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

  /// Asks as the administrator of the cluster.
  HttpResponse ask_server(const std::string& target) const {
    const auto kubeconfig = load_kubeconfig((folder.path / "admin.kubeconfig").string()).value();
    const auto client = make_http_client(kubeconfig.server, credentials_of(kubeconfig).value(), {}).value();
    return client->send({"GET", target, "", "", false, {}, {}}).value();
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
  // Not even a node may use its own kubelet's API.
  BOOST_TEST(served.ask("node-a", "/pods").body ==
             "Forbidden (user=system:node:a, verb=get, resource=nodes, subresource(s)=[pods proxy])\n");
  served.kubelet->stop();
  BOOST_TEST(served.kubelet->ending().value() == "with exit status 0");
}

BOOST_AUTO_TEST_CASE(a_kubelet_that_runs_is_held_to_its_clusters_rbac) {
  const ServedKubelet served("1.36.3");
  const std::string run = "run --release 1.36.3 --out " + (served.folder.path / "out").string() +
                          " --target kubelet:https://127.0.0.1:" + std::to_string(served.address().port) +
                          " --kubelet-cluster kubeconfig:" + (served.folder.path / "admin.kubeconfig").string() +
                          " --i-may-write-to nodebound --kubelet-fingerprint " +
                          shown_fingerprint(served.address()).value();
  const Ended without_node = command_line::nodebound(run);
  BOOST_TEST(without_node.code == 2);
  BOOST_TEST(says(without_node, "--node"), without_node.output);

  const std::filesystem::path summary = served.folder.path / "summary.md";
  const Ended with_tokens =
      run_shell("GITHUB_STEP_SUMMARY=" + summary.string() + " " + std::string(project::nodebound_program) + " " + run +
                " --node a --profile kubelet-fine-grained --github 2>&1");
  BOOST_TEST(with_tokens.code == 0, with_tokens.output);
  BOOST_TEST(says(with_tokens, "✓ CONFORMS"), with_tokens.output);
  BOOST_TEST(says(with_tokens, "needs reviews of the suite"), with_tokens.output);
  BOOST_TEST_REQUIRE(std::filesystem::exists(summary));
  BOOST_TEST(std::filesystem::file_size(summary) > 0U);
  BOOST_TEST(says(with_tokens, "the kubelet is shown tokens, which are good at the API server, too"),
             with_tokens.output);

  const Ended certificates = command_line::nodebound(run + " --node a --identity ca --client-ca-cert " +
                                                     (served.folder.path / "ca.crt").string() + " --client-ca-key " +
                                                     (served.folder.path / "ca.key").string());
  BOOST_TEST(certificates.code == 0, certificates.output);
  BOOST_TEST(!says(certificates, "certificates are issued with"), certificates.output);
  const json roles = json::parse(
      served.ask_server("/apis/rbac.authorization.k8s.io/v1/clusterroles?labelSelector=nodebound.dev/run").body);
  BOOST_TEST(roles["items"].empty(), roles.dump());
}

BOOST_AUTO_TEST_CASE(a_kubelet_that_runs_may_have_the_suite_for_its_cluster) {
  const Folder folder;
  const std::string port = std::to_string(free_loopback_ports(1).value().front());
  const std::string files = (folder.path / "files").string();
  const auto suite = started({"run", "--release", "1.36.3", "--out", (folder.path / "out").string(), "--target",
                              "kubelet:https://127.0.0.1:" + port, "--kubelet-files", files},
                             folder.path / "suite.log", "start the kubelet with");
  folder.write("config.yaml",
               "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\naddress: 127.0.0.1\nport: " +
                   port + "\nauthentication: {x509: {clientCAFile: " + files + "/client-ca.crt}}\n");
  const auto kubelet = started({"kubelet", "--release", "1.36.3", "--config", (folder.path / "config.yaml").string(),
                                "--kubeconfig", files + "/kubeconfig", "--hostname-override", "its-own-name"},
                               folder.path / "kubelet.log", "listening on");
  // The most time that a busy machine with sanitizers may take.
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (!suite->ending() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::string said = suite->last_lines(40);
  BOOST_TEST(suite->ending().value_or("not at all") == "with exit status 0", said);
  BOOST_TEST(said.find("✓ CONFORMS") != std::string::npos, said);
  BOOST_TEST(said.find("authentication.anonymous.enabled is false") != std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(a_kubelet_is_certified_and_others_verify_it) {
  const Folder folder;
  const auto path = [&](const char* name) { return (folder.path / name).string(); };
  BOOST_TEST(command_line::nodebound("certify --generate-key " + path("key")).code == 0);
  const std::string common = " --release 1.36.3 --key " + path("key") + " --out " + path("out");
  const std::string kubelet =
      std::string(" --target 'kubelet:") + project::nodebound_program + " kubelet --release 1.36.3'";
  const Ended certified = command_line::nodebound("certify --profile kubelet-fine-grained" + kubelet + common);
  BOOST_TEST(certified.code == 0, certified.output);
  BOOST_TEST(certified.output.find("Certified: kubelet-fine-grained@1 extended") != std::string::npos,
             certified.output);
  const Ended verified =
      command_line::nodebound("report verify " + path("out") + "/bundle --key " + path("key") + ".pub");
  BOOST_TEST(verified.code == 0, verified.output);
  BOOST_TEST(verified.output.find("kubelet-fine-grained@1 extended, Kubernetes 1.36.3") != std::string::npos,
             verified.output);
  const Ended of_servers = command_line::nodebound("certify --profile rbac" + kubelet + common);
  BOOST_TEST(of_servers.code == 2);
  BOOST_TEST(of_servers.output.find("rbac says nothing about kubelets") != std::string::npos, of_servers.output);
  const Ended of_kubelets = command_line::nodebound("certify --profile kubelet-authorization" + common);
  BOOST_TEST(of_kubelets.code == 2);
  BOOST_TEST(of_kubelets.output.find("is about kubelets, and the target is none") != std::string::npos,
             of_kubelets.output);
}

BOOST_AUTO_TEST_CASE(clients_that_do_not_behave_hold_up_nobody) {
  const ServedKubelet served("1.36.3");
  const std::uint16_t port = served.address().port;
  // Some clients send nothing, others do not complete their request.
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

namespace {

/// Whether the kernel has a socket that listens at the address, in the hexadecimal form of /proc/net/tcp.
bool listens_at(const std::string& address, std::uint16_t port) {
  char expected[32];
  std::snprintf(expected, sizeof expected, " %s:%04X 00000000:0000 0A ", address.c_str(), port);
  return run_shell("cat /proc/net/tcp").output.find(expected) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_kubelet_listens_on_loopback_until_it_is_told_otherwise) {
  const Folder folder;
  folder.write("any.yaml",
               "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\naddress: 0.0.0.0\n"
               "authentication: {webhook: {enabled: false}}\nauthorization: {mode: AlwaysAllow}\n");
  const std::string loopback = "0100007F";
  const std::string everywhere = "00000000";
  const std::vector<std::string> start = {"kubelet", "--hostname-override", "a", "--port",
                                          "0",       "--read-only-port",    "0"};
  const std::pair<std::vector<std::string>, std::string> kubelets[] = {
      {{}, loopback},
      {{"--address", "0.0.0.0"}, everywhere},
      {{"--config", (folder.path / "any.yaml").string()}, everywhere},
      {{"--config", (folder.path / "any.yaml").string(), "--address", "127.0.0.1"}, loopback},
  };
  for (const auto& [more, address] : kubelets) {
    std::vector<std::string> flags = start;
    flags.insert(flags.end(), more.begin(), more.end());
    const auto kubelet = started(flags, folder.path / "log", "listening on");
    const std::string said = kubelet->last_lines(10);
    const auto port = static_cast<std::uint16_t>(std::stoi(said.substr(said.rfind(':') + 1)));
    BOOST_TEST(listens_at(address, port), said);
    BOOST_TEST((said.find("every address of this machine") != std::string::npos) == (address == everywhere), said);
    BOOST_TEST(said.find("may do: everything") != std::string::npos, said);
    std::filesystem::remove(folder.path / "log");
  }
}

BOOST_AUTO_TEST_CASE(a_kubelet_logs_requests_one_a_line) {
  const ServedKubelet served("1.36.3", {"--verbose"});
  BOOST_TEST(served.ask("", "/%0A12:00:00.000%20forged").status == 404);
  const std::string log = served.kubelet->last_lines(1);
  BOOST_TEST(log.ends_with(" GET /%0A12:00:00.000%20forged: 404"), log);
}

BOOST_AUTO_TEST_CASE(a_kubelet_says_who_may_ask) {
  const ServedKubelet served("1.36.3");
  const std::string said = served.kubelet->last_lines(10);
  BOOST_TEST(said.find("may ask: who has a certificate of --client-ca-file, or a token that the API server knows") !=
                 std::string::npos,
             said);
  BOOST_TEST(said.find("may do: what the API server allows them") != std::string::npos, said);
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

BOOST_AUTO_TEST_SUITE_END()
