#include "reference/authorizer/node_authorizer.h"

#include <algorithm>

#include "reference/authorizer/policy.h"
#include "reference/encoding/short_text.h"
#include "reference/identity/node_identity.h"

namespace nodebound {

/// The rules about CSINode, or CSINodeInfo: the object that lists the CSI drivers of a node.
struct NodeAuthorizer::CsiNodeRules {
  Rule gate;
  Rule verbs;
  Rule no_subresource;
  Rule own_name;
  Rule access;
};

const NodeAuthorizer::CsiNodeRules NodeAuthorizer::csinode_rules = {Rule::csinode_gate, Rule::csinode_verbs,
                                                                    Rule::csinode_no_subresource,
                                                                    Rule::csinode_own_name, Rule::csinode_access};

const NodeAuthorizer::CsiNodeRules NodeAuthorizer::csinodeinfo_rules = {
    Rule::csinodeinfo_gate, Rule::csinodeinfo_verbs, Rule::csinodeinfo_no_subresource, Rule::csinodeinfo_own_name,
    Rule::csinodeinfo_access};

/// A request of a named node.
struct NodeAuthorizer::Asked {
  std::string_view node;
  const Attributes& attributes;

  /// In line, where the lengths of the literals are known.
  template <typename... Literals>
  [[nodiscard, gnu::always_inline]] bool verb(const Literals&... any_of) const {
    return (same_text(attributes.verb, any_of) || ...);
  }
  [[nodiscard]] bool own_name() const { return same_text(attributes.name, node); }

  [[nodiscard]] bool selects_own_node_name() const {
    const std::vector<FieldRequirement>& terms = attributes.field_selector;
    return std::any_of(terms.begin(), terms.end(), [&](const FieldRequirement& term) {
      return term.field == "spec.nodeName" && term.op == "=" && term.value == node;
    });
  }
};

Decision NodeAuthorizer::authorize(const Subject& subject, const Attributes& attributes) const {
  Decision decision = decide(subject, attributes);
  explain(decision, subject, attributes);
  return decision;
}

// Flat, because the functions are short and a call of each would take as long as what it does.
[[gnu::flatten]] Decision NodeAuthorizer::decide(const Subject& subject, const Attributes& attributes) const {
  const std::optional<std::string_view> node = node_identity(rules_, subject);
  if (!node) return Decision::no_opinion(Rule::node_identity_prefix);
  if (node->empty() && rules_.in_force(Rule::node_identity_named)) {
    return Decision::no_opinion(Rule::node_identity_named);
  }
  const Ruling ruling = by_resource({*node, attributes});
  const bool allows = ruling.grants == Grants::what_leads
                          ? graph_.leads(ruling.kind, attributes.namespace_, attributes.name, *node)
                          : ruling.grants == Grants::all;
  return allows ? Decision::allow(ruling.rule) : Decision::no_opinion(ruling.rule);
}

void NodeAuthorizer::explain(Decision& decision, const Subject& subject, const Attributes& attributes) const {
  if (decision.outcome != Decision::Outcome::no_opinion || !decision.rule) return;
  const RefusalText& text = rules_.refusal(*decision.rule);
  const std::optional<std::string_view> node = node_identity(rules_, subject);
  if (!node || text.empty()) return;
  decision.reason =
      text.render({{"user", subject.name}, {"node", *node}, {"name", attributes.name}, {"verb", attributes.verb}});
}

NodeAuthorizer::Ruling NodeAuthorizer::by_resource(const Asked& asked) const {
  const Attributes& attributes = asked.attributes;
  if (!attributes.resource_request) return static_rules(attributes);
  const std::string_view group = attributes.api_group;
  const std::string_view resource = attributes.resource;
  if (group.empty()) return core(asked);
  if (same_text(group, "storage.k8s.io")) {
    if (same_text(resource, "volumeattachments")) return attachment(asked);
    if (same_text(resource, "csinodes")) return csi_node(asked, csinode_rules);
  } else if (same_text(group, "csi.storage.k8s.io")) {
    if (same_text(resource, "csinodeinfos")) return csi_node(asked, csinodeinfo_rules);
  } else if (same_text(group, "coordination.k8s.io")) {
    if (same_text(resource, "leases")) return lease(asked);
  } else if (same_text(group, "resource.k8s.io")) {
    if (same_text(resource, "resourceclaims") && rules_.in_force(Rule::resource_claim_through_pod)) {
      return get_object(asked, ObjectKind::resourceclaim, Rule::resource_claim_through_pod);
    }
    if (same_text(resource, "resourceslices")) return resource_slice(asked);
  } else if (same_text(group, "certificates.k8s.io") && same_text(resource, "podcertificaterequests")) {
    return pod_certificate_request(asked);
  }
  return static_rules(attributes);
}

NodeAuthorizer::Ruling NodeAuthorizer::core(const Asked& asked) const {
  const std::string_view resource = asked.attributes.resource;
  if (same_text(resource, "secrets")) return read_object(asked, ObjectKind::secret, Rule::secret_through_pod);
  if (same_text(resource, "configmaps")) return read_object(asked, ObjectKind::configmap, Rule::configmap_through_pod);
  if (same_text(resource, "persistentvolumeclaims")) return claim(asked);
  if (same_text(resource, "persistentvolumes")) {
    return get_object(asked, ObjectKind::persistentvolume, Rule::volume_through_claim);
  }
  if (same_text(resource, "serviceaccounts")) return service_account(asked);
  if (same_text(resource, "nodes")) return node(asked);
  if (same_text(resource, "pods")) return pod(asked);
  return static_rules(asked.attributes);
}

NodeAuthorizer::Ruling NodeAuthorizer::related(const Asked& asked, ObjectKind kind, Rule grant) const {
  const Attributes& attributes = asked.attributes;
  if (attributes.name.empty()) {
    if (rules_.in_force(Rule::object_read_named)) return refused_by(Rule::object_read_named);
    return allowed_by(grant);
  }
  if (!rules_.in_force(grant)) return refused_by(grant);
  return {grant, Grants::what_leads, kind};
}

NodeAuthorizer::Ruling NodeAuthorizer::granted(Rule grant) const {
  return rules_.in_force(grant) ? allowed_by(grant) : refused_by(grant);
}

NodeAuthorizer::Ruling NodeAuthorizer::attachment(const Asked& asked) const {
  if (rules_.in_force(Rule::attachment_gate)) return refused_by(Rule::attachment_gate);
  if (!rules_.in_force(Rule::attachment_of_node)) return static_rules(asked.attributes);
  return get_object(asked, ObjectKind::volumeattachment, Rule::attachment_of_node);
}

NodeAuthorizer::Ruling NodeAuthorizer::read_object(const Asked& asked, ObjectKind kind, Rule grant) const {
  if (!asked.verb("get", "list", "watch") && rules_.in_force(Rule::object_read_verbs)) {
    return refused_by(Rule::object_read_verbs);
  }
  if (!asked.attributes.subresource.empty() && rules_.in_force(Rule::object_read_no_subresource)) {
    return refused_by(Rule::object_read_no_subresource);
  }
  if (asked.attributes.namespace_.empty()) {
    const bool refused = rules_.in_force(Rule::object_read_namespaced);
    return refused ? refused_by(Rule::object_read_namespaced) : allowed_by(grant);
  }
  if (!asked.verb("get") && !rules_.in_force(Rule::object_list_named)) {
    return refused_by(Rule::object_list_named);
  }
  return related(asked, kind, grant);
}

NodeAuthorizer::Ruling NodeAuthorizer::get_object(const Asked& asked, ObjectKind kind, Rule grant) const {
  if (!asked.verb("get") && rules_.in_force(Rule::object_get_only)) {
    return refused_by(Rule::object_get_only);
  }
  if (!asked.attributes.subresource.empty() && rules_.in_force(Rule::object_get_no_subresource)) {
    return refused_by(Rule::object_get_no_subresource);
  }
  return related(asked, kind, grant);
}

NodeAuthorizer::Ruling NodeAuthorizer::claim(const Asked& asked) const {
  if (!same_text(asked.attributes.subresource, "status")) {
    return get_object(asked, ObjectKind::persistentvolumeclaim, Rule::claim_through_pod);
  }
  if (!asked.verb("update", "patch") && rules_.in_force(Rule::claim_status_verbs)) {
    return refused_by(Rule::claim_status_verbs);
  }
  if (!rules_.in_force(Rule::claim_status_through_pod)) return refused_by(Rule::object_get_only);
  return related(asked, ObjectKind::persistentvolumeclaim, Rule::claim_status_through_pod);
}

NodeAuthorizer::Ruling NodeAuthorizer::service_account(const Asked& asked) const {
  const Attributes& attributes = asked.attributes;
  if (rules_.in_force(Rule::token_gate)) return refused_by(Rule::token_gate);
  if (asked.verb("get") && attributes.subresource.empty()) {
    if (rules_.in_force(Rule::service_accounts_not_readable)) return refused_by(Rule::service_accounts_not_readable);
    if (rules_.in_force(Rule::service_account_through_pod)) {
      return read_object(asked, ObjectKind::serviceaccount, Rule::service_account_through_pod);
    }
  }
  if ((!asked.verb("create") || attributes.name.empty()) &&
      rules_.in_force(Rule::token_of_individual_service_account)) {
    return refused_by(Rule::token_of_individual_service_account);
  }
  if (!same_text(attributes.subresource, "token") && rules_.in_force(Rule::token_subresource_only)) {
    return refused_by(Rule::token_subresource_only);
  }
  return related(asked, ObjectKind::serviceaccount, Rule::token_through_pod);
}

NodeAuthorizer::Ruling NodeAuthorizer::lease(const Asked& asked) const {
  if (rules_.in_force(Rule::lease_gate)) return refused_by(Rule::lease_gate);
  if (!asked.verb("get", "create", "update", "patch", "delete") && rules_.in_force(Rule::lease_verbs)) {
    return refused_by(Rule::lease_verbs);
  }
  if (!same_text(asked.attributes.namespace_, "kube-node-lease") && rules_.in_force(Rule::lease_namespace)) {
    return refused_by(Rule::lease_namespace);
  }
  if (!asked.verb("create") && !asked.own_name() && rules_.in_force(Rule::lease_own_name)) {
    return refused_by(Rule::lease_own_name);
  }
  return granted(Rule::lease_access);
}

NodeAuthorizer::Ruling NodeAuthorizer::csi_node(const Asked& asked, const CsiNodeRules& of) const {
  if (rules_.in_force(of.gate)) return refused_by(of.gate);
  const std::string_view subresource = asked.attributes.subresource;
  const bool subresource_refused = !subresource.empty() && rules_.in_force(of.no_subresource);
  if (rules_.in_force(Rule::csinode_subresource_first)) {
    if (same_text(subresource, "status")) return csi_node_status(asked);
    if (subresource_refused) return refused_by(of.no_subresource);
  }
  if (!asked.verb("get", "create", "update", "patch", "delete") && rules_.in_force(of.verbs)) {
    return refused_by(of.verbs);
  }
  if (subresource_refused) return refused_by(of.no_subresource);
  if (!asked.verb("create") && !asked.own_name() && rules_.in_force(of.own_name)) {
    return refused_by(of.own_name);
  }
  return granted(of.access);
}

NodeAuthorizer::Ruling NodeAuthorizer::csi_node_status(const Asked& asked) const {
  if (rules_.in_force(Rule::csinode_status_gate)) return refused_by(Rule::csinode_status_gate);
  if (!asked.verb("get", "update", "patch") && rules_.in_force(Rule::csinode_status_verbs)) {
    return refused_by(Rule::csinode_status_verbs);
  }
  if (!asked.own_name() && rules_.in_force(Rule::csinode_status_own_name)) {
    return refused_by(Rule::csinode_status_own_name);
  }
  return granted(Rule::csinode_status_access);
}

NodeAuthorizer::Ruling NodeAuthorizer::resource_slice(const Asked& asked) const {
  if (!rules_.in_force(Rule::slice_create) && !rules_.in_force(Rule::slice_verbs)) {
    return static_rules(asked.attributes);
  }
  if (!asked.attributes.subresource.empty() && rules_.in_force(Rule::slice_no_subresource)) {
    return refused_by(Rule::slice_no_subresource);
  }
  if (asked.verb("create")) return granted(Rule::slice_create);
  if (asked.verb("get", "update", "patch", "delete")) {
    return related(asked, ObjectKind::resourceslice, Rule::slice_of_node);
  }
  if (asked.verb("deletecollection") && !rules_.in_force(Rule::slice_delete_collection)) {
    return refused_by(Rule::slice_delete_collection);
  }
  if (asked.verb("watch", "list", "deletecollection")) {
    if (asked.selects_own_node_name() || !rules_.in_force(Rule::slice_selector)) {
      return allowed_by(Rule::slice_selector);
    }
    return refused_by(Rule::slice_selector);
  }
  return rules_.in_force(Rule::slice_verbs) ? refused_by(Rule::slice_verbs) : allowed_by(Rule::slice_verbs);
}

NodeAuthorizer::Ruling NodeAuthorizer::node(const Asked& asked) const {
  const Attributes& attributes = asked.attributes;
  const bool narrow = rules_.in_force(Rule::node_read_own) || rules_.in_force(Rule::node_read_not_all);
  if (!narrow) return static_rules(attributes);
  if (attributes.subresource.empty()) {
    if (asked.verb("create", "update", "patch")) return granted(Rule::node_write);
    if (asked.verb("get", "list", "watch")) {
      // The name is compared and not looked up, so that a kubelet can look for its Node before it creates it.
      const Rule rule = attributes.name.empty() ? Rule::node_read_not_all : Rule::node_read_own;
      if (asked.own_name() || !rules_.in_force(rule)) return allowed_by(Rule::node_read_own);
      return refused_by(rule);
    }
  } else if (same_text(attributes.subresource, "status") && asked.verb("update", "patch")) {
    return granted(Rule::node_status_write);
  }
  const bool whole_node = asked.verb("delete") && attributes.subresource.empty();
  const Rule rule = whole_node ? Rule::node_no_delete : Rule::node_nothing_else;
  return rules_.in_force(rule) ? refused_by(rule) : allowed_by(rule);
}

NodeAuthorizer::Ruling NodeAuthorizer::pod(const Asked& asked) const {
  const Attributes& attributes = asked.attributes;
  if (!rules_.in_force(Rule::pod_selector) && !rules_.in_force(Rule::pod_of_node)) return static_rules(attributes);
  if (attributes.subresource.empty()) {
    const bool any_pod = !rules_.in_force(Rule::pod_of_node);
    if (asked.verb("get")) {
      return any_pod ? allowed_by(Rule::pod_of_node) : get_object(asked, ObjectKind::pod, Rule::pod_of_node);
    }
    if (asked.verb("list", "watch")) {
      if (asked.selects_own_node_name() || !rules_.in_force(Rule::pod_selector)) {
        return allowed_by(Rule::pod_selector);
      }
      if (!attributes.name.empty()) {
        return any_pod ? allowed_by(Rule::pod_of_node) : related(asked, ObjectKind::pod, Rule::pod_of_node);
      }
      return refused_by(Rule::pod_selector);
    }
    if (asked.verb("create", "delete")) return granted(Rule::pod_create_delete);
  } else if (same_text(attributes.subresource, "status") && asked.verb("update")) {
    return granted(Rule::pod_status_write);
  } else if (same_text(attributes.subresource, "status") && asked.verb("patch")) {
    return granted(Rule::pod_status_patch);
  } else if (same_text(attributes.subresource, "eviction") && asked.verb("create")) {
    return granted(Rule::pod_evict);
  }
  return rules_.in_force(Rule::pod_nothing_else) ? refused_by(Rule::pod_nothing_else)
                                                 : allowed_by(Rule::pod_nothing_else);
}

NodeAuthorizer::Ruling NodeAuthorizer::pod_certificate_request(const Asked& asked) const {
  // Without the gate none of these rules is in force, and the authorizer has no opinion.
  if (!rules_.in_force(Rule::pcr_of_node) && !rules_.in_force(Rule::pcr_create)) {
    return refused_by(Rule::node_rules_only);
  }
  if (!asked.attributes.subresource.empty() && rules_.in_force(Rule::pcr_no_subresource)) {
    return refused_by(Rule::pcr_no_subresource);
  }
  if (asked.verb("create")) return granted(Rule::pcr_create);
  if (asked.verb("get")) return related(asked, ObjectKind::podcertificaterequest, Rule::pcr_of_node);
  if (asked.verb("list", "watch")) {
    if (asked.selects_own_node_name() || !rules_.in_force(Rule::pcr_selector)) {
      return allowed_by(Rule::pcr_selector);
    }
    return refused_by(Rule::pcr_selector);
  }
  return rules_.in_force(Rule::pcr_verbs) ? refused_by(Rule::pcr_verbs) : allowed_by(Rule::pcr_verbs);
}

[[gnu::noinline]] NodeAuthorizer::Ruling NodeAuthorizer::static_rules(const Attributes& attributes) const {
  const std::vector<RuleEntry>& entries = rules_.catalogue().rules();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].allows.empty() || !rules_.in_force(static_cast<Rule>(i))) continue;
    for (const PolicyRule& allowed : entries[i].allows) {
      if (covers(rules_, allowed, attributes)) return allowed_by(static_cast<Rule>(i));
    }
  }
  return rules_.in_force(Rule::node_rules_only) ? refused_by(Rule::node_rules_only) : allowed_by(Rule::node_rules_only);
}

SubjectRules NodeAuthorizer::rules_for(const Subject& subject, const std::string& /*namespace_*/) const {
  if (!rules_.in_force(Rule::rules_review_incomplete) || !node_identity(rules_, subject)) return {};
  return {{}, {rules_.refusal(Rule::rules_review_incomplete).render({})}, true};
}

}  // namespace nodebound
