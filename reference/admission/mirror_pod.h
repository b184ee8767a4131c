#pragma once

#include "reference/admission/admission.h"
#include "reference/cluster/references.h"

namespace nodebound {

/// The ServiceAccount plugin's rules about mirror pods (plugin/pkg/admission/serviceaccount/admission.go). What it does
/// to other pods does not matter to nodes and is left out.
class ServiceAccountPlugin final : public AdmissionPlugin {
 public:
  ServiceAccountPlugin(const RuleSet& rules, const ReferenceFinder& references)
      : rules_(rules), references_(references) {}

  [[nodiscard]] std::string_view name() const override { return "ServiceAccount"; }
  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override;

 private:
  const RuleSet& rules_;
  const ReferenceFinder& references_;
};

/// The validation rules about mirror pods, whoever writes them (pkg/apis/core/validation/validation.go): the rule that
/// decides.
Admission validate_mirror_pod(const RuleSet& rules, const AdmissionRequest& request);

/// All of those rules that a write breaks, in the order in which kube-apiserver tells them; one may be told twice.
std::vector<Refusal> mistakes_of_mirror_pod(const RuleSet& rules, const AdmissionRequest& request);

/// The same as an admission plugin. Nothing turns it off.
class MirrorPodValidation final : public AdmissionPlugin {
 public:
  explicit MirrorPodValidation(const RuleSet& rules) : rules_(rules) {}

  [[nodiscard]] std::string_view name() const override { return "validation"; }
  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override {
    return validate_mirror_pod(rules_, request);
  }
  [[nodiscard]] bool runs_in(AdmissionPhase phase) const override { return phase == AdmissionPhase::object_validation; }
  [[nodiscard]] std::vector<Refusal> refusals(const AdmissionRequest& request) const override {
    return mistakes_of_mirror_pod(rules_, request);
  }

 private:
  const RuleSet& rules_;
};

}  // namespace nodebound
