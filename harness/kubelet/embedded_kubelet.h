#pragma once

#include <functional>
#include <memory>

#include "fakes/kubelet_api/kubelet_configuration.h"
#include "harness/kubelet/kubelet_files.h"
#include "harness/kubelet/review_server.h"
#include "reference/kubelet/filter.h"

namespace nodebound {

/// What is wrong with an embedded kubelet; nothing where nothing is set.
struct KubeletFault {
  using Handle = std::function<HttpResponse(const IncomingRequest&)>;

  std::function<RuleSet(const RuleSet&)> rules;
  std::function<void(KubeletConfiguration&)> configure;
  /// Stands between the kubelet and what does its reviews.
  std::function<std::unique_ptr<Reviewer>(Reviewer&)> reviewer;
  /// Changes the spec of a review of that kind before it is sent.
  std::function<void(const std::string& kind, Object& spec)> review;
  /// Answers in place of a port, which it may ask; `main` is the main port.
  std::function<HttpResponse(KubeletPort, const IncomingRequest&, const Handle& port, const Handle& main)> answer;
};

/// The fake kubelet of nodebound without sockets, in a time of its own.
class EmbeddedKubelets final : public KubeletStarter {
 public:
  /// The files and the review server must outlive it and all that it starts.
  EmbeddedKubelets(const KubeletFiles& files, ReviewServer& reviews, KubeletFault fault = {})
      : files_(files), reviews_(reviews), fault_(std::move(fault)) {}

  Result<std::unique_ptr<KubeletUnderTest>> start(const KubeletStartup& startup, const RuleSet& rules) override;

 private:
  const KubeletFiles& files_;
  ReviewServer& reviews_;
  KubeletFault fault_;
};

}  // namespace nodebound
