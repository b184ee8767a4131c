#pragma once

#include <functional>
#include <utility>

#include "fakes/kubelet/kubelet_line.h"

namespace nodebound::simulate {

/// The connection of a plan's kubelet to the API servers. The plan's signer says when its certificates are valid, not
/// their bytes, so that the same plan always has the same times.
class PlannedLine final : public fake_kubelet::KubeletLine {
 public:
  struct Options {
    std::function<HttpResponse(fake_kubelet::KubeletCredential, const HttpRequest&)> answering;
    std::function<std::optional<fake_kubelet::KubeletTime>()> certificate_end;  ///< of the last one signed for its node
    bool streams = true;                                                        ///< whether watches stay open
    std::uint64_t seed = 0;                                                     ///< seed of its keys
  };

  explicit PlannedLine(Options options) : options_(std::move(options)) {}

  HttpResponse send(fake_kubelet::KubeletCredential as, const HttpRequest& request) override;
  std::string signing_request(const fake_kubelet::CertificateOrder& order) override;
  std::optional<fake_kubelet::KubeletTime> install(const fake_kubelet::CertificateOrder& order,
                                                   const std::string& pem) override;

 private:
  Options options_;
};

}  // namespace nodebound::simulate
