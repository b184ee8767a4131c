#include "harness/replay/outcome.h"

#include <algorithm>
#include <array>

#include "reference/admission/owner_references.h"
#include "reference/cluster/path.h"
#include "reference/identity/node_identity.h"

namespace nodebound::replay {
namespace {

using Admitting = Decided::Admission;
using Kind = Outcome::Kind;

enum class Agreement { yes, no, other_admission };

Agreement agreement(const Decided& decided, Recorded what) {
  const bool admission_refuses = decided.admission == Admitting::refused;
  switch (what) {
    case Recorded::allowed:
      return decided.allowed() ? Agreement::yes : Agreement::no;
    case Recorded::authorized:
      return decided.authorized ? Agreement::yes : Agreement::no;
    case Recorded::refused_by_authorizer:
      return decided.authorized ? Agreement::no : Agreement::yes;
    case Recorded::refused_later:
      if (!decided.authorized) return Agreement::no;
      return admission_refuses ? Agreement::yes : Agreement::other_admission;
    case Recorded::refused:
      if (!decided.allowed()) return Agreement::yes;
      return decided.admission == Admitting::not_asked ? Agreement::no : Agreement::other_admission;
    case Recorded::unknown:
      break;
  }
  return Agreement::no;
}

std::optional<Unknown> lack_of(Admitting admission) {
  switch (admission) {
    case Admitting::no_body:
      return Unknown::no_body;
    case Admitting::no_object:
      return Unknown::no_object;
    case Admitting::unclear:
      return Unknown::unclear_body;
    default:
      return std::nullopt;
  }
}

// What cannot be created for another reason has been admitted before; in a namespace that does not exist nothing is.
bool failed_after_admission(const LoggedRequest& request) {
  const Attributes& attributes = request.attributes;
  if (attributes.verb != "create") return false;
  return *request.code == 409 || *request.code == 422 || (*request.code == 404 && attributes.namespace_.empty());
}

// Of an API that a server does not serve, its 404 has no message.
bool is_not_served(const LoggedRequest& request) {
  return *request.code == 404 && request.message.empty() && request.attributes.resource_request;
}

// Whether a request that authorizers let through, and that was answered with an error, is refused now.
bool refused_before_error(const Outcome& outcome, const LoggedRequest& request) {
  if (!outcome.from.allowed()) return false;
  if (!outcome.to.authorized) return true;
  if (outcome.to.admission != Admitting::refused) return false;
  // The right to create is asked before the pod is looked for.
  if (outcome.to.rule == Rule::pod_connection_create) return true;
  return failed_after_admission(request);
}

// Whether writing the status of a claim takes rights that it did not take before (KEP-4817).
bool needs_finer_rights(const RuleSet& from, const RuleSet& to, const LoggedRequest& request) {
  constexpr const char* gate = "DRAResourceClaimGranularStatusAuthorization";
  const Attributes& attributes = request.attributes;
  return attributes.resource == "resourceclaims" && attributes.subresource == "status" &&
         (attributes.verb == "update" || attributes.verb == "patch") && to.release().is_on(gate) &&
         !from.release().is_on(gate);
}

bool is_many(std::string_view verb) {
  return verb == "list" || verb == "watch" || verb == "deletecollection";
}

template <typename Differs>
bool any_difference(const RuleSet& a, const RuleSet& b, Differs differs) {
  for (std::size_t i = 0; i < rule_count; ++i) {
    const auto rule = static_cast<Rule>(i);
    if (a.in_force(rule) != b.in_force(rule) && differs(rule, a.catalogue()[rule])) return true;
  }
  return false;
}

bool leads_to_driver(const Object& volume) {
  return volume.contains("persistentVolumeClaim") || volume.contains("ephemeral") || volume.contains("csi");
}

/// The pod that a token or certificate is asked for.
struct BoundPod {
  std::string_view name;
  ObjectPtr pod = nullptr;

  // Of a log without answers only the request that made it is known: not what the server and its admission have added.
  [[nodiscard]] bool half_known() const { return pod != nullptr && text(*pod, "metadata", "uid").empty(); }
};

bool asks_for_pod(const Attributes& attributes) {
  return attributes.resource == "serviceaccounts" || attributes.resource == "podcertificaterequests";
}

BoundPod bound_pod(const Cluster& state, const LoggedRequest& request) {
  if (!request.request_object || !asks_for_pod(request.attributes)) return {};
  const Object& spec = member(*request.request_object, "spec");
  BoundPod out;
  out.name = text(spec, "boundObjectRef", "name");
  if (out.name.empty()) out.name = text(spec, "podName");
  if (!out.name.empty()) out.pod = state.find("", "pods", request.attributes.namespace_, out.name);
  return out;
}

// Whether the known objects show that the request is refused. If one is missing, the refusal may only seem so: an
// object of that moment may be gone, or not in the dump.
bool shows_refusal(const Outcome& outcome, const LoggedRequest& request) {
  const Attributes& attributes = request.attributes;
  if (!outcome.to.authorized) {
    const std::optional<ObjectKind> kind = tied_kind(outcome.to.rule);
    if (!kind) return true;
    if (*kind != ObjectKind::pod) return false;
    // A pod that was not found is on no node.
    if (attributes.verb == "get" && *request.code == 404 && !is_not_served(request)) return true;
    // A pod stays on its node, so where it is now is where it was.
    const ObjectPtr pod = outcome.to_state->find("", "pods", attributes.namespace_, attributes.name);
    return attributes.name.empty() || (pod != nullptr && !text(*pod, "spec", "nodeName").empty());
  }
  if (!asks_for_pod(attributes)) return true;
  if (!request.request_object) return false;
  const BoundPod bound = bound_pod(*outcome.to_state, request);
  if (bound.name.empty()) return true;
  if (bound.pod == nullptr || bound.half_known()) return false;
  const Object& volumes = member(*bound.pod, "spec", "volumes");
  if (std::none_of(volumes.begin(), volumes.end(), leads_to_driver)) return true;
  bool drivers = false;
  outcome.to_state->each("storage.k8s.io", "csidrivers", "", [&](const ObjectKey&, const Object&) { drivers = true; });
  return drivers;
}

/// Which rules of admission are about a resource: their ids begin so.
struct RulesOf {
  std::string_view resource;
  std::string_view prefix;
};
constexpr std::array<RulesOf, 13> kRulesOf = {{{"pods", "pod-"},
                                               {"pods", "mirror-pod-"},
                                               {"nodes", "node-"},
                                               {"persistentvolumeclaims", "claim-"},
                                               {"csinodes", "csinode-"},
                                               {"csinodeinfos", "csinodeinfo-"},
                                               {"resourceslices", "slice-"},
                                               {"serviceaccounts", "token-"},
                                               {"serviceaccounts", "audience-"},
                                               {"podcertificaterequests", "pcr-"},
                                               {"leases", "lease-"},
                                               {"certificatesigningrequests", "csr-"},
                                               {"evictions", "pod-"}}};

bool decides_writes_of(const RuleEntry& entry, std::string_view resource) {
  if (entry.layer != Layer::admission && entry.layer != Layer::validation) return false;
  return std::any_of(kRulesOf.begin(), kRulesOf.end(),
                     [&](const RulesOf& one) { return one.resource == resource && entry.id.starts_with(one.prefix); });
}

// What a rule is about: the first two words of its id, as token-audience.
std::string_view subject_of(const RuleEntry& entry) {
  const std::string_view id = entry.id;
  return id.substr(0, id.find('-', id.find('-') + 1));
}

// Whether the setting turns on the plugin that looks at the owners of whatever is written.
bool looks_at_owners(const ServerSetting& setting) {
  return setting.added.names.contains(std::string(OwnerReferencesPermissionEnforcement::plugin_name));
}

bool any_decides_writes_of(const RuleSet& rules, std::string_view resource) {
  for (std::size_t i = 0; i < rule_count; ++i) {
    const auto rule = static_cast<Rule>(i);
    if (rules.in_force(rule) && decides_writes_of(rules.catalogue()[rule], resource)) return true;
  }
  return false;
}

}  // namespace

std::string_view id_of(Unknown unknown) {
  static constexpr std::array<std::string_view, unknown_count> ids = {
      "no-answer",          "no-selectors",   "late",       "settling",       "graph-of-the-moment",
      "rbac-of-the-moment", "rbac-not-given", "no-body",    "no-object",      "unclear-body",
      "which-node",         "finer-rights",   "not-served", "other-admission"};
  return ids[static_cast<std::size_t>(unknown)];
}

std::string_view statement_of(Unknown unknown) {
  static constexpr std::array<std::string_view, unknown_count> statements = {
      "The log has no answer to it, or one that came before authorization.",
      "The log does not have the query of the request, and so not its selectors.",
      "It stands in the log more than a minute after later requests, and depends on objects that may have changed.",
      "An object changed within two seconds before it, and the answer depends on whether the server knew of that.",
      "It depends on objects of that moment, and the dump and the log do not show them.",
      "A role binding that allowed it then is not in the dump.",
      "A role binding may decide it: give the cluster's roles and bindings with --cluster.",
      "Admission decides by what is written, and the log has no bodies: its audit policy has level Metadata for it.",
      "Admission compares with the object before the write, which neither the dump nor the log shows.",
      "Admission decides by what is written, and the log does not show that unambiguously.",
      "A kubelet without a name of its own asked, and neither this request nor another from its address names its "
      "node.",
      "Validation asks for finer rights on resourceclaims/driver or resourceclaims/binding there, by what is changed.",
      "The server that wrote the log did not serve that API, and the log does not show what was sent.",
      "It was refused after authorization by something that is not replayed: another admission plugin, or validation."};
  return statements[static_cast<std::size_t>(unknown)];
}

Recorded recorded(const LoggedRequest& request) {
  if (!request.code || *request.code == 401) return Recorded::unknown;
  if (request.decision == "forbid") return Recorded::refused_by_authorizer;
  const bool refused = *request.code == 403;
  const bool served = *request.code < 400;
  if (request.decision == "allow") {
    if (refused) return Recorded::refused_later;
    return served ? Recorded::allowed : Recorded::authorized;
  }
  if (refused) return Recorded::refused;
  if (served) return Recorded::allowed;
  // Too many requests, or a server that fails, may be said before authorization.
  return *request.code == 429 || *request.code >= 500 ? Recorded::unknown : Recorded::authorized;
}

OutcomeJudge::OutcomeJudge(const RuleSet& from, const RuleSet& to, const BothSettings& settings,
                           StateKnowledge knowledge)
    : from_(from), to_(to), settings_(settings), knowledge_(knowledge) {
  graph_alike_ = settings.from == settings.to && !any_difference(from, to, [](Rule rule, const RuleEntry& entry) {
                   return entry.edge.has_value() || tied_kind(rule) || entry.id.starts_with("graph-") ||
                          entry.id.starts_with("edge-");
                 });
}

bool OutcomeJudge::same_plugins() const {
  return settings_.from.node_restriction == settings_.to.node_restriction && settings_.from.added == settings_.to.added;
}

bool OutcomeJudge::admission_alike(const LoggedRequest& request) const {
  const Attributes& attributes = request.attributes;
  if (!same_plugins()) return false;
  const bool of_owners = looks_at_owners(settings_.to);
  return !any_difference(from_, to_, [&](Rule /*rule*/, const RuleEntry& entry) {
    return decides_writes_of(entry, attributes.resource) ||
           (of_owners && entry.plugin == OwnerReferencesPermissionEnforcement::plugin_name);
  });
}

// Whether admission that has refused it refuses it still, whatever was written: the log has the refusal's text, which
// is that of a rule in force at both releases, and nothing is granted there that the rule refused.
bool OutcomeJudge::refusal_stays(const LoggedRequest& request) const {
  const std::string_view resource = request.attributes.resource;
  if (!same_plugins()) return false;
  for (std::size_t i = 0; i < rule_count; ++i) {
    const auto rule = static_cast<Rule>(i);
    const RuleEntry& entry = from_.catalogue()[rule];
    if (entry.effect != Effect::restriction || !decides_writes_of(entry, resource)) continue;
    if (!from_.in_force(rule) || !to_.in_force(rule)) continue;
    const RefusalText& refusal = from_.refusal(rule);
    if (refusal.empty() || !refusal.ends(request.message, {})) continue;
    return !any_difference(from_, to_, [&](Rule /*rule*/, const RuleEntry& other) {
      return other.effect == Effect::grant && decides_writes_of(other, resource) &&
             (!other.label_keys.empty() || subject_of(other) == subject_of(entry));
    });
  }
  return false;
}

// Why it cannot be told what admission says to a write that authorizers let through.
std::optional<Unknown> OutcomeJudge::lack_of_admission(const Outcome& out, const LoggedRequest& request,
                                                       Recorded what) const {
  if (!out.to.authorized || out.to.admission_known()) return std::nullopt;
  const bool was_allowed = what == Recorded::allowed || what == Recorded::authorized;
  if (what == Recorded::authorized && is_not_served(request)) {
    const bool decided = looks_at_owners(settings_.to) || any_decides_writes_of(to_, request.attributes.resource);
    const bool asked = is_write(request.attributes.verb) && decided;
    return asked ? std::optional(Unknown::not_served) : std::nullopt;
  }
  if (what == Recorded::authorized && !failed_after_admission(request)) return std::nullopt;
  return was_allowed && admission_alike(request) ? std::nullopt : lack_of(out.to.admission);
}

// What the reference decides is not what the log says.
Outcome OutcomeJudge::mismatch(const LoggedRequest& request, Recorded what, Outcome out) const {
  const auto not_known = [&](Unknown why) {
    out.kind = Kind::unknown;
    out.unknown = why;
    return out;
  };
  const bool node = node_identity(from_, request.subject).has_value();
  const bool tied = node && tied_kind(out.from.rule).has_value();
  const bool by_grant = request.reason.starts_with("RBAC: ");
  if (!knowledge_.whole) {
    // The same rules and the same objects give the same answer, whatever the objects are.
    if (tied && graph_alike_ && out.from.rule == out.to.rule && !by_grant) {
      out.kind = Kind::unchanged_by_record;
      return out;
    }
    if (tied && !by_grant) return not_known(Unknown::graph_of_moment);
    if (!out.from.authorized && by_grant) return not_known(Unknown::rbac_of_moment);
  }
  if (!out.from.authorized && !knowledge_.rbac && what != Recorded::refused_by_authorizer) {
    return not_known(Unknown::rbac_not_given);
  }
  out.kind = Kind::disagrees;
  out.compared = true;
  return out;
}

Outcome OutcomeJudge::judge(const ReplayedCluster& cluster, const LoggedRequest& request, const LoggedRequest* then,
                            bool late) const {
  Outcome out;
  out.then = then;
  const auto not_known = [&](Unknown why) {
    out.kind = Kind::unknown;
    out.unknown = why;
    return out;
  };
  const Recorded what = recorded(request);
  if (what == Recorded::unknown) return not_known(Unknown::no_answer);
  if (then == nullptr) return not_known(Unknown::which_node);
  if (!request.query_known && is_many(request.attributes.verb)) return not_known(Unknown::no_selectors);
  const Cluster* from_state = &cluster.from().now;
  out.to_state = &cluster.to().now;
  out.from = decide(from_, *from_state, settings_.from, request);
  Agreement agrees = agreement(out.from, what);
  // The server may not have learned of the latest writes yet.
  const Decided from_before = decide(from_, cluster.from().before, settings_.from, request);
  if (!(from_before == out.from) || agrees != Agreement::yes) {
    if (agreement(from_before, what) == Agreement::yes && agrees != Agreement::yes) {
      out.from = from_before;
      from_state = &cluster.from().before;
      out.to_state = &cluster.to().before;
      agrees = Agreement::yes;
    }
  }
  out.to = decide(to_, *out.to_state, settings_.to, *then);
  if (agrees == Agreement::other_admission) {
    if (!out.from.admission_known() && refusal_stays(request)) {
      out.kind = Kind::unchanged_by_record;
      return out;
    }
    return not_known(lack_of(out.from.admission).value_or(Unknown::other_admission));
  }
  if (agrees == Agreement::no) {
    if (late) return not_known(Unknown::late);
    if (out.from.authorized && bound_pod(*from_state, request).half_known()) {
      if (!admission_alike(request)) return not_known(Unknown::graph_of_moment);
      out.kind = Kind::unchanged_by_record;
      return out;
    }
    // A server may also have learned of a part of the latest writes.
    const bool on_objects = tied_kind(out.from.rule) || out.from.admission != Admitting::not_asked;
    if (!(from_before == out.from) || (on_objects && cluster.changed_lately(request.attributes.namespace_))) {
      return not_known(Unknown::settling);
    }
    return mismatch(request, what, std::move(out));
  }
  out.compared = true;
  const bool was_allowed = what == Recorded::allowed || what == Recorded::authorized;
  if (was_allowed && out.to.allowed() && needs_finer_rights(from_, to_, *then)) return not_known(Unknown::finer_rights);
  if (const std::optional<Unknown> lack = lack_of_admission(out, request, what)) return not_known(*lack);
  const bool same =
      what == Recorded::authorized ? !refused_before_error(out, request) : out.to.allowed() == was_allowed;
  if (same) return out;
  if (was_allowed && !out.to.authorized && !knowledge_.rbac) return not_known(Unknown::rbac_not_given);
  if (from_state == &cluster.from().now && tied_kind(out.to.rule)) {
    const Decided to_before = decide(to_, cluster.to().before, settings_.to, *then);
    if (to_before.allowed() != out.to.allowed()) return not_known(Unknown::settling);
  }
  if (was_allowed && !knowledge_.whole && !shows_refusal(out, request)) return not_known(Unknown::graph_of_moment);
  out.kind = was_allowed ? Kind::newly_refused : Kind::newly_allowed;
  return out;
}

}  // namespace nodebound::replay
