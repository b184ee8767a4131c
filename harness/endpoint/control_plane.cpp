#include "harness/endpoint/control_plane.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <thread>
#include <unistd.h>

#include "harness/endpoint/credentials/identity.h"
#include "harness/endpoint/signals.h"
#include "reference/cluster/object.h"
#include "reference/encoding/ascii.h"
#include "reference/release/catalogue.h"

namespace nodebound {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Deadline = steady_clock::time_point;

constexpr std::size_t kQuotedLogLines = 8;
constexpr const char* abac_policy_name = "abac-policy.jsonl";
constexpr const char* admission_configuration_name = "admission-configuration.json";
constexpr const char* webhook_kubeconfig_name = "authorization-webhook.kubeconfig";
constexpr const char* authorization_configuration_name = "authorization-configuration.json";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// The first of `places` that is executable.
Result<std::filesystem::path> locate(const std::string& program, const std::vector<std::filesystem::path>& places) {
  std::string looked;
  for (const std::filesystem::path& place : places) {
    if (place.empty()) continue;
    if (std::filesystem::is_regular_file(place) && access(place.c_str(), X_OK) == 0) return absolute(place);
    looked += (looked.empty() ? "" : ", ") + place.string();
  }
  return input_error("binary",
                     "there is no executable '" + program + "'; looked for " +
                         (looked.empty() ? "nothing: no folder is given" : looked),
                     "'ci/real-apiserver VERSION' builds one and prints its folder: --target binary:FOLDER; or set "
                     "KUBEBUILDER_ASSETS, TEST_ASSET_KUBE_APISERVER and TEST_ASSET_ETCD");
}

std::filesystem::path below(const std::filesystem::path& folder, const char* name) {
  return folder.empty() ? folder : folder / name;
}

Result<std::filesystem::path> locate_apiserver(const std::filesystem::path& directory) {
  constexpr const char* kName = "kube-apiserver";
  if (!directory.empty()) return locate(kName, {directory / kName});
  return locate(kName, {environment("TEST_ASSET_KUBE_APISERVER"), below(environment("KUBEBUILDER_ASSETS"), kName)});
}

Result<std::filesystem::path> locate_etcd(const std::filesystem::path& directory) {
  return locate("etcd", {below(directory, "etcd"), environment("TEST_ASSET_ETCD"),
                         below(environment("KUBEBUILDER_ASSETS"), "etcd")});
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ",") + text;
  return out;
}

// Without it, flags say what authorizes.
std::string authorization_configuration(const BinaryOptions& options, const std::string& webhook_kubeconfig) {
  if (!options.webhook_configuration) return {};
  Object conditions = Object::array();
  for (const std::string& expression : options.webhook_configuration->match_conditions) {
    conditions.push_back({{"expression", expression}});
  }
  const Object webhook = {
      {"timeout", "5s"},
      {"subjectAccessReviewVersion", "v1"},
      {"matchConditionSubjectAccessReviewVersion", "v1"},
      {"failurePolicy", options.webhook_configuration->deny_on_failure ? "Deny" : "NoOpinion"},
      {"connectionInfo", {{"type", "KubeConfigFile"}, {"kubeConfigFile", webhook_kubeconfig}}},
      {"matchConditions", std::move(conditions)},
  };
  Object authorizers = Object::array();
  std::istringstream modes(options.authorization_mode);
  for (std::string mode; std::getline(modes, mode, ',');) {
    if (mode == to_string(AuthorizationMode::webhook)) {
      // The name that the flags' webhook has.
      authorizers.push_back({{"type", mode}, {"name", "default"}, {"webhook", webhook}});
    } else {
      authorizers.push_back({{"type", mode}, {"name", in_lower_case(mode)}});
    }
  }
  return Object{{"apiVersion", "apiserver.config.k8s.io/v1beta1"},
                {"kind", "AuthorizationConfiguration"},
                {"authorizers", std::move(authorizers)}}
      .dump();
}

bool starts_any(const std::vector<std::string>& flags, std::string_view prefix) {
  return std::any_of(flags.begin(), flags.end(), [&](const std::string& flag) { return flag.starts_with(prefix); });
}

/// Whether the API server is told of a store that runs already, so that no etcd is started for it.
bool has_own_store(const BinaryOptions& options) {
  return starts_any(options.extra_apiserver_flags, "--etcd-servers");
}

bool has_own_authorizers(const BinaryOptions& options) {
  return starts_any(options.extra_apiserver_flags, "--authorization-config") ||
         starts_any(options.extra_apiserver_flags, "--authorization-mode");
}

tl::unexpected<Error> not_ready(const std::string& program, const std::string& why, const ChildProcess& process) {
  return unreachable_error(program, why + "; its last lines:\n" + process.last_lines(kQuotedLogLines));
}

/// Repeats the request to `target` until the answer is 200, the program ends, the time is up or the run is interrupted.
Result<void> wait_until_ready(const std::string& program, ChildProcess& process, HttpClient& client,
                              const std::string& target, Deadline deadline) {
  std::string last_answer;
  while (!interrupted()) {
    if (const auto ending = process.ending()) {
      return not_ready(program, "ended " + *ending + " while it started", process);
    }
    const auto answer = client.send({"GET", target, {}, {}, false});
    if (answer && answer->status == 200) return {};
    last_answer = answer ? "status " + std::to_string(answer->status) : answer.error().text();
    if (steady_clock::now() >= deadline) return not_ready(program, "was not ready in time: " + last_answer, process);
    std::this_thread::sleep_for(milliseconds(50));
  }
  return unreachable_error(program, "interrupted while it started");
}

}  // namespace

Result<std::unique_ptr<ControlPlane>> ControlPlane::start(const BinaryOptions& options, const Subject& administrator) {
  auto apiserver = locate_apiserver(options.directory);
  if (!apiserver) return tl::unexpected(apiserver.error());
  Result<std::filesystem::path> etcd;
  if (!has_own_store(options)) {
    etcd = locate_etcd(options.etcd_directory.empty() ? options.directory : options.etcd_directory);
  }
  if (!etcd) return tl::unexpected(etcd.error());
  auto authority = CertificateAuthority::create("nodebound");
  if (!authority) return tl::unexpected(authority.error());
  auto folder = TemporaryDirectory::make();
  if (!folder) return tl::unexpected(folder.error());
  std::unique_ptr<ControlPlane> plane(
      new ControlPlane(std::move(*etcd), std::move(*apiserver), std::move(*folder), std::move(*authority)));
  if (const auto written = plane->write_pki(administrator); !written) return tl::unexpected(written.error());
  const std::string webhook_kubeconfig = (plane->folder_.path() / webhook_kubeconfig_name).string();
  for (const auto& [name, content] :
       {std::pair(abac_policy_name, options.abac_policy_file),
        std::pair(admission_configuration_name, options.admission_configuration),
        std::pair(webhook_kubeconfig_name, options.webhook_kubeconfig),
        std::pair(authorization_configuration_name, authorization_configuration(options, webhook_kubeconfig))}) {
    if (content.empty()) continue;
    if (const auto written = plane->folder_.write(name, content); !written) return tl::unexpected(written.error());
  }

  constexpr int kAttempts = 3;
  for (int number = 1;; ++number) {
    bool port_taken = false;
    const auto started = plane->attempt(number, options, port_taken);
    if (started) return plane;
    if (!port_taken || number == kAttempts) return tl::unexpected(started.error());
  }
}

Result<void> ControlPlane::write_pki(const Subject& administrator) {
  const auto server = authority_.issue_server(apiserver_names());
  if (!server) return tl::unexpected(server.error());
  const auto keys = make_service_account_keys();
  if (!keys) return tl::unexpected(keys.error());
  auto own = authority_.issue_client(as_presented(administrator));
  if (!own) return tl::unexpected(own.error());
  const std::initializer_list<std::pair<const char*, const std::string&>> files = {
      {"ca.crt", authority_.certificate_pem()},  {"apiserver.crt", server->certificate_pem},
      {"apiserver.key", server->key_pem},        {"service-account.key", keys->private_pem},
      {"service-account.pub", keys->public_pem},
  };
  for (const auto& [name, content] : files) {
    if (const auto written = folder_.write(name, content); !written) return tl::unexpected(written.error());
  }
  administrator_ = {std::move(own->certificate_pem), std::move(own->key_pem), {}};
  server_.host = "127.0.0.1";
  server_.ca_pem = authority_.certificate_pem();
  return {};
}

Result<void> ControlPlane::start_etcd(int attempt, std::uint16_t port, std::uint16_t peer_port,
                                      const BinaryOptions& options) {
  const std::string url = "http://127.0.0.1:" + std::to_string(port);
  const std::string peer_url = "http://127.0.0.1:" + std::to_string(peer_port);
  const std::string run = "etcd-" + std::to_string(attempt);
  auto started = ChildProcess::start(
      etcd_program_,
      {"--name=nodebound", "--data-dir=" + (folder_.path() / run).string(), "--listen-client-urls=" + url,
       "--advertise-client-urls=" + url, "--listen-peer-urls=" + peer_url, "--initial-advertise-peer-urls=" + peer_url,
       "--initial-cluster=nodebound=" + peer_url, "--unsafe-no-fsync", "--log-level=warn"},
      folder_.path() / (run + ".log"));
  if (!started) return tl::unexpected(started.error());
  etcd_ = std::move(*started);
  ServerAddress address;
  address.tls = false;
  address.host = "127.0.0.1";
  address.port = port;
  const auto client = make_http_client(address, {}, {.connect = milliseconds(1000), .answer = milliseconds(5000)});
  if (!client) return tl::unexpected(client.error());
  return wait_until_ready(etcd_program_.string(), *etcd_, **client, "/health",
                          steady_clock::now() + options.start_timeout);
}

std::vector<std::string> ControlPlane::apiserver_flags(const BinaryOptions& options) const {
  const auto file = [&](const char* name) { return (folder_.path() / name).string(); };
  std::vector<std::string> flags = {
      "--secure-port=" + std::to_string(server_.port),
      "--bind-address=127.0.0.1",
      // Without these two flags, a server on loopback refuses to start on a machine without another network.
      "--advertise-address=127.0.0.1",
      "--endpoint-reconciler-type=none",
      "--client-ca-file=" + file("ca.crt"),
      "--tls-cert-file=" + file("apiserver.crt"),
      "--tls-private-key-file=" + file("apiserver.key"),
      "--service-account-key-file=" + file("service-account.pub"),
      "--service-account-signing-key-file=" + file("service-account.key"),
      "--service-account-issuer=https://kubernetes.default.svc",
      "--service-cluster-ip-range=10.0.0.0/24",
      "--allow-privileged=true",
      // The server must never answer 429 because the run asks too fast.
      "--max-requests-inflight=4000",
      "--max-mutating-requests-inflight=2000",
  };
  if (!has_own_store(options)) flags.push_back("--etcd-servers=http://127.0.0.1:" + std::to_string(etcd_port_));
  if (options.webhook_configuration) {
    flags.push_back("--authorization-config=" + file(authorization_configuration_name));
  } else if (!has_own_authorizers(options)) {
    flags.push_back("--authorization-mode=" + options.authorization_mode);
    if (!options.webhook_kubeconfig.empty()) {
      flags.push_back("--authorization-webhook-config-file=" + file(webhook_kubeconfig_name));
    }
    if (!options.abac_policy_file.empty()) flags.push_back("--authorization-policy-file=" + file(abac_policy_name));
  }
  std::vector<std::string> enabled = options.enable_admission_plugins;
  if (options.enable_node_restriction) enabled.insert(enabled.begin(), "NodeRestriction");
  if (!enabled.empty()) flags.push_back("--enable-admission-plugins=" + joined(enabled));
  if (!options.disable_admission_plugins.empty()) {
    flags.push_back("--disable-admission-plugins=" + joined(options.disable_admission_plugins));
  }
  if (!options.admission_configuration.empty()) {
    flags.push_back("--admission-control-config-file=" + file(admission_configuration_name));
  }
  const auto& gates = options.feature_gates;
  if (!gates.empty()) flags.push_back("--feature-gates=" + to_flag(gates));
  const bool more_apis = std::any_of(gates.begin(), gates.end(), [](const auto& gate) { return gate.second; });
  // A gate alone does not enable the API that it is for.
  if (more_apis) flags.push_back("--runtime-config=api/all=true");
  flags.insert(flags.end(), options.extra_apiserver_flags.begin(), options.extra_apiserver_flags.end());
  return flags;
}

Result<void> ControlPlane::attempt(int number, const BinaryOptions& options, bool& port_taken) {
  const auto lost_a_port = [](ChildProcess& process) {
    return process.ending() && process.last_lines(50).find("address already in use") != std::string::npos;
  };
  const auto ports = free_loopback_ports(3);
  if (!ports) return tl::unexpected(ports.error());
  apiserver_.reset();
  etcd_.reset();
  if (has_own_store(options)) {
    // There is nothing to start.
  } else if (auto up = start_etcd(number, (*ports)[0], (*ports)[1], options); !up) {
    port_taken = etcd_ && lost_a_port(*etcd_);
    return up;
  }
  etcd_port_ = (*ports)[0];
  server_.port = (*ports)[2];
  auto ready = start_apiserver(options);
  if (!ready) port_taken = apiserver_ && lost_a_port(*apiserver_);
  return ready;
}

Result<void> ControlPlane::start_apiserver(const BinaryOptions& options) {
  auto started = ChildProcess::start(apiserver_program_, apiserver_flags(options),
                                     folder_.path() / ("kube-apiserver-" + std::to_string(++apiservers_) + ".log"));
  if (!started) return tl::unexpected(started.error());
  apiserver_ = std::move(*started);
  const auto client = make_http_client(server_, administrator_, options.limits);
  if (!client) return tl::unexpected(client.error());
  return wait_until_ready(apiserver_program_.string(), *apiserver_, **client, "/readyz",
                          steady_clock::now() + options.start_timeout);
}

Result<void> ControlPlane::replace_apiserver(const BinaryOptions& options) {
  auto program = locate_apiserver(options.directory);
  if (!program) return tl::unexpected(program.error());
  apiserver_->stop();
  apiserver_program_ = std::move(*program);
  return start_apiserver(options);
}

Error ControlPlane::explain(Error error) {
  // The connection breaks shortly before the kernel reports that the process has ended.
  const Deadline deadline = steady_clock::now() + milliseconds(200);
  do {
    for (ChildProcess* process : {etcd_.get(), apiserver_.get()}) {
      if (process == nullptr) continue;
      const auto ending = process->ending();
      if (!ending) continue;
      const std::string program = (process == etcd_.get() ? etcd_program_ : apiserver_program_).string();
      return {Error::Kind::unreachable, std::move(error.where),
              program + " ended " + *ending + "; its last line: " + process->last_lines(1),
              "what was asked of it last may be what ended it"};
    }
    std::this_thread::sleep_for(milliseconds(10));
  } while (steady_clock::now() < deadline);
  return error;
}

}  // namespace nodebound
