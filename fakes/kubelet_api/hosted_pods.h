#pragma once

#include <functional>
#include <mutex>

#include "fakes/kubelet_api/kubelet_host.h"

namespace nodebound::kubelet_api {

/// The pods that a fake kubelet says to run, as its API shows them. No container runs: each has a log of two lines,
/// that it has started and that it has ended. Thread-safe.
class HostedPods final : public KubeletHost {
 public:
  /// A pod, with the status that its kubelet reports.
  void show(Object pod);
  void forget(const std::string& uid);

  [[nodiscard]] std::optional<Pod> pod(std::string_view name_space, std::string_view name) const override;
  [[nodiscard]] std::optional<std::string> log(std::string_view name_space, std::string_view pod,
                                               std::string_view container, const LogOptions& options) const override;
  [[nodiscard]] std::shared_ptr<BodyStream> followed(std::string_view name_space, std::string_view pod,
                                                     std::string_view container,
                                                     const LogOptions& options) const override;
  [[nodiscard]] bool knows_restarts() const override { return true; }
  [[nodiscard]] std::string pods() const override;
  [[nodiscard]] std::string running_pods() const override;
  [[nodiscard]] std::string allocated_pods() const override;
  [[nodiscard]] std::string allocated_pod(std::string_view name_space, std::string_view name) const override;

 private:
  class FollowedLog;
  struct Hosted {
    Object object;
    std::vector<std::weak_ptr<FollowedLog>> followers = {};
  };

  [[nodiscard]] const Hosted* find(std::string_view name_space, std::string_view name) const;
  [[nodiscard]] std::string listed(const std::function<std::optional<Object>(const Object&)>& shape) const;

  mutable std::mutex mutex_;
  mutable std::map<std::string, Hosted, std::less<>> pods_;  ///< by UID
};

}  // namespace nodebound::kubelet_api
