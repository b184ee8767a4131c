#pragma once

#include <functional>
#include <memory>

#include "fakes/kubelet/kubelet_line.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// A line to an API server in the same process, which takes a kubelet for who it says it is.
class ApiServerLine final : public KubeletLine {
 public:
  /// Who answers; many lines share it, and it may answer from another server when that one has been upgraded.
  using Answering = std::function<HttpResponse(const Subject&, const HttpRequest&)>;

  struct Options {
    Subject node;
    Subject bootstrap = {};
    bool streams = true;     ///< whether watches go on, or end as soon as they are answered
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

/// The identity of a node in good order: `system:node:NAME` of the group `system:nodes`.
Subject node_subject(const std::string& name);

}  // namespace nodebound
