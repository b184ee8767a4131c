#pragma once

#include "fakes/apiserver/api_server.h"
#include "fakes/kubelet/kubelets.h"
#include "harness/cli/serve/serve_flags.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The kubelets of `nodebound serve --kubelets`. They call the API server in process: their requests do not appear in
/// the audit log, and network faults do not affect them.
class ServeKubelets {
 public:
  /// The kubelets have `server_release` too, unless --kubelet-release says otherwise.
  static Result<ServeKubelets> make(const ServeFlags& flags, const Version& server_release);

  /// Starts them, spread over ten seconds.
  void start(ApiServer& server);

  /// Lets the kubelets act that are due. False if some are still due.
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
