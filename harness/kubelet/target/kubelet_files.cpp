#include "harness/kubelet/target/kubelet_files.h"

#include <array>

#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/objects/input_file.h"
#include "reports/files.h"

namespace nodebound::kubelet_conformance {
namespace {

// The flags that correspond to a scenario's configuration. Every field has one, except switches of newer releases.
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

Result<void> KubeletFiles::trust(const std::string& authorities) const {
  if (!authorities.empty()) return write_file(path("trusted-ca.crt"), authorities);
  const auto own = read_input(path("client-ca.crt").string());
  return own ? write_file(path("trusted-ca.crt"), *own) : tl::unexpected(own.error());
}

std::string KubeletFiles::configuration(const KubeletStartup& startup, const KubeletPortNumbers& ports) const {
  Object all = {{"apiVersion", "kubelet.config.k8s.io/v1beta1"},
                {"kind", "KubeletConfiguration"},
                {"address", "127.0.0.1"},
                {"port", ports.main},
                {"healthzPort", ports.healthz},
                {"authentication", {{"x509", {{"clientCAFile", path("trusted-ca.crt").string()}}}}}};
  if (ports.read_only != 0) all["readOnlyPort"] = ports.read_only;
  if (!startup.scenario.gates.empty()) all["featureGates"] = startup.scenario.gates;
  all.merge_patch(startup.config);
  // JSON is valid YAML.
  return all.dump(2) + "\n";
}

std::vector<std::string> KubeletFiles::flags(const KubeletStartup& startup, const KubeletPortNumbers& ports) const {
  std::vector<std::string> out = {"--address=127.0.0.1", "--port=" + std::to_string(ports.main),
                                  "--read-only-port=" + std::to_string(ports.read_only),
                                  "--healthz-port=" + std::to_string(ports.healthz)};
  const Object& authentication = member(startup.config, "authentication");
  const bool other_ca = authentication.contains("x509");
  if (!other_ca) out.push_back("--client-ca-file=" + path("trusted-ca.crt").string());
  if (!startup.scenario.gates.empty()) out.push_back("--feature-gates=" + to_flag(startup.scenario.gates));
  for (const std::string& flag : flags_of(startup.config)) out.push_back(flag);
  return out;
}

bool takes_file(const KubeletScenario& scenario, const RuleSet& rules) {
  return !scenario.flags_only && rules.in_force(Rule::kubelet_secure_file_defaults);
}

}  // namespace nodebound::kubelet_conformance
