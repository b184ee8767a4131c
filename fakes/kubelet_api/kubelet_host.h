#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/wire/http.h"
#include "reference/cluster/object.h"

namespace nodebound::kubelet_api {

/// Which part of a container's log is asked for (PodLogOptions).
struct LogOptions {
  std::optional<std::int64_t> tail;   ///< at most this many lines from the end
  std::optional<std::int64_t> limit;  ///< at most this many bytes
  std::optional<std::int64_t> since;  ///< lines from that second since 1970 on
  bool timestamps = false;
  bool errors_only = false;  ///< standard error alone
};

/// What a kubelet's API shows of its machine. Thread-safe.
class KubeletHost {
 public:
  /// A pod of the machine.
  struct Pod {
    std::string uid;
    std::map<std::string, bool, std::less<>> containers;  ///< by name: whether it runs

    [[nodiscard]] bool has(std::string_view container) const { return containers.contains(container); }
    /// `wanted` is empty if the request names no UID.
    [[nodiscard]] bool runs(std::string_view wanted, std::string_view container) const {
      const auto found = containers.find(container);
      return found != containers.end() && found->second && (wanted.empty() || wanted == uid);
    }
  };

  virtual ~KubeletHost() = default;

  static constexpr std::string_view log_file = "messages";  ///< the only file in its folder of logs

  [[nodiscard]] virtual std::optional<Pod> pod(std::string_view name_space, std::string_view name) const = 0;

  /// The log of a container that has one; nothing if it has none.
  [[nodiscard]] virtual std::optional<std::string> log(std::string_view name_space, std::string_view pod,
                                                       std::string_view container, const LogOptions& options) const = 0;
  /// That log and what is added to it until the container ends; null if nothing will be.
  [[nodiscard]] virtual std::shared_ptr<BodyStream> followed(std::string_view name_space, std::string_view pod,
                                                             std::string_view container,
                                                             const LogOptions& options) const = 0;
  /// Whether a log of the container's run before a restart can be asked for.
  [[nodiscard]] virtual bool knows_restarts() const = 0;

  // Lists of pods and metrics, as JSON.
  [[nodiscard]] virtual std::string pods() const = 0;
  [[nodiscard]] virtual std::string running_pods() const = 0;
  [[nodiscard]] virtual std::string allocated_pods() const = 0;
  [[nodiscard]] virtual std::string allocated_pod(std::string_view name_space, std::string_view name) const = 0;

  /// The machine's own part of /stats/summary, and a few metrics of the resources that it uses.
  [[nodiscard]] static std::string summary(const std::string& node);
  [[nodiscard]] static std::string resource_metrics();
};

/// A machine that is the same everywhere: one pod, default/web, with two containers, `web`, which runs, and `idle`,
/// which never started; their output and their logs. ci/go/kubelet/host.go gives a real kubelet's server the same host,
/// so that answers can be compared byte for byte.
class SampleHost final : public KubeletHost {
 public:
  struct Shapes {
    bool null_creation_timestamps = false;  ///< whether missing creation times are written as null
  };

  SampleHost(std::string node, Shapes shapes) : node_(std::move(node)), shapes_(shapes) {}

  static constexpr std::string_view pod_uid = "11111111-1111-1111-1111-111111111111";

  [[nodiscard]] std::optional<Pod> pod(std::string_view name_space, std::string_view name) const override;
  [[nodiscard]] std::optional<std::string> log(std::string_view name_space, std::string_view pod,
                                               std::string_view container, const LogOptions& options) const override;
  [[nodiscard]] std::shared_ptr<BodyStream> followed(std::string_view /*name_space*/, std::string_view /*pod*/,
                                                     std::string_view /*container*/,
                                                     const LogOptions& /*options*/) const override {
    return nullptr;
  }
  [[nodiscard]] bool knows_restarts() const override { return false; }
  [[nodiscard]] std::string pods() const override;
  [[nodiscard]] std::string running_pods() const override;
  [[nodiscard]] std::string allocated_pods() const override;
  [[nodiscard]] std::string allocated_pod(std::string_view name_space, std::string_view name) const override;

 private:
  std::string node_;
  Shapes shapes_;
};

}  // namespace nodebound::kubelet_api
