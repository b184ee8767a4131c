#include "harness/replay/decided.h"

#include <algorithm>
#include <array>
#include <vector>

#include "fakes/apiserver/review/access_control.h"
#include "fakes/apiserver/review/kinds_of_owners.h"
#include "fakes/apiserver/write/patch.h"
#include "harness/explain/authorizers.h"
#include "reference/admission/admission_request.h"

namespace nodebound::replay {
namespace {

using Admitting = Decided::Admission;

bool is_any_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

bool connects_to_pod(const Attributes& attributes) {
  return attributes.api_group.empty() && attributes.resource == "pods" &&
         is_any_of(attributes.subresource, {"exec", "attach", "portforward"});
}

/// The authorizers of a server that is started so.
struct SetAuthorizers {
  SetAuthorizers(const RuleSet& rules, const Cluster& cluster, const ServerSetting& setting)
      : all(rules, cluster), rbac_alone(rules, {&all.rbac}), with_node(setting.node_authorizer) {}

  [[nodiscard]] const AuthorizerChain& chain() const { return with_node ? all.chain : rbac_alone; }

  explain::Authorizers all;
  AuthorizerChain rbac_alone;
  bool with_node;
};

Decided authorize(const RuleSet& rules, const SetAuthorizers& authorizers, const Subject& subject,
                  const Attributes& attributes) {
  Decided out;
  const auto note = [&](const Decision& decision) {
    out.authorized = decision.allowed();
    if (decision.rule) out.rule = *decision.rule;
  };
  note(authorizers.chain().authorize(subject, attributes));
  if (out.authorized) {
    const bool by_node = authorizers.with_node && authorizers.all.node.authorize(subject, attributes).allowed();
    out.by = by_node ? "node" : "rbac";
  }
  const bool also_create = out.authorized && attributes.verb == "get" && connects_to_pod(attributes) &&
                           rules.in_force(Rule::pod_connection_create);
  if (!also_create) return out;
  Attributes create = attributes;
  create.verb = "create";
  if (authorizers.chain().authorize(subject, create).allowed()) return out;
  // The authorizers have allowed the request itself, and that is what an audit log says.
  out.admission = Admitting::refused;
  out.rule = Rule::pod_connection_create;
  out.by = "pods/" + attributes.subresource;
  return out;
}

/// A write as admission sees it: one way to read it, or two.
struct Written {
  Operation operation = Operation::create;
  std::vector<Object> objects;
  ObjectPtr old;
  Object stand_in;  ///< for `old`

  [[nodiscard]] const Object& before() const { return old == nullptr ? stand_in : *old; }
};

// Of these objects admission reads no more than the name, and they are not kept.
bool only_named(const Attributes& attributes) {
  return (attributes.api_group == "coordination.k8s.io" && attributes.resource == "leases") ||
         (attributes.api_group.empty() && is_any_of(attributes.resource, {"configmaps", "secrets", "events"}));
}

// What a patch may make of the object: its type is not logged.
std::vector<Object> all_patched(const Object& before, const Object& patch) {
  std::vector<Object> out;
  const std::string body = patch.dump(-1, ' ', false, Object::error_handler_t::replace);
  const std::vector<std::string_view> types =
      patch.is_array() ? std::vector<std::string_view>{apiserver::json_patch}
                       : std::vector<std::string_view>{apiserver::merge_patch, apiserver::strategic_patch};
  for (const std::string_view type : types) {
    if (auto after = apiserver::patched(before, type, body)) out.push_back(std::move(*after));
  }
  return out;
}

tl::expected<Written, Admitting> written(const Cluster& cluster, const LoggedRequest& request) {
  const Attributes& attributes = request.attributes;
  Written out;
  if (attributes.verb == "deletecollection") return tl::unexpected(Admitting::unclear);
  if (attributes.verb == "create") {
    if (!request.request_object) return tl::unexpected(Admitting::no_body);
    out.objects.push_back(*request.request_object);
    return out;
  }
  const bool itself = attributes.api_group.empty() && attributes.resource == "namespaces";
  out.old =
      cluster.find(attributes.api_group, attributes.resource, itself ? "" : attributes.namespace_, attributes.name);
  if (out.old == nullptr && only_named(attributes)) {
    out.stand_in = {{"metadata", {{"name", attributes.name}, {"namespace", attributes.namespace_}}}};
  } else if (out.old == nullptr) {
    return tl::unexpected(Admitting::no_object);
  }
  out.operation = attributes.verb == "delete" ? Operation::remove : Operation::update;
  if (attributes.verb == "delete") {
    out.objects.push_back(nullptr);
    return out;
  }
  if (!request.request_object) return tl::unexpected(Admitting::no_body);
  if (attributes.verb == "update") {
    out.objects.push_back(*request.request_object);
  } else {
    out.objects = all_patched(out.before(), *request.request_object);
    if (out.objects.empty() && only_named(attributes)) out.objects.push_back(out.before());
    if (out.objects.empty()) return tl::unexpected(Admitting::unclear);
  }
  return out;
}

void admit(const RuleSet& rules, const Cluster& cluster, const SetAuthorizers& authorizers,
           const ServerSetting& setting, const LoggedRequest& request, Decided& out) {
  tl::expected<Written, Admitting> write = written(cluster, request);
  if (!write) {
    out.admission = write.error();
    return;
  }
  const FindKind find_kind = apiserver::kinds_of_owners(rules.release(), RuntimeConfig::defaults, cluster);
  const auto& [names, placement] = setting.added;
  auto plugins = apiserver::AccessControl().plugins({rules, cluster, authorizers.chain(), find_kind, names, placement});
  if (!setting.node_restriction) {
    std::erase_if(plugins, [](const auto& plugin) { return plugin->name() == "NodeRestriction"; });
  }
  const bool names_itself = request.attributes.verb == "create" && request.attributes.subresource.empty();
  bool first = true;
  for (Object& object : write->objects) {
    Decided one = out;
    one.admission = Admitting::admitted;
    if (names_itself && object.is_object() && !request.attributes.namespace_.empty()) {
      object["metadata"]["namespace"] = request.attributes.namespace_;
    }
    Attributes attributes = request.attributes;
    if (names_itself) attributes.name.clear();
    const AdmissionRequest asked =
        admission_request(write->operation, request.subject, attributes, object, write->before());
    for (const auto& plugin : plugins) {
      Admission refusal = plugin->complete(asked, object);
      if (!refusal) refusal = plugin->admit(asked);
      if (!refusal) continue;
      one.admission = Admitting::refused;
      one.rule = refusal->rule;
      one.by = plugin->name();
      break;
    }
    if (!first && one.admission != out.admission) {
      out.admission = Admitting::unclear;
      return;
    }
    out = std::move(one);
    first = false;
  }
}

}  // namespace

Decided decide(const RuleSet& rules, const Cluster& cluster, const ServerSetting& setting,
               const LoggedRequest& request) {
  const SetAuthorizers authorizers(rules, cluster, setting);
  const Attributes& attributes = request.attributes;
  Decided out = authorize(rules, authorizers, request.subject, attributes);
  const bool write = attributes.resource_request && is_write(attributes.verb) &&
                     !is_any_of(attributes.subresource, {"exec", "attach", "portforward", "proxy"});
  if (!out.authorized || !write) return out;
  try {
    admit(rules, cluster, authorizers, setting, request, out);
  } catch (const Object::exception&) {
    out.admission = Decided::Admission::unclear;
  }
  return out;
}

}  // namespace nodebound::replay
