#include "harness/mutants/faults/faulty_access_control.h"

#include "harness/mutants/faults/graph_authorizer.h"
#include "reference/admission/certificate_plugins.h"
#include "reference/admission/mirror_pod.h"
#include "reference/admission/node_restriction.h"
#include "reference/authorizer/node_authorizer.h"
#include "reference/authorizer/rbac_authorizer.h"

namespace nodebound::mutants {
namespace {

/// An authorizer of the reference whose answers can be altered before they are given.
class FaultyAuthorizer final : public Authorizer {
 public:
  FaultyAuthorizer(std::unique_ptr<Authorizer> own, const Mutant& mutant, const OtherRules& other_rules,
                   AuthorizationMode mode)
      : own_(std::move(own)),
        mutant_(mutant),
        other_rules_(other_rules),
        ask_(other_rules.authorizer(mode)),
        mode_(mode) {}

  [[nodiscard]] std::string_view name() const override { return own_->name(); }

  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override {
    if (const auto* identity = std::get_if<WrongIdentity>(&mutant_.fault)) {
      const bool here = identity->authorizer && mode_ == AuthorizationMode::node;
      return own_->authorize(here ? identity->slip(subject) : subject, attributes);
    }
    Decision truth = own_->authorize(subject, attributes);
    const auto* loosening = std::get_if<Loosening>(&mutant_.fault);
    if (loosening == nullptr || !concerns(*loosening, refuser(truth))) return truth;
    return with_fault(*loosening, Inquiry::of(subject, attributes), other_rules_, ask_, truth);
  }

  [[nodiscard]] SubjectRules rules_for(const Subject& subject, const std::string& namespace_) const override {
    return own_->rules_for(subject, namespace_);
  }

 private:
  std::unique_ptr<Authorizer> own_;
  const Mutant& mutant_;
  OtherRules other_rules_;
  Ask<Decision> ask_;
  AuthorizationMode mode_;
};

class FaultyPlugin final : public AdmissionPlugin {
 public:
  FaultyPlugin(std::unique_ptr<AdmissionPlugin> own, const Mutant& mutant, const OtherRules& other_rules,
               const apiserver::PluginInputs& inputs)
      : own_(std::move(own)),
        mutant_(mutant),
        other_rules_(other_rules),
        ask_(other_rules.plugin(std::string(own_->name()), inputs)) {}

  [[nodiscard]] std::string_view name() const override { return own_->name(); }
  [[nodiscard]] bool runs_in(AdmissionPhase phase) const override { return own_->runs_in(phase); }
  Admission complete(const AdmissionRequest& request, Object& object) const override {
    return own_->complete(request, object);
  }

  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override {
    if (const auto* identity = std::get_if<WrongIdentity>(&mutant_.fault)) {
      if (identity->authorizer || name() != "NodeRestriction") return own_->admit(request);
      Inquiry asked = Inquiry::of(request);
      asked.subject = identity->slip(request.subject);
      return own_->admit(asked.admission_request());
    }
    Admission truth = own_->admit(request);
    const auto* loosening = std::get_if<Loosening>(&mutant_.fault);
    if (loosening == nullptr || !concerns(*loosening, refuser(truth))) return truth;
    return with_fault(*loosening, Inquiry::of(request), other_rules_, ask_, truth, name());
  }

 private:
  std::unique_ptr<AdmissionPlugin> own_;
  const Mutant& mutant_;
  OtherRules other_rules_;
  Ask<Admission> ask_;
};

class FaultyAccessControl final : public apiserver::AccessControl {
 public:
  FaultyAccessControl(const Mutant& mutant, const MutantServer& server) : mutant_(mutant), server_(server) {
    if (const auto* graph = std::get_if<GraphFault>(&mutant.fault)) {
      remembered_ = std::make_unique<RememberedEdge>(*graph, server);
    }
  }

  std::unique_ptr<Authorizer> authorizer(AuthorizationMode mode, const apiserver::AuthorizerInputs& inputs) override {
    std::unique_ptr<Authorizer> own = apiserver::AccessControl::authorizer(mode, inputs);
    if (remembered_ && mode == AuthorizationMode::node)
      return std::make_unique<GraphAuthorizer>(std::move(own), *remembered_, inputs.cluster);
    return std::make_unique<FaultyAuthorizer>(std::move(own), mutant_, OtherRules(server_, inputs.cluster), mode);
  }

  std::vector<std::unique_ptr<AdmissionPlugin>> plugins(const apiserver::PluginInputs& inputs) override {
    std::vector<std::unique_ptr<AdmissionPlugin>> plugins = apiserver::AccessControl::plugins(inputs);
    for (std::unique_ptr<AdmissionPlugin>& plugin : plugins) {
      plugin = std::make_unique<FaultyPlugin>(std::move(plugin), mutant_, OtherRules(server_, inputs.cluster), inputs);
    }
    return plugins;
  }

  void changed(const ObjectKey& key, const Change& change) override {
    if (remembered_) remembered_->changed(key, change);
  }

 private:
  const Mutant& mutant_;
  MutantServer server_;
  std::unique_ptr<RememberedEdge> remembered_;
};

// A restriction that refuses too much belongs to the plugin that has the rule.
bool is_of(std::string_view plugin, const RuleEntry& rule) {
  if (rule.layer == Layer::validation) return plugin == "validation";
  return rule.layer == Layer::admission && plugin == rule.plugin;
}

}  // namespace

Ask<Decision> OtherRules::authorizer(AuthorizationMode mode) const {
  return [server = server_, &cluster = cluster_, mode](const Inquiry& asked, const std::vector<Rule>& off) {
    const RuleSet& rules = server.flipped.with(off);
    if (mode == AuthorizationMode::node)
      return NodeAuthorizer(rules, cluster.graph()).authorize(asked.subject, asked.attributes);
    return RbacAuthorizer(rules, cluster.rbac()).authorize(asked.subject, asked.attributes);
  };
}

Ask<Admission> OtherRules::plugin(const std::string& name, const apiserver::PluginInputs& inputs) const {
  return [server = server_, &cluster = cluster_, &authorizers = inputs.authorizers, find_kind = inputs.find_kind,
          &placement = inputs.placement, name](const Inquiry& asked, const std::vector<Rule>& off) {
    const RuleSet& rules = server.flipped.with(off);
    const AdmissionRequest request = asked.admission_request();
    if (name == "NodeRestriction") return NodeRestriction(rules, cluster, authorizers).admit(request);
    if (name == "ServiceAccount") return ServiceAccountPlugin(rules, cluster.references()).admit(request);
    if (name == "CertificateApproval") return CertificateApproval(rules, authorizers).admit(request);
    if (name == "CertificateSigning") return CertificateSigning(rules, authorizers).admit(request);
    if (name == "CertificateSubjectRestriction") return CertificateSubjectRestriction(rules).admit(request);
    if (name == OwnerReferencesPermissionEnforcement::plugin_name) {
      return OwnerReferencesPermissionEnforcement(rules, authorizers, find_kind).admit(request);
    }
    if (name == PodNodeSelector::plugin_name) return PodNodeSelector(rules, cluster, placement).admit(request);
    if (name == PodTolerationRestriction::plugin_name) {
      return PodTolerationRestriction(rules, cluster, placement).admit(request);
    }
    return validate_mirror_pod(rules, request);
  };
}

Decision with_fault(const Loosening& fault, const Inquiry& asked, const OtherRules& other_rules,
                    const Ask<Decision>& ask, const Decision& truth) {
  if (fault.kind != Loosening::Kind::refused) {
    return loosened(fault, asked, other_rules.around(), ask, truth, other_rules.catalogue());
  }
  const bool its_own = truth.allowed() && truth.rule == fault.rules.front();
  if (!its_own || !fault.condition(asked, other_rules.around())) return truth;
  return Decision::no_opinion(truth.rule, "refused by a fault");
}

Admission with_fault(const Loosening& fault, const Inquiry& asked, const OtherRules& other_rules,
                     const Ask<Admission>& ask, const Admission& truth, std::string_view plugin) {
  if (fault.kind != Loosening::Kind::refused) {
    return loosened(fault, asked, other_rules.around(), ask, truth, other_rules.catalogue());
  }
  const RuleEntry& rule = other_rules.catalogue()[fault.rules.front()];
  if (truth || !is_of(plugin, rule)) return truth;
  if (plugin == "NodeRestriction" && asked.node().empty()) return truth;
  if (!fault.condition(asked, other_rules.around())) return truth;
  return Refusal{fault.rules.front(), rule.status, "refused by a fault"};
}

std::shared_ptr<apiserver::AccessControl> make_faulty_access_control(const Mutant& mutant, const MutantServer& server) {
  return std::make_shared<FaultyAccessControl>(mutant, server);
}

}  // namespace nodebound::mutants
