#pragma once

#include <map>
#include <string>
#include <string_view>

#include "reference/admission/admission.h"
#include "reference/cluster/cluster.h"

namespace nodebound {

/// What a cluster's administrator gives PodNodeSelector and PodTolerationRestriction in their files.
struct PlacementSettings {
  /// By namespace the labels that pods there may select nodes by; under `clusterDefaultNodeSelector` the selector of
  /// namespaces without one of their own.
  std::map<std::string, std::string, std::less<>> node_selectors;
  Object default_tolerations = nullptr;  ///< of pods in namespaces that have no defaults of their own
  Object tolerations_whitelist = nullptr;

  bool operator==(const PlacementSettings&) const = default;

  /// That of a cluster without such files.
  static const PlacementSettings& none();
};

/// Gives new pods the node selector of their namespace, and refuses those that select otherwise
/// (plugin/pkg/admission/podnodeselector/admission.go).
class PodNodeSelector final : public AdmissionPlugin {
 public:
  static constexpr std::string_view plugin_name = "PodNodeSelector";

  /// All must outlive the plugin.
  PodNodeSelector(const RuleSet& rules, const Cluster& cluster, const PlacementSettings& placement)
      : rules_(rules), cluster_(cluster), placement_(placement) {}

  [[nodiscard]] std::string_view name() const override { return plugin_name; }
  [[nodiscard]] bool runs_in(AdmissionPhase phase) const override {
    return phase == AdmissionPhase::mutation || phase == AdmissionPhase::validation;
  }
  Admission complete(const AdmissionRequest& request, Object& object) const override;
  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override;

 private:
  const RuleSet& rules_;
  const Cluster& cluster_;
  const PlacementSettings& placement_;
};

/// Gives new pods the default tolerations of their namespace, and refuses pods whose tolerations are not on its
/// whitelist (plugin/pkg/admission/podtolerationrestriction/admission.go). What it does before 1.16 is not told here.
class PodTolerationRestriction final : public AdmissionPlugin {
 public:
  static constexpr std::string_view plugin_name = "PodTolerationRestriction";

  /// All must outlive the plugin.
  PodTolerationRestriction(const RuleSet& rules, const Cluster& cluster, const PlacementSettings& placement)
      : rules_(rules), cluster_(cluster), placement_(placement) {}

  [[nodiscard]] std::string_view name() const override { return plugin_name; }
  [[nodiscard]] bool runs_in(AdmissionPhase phase) const override {
    return phase == AdmissionPhase::late_mutation || phase == AdmissionPhase::validation;
  }
  Admission complete(const AdmissionRequest& request, Object& object) const override;
  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override;

 private:
  const RuleSet& rules_;
  const Cluster& cluster_;
  const PlacementSettings& placement_;
};

}  // namespace nodebound
