#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/kubelet/settings.h"
#include "reference/result.h"

namespace nodebound::kubelet_api {

/// A kubelet's configuration file, checked as a kubelet of the release checks it.
struct KubeletConfigurationFile {
  Object object;
  std::map<std::string, bool> feature_gates;
  /// Warnings about fields that the release does not have: a kubelet logs them and goes on.
  std::vector<std::string> warnings;
};

/// Reads YAML or JSON of kubelet.config.k8s.io/v1beta1. `where` names the file in errors, whose texts are a kubelet's
/// (pkg/kubelet/kubeletconfig/util/codec).
Result<KubeletConfigurationFile> read_kubelet_configuration(std::string_view text, const std::string& where,
                                                            const Version& version);

/// A kubelet's configuration, as far as its API shows it.
struct KubeletConfiguration {
  KubeletSettings settings;
  std::string address = "0.0.0.0";
  std::string client_ca_file;
  std::string tls_cert_file;
  std::string tls_private_key_file;
  std::string content_type = "application/vnd.kubernetes.protobuf";  ///< of the reviews that it sends
  int healthz_port = 10248;                                          ///< 0: no healthz port
  std::string healthz_address = "127.0.0.1";
  Object file = Object::object();  ///< the fields of the file

  static KubeletConfiguration of_flags(const RuleSet& rules);
  static KubeletConfiguration of_file(const KubeletConfigurationFile& file, const RuleSet& rules);

  /// An input error in a kubelet's words if a port is invalid; 0 for `port` means any free port.
  [[nodiscard]] Result<void> valid() const;

  /// The whole configuration as JSON, as /configz shows it: with the defaults of the release.
  [[nodiscard]] std::string text(const Version& version, bool with_kind) const;
};

}  // namespace nodebound::kubelet_api
