#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/endpoint/pki.h"
#include "harness/kubelet/kubelet_under_test.h"
#include "reference/result.h"

namespace nodebound {

/// The ports of a kubelet under test; 0: it has none such.
struct KubeletPortNumbers {
  std::uint16_t main = 0;
  std::uint16_t read_only = 0;
  std::uint16_t healthz = 0;
};

/// The files that a kubelet under test is given, in one folder: `config.yaml`, `kubeconfig`, `client-ca.crt`.
class KubeletFiles {
 public:
  /// `reviews` is the port of the review server on 127.0.0.1. The authority must outlive it.
  static Result<KubeletFiles> write(const std::filesystem::path& folder, const CertificateAuthority& authority,
                                    std::uint16_t reviews);

  /// The configuration file's text: what every kubelet under test has, and `startup`'s over it.
  [[nodiscard]] std::string configuration(const KubeletStartup& startup, const KubeletPortNumbers& ports) const;
  /// The flags that say the same, where there is to be no file.
  [[nodiscard]] std::vector<std::string> flags(const KubeletStartup& startup, const KubeletPortNumbers& ports) const;

  /// Has the file of client CAs name that authority alone; without one, the first.
  [[nodiscard]] Result<void> trust(const CertificateAuthority* other = nullptr) const;

  [[nodiscard]] std::filesystem::path path(const char* name) const { return folder_ / name; }

 private:
  KubeletFiles(std::filesystem::path folder, const CertificateAuthority& authority)
      : folder_(std::move(folder)), authority_(&authority) {}

  std::filesystem::path folder_;
  const CertificateAuthority* authority_;
};

/// Whether a kubelet with these rules gets a configuration file.
bool takes_file(const KubeletScenario& scenario, const RuleSet& rules);

}  // namespace nodebound
