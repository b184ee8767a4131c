#pragma once

#include "fakes/apiserver/api_server.h"
#include "fakes/http/server.h"
#include "fakes/kubelet/kubelets.h"
#include "fakes/serving/audit_log.h"
#include "harness/cli/serve/serve_credentials.h"
#include "harness/cli/serve/serve_flags.h"
#include "harness/cli/serve/served_node.h"
#include "reference/release/rule_set.h"

namespace nodebound::cli {

/// The kubelets of `nodebound serve --kubelets`. They call the API server in process: network faults do not affect
/// them. Their requests are in the audit log, without an address that they come from. Each serves its own API at a port
/// of loopback.
class ServeKubelets {
 public:
  /// The kubelets have `server_release` too, unless --kubelet-release says otherwise.
  static Result<ServeKubelets> make(const ServeFlags& flags, const Version& server_release);

  /// Starts them, spread over ten seconds, and their own APIs at once. The API server must outlive them.
  Result<void> start(apiserver::ApiServer& server, const ServeCredentials& credentials);

  /// Where they serve their own APIs, as `host:port`.
  [[nodiscard]] std::vector<std::string> addresses() const;

  /// Ends their own APIs.
  void stop();

  /// Lets the kubelets act that are due. False if some are still due.
  bool act();

  /// `3 kubelets 1.36.3: node-0001 to node-0003`; empty if there are none.
  [[nodiscard]] std::string summary() const;

 private:
  ServeKubelets(std::size_t count, std::shared_ptr<const fake_kubelet::KubeletTraits> traits,
                std::shared_ptr<serving::AuditLog> log)
      : count_(count), traits_(std::move(traits)), log_(std::move(log)) {}

  Result<void> listen(const ServeCredentials& credentials);

  std::size_t count_;
  std::shared_ptr<const fake_kubelet::KubeletTraits> traits_;
  std::shared_ptr<serving::AuditLog> log_;  ///< null: there is none, or no kubelet
  // The server of their APIs ends first.
  std::unique_ptr<ServedNodes> nodes_;
  std::vector<std::shared_ptr<ServedNode>> machines_;
  fake_kubelet::Kubelets kubelets_;
  std::unique_ptr<HttpsServer> listener_;  ///< null: there are no kubelets
};

}  // namespace nodebound::cli
