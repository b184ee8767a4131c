#include "harness/mutants/reach_observer.h"

#include <algorithm>

#include "reference/authorizer/node_authorizer.h"

namespace nodebound::mutants {
namespace {

bool same(const Decision& a, const Decision& b) {
  return a.outcome == b.outcome && a.rule == b.rule && a.reason == b.reason;
}

bool same(const Admission& a, const Admission& b) {
  if (!a || !b) return !a && !b;
  return a->rule == b->rule && a->status == b->status && a->reason == b->reason;
}

class ObservedAuthorizer final : public Authorizer {
 public:
  ObservedAuthorizer(std::unique_ptr<Authorizer> own, const ReachObserver& observer, Walk& walk,
                     const OtherRules& other_rules, const std::map<GraphFault::What, RememberedGraph>& graphs,
                     AuthorizationMode mode)
      : own_(std::move(own)),
        observer_(observer),
        walk_(walk),
        other_rules_(other_rules),
        graphs_(graphs),
        ask_(other_rules.authorizer(mode)),
        is_node_(mode == AuthorizationMode::node) {}

  [[nodiscard]] std::string_view name() const override { return own_->name(); }

  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override {
    Decision truth = own_->authorize(subject, attributes);
    if (!truth.rule) return truth;  // AlwaysAllow and AlwaysDeny
    const Rule decider = *truth.rule;
    walk_.deciders.set(static_cast<std::size_t>(decider));
    const Inquiry asked = Inquiry::of(subject, attributes);
    const auto& concerned = truth.allowed() ? observer_.overdone(decider) : observer_.loosened(decider);
    for (const std::size_t i : concerned) {
      if (walk_.reached[i]) continue;
      const auto& fault = std::get<Loosening>(observer_.mutants()[i].fault);
      walk_.reached[i] = !same(with_fault(fault, asked, other_rules_, ask_, truth), truth);
    }
    if (is_node_) note_identities(subject, attributes, truth);
    if (is_node_ && !truth.allowed()) note_graph(asked);
    return truth;
  }

  [[nodiscard]] SubjectRules rules_for(const Subject& subject, const std::string& namespace_) const override {
    return own_->rules_for(subject, namespace_);
  }

 private:
  void note_identities(const Subject& subject, const Attributes& attributes, const Decision& truth) const {
    for (const std::size_t i : observer_.identities()) {
      const auto& identity = std::get<WrongIdentity>(observer_.mutants()[i].fault);
      if (!identity.authorizer || walk_.reached[i]) continue;
      const Subject other = identity.slip(subject);
      if (other != subject) walk_.reached[i] = !same(own_->authorize(other, attributes), truth);
    }
  }

  // This finds all wrong edges and a few more; which of them a mutant has does not matter here.
  void note_graph(const Inquiry& asked) const {
    for (const auto& [what, mutants] : observer_.graph()) {
      if (walk_.reached[mutants.front()]) continue;
      const NodeAuthorizer remembering(other_rules_.server().rules, graphs_.at(what).cluster().graph());
      const std::vector<Inquiry> questions = questions_of(what, asked);
      const bool leads = std::any_of(questions.begin(), questions.end(), [&](const Inquiry& question) {
        return remembering.authorize(question.subject, question.attributes).allowed();
      });
      if (!leads) continue;
      for (const std::size_t i : mutants) walk_.reached[i] = true;
    }
  }

  [[nodiscard]] std::vector<Inquiry> questions_of(GraphFault::What what, const Inquiry& asked) const {
    static const Misreading any_node = *parse_misreading("node-any");
    static const Misreading any_namespace = *parse_misreading("namespace-any");
    if (what == GraphFault::What::every_node) return any_node(asked, other_rules_.around());
    if (what == GraphFault::What::every_namespace) return any_namespace(asked, other_rules_.around());
    return {asked};
  }

  std::unique_ptr<Authorizer> own_;
  const ReachObserver& observer_;
  Walk& walk_;
  OtherRules other_rules_;
  const std::map<GraphFault::What, RememberedGraph>& graphs_;
  Ask<Decision> ask_;
  bool is_node_;
};

class ObservedPlugin final : public AdmissionPlugin {
 public:
  ObservedPlugin(std::unique_ptr<AdmissionPlugin> own, const ReachObserver& observer, Walk& walk,
                 const OtherRules& other_rules, const apiserver::PluginInputs& inputs)
      : own_(std::move(own)),
        observer_(observer),
        walk_(walk),
        other_rules_(other_rules),
        ask_(other_rules.plugin(std::string(own_->name()), inputs)) {}

  [[nodiscard]] std::string_view name() const override { return own_->name(); }
  [[nodiscard]] bool runs_in(AdmissionPhase phase) const override { return own_->runs_in(phase); }
  Admission complete(const AdmissionRequest& request, Object& object) const override {
    return own_->complete(request, object);
  }

  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override {
    Admission truth = own_->admit(request);
    if (truth) walk_.deciders.set(static_cast<std::size_t>(truth->rule));
    const Inquiry asked = Inquiry::of(request);
    for (const std::size_t i : truth ? observer_.loosened(truth->rule) : observer_.overdone_in_admission()) {
      if (walk_.reached[i]) continue;
      const auto& fault = std::get<Loosening>(observer_.mutants()[i].fault);
      walk_.reached[i] = !same(with_fault(fault, asked, other_rules_, ask_, truth, name()), truth);
    }
    if (name() == "NodeRestriction") note_identities(asked, truth);
    return truth;
  }

 private:
  void note_identities(const Inquiry& asked, const Admission& truth) const {
    for (const std::size_t i : observer_.identities()) {
      const auto& identity = std::get<WrongIdentity>(observer_.mutants()[i].fault);
      if (identity.authorizer || walk_.reached[i]) continue;
      Inquiry other = asked;
      other.subject = identity.slip(asked.subject);
      if (other.subject != asked.subject) walk_.reached[i] = !same(own_->admit(other.admission_request()), truth);
    }
  }

  std::unique_ptr<AdmissionPlugin> own_;
  const ReachObserver& observer_;
  Walk& walk_;
  OtherRules other_rules_;
  Ask<Admission> ask_;
};

class ObservedAccessControl final : public apiserver::AccessControl {
 public:
  ObservedAccessControl(const ReachObserver& observer, const MutantServer& server, Walk& walk)
      : observer_(observer), server_(server), walk_(walk) {
    for (const auto& [what, mutants] : observer.graph()) graphs_.try_emplace(what, server.rules, what);
  }

  std::unique_ptr<Authorizer> authorizer(AuthorizationMode mode, const apiserver::AuthorizerInputs& inputs) override {
    return std::make_unique<ObservedAuthorizer>(apiserver::AccessControl::authorizer(mode, inputs), observer_, walk_,
                                                OtherRules(server_, inputs.cluster), graphs_, mode);
  }

  std::vector<std::unique_ptr<AdmissionPlugin>> plugins(const apiserver::PluginInputs& inputs) override {
    std::vector<std::unique_ptr<AdmissionPlugin>> plugins = apiserver::AccessControl::plugins(inputs);
    for (std::unique_ptr<AdmissionPlugin>& plugin : plugins) {
      plugin = std::make_unique<ObservedPlugin>(std::move(plugin), observer_, walk_,
                                                OtherRules(server_, inputs.cluster), inputs);
    }
    return plugins;
  }

  void changed(const ObjectKey& key, const Change& change) override {
    for (auto& [what, graph] : graphs_) graph.changed(key, change);
  }

 private:
  const ReachObserver& observer_;
  MutantServer server_;
  Walk& walk_;
  std::map<GraphFault::What, RememberedGraph> graphs_;
};

}  // namespace

ReachObserver::ReachObserver(const std::vector<Mutant>& mutants)
    : mutants_(mutants), loosened_(rule_count), overdone_(rule_count) {
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    if (const auto* loosening = std::get_if<Loosening>(&mutants[i].fault)) {
      const bool overdone = loosening->kind == Loosening::Kind::refused;
      for (const Rule rule : loosening->rules) {
        (overdone ? overdone_ : loosened_)[static_cast<std::size_t>(rule)].push_back(i);
      }
      if (overdone) overdone_in_admission_.push_back(i);
    } else if (const auto* graph = std::get_if<GraphFault>(&mutants[i].fault)) {
      graph_[graph->what].push_back(i);
    } else if (std::holds_alternative<WrongIdentity>(mutants[i].fault)) {
      identities_.push_back(i);
    }
  }
}

std::shared_ptr<apiserver::AccessControl> ReachObserver::access_control(const MutantServer& server, Walk& walk) const {
  return std::make_shared<ObservedAccessControl>(*this, server, walk);
}

}  // namespace nodebound::mutants
