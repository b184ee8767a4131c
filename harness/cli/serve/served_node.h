#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "fakes/kubelet/api_server_line.h"
#include "fakes/kubelet/pods/node_machine.h"
#include "fakes/kubelet_api/hosted_pods.h"
#include "fakes/kubelet_api/kubelet_ports.h"
#include "fakes/kubelet_api/review_client.h"

namespace nodebound::cli {

/// What the machines of `nodebound serve --kubelets` have in common.
struct ServedNodes {
  RuleSet rules;  ///< of the kubelets' release
  std::shared_ptr<const fake_kubelet::ApiServerLine::Answering> api_server;
  std::shared_ptr<const authentication::ClientCertificates> client_authorities;
  kubelet_api::KubeletConfiguration configuration;

  /// As kubeadm configures kubelets: nobody is anonymous, certificates and tokens are known, the API server is asked
  /// who may.
  ServedNodes(RuleSet kubelet_rules, std::shared_ptr<const fake_kubelet::ApiServerLine::Answering> answering,
              std::shared_ptr<const authentication::ClientCertificates> authorities);
};

/// The machine of one of these kubelets, and its API. Its reviews reach the API server in process, as the kubelet's
/// other requests do. Thread-safe.
class ServedNode final : public fake_kubelet::NodeMachine, public HttpHandler, private kubelet_api::ReviewTransport {
 public:
  /// `number` counts the machines from 0 on; `nodes` must outlive it.
  ServedNode(const ServedNodes& nodes, std::size_t number, std::string name, std::string address);
  ~ServedNode() override;

  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] int kubelet_port() const override { return port_; }
  std::string pod_address(const std::string& uid) override;
  void shows(const Object& pod) override { pods_.show(pod); }
  void forgets(const std::string& uid) override;

  /// Sets the port that the system chose.
  void listens_on(int port) { port_ = port; }

  HttpResponse handle(const IncomingRequest& request) override;

 private:
  struct Api;

  Reply post(const HttpRequest& request) override;

  const ServedNodes& nodes_;
  const std::size_t number_;
  const std::string name_;
  const std::string address_;
  int port_ = 0;
  kubelet_api::HostedPods pods_;
  std::once_flag asked_;
  std::unique_ptr<Api> api_;  ///< made when the first request comes
  std::mutex mutex_;
  std::map<std::string, int> pod_numbers_;  ///< by UID
};

}  // namespace nodebound::cli
