#include "harness/kubelet/target/kubelet_flags.h"

#include "fakes/wire/go/go_duration.h"

namespace nodebound::kubelet_conformance {
namespace {

template <typename Value>
void take(const std::optional<Value>& given, Value& out) {
  if (given) out = *given;
}

// A flag can set 0 explicitly; in a file, 0 means not set.
Result<void> take_duration(const char* flag, const std::optional<std::string>& given, std::int64_t& out) {
  if (!given) return {};
  const auto time = parse_go_duration(*given);
  if (!time) return input_error(flag, "invalid argument \"" + *given + "\": " + time.error());
  constexpr std::int64_t nanoseconds = 1'000'000;
  out = *time / nanoseconds;
  return {};
}

void add_switch(CLI::App& command, const char* flag, std::optional<bool>& value, const char* what) {
  command.add_flag_function(
      flag, [&value](std::int64_t count) { value = count > 0; }, what);
}

}  // namespace

void KubeletFlags::add_to(CLI::App& command) {
  // As in kubelet, the last occurrence of a flag counts.
  command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command.add_option("--release", release, "Kubernetes release to be, like 1.36.3")->capture_default_str();
  command.add_option("--config", config, "KubeletConfiguration v1beta1, YAML or JSON (default: a kubelet's old flags)");
  command.add_option("--kubeconfig", kubeconfig, "API server that reviews tokens and access");
  command.add_option("--hostname-override", hostname_override, "Name of the node (default: the host's)");
  command.add_option("--feature-gates", feature_gates, "Gates set apart from the release's defaults: A=true,B=false");
  command.add_option("--address", address, "IP address to listen on (default: 127.0.0.1, unless --config has one)");
  command.add_option("--port", port, "Port to listen on; 0 picks one (default: 10250)");
  command.add_option("--read-only-port", read_only_port, "Port without authentication, over HTTP; 0 for none");
  command.add_option("--healthz-port", healthz_port, "Port of /healthz alone, over HTTP (default: none)");
  add_switch(command, "--anonymous-auth", anonymous_auth, "Take who shows nothing for system:anonymous");
  add_switch(command, "--authentication-token-webhook", token_webhook, "Have bearer tokens reviewed");
  command.add_option("--authentication-token-webhook-cache-ttl", token_ttl, "How long that is remembered, like 2m0s");
  // Accepts an empty value, because kubelet has its own error message for it.
  command.add_option("--authorization-mode", authorization_mode, "AlwaysAllow or Webhook")->expected(0, 1);
  command.add_option("--authorization-webhook-cache-authorized-ttl", allowed_ttl, "How long it is known who may");
  command.add_option("--authorization-webhook-cache-unauthorized-ttl", denied_ttl, "How long it is known who may not");
  command.add_option("--client-ca-file", client_ca_file, "Authorities of client certificates, PEM");
  command.add_option("--tls-cert-file", tls_cert_file, "The server's certificate, PEM (default: one is made)");
  command.add_option("--tls-private-key-file", tls_private_key_file, "Its key, PEM");
  command.add_flag("--verbose", verbose, "Log each request with its answer on standard error");
  add_switch(command, "--enable-debugging-handlers", debugging_handlers, "Have exec, logs and the like");
  add_switch(command, "--enable-cadvisor-json-endpoints", cadvisor_json, "Have /spec and all of /stats, before 1.21");
  command.footer(
      "Example: nodebound kubelet --release 1.33 --config config.yaml --kubeconfig node.kubeconfig --port 0\n"
      "Serves until it is interrupted. Its pod is default/web, with containers that run nothing.");
}

Result<void> KubeletFlags::apply_to(kubelet_api::KubeletConfiguration& configuration) const {
  KubeletSettings& settings = configuration.settings;
  take(address, configuration.address);
  take(port, settings.port);
  take(read_only_port, settings.read_only_port);
  take(healthz_port, configuration.healthz_port);
  take(anonymous_auth, settings.anonymous);
  take(token_webhook, settings.token_webhook);
  take(authorization_mode, settings.authorization_mode);
  take(client_ca_file, configuration.client_ca_file);
  take(tls_cert_file, configuration.tls_cert_file);
  take(tls_private_key_file, configuration.tls_private_key_file);
  take(debugging_handlers, settings.debugging_handlers);
  take(cadvisor_json, settings.cadvisor_json);
  settings.client_ca = !configuration.client_ca_file.empty();
  if (auto done = take_duration("--authentication-token-webhook-cache-ttl", token_ttl, settings.token_ttl); !done) {
    return done;
  }
  if (auto done = take_duration("--authorization-webhook-cache-authorized-ttl", allowed_ttl, settings.allowed_ttl);
      !done) {
    return done;
  }
  if (auto done = take_duration("--authorization-webhook-cache-unauthorized-ttl", denied_ttl, settings.denied_ttl);
      !done) {
    return done;
  }
  return configuration.valid();
}

Result<kubelet_api::KubeletConfiguration> configured_kubelet(
    const KubeletFlags& flags, const std::optional<kubelet_api::KubeletConfigurationFile>& file, const RuleSet& rules) {
  auto out = file ? kubelet_api::KubeletConfiguration::of_file(*file, rules)
                  : kubelet_api::KubeletConfiguration::of_flags(rules);
  if (auto applied = flags.apply_to(out); !applied) return tl::unexpected(applied.error());
  if (const auto why = start_error(out.settings, !flags.kubeconfig.empty(), rules)) return input_error("", *why);
  return out;
}

std::vector<std::pair<std::string, std::string>> given_flags(const CLI::App& command) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string& name = option->get_lnames().front();
    // A real kubelet has no such flags.
    if (name == "release" || name == "verbose") continue;
    out.emplace_back(name, option->results().back());
  }
  return out;
}

}  // namespace nodebound::kubelet_conformance
