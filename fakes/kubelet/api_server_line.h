#pragma once

#include <functional>
#include <memory>

#include "fakes/kubelet/kubelet_line.h"
#include "reference/identity/subject.h"

namespace nodebound::fake_kubelet {

/// A connection to an API server in the same process, which trusts the kubelet's own word about its identity.
class ApiServerLine final : public KubeletLine {
 public:
  /// Answers requests. Several lines share it, and it may switch to another server after an upgrade.
  using Answering = std::function<HttpResponse(const Subject&, const HttpRequest&)>;

  struct Options {
    Subject node;
    Subject bootstrap = {};
    bool streams = true;     ///< true: watches stay open; false: they end as soon as they are answered
    std::uint64_t seed = 0;  ///< of its keys
  };

  ApiServerLine(std::shared_ptr<const Answering> answering, Options options)
      : answering_(std::move(answering)), options_(std::move(options)) {}

  HttpResponse send(KubeletCredential as, const HttpRequest& request) override;
  std::string signing_request(const CertificateOrder& order) override;
  std::optional<KubeletTime> install(const CertificateOrder& order, const std::string& pem) override;

 private:
  std::shared_ptr<const Answering> answering_;
  Options options_;
};

/// The subject of a well-configured node: `system:node:NAME` in the group `system:nodes`.
Subject node_subject(const std::string& name);

}  // namespace nodebound::fake_kubelet
