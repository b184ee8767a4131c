#include "harness/explain/answer.h"

#include <algorithm>
#include <optional>

#include "fakes/apiserver/review/access_control.h"
#include "fakes/apiserver/review/kinds_of_owners.h"
#include "fakes/apiserver/write/patch.h"
#include "harness/explain/authorizers.h"
#include "reference/admission/default_plugins.h"
#include "reference/identity/node_identity.h"

namespace nodebound::explain {
namespace {

/// What admission reads besides the request itself.
struct Write {
  Operation operation;
  Object object;
  Object old_object;
};

ReferenceAnswer authorized(const Authorizers& authorizers, const Question& question) {
  const Decision decision = authorizers.chain.authorize(question.subject, question.attributes);
  ReferenceAnswer out;
  out.allowed = decision.allowed();
  out.rule = decision.rule.value();
  out.reason = decision.reason;
  if (decision.allowed() && decision.rule == Rule::masters_group) {
    out.by = "system:masters";
    return out;
  }
  for (const Authorizer* authorizer :
       {static_cast<const Authorizer*>(&authorizers.node), static_cast<const Authorizer*>(&authorizers.rbac)}) {
    out.opinions.push_back(
        {std::string(authorizer->name()), authorizer->authorize(question.subject, question.attributes)});
    if (out.opinions.back().decision.allowed()) {
      out.by = authorizer->name();
      break;
    }
  }
  if (decision.outcome == Decision::Outcome::deny) out.by = "node";
  if (out.allowed) return out;
  out.status = 403;
  return out;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

std::string request_described(const Attributes& attributes) {
  const std::string name =
      attributes.namespace_.empty() ? attributes.name : attributes.namespace_ + "/" + attributes.name;
  return attributes.resource + " " + name;
}

/// Why admission was not asked.
struct NotAsked {
  std::string why;
  bool object_missing = false;
};

tl::unexpected<NotAsked> not_asked(std::string why) {
  return tl::unexpected<NotAsked>({std::move(why), false});
}

ObjectPtr stored(const Cluster& cluster, const Attributes& attributes) {
  // The namespace of a Namespace is its own name.
  const bool itself = attributes.api_group.empty() && attributes.resource == "namespaces";
  return cluster.find(attributes.api_group, attributes.resource, itself ? "" : attributes.namespace_, attributes.name);
}

tl::expected<Object, NotAsked> changed(const Question& question, const Object& before) {
  if (question.attributes.verb == "update") return *question.body;
  // The patch type that `kubectl patch` uses by default.
  const tl::expected<Object, apiserver::PatchFailure> after =
      apiserver::patched(before, "application/strategic-merge-patch+json", question.body->dump());
  if (!after) return not_asked("admission was not asked: the patch does not apply: " + after.error().message);
  return *after;
}

// The write as admission sees it, or why admission is not asked.
tl::expected<Write, NotAsked> write_of(const Cluster& cluster, const Question& question) {
  const Attributes& attributes = question.attributes;
  if (attributes.verb == "deletecollection") {
    return not_asked("admission was not asked: it sees each object alone; ask for the delete of one");
  }
  if (attributes.verb == "create") {
    if (!attributes.subresource.empty() && !is_one_of(attributes.subresource, {"binding", "eviction", "token"})) {
      return not_asked("admission was not asked: a connection is no write that these plugins look at");
    }
    if (!question.body) return not_asked("admission was not asked: give the object with --body");
    return Write{Operation::create, *question.body, nullptr};
  }
  // An approval or denial is judged by the stored CertificateSigningRequest.
  const bool approval = attributes.resource == "certificatesigningrequests" && attributes.subresource == "approval";
  if (attributes.verb != "delete" && !approval && !question.body) {
    return not_asked("admission was not asked: give the object with --body");
  }
  const ObjectPtr before = stored(cluster, attributes);
  if (before == nullptr) {
    return tl::unexpected<NotAsked>(
        {"admission was not asked: " + request_described(attributes) + " is not in the cluster; give it with --cluster",
         true});
  }
  if (attributes.verb == "delete") return Write{Operation::remove, nullptr, *before};
  if (!question.body) return Write{Operation::update, *before, *before};
  tl::expected<Object, NotAsked> after = changed(question, *before);
  if (!after) return tl::unexpected<NotAsked>(after.error());
  return Write{Operation::update, std::move(*after), *before};
}

using Plugins = std::vector<std::unique_ptr<AdmissionPlugin>>;

// The first refusal by a plugin, in kube-apiserver's order; pod validation counts as one of them.
void admit(const RuleSet& rules, const Plugins& plugins, const AdmissionRequest& request, ReferenceAnswer& out) {
  for (const std::unique_ptr<AdmissionPlugin>& plugin : plugins) {
    const Admission refusal = plugin->admit(request);
    if (!refusal) continue;
    out.allowed = false;
    out.layer = rules.catalogue()[refusal->rule].layer;
    out.by = plugin->name();
    out.rule = refusal->rule;
    out.status = refusal->status;
    out.reason = refusal->reason;
    return;
  }
}

std::string_view operation_of(const Attributes& attributes) {
  const bool connects = is_one_of(attributes.subresource, {"attach", "exec", "portforward", "proxy"});
  if (connects) return "connect";
  if (attributes.verb == "create") return "create";
  return attributes.verb.starts_with("delete") ? "delete" : "update";
}

void note_plugins_not_asked(const RuleSet& rules, const Attributes& attributes, const Plugins& plugins,
                            ReferenceAnswer& out) {
  out.plugins_not_asked = plugins_that_look(rules, {operation_of(attributes), attributes.api_group, attributes.resource,
                                                    attributes.subresource, !attributes.namespace_.empty()});
  if (!out.admission_asked) return;
  std::erase_if(out.plugins_not_asked, [&](const std::string& name) {
    return std::any_of(plugins.begin(), plugins.end(), [&](const auto& plugin) { return plugin->name() == name; });
  });
}

ReferenceAnswer decided(const RuleSet& rules, const Cluster& cluster, const Question& question) {
  const Authorizers authorizers(rules, cluster);
  ReferenceAnswer out = authorized(authorizers, question);
  const Attributes& attributes = question.attributes;
  const bool write =
      attributes.resource_request && !question.reviewed && !is_one_of(attributes.verb, {"get", "list", "watch"});
  if (!out.allowed || !write) return out;
  const FindKind find_kind = apiserver::kinds_of_owners(rules.release(), RuntimeConfig::api_all, cluster);
  const Plugins plugins =
      apiserver::AccessControl().plugins({rules, cluster, authorizers.chain, find_kind, question.enabled_plugins});
  const tl::expected<Write, NotAsked> made = write_of(cluster, question);
  out.admission_asked = made.has_value();
  if (made) {
    admit(rules, plugins,
          {made->operation, question.subject, attributes.api_group, attributes.resource, attributes.subresource,
           attributes.namespace_, attributes.name, made->object, made->old_object, attributes.api_version},
          out);
  } else {
    out.why_not_admission = made.error().why;
    out.object_missing = made.error().object_missing;
  }
  if (out.allowed) note_plugins_not_asked(rules, attributes, plugins, out);
  return out;
}

}  // namespace

Result<ReferenceAnswer> answer(const RuleSet& rules, const Cluster& cluster, const Question& question) try {
  ReferenceAnswer out = decided(rules, cluster, question);
  out.rule_in_force = rules.in_force(out.rule);
  return out;
} catch (const Object::exception& error) {
  return input_error(question.body_file,
                     std::string("some member is of another type than the API has: ") + error.what());
}

}  // namespace nodebound::explain
