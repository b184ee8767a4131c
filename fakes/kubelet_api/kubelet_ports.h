#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fakes/kubelet_api/kubelet_handler.h"

namespace nodebound::kubelet_api {

/// The handlers of all ports of one kubelet. They refer to each other, so the object cannot be moved. Thread-safe if
/// the reviewer is.
class KubeletPorts {
 public:
  /// A kubelet's surroundings; all of them must outlive it.
  struct World {
    Reviewer& reviewer;
    /// The current client CAs; null if there are none.
    std::function<std::shared_ptr<const authentication::ClientCertificates>()> certificates;
    std::function<std::int64_t()> clock;  ///< seconds since 1970
    const KubeletHost* host = nullptr;    ///< null: a sample
  };

  /// `flags` are the given flags. The rules must outlive it.
  KubeletPorts(const RuleSet& rules, const KubeletConfiguration& configuration, const std::string& node,
               KubeletAnswers::Flags flags, World world)
      : answers_(rules, configuration, node, std::move(flags), std::move(world.clock), world.host),
        main_(rules, KubeletRoutes(rules, configuration.settings), answers_,
              std::make_unique<KubeletHandler::Guard>(KubeletHandler::Guard{
                  KubeletFilter(rules, configuration.settings, node), world.reviewer, std::move(world.certificates)})),
        read_only_(rules, KubeletRoutes(rules, configuration.settings, KubeletRoutes::Port::read_only), answers_,
                   nullptr),
        health_(answers_) {}

  KubeletPorts(const KubeletPorts&) = delete;
  KubeletPorts& operator=(const KubeletPorts&) = delete;

  [[nodiscard]] HttpHandler& main() { return main_; }
  [[nodiscard]] HttpHandler& read_only() { return read_only_; }
  [[nodiscard]] HttpHandler& health() { return health_; }

  /// Sets the actual port, if the configuration lets the system choose one.
  void listens_on(int port) { answers_.listens_on(port); }

 private:
  KubeletAnswers answers_;
  KubeletHandler main_;
  KubeletHandler read_only_;
  KubeletHealthHandler health_;
};

}  // namespace nodebound::kubelet_api
