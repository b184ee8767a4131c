#include "harness/kubelet/target/kubelet_process.h"

#include <sstream>
#include <thread>

#include "harness/endpoint/child_process.h"
#include "harness/endpoint/loopback.h"
#include "harness/endpoint/signals.h"
#include "reports/files.h"

namespace nodebound::kubelet_conformance {
namespace {

constexpr std::chrono::seconds start_time{60};

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream in(command);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

Result<KubeletPortNumbers> free_ports(const KubeletScenario& scenario) {
  const auto ports = free_loopback_ports(3);
  if (!ports) return tl::unexpected(ports.error());
  KubeletPortNumbers out{(*ports)[0], 0, 0};
  if (scenario.uses(KubeletPort::read_only)) out.read_only = (*ports)[1];
  if (scenario.uses(KubeletPort::healthz)) out.healthz = (*ports)[2];
  return out;
}

class KubeletProcess final : public KubeletUnderTest {
 public:
  KubeletProcess(std::unique_ptr<ChildProcess> process, const KubeletPortNumbers& ports, const KubeletFiles& files)
      : process_(std::move(process)), ports_(ports), files_(files) {}

  Result<std::unique_ptr<HttpClient>> connect(KubeletPort port, const Credentials& credentials) override {
    return make_http_client(server(port), credentials, {});
  }
  bool listens(KubeletPort port) override {
    const bool usual = number(port) == 0 && port == KubeletPort::read_only;
    return answers_http("127.0.0.1", usual ? usual_read_only_port : number(port));
  }
  void wait(std::chrono::milliseconds time) override { std::this_thread::sleep_for(time); }
  Result<void> trust(const std::string& authorities) override { return files_.trust(authorities); }

  /// Waits until the kubelet answers at every port that it should have.
  Result<void> come_up() {
    const auto ending = [this]() -> std::optional<std::string> {
      const auto ended = process_->ending();
      return ended ? std::optional("ended " + *ended) : std::nullopt;
    };
    for (const KubeletPort port : {KubeletPort::main, KubeletPort::read_only, KubeletPort::healthz}) {
      if (number(port) == 0) continue;
      if (const Result<void> up = wait_for_kubelet(server(port), {}, ending); !up) {
        return unreachable_error(up.error().where, up.error().what + ":\n" + process_->last_lines(5));
      }
    }
    return {};
  }

 private:
  [[nodiscard]] std::uint16_t number(KubeletPort port) const {
    return port == KubeletPort::main ? ports_.main : port == KubeletPort::read_only ? ports_.read_only : ports_.healthz;
  }

  [[nodiscard]] ServerAddress server(KubeletPort port) const {
    ServerAddress out;
    out.host = "127.0.0.1";
    out.tls = port == KubeletPort::main;
    out.port = number(port);
    out.skip_verification = true;
    return out;
  }

  std::unique_ptr<ChildProcess> process_;
  KubeletPortNumbers ports_;
  const KubeletFiles& files_;
};

}  // namespace

Result<std::unique_ptr<KubeletUnderTest>> start_kubelet_process(const std::string& command,
                                                                const KubeletStartup& startup,
                                                                const KubeletFiles& files, const RuleSet& rules) {
  std::vector<std::string> arguments = words_of(command);
  if (arguments.empty()) {
    return input_error("--target", "names no kubelet", "say kubelet:PROGRAM, with flags if need be");
  }
  const std::string program = arguments.front();
  arguments.erase(arguments.begin());
  const auto ports = free_ports(startup.scenario);
  if (!ports) return tl::unexpected(ports.error());
  if (const Result<void> trusted = files.trust(); !trusted) return tl::unexpected(trusted.error());
  if (takes_file(startup.scenario, rules)) {
    const Result<void> written = write_file(files.path("config.yaml"), files.configuration(startup, *ports));
    if (!written) return tl::unexpected(written.error());
    arguments.push_back("--config=" + files.path("config.yaml").string());
  } else {
    const std::vector<std::string> flags = files.flags(startup, *ports);
    arguments.insert(arguments.end(), flags.begin(), flags.end());
  }
  if (startup.kubeconfig) arguments.push_back("--kubeconfig=" + files.path("kubeconfig").string());
  arguments.push_back(std::string("--hostname-override=") + kubelet_node);
  arguments.insert(arguments.end(), startup.flags.begin(), startup.flags.end());
  auto process = ChildProcess::start(program, arguments, files.path("kubelet.log"));
  if (!process) return tl::unexpected(process.error());
  auto out = std::make_unique<KubeletProcess>(std::move(*process), *ports, files);
  if (Result<void> up = out->come_up(); !up) return tl::unexpected(up.error());
  return out;
}

bool answers_http(const std::string& host, std::uint16_t port) {
  if (port == 0) return false;
  ServerAddress server;
  server.tls = false;
  server.host = host;
  server.port = port;
  constexpr std::chrono::milliseconds patience{2000};
  auto client = make_http_client(server, {}, {patience, patience});
  if (!client) return false;
  const auto answer = (*client)->send({"GET", "/healthz", "", ""});
  return answer || answer.error().connection != Error::Connection::not_made;
}

Result<void> wait_for_kubelet(const ServerAddress& server, const RequestLimits& limits,
                              const std::function<std::optional<std::string>()>& ending) {
  const auto end = std::chrono::steady_clock::now() + start_time;
  while (std::chrono::steady_clock::now() < end && !interrupted()) {
    if (const auto ended = ending ? ending() : std::nullopt) return unreachable_error("the kubelet", *ended);
    auto client = make_http_client(server, {}, limits);
    if (!client) return tl::unexpected(client.error());
    const auto answer = (*client)->send({"GET", "/", "", ""});
    if (answer || answer.error().connection == Error::Connection::certificate_wanted) return {};
    // Something answers, but it is another server.
    if (answer.error().connection == Error::Connection::not_trusted) {
      return unreachable_error(answer.error().where, answer.error().what,
                               "--kubelet-ca or --kubelet-fingerprint says what its serving certificate is known by");
    }
    if (!ending && answer.error().connection != Error::Connection::not_made) return tl::unexpected(answer.error());
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return unreachable_error("the kubelet", "does not answer on " + url_of(server));
}

}  // namespace nodebound::kubelet_conformance
