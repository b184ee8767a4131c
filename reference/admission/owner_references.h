#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "reference/admission/admission.h"
#include "reference/authorizer/authorizer.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound {

/// The resource whose objects are of a kind.
struct KindMapping {
  std::string resource;
  bool namespaced = false;
};

/// What an API server serves in that version of a group as that kind, as its RESTMapper finds it; nothing if there is
/// none.
using FindKind =
    std::function<std::optional<KindMapping>(const std::string& group, const std::string& version, const std::string&)>;

/// Who makes an object depend on an owner must be allowed to delete the object, and, if the object then blocks the
/// deletion of the owner, to set the owner's finalizers (plugin/pkg/admission/gc/gc_admission.go). It asks the
/// authorizers, so what it refuses depends on who asks, and not on whether that is a node.
class OwnerReferencesPermissionEnforcement final : public AdmissionPlugin {
 public:
  static constexpr std::string_view plugin_name = "OwnerReferencesPermissionEnforcement";

  /// Rules and authorizers must outlive the plugin. Without `find_kind` every kind is unknown.
  OwnerReferencesPermissionEnforcement(const RuleSet& rules, const Authorizer& authorizers, FindKind find_kind)
      : rules_(rules), authorizers_(authorizers), find_kind_(std::move(find_kind)) {}

  [[nodiscard]] std::string_view name() const override { return plugin_name; }
  [[nodiscard]] bool runs_in(AdmissionPhase phase) const override {
    const bool early = rules_.release().does(Behaviour::owners_as_submitted);
    return phase == (early ? AdmissionPhase::mutation : AdmissionPhase::validation);
  }
  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override;

 private:
  [[nodiscard]] Admission may_change(const AdmissionRequest& request) const;
  [[nodiscard]] Admission may_block(const AdmissionRequest& request, const Object& owner) const;
  [[nodiscard]] Admission may_finalize(const AdmissionRequest& request, Attributes finalizers, bool namespaced) const;
  [[nodiscard]] bool may_finalize_anything(const Subject& subject) const;

  const RuleSet& rules_;
  const Authorizer& authorizers_;
  FindKind find_kind_;
};

}  // namespace nodebound
