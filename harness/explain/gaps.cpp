#include "harness/explain/gaps.h"

#include <algorithm>

#include "reference/identity/node_identity.h"

namespace nodebound::explain {
namespace {

constexpr std::size_t claims_shown = 3;

std::string namespace_flag(const std::string& namespace_) {
  return namespace_.empty() ? "" : " -n " + namespace_;
}

// `kubectl get pods web -n shop -o yaml`
std::string kubectl_get(const std::string& what, const std::string& namespace_ = {}) {
  return "kubectl get " + what + namespace_flag(namespace_) + " -o yaml";
}

std::string get_object(const Attributes& attributes) {
  const std::string group = attributes.api_group.empty() ? "" : "." + attributes.api_group;
  return kubectl_get(attributes.resource + group + " " + attributes.name, attributes.namespace_);
}

class Gaps {
 public:
  Gaps(const Question& question, const ReferenceAnswer& answer) : question_(question), answer_(answer) {}

  std::vector<Gap> find(const std::optional<Tie>& tie) {
    if (answer_.object_missing) {
      add(described(question_.attributes) + " was not given, and admission looks at it",
          get_object(question_.attributes));
    }
    if (answer_.allowed) return std::move(gaps_);
    if (answer_.layer == Layer::admission) missed_by_admission();
    if (answer_.layer != Layer::authorizer) return std::move(gaps_);
    if (tie && tie->path.empty()) missed_by_graph(*tie);
    missed_by_rbac();
    return std::move(gaps_);
  }

 private:
  void add(std::string what, std::string command) {
    const bool known = std::any_of(gaps_.begin(), gaps_.end(), [&](const Gap& gap) { return gap.what == what; });
    if (!known) gaps_.push_back({std::move(what), std::move(command)});
  }

  static std::string described(const Attributes& attributes) {
    return attributes.resource + " " + (attributes.namespace_.empty() ? "" : attributes.namespace_ + "/") +
           attributes.name;
  }

  void missed_by_graph(const Tie& tie) {
    switch (tie.from.kind) {
      case ObjectKind::pod:
      case ObjectKind::volumeattachment:
      case ObjectKind::resourceslice:
      case ObjectKind::podcertificaterequest:
        if (!tie.given) {
          add(explain::described(tie.from) + " was not given: which node it is of is not known",
              get_object(question_.attributes));
        }
        return;
      case ObjectKind::persistentvolume:
        if (!tie.given) {
          add(explain::described(tie.from) + " was not given: to which claim it is bound is not known",
              get_object(question_.attributes));
        } else {
          missed_pods(question_.given.claim_namespace_of_asked_volume);
        }
        return;
      default:
        missed_pods(tie.from.namespace_);
        if (tie.from.kind == ObjectKind::secret) missed_volumes(tie.node);
    }
  }

  // Pods of two other namespaces mean that the dump covers all namespaces.
  void missed_pods(const std::string& namespace_) {
    const std::set<std::string>& namespaces = question_.given.namespaces_of_pods;
    if (namespaces.contains(namespace_) || namespaces.size() > 1) return;
    add("no pod of namespace " + namespace_ + " was given: which of them reference the object is not known",
        kubectl_get("pods", namespace_));
  }

  void missed_volumes(const std::string& node) {
    const std::vector<std::string>& dangling = question_.given.claims_without_volume;
    for (std::size_t i = 0; i < std::min(dangling.size(), claims_shown); ++i) {
      add("claim " + dangling[i] + ", which a pod on node " + node +
              " uses, has no volume among the objects: which Secrets that names is not known",
          kubectl_get("persistentvolumes"));
    }
    if (dangling.size() > claims_shown) {
      add("so it is with " + std::to_string(dangling.size() - claims_shown) + " claims more",
          kubectl_get("persistentvolumes"));
    }
  }

  void missed_by_rbac() {
    const std::string all = "kubectl get clusterroles,clusterrolebindings,roles,rolebindings -A -o yaml";
    const bool missing = answer_.rule == Rule::rbac_missing_role || answer_.rule == Rule::rbac_missing_namespaced_role;
    if (missing) add("a binding is of a role that was not given", all);
    const bool node = question_.subject.name.starts_with(node_user_prefix);
    if (node || question_.given.bindings) return;
    add("no binding was given: what RBAC grants " + question_.subject.name + " is not known", all);
  }

  void missed_by_admission() {
    const std::string& ns = question_.attributes.namespace_;
    const auto add_missing = [&](const char* what, const std::string& command) {
      add(std::string("the ") + what + " that the refusal does not find may only be missing from what was given",
          command);
    };
    switch (answer_.rule) {
      case Rule::pod_evict_exists:
      case Rule::token_pod_exists:
      case Rule::pcr_pod_exists:
        return add_missing("pod", kubectl_get("pods", ns));
      case Rule::pod_owner_exists:
      case Rule::pcr_node_exists:
        return add_missing("node", kubectl_get("nodes"));
      case Rule::pcr_service_account_exists:
        return add_missing("service account", kubectl_get("serviceaccounts", ns));
      case Rule::token_audience_lookup:
        return add_missing("claim, volume or driver",
                           "kubectl get persistentvolumeclaims,persistentvolumes,storageclasses,csidrivers -A -o yaml");
      default:
        return;
    }
  }

  const Question& question_;
  const ReferenceAnswer& answer_;
  std::vector<Gap> gaps_;
};

}  // namespace

std::vector<Gap> gaps_in(const Question& question, const ReferenceAnswer& answer, const std::optional<Tie>& tie) {
  return Gaps(question, answer).find(tie);
}

}  // namespace nodebound::explain
