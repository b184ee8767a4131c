#pragma once

#include "fakes/apiserver/api_server.h"
#include "fakes/kubelet/kubelets.h"
#include "harness/cli/serve_flags.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The kubelets of `nodebound serve --kubelets`. They ask the API server without a network between them: nothing of
/// that is in the audit log, and faults of the network do not concern them.
class ServeKubelets {
 public:
  /// `server_release` is theirs, too, unless --kubelet-release says otherwise.
  static Result<ServeKubelets> make(const ServeFlags& flags, const Version& server_release);

  /// Starts them, spread over ten seconds.
  void start(ApiServer& server);

  /// Has those act that are due; false if some still are.
  bool act();

  /// `3 kubelets 1.36.3: node-0001 to node-0003`; empty if there are none.
  [[nodiscard]] std::string summary() const;

 private:
  ServeKubelets(std::size_t count, std::shared_ptr<const KubeletTraits> traits)
      : count_(count), traits_(std::move(traits)) {}

  std::size_t count_;
  std::shared_ptr<const KubeletTraits> traits_;
  Kubelets kubelets_;
};

}  // namespace nodebound
