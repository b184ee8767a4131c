#include "harness/lint/kubelet_configuration_lint.h"

#include "fakes/kubelet_api/configuration/kubelet_configuration.h"

namespace nodebound::lint {

Remarks lint_kubelet_configuration(std::string_view text, const std::string& file, const RuleSet& rules) {
  const Version& version = rules.release().version;
  const Result<kubelet_api::KubeletConfigurationFile> read =
      kubelet_api::read_kubelet_configuration(text, file, version);
  if (!read) return {{Remark::Kind::refused, read.error().where, read.error().what, read.error().hint}};

  Remarks out;
  for (const std::string& warning : read->warnings) {
    out.push_back({Remark::Kind::ignored, file, warning + " of a kubelet " + version.text(),
                   "the kubelet logs a warning and goes on without it"});
  }
  const kubelet_api::KubeletConfiguration configuration = kubelet_api::KubeletConfiguration::of_file(*read, rules);
  const KubeletSettings& settings = configuration.settings;
  if (const Result<void> valid = configuration.valid(); !valid) {
    out.push_back({Remark::Kind::refused, file, valid.error().what, valid.error().hint});
  }
  if (const auto error = start_error(settings, true, rules)) {
    out.push_back({Remark::Kind::refused, place_of("authorization:", text, file), *error, ""});
  }
  const auto unsafe = [&](std::string_view word, std::string what, std::string advice) {
    out.push_back({Remark::Kind::unsafe, place_of(word, text, file), std::move(what), std::move(advice)});
  };
  const std::string port = "port " + std::to_string(settings.port);
  const bool allows_all = settings.authorization_mode == "AlwaysAllow";
  if (allows_all) {
    unsafe("mode:",
           settings.anonymous ? "anybody who reaches " + port + " may run commands in every pod of the node"
                              : "whoever the kubelet authenticates may run commands in every pod of the node",
           "set authorization.mode: Webhook");
  }
  if (settings.anonymous) {
    unsafe("anonymous:", "requests to " + port + " without credentials are taken for system:anonymous",
           "set authentication.anonymous.enabled: false");
  }
  if (settings.read_only_port != 0) {
    unsafe("readOnlyPort:",
           "port " + std::to_string(settings.read_only_port) + " shows all pods of the node to anybody, without TLS",
           "set readOnlyPort: 0");
  }
  if (!settings.client_ca) {
    unsafe("x509:", "without a client CA no certificate is accepted, not even the API server's",
           "set authentication.x509.clientCAFile");
  }
  return out;
}

}  // namespace nodebound::lint
