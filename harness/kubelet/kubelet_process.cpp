#include "harness/kubelet/kubelet_process.h"

#include <array>
#include <chrono>
#include <sstream>
#include <thread>

#include "harness/endpoint/kubeconfig.h"
#include "harness/endpoint/loopback.h"
#include "harness/endpoint/signals.h"
#include "reports/files.h"

namespace nodebound {
namespace {

constexpr std::chrono::seconds start_time{60};

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream in(command);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

// The flags that say what a scenario's configuration says; each of its values has one.
std::vector<std::string> flags_of(const Object& config) {
  static const std::array<std::pair<const char*, const char*>, 7> flags = {{
      {"/authentication/anonymous/enabled", "--anonymous-auth="},
      {"/authentication/webhook/enabled", "--authentication-token-webhook="},
      {"/authentication/webhook/cacheTTL", "--authentication-token-webhook-cache-ttl="},
      {"/authorization/mode", "--authorization-mode="},
      {"/authorization/webhook/cacheAuthorizedTTL", "--authorization-webhook-cache-authorized-ttl="},
      {"/authorization/webhook/cacheUnauthorizedTTL", "--authorization-webhook-cache-unauthorized-ttl="},
      {"/enableDebuggingHandlers", "--enable-debugging-handlers="},
  }};
  std::vector<std::string> out;
  for (const auto& [pointer, flag] : flags) {
    const Object::json_pointer at(pointer);
    if (!config.contains(at)) continue;
    const Object& value = config[at];
    out.push_back(flag + (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return out;
}

}  // namespace

Result<void> KubeletFiles::configure(const Object& config, const GateSettings& gates, std::uint16_t port) const {
  Object all = {{"apiVersion", "kubelet.config.k8s.io/v1beta1"},
                {"kind", "KubeletConfiguration"},
                {"address", "127.0.0.1"},
                {"port", port},
                {"healthzPort", 0},
                {"authentication", {{"x509", {{"clientCAFile", path("client-ca.crt").string()}}}}}};
  if (!gates.empty()) all["featureGates"] = gates;
  all.merge_patch(config);
  // YAML, as it is JSON.
  return write_file(path("config.yaml"), all.dump(2) + "\n");
}

Result<std::unique_ptr<KubeletProcess>> KubeletProcess::start(const std::string& command,
                                                              const KubeletScenario& scenario,
                                                              const KubeletFiles& files, const RuleSet& rules) {
  std::vector<std::string> arguments = words_of(command);
  if (arguments.empty())
    return input_error("--target", "names no kubelet", "say kubelet:PROGRAM, with flags if need be");
  const std::string program = arguments.front();
  arguments.erase(arguments.begin());
  const auto ports = free_loopback_ports(1);
  if (!ports) return tl::unexpected(ports.error());
  std::unique_ptr<KubeletProcess> out(new KubeletProcess);
  out->server_.host = "127.0.0.1";
  out->server_.port = ports->front();
  out->server_.skip_verification = true;
  if (scenario.flags_only || !rules.in_force(Rule::kubelet_secure_file_defaults)) {
    arguments.insert(arguments.end(),
                     {"--address=127.0.0.1", "--port=" + std::to_string(ports->front()), "--read-only-port=0",
                      "--client-ca-file=" + files.path("client-ca.crt").string()});
    if (!scenario.gates.empty()) arguments.push_back("--feature-gates=" + to_flag(scenario.gates));
    for (const std::string& flag : flags_of(scenario.config)) arguments.push_back(flag);
  } else {
    if (Result<void> done = files.configure(scenario.config, scenario.gates, ports->front()); !done) {
      return tl::unexpected(done.error());
    }
    arguments.push_back("--config=" + files.path("config.yaml").string());
  }
  arguments.push_back("--kubeconfig=" + files.path("kubeconfig").string());
  arguments.push_back(std::string("--hostname-override=") + kubelet_node);
  arguments.insert(arguments.end(), scenario.flags.begin(), scenario.flags.end());
  auto process = ChildProcess::start(program, arguments, files.path("kubelet.log"));
  if (!process) return tl::unexpected(process.error());
  out->process_ = std::move(*process);
  const auto ending = [&process = *out]() -> std::optional<std::string> {
    const auto ended = process.process_->ending();
    return ended ? std::optional("ended " + *ended) : std::nullopt;
  };
  if (Result<void> up = wait_for_kubelet(out->server_, ending); !up) {
    return unreachable_error(up.error().where, up.error().what + ":\n" + out->last_lines());
  }
  return out;
}

Result<void> wait_for_kubelet(const ServerAddress& server, const std::function<std::optional<std::string>()>& ending) {
  const auto end = std::chrono::steady_clock::now() + start_time;
  while (std::chrono::steady_clock::now() < end && !interrupted()) {
    if (const auto ended = ending()) return unreachable_error("the kubelet", *ended);
    auto client = make_http_client(server, {}, {});
    if (client && (*client)->send({"GET", "/", "", ""})) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return unreachable_error("the kubelet", "does not answer on " + url_of(server));
}

}  // namespace nodebound
