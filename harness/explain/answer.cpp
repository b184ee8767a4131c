#include "harness/explain/answer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "fakes/apiserver/patch.h"
#include "harness/explain/authorizers.h"
#include "reference/admission/mirror_pod.h"
#include "reference/admission/node_restriction.h"
#include "reference/identity/node_identity.h"

namespace nodebound {
namespace {

/// What admission looks at, apart from the request itself.
struct Write {
  Operation operation;
  Object object;
  Object old_object;
};

ReferenceAnswer authorized(const Authorizers& authorizers, const Question& question) {
  const Decision decision = authorizers.chain.authorize(question.subject, question.attributes);
  ReferenceAnswer out;
  out.allowed = decision.allowed();
  out.rule = decision.rule;
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

std::string described(const Attributes& attributes) {
  const std::string name =
      attributes.namespace_.empty() ? attributes.name : attributes.namespace_ + "/" + attributes.name;
  return attributes.resource + " " + name;
}

tl::unexpected<std::string> not_asked(std::string why) {
  return tl::unexpected<std::string>(std::move(why));
}

const Object* stored(const Cluster& cluster, const Attributes& attributes) {
  // The namespace of a Namespace is its own name.
  const bool itself = attributes.api_group.empty() && attributes.resource == "namespaces";
  return cluster.find(attributes.api_group, attributes.resource, itself ? "" : attributes.namespace_, attributes.name);
}

tl::expected<Object, std::string> changed(const Question& question, const Object& before) {
  if (question.attributes.verb == "update") return *question.body;
  // As `kubectl patch` does where it is not told otherwise.
  const tl::expected<Object, PatchFailure> after =
      patched(before, "application/strategic-merge-patch+json", question.body->dump());
  if (!after) return not_asked("admission was not asked: the patch does not apply: " + after.error().message);
  return *after;
}

// The write as admission sees it, or why it is not asked.
tl::expected<Write, std::string> write_of(const Cluster& cluster, const Question& question) {
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
  if (attributes.verb != "delete" && !question.body) {
    return not_asked("admission was not asked: give the object with --body");
  }
  const Object* before = stored(cluster, attributes);
  if (before == nullptr) {
    return not_asked("admission was not asked: " + described(attributes) +
                     " is not in the cluster; give it with --cluster");
  }
  if (attributes.verb == "delete") return Write{Operation::remove, nullptr, *before};
  tl::expected<Object, std::string> after = changed(question, *before);
  if (!after) return not_asked(after.error());
  return Write{Operation::update, std::move(*after), *before};
}

// The first refusal of the plugins, in kube-apiserver's order, then of validation.
void admit(const RuleSet& rules, const Cluster& cluster, const Authorizers& authorizers,
           const AdmissionRequest& request, ReferenceAnswer& out) {
  const ServiceAccountPlugin service_account(rules, cluster.references());
  const NodeRestriction node_restriction(rules, cluster, authorizers.chain);
  const auto refuse = [&](const Refusal& refusal, Layer layer, std::string_view by) {
    out.allowed = false;
    out.layer = layer;
    out.by = by;
    out.rule = refusal.rule;
    out.status = refusal.status;
    out.reason = refusal.reason;
  };
  const std::array<const AdmissionPlugin*, 2> plugins = {&service_account, &node_restriction};
  for (const AdmissionPlugin* plugin : plugins) {
    if (const Admission refusal = plugin->admit(request)) return refuse(*refusal, Layer::admission, plugin->name());
  }
  if (const Admission refusal = validate_mirror_pod(rules, request)) {
    refuse(*refusal, Layer::validation, "validation");
  }
}

ReferenceAnswer decided(const RuleSet& rules, const Cluster& cluster, const Question& question) {
  const Authorizers authorizers(rules, cluster);
  ReferenceAnswer out = authorized(authorizers, question);
  const Attributes& attributes = question.attributes;
  const bool write = attributes.resource_request && !is_one_of(attributes.verb, {"get", "list", "watch"});
  if (!out.allowed || !write) return out;
  const tl::expected<Write, std::string> made = write_of(cluster, question);
  if (!made) {
    out.why_not_admission = made.error();
    return out;
  }
  out.admission_asked = true;
  admit(rules, cluster, authorizers,
        {made->operation, question.subject, attributes.api_group, attributes.resource, attributes.subresource,
         attributes.namespace_, attributes.name, made->object, made->old_object},
        out);
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

}  // namespace nodebound
