#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// The host that a fake kubelet shows: one pod, default/web, with two containers, `web`, which runs, and `idle`, which
/// never started; their output, their logs, a folder of logs, and fixed metrics. ci/go/kubelet/host.go gives a real
/// kubelet's server the same host, so that answers can be compared byte for byte.
class KubeletHost {
 public:
  struct Shapes {
    bool null_creation_timestamps = false;  ///< whether missing creation times are written as null
  };

  KubeletHost(std::string node, Shapes shapes) : node_(std::move(node)), shapes_(shapes) {}

  static constexpr std::string_view pod_uid = "11111111-1111-1111-1111-111111111111";
  static constexpr std::string_view log_file = "messages";

  [[nodiscard]] const std::string& node() const { return node_; }

  static bool has_pod(std::string_view name_space, std::string_view name) {
    return name_space == "default" && name == "web";
  }
  static bool has_container(std::string_view name) { return name == "web" || name == "idle"; }
  /// `uid` is empty if the request names none.
  static bool runs(std::string_view uid, std::string_view container) {
    return container == "web" && (uid.empty() || uid == pod_uid);
  }

  [[nodiscard]] std::string pods() const;
  [[nodiscard]] std::string running_pods() const;
  [[nodiscard]] std::string allocated_pods() const;
  [[nodiscard]] std::string allocated_pod() const;
  [[nodiscard]] std::string summary() const;
  static std::string resource_metrics();

 private:
  std::string node_;
  Shapes shapes_;
};

}  // namespace nodebound
