#include <algorithm>
#include <memory_resource>
#include <optional>

#include "fakes/apiserver/policies/matched_write.h"
#include "fakes/wire/resources/api_resources.h"
#include "harness/inspect/inspections.h"
#include "reference/cel/admission/admission_expression.h"
#include "reference/cluster/label_selector.h"
#include "reports/text.h"

namespace nodebound::inspect {
namespace {

using NodeWrite = InspectionKnowledge::NodeWrite;

/// A write of a kubelet, as webhooks see it.
class SampleWrite {
 public:
  SampleWrite(const NodeWrite& write, const ApiResource& resource) : write_(write), resource_(resource) {
    object_ = {{"apiVersion", resource.group_version},
               {"kind", resource.kind},
               {"metadata", {{"name", "a"}, {"labels", Object::object()}, {"annotations", Object::object()}}}};
    if (!write.namespace_.empty()) {
      object_["metadata"]["namespace"] = write.namespace_;
      namespace_object_ = {
          {"apiVersion", "v1"},
          {"kind", "Namespace"},
          {"metadata",
           {{"name", write.namespace_}, {"labels", Object{{"kubernetes.io/metadata.name", write.namespace_}}}}}};
    }
    old_object_ = operation() == Operation::update ? object_ : Object();
    request_ = {
        {"uid", "0"},
        {"kind", {{"group", resource.group}, {"version", resource.version}, {"kind", resource.kind}}},
        {"resource", {{"group", resource.group}, {"version", resource.version}, {"resource", resource.resource}}},
        {"subResource", write.subresource},
        {"name", "a"},
        {"namespace", write.namespace_},
        {"operation", write.operation},
        {"userInfo", {{"username", "system:node:a"}, {"groups", {"system:nodes", "system:authenticated"}}}},
        {"dryRun", false}};
    request_["requestKind"] = request_["kind"];
    request_["requestResource"] = request_["resource"];
    request_["requestSubResource"] = write.subresource;
  }

  [[nodiscard]] const NodeWrite& write() const { return write_; }
  [[nodiscard]] apiserver::MatchedWrite matched() const {
    return {operation(), resource_, write_.subresource, write_.namespace_, "a", object_, old_object_};
  }
  [[nodiscard]] cel::AdmissionInputs inputs() const {
    return {object_, old_object_, request_, namespace_object_, params_};
  }
  /// Whether the namespace of the write is selected; unknown if that depends on labels that a cluster's owner gives.
  [[nodiscard]] bool namespace_is_selected(const Object& selector) const {
    if (write_.namespace_.empty() || !selector.is_object() || selector.empty()) return true;
    const std::optional<LabelSelector> parsed = LabelSelector::of(selector);
    return parsed && parsed->matches(namespace_object_);
  }

 private:
  [[nodiscard]] Operation operation() const {
    return write_.operation == to_string(Operation::create)   ? Operation::create
           : write_.operation == to_string(Operation::remove) ? Operation::remove
                                                              : Operation::update;
  }

  const NodeWrite& write_;
  const ApiResource& resource_;
  Object object_;
  Object old_object_;
  Object request_;
  Object namespace_object_;
  Object params_;
};

// Whether all conditions are true of the write. What depends on the authorizers, or on fields that the sample lacks,
// is not known, and then nothing is said.
bool conditions_match(const Object& conditions, const SampleWrite& sample, const Release& release) {
  if (!conditions.is_array()) return true;
  std::pmr::monotonic_buffer_resource memory;
  for (const Object& condition : conditions) {
    const std::string expression(text(condition, "expression"));
    if (expression.find("authorizer") != std::string::npos) return false;
    const auto compiled = cel::compile_admission_condition(expression, release);
    if (!compiled || !compiled->evaluate(sample.inputs(), memory).value.is_true()) return false;
  }
  return true;
}

bool selects_objects(const Object& selector) {
  return selector.is_object() &&
         (!member(selector, "matchLabels").empty() || !member(selector, "matchExpressions").empty());
}

/// Looks at the configurations of webhooks, and at policies.
class AdmissionLook {
 public:
  explicit AdmissionLook(const InspectionRun& run) : run_(run), resources_(run.rules.release()) {
    for (const NodeWrite& write : run.knowledge.node_writes) {
      for (const ApiResource& resource : resources_.all()) {
        if (resource.group != write.group || resource.resource != write.resource) continue;
        samples_.emplace_back(write, resource);
        break;
      }
    }
  }

  void look_at_webhooks(const InspectedObject& object) {
    const Object& webhooks = member(object.object, "webhooks");
    for (std::size_t i = 0; webhooks.is_array() && i < webhooks.size(); ++i) {
      const std::string pointer = "/webhooks/" + std::to_string(i);
      look_for_blocked(object, webhooks[i], pointer);
      look_for_missed(object, member(webhooks[i], "rules"), pointer + "/rules");
    }
  }

  void look_at_policy(const InspectedObject& object) {
    look_for_missed(object, member(object.object, "spec", "matchConstraints", "resourceRules"),
                    "/spec/matchConstraints/resourceRules");
  }

 private:
  void look_for_blocked(const InspectedObject& object, const Object& webhook, const std::string& pointer) {
    // v1 fails closed unless it is told otherwise.
    if (text(webhook, "failurePolicy") == "Ignore" || selects_objects(member(webhook, "objectSelector"))) return;
    std::vector<std::string> caught;
    std::string consequence;
    for (const SampleWrite& sample : samples_) {
      const bool matches = apiserver::matched_by_rules(member(webhook, "rules"), text(webhook, "matchPolicy"),
                                                       sample.matched(), resources_) != nullptr &&
                           sample.namespace_is_selected(member(webhook, "namespaceSelector")) &&
                           conditions_match(member(webhook, "matchConditions"), sample, run_.rules.release());
      if (!matches) continue;
      caught.push_back(sample.write().what);
      if (consequence.empty()) consequence = sample.write().if_blocked;
    }
    if (caught.empty()) return;
    run_.found.add({.inspection = "node-write-blocked",
                    .object = &object,
                    .field = pointer,
                    .what = "webhook " + std::string(text(webhook, "name")) +
                            " fails closed and is asked when kubelets " + comma_separated(caught) +
                            ": while it does not answer, " + consequence});
  }

  // Whoever judges updates of Nodes means their labels and taints, which nodes/status changes, too.
  void look_for_missed(const InspectedObject& object, const Object& rules, const std::string& pointer) {
    std::optional<std::size_t> about_nodes;
    bool about_status = false;
    for (std::size_t i = 0; rules.is_array() && i < rules.size(); ++i) {
      const std::vector<std::string> operations = strings_of(member(rules[i], "operations"));
      const std::vector<std::string> groups = strings_of(member(rules[i], "apiGroups"));
      const std::vector<std::string> resources = strings_of(member(rules[i], "resources"));
      const auto has = [](const std::vector<std::string>& list, std::string_view one) {
        return std::find(list.begin(), list.end(), one) != list.end();
      };
      if (!has(operations, "UPDATE") && !has(operations, "*")) continue;
      if (!has(groups, "") && !has(groups, "*")) continue;
      if (has(resources, "nodes") && !about_nodes) about_nodes = i;
      about_status =
          about_status || has(resources, "nodes/status") || has(resources, "nodes/*") || has(resources, "*/*");
    }
    if (!about_nodes || about_status) return;
    run_.found.add({.inspection = "node-status-missed",
                    .object = &object,
                    .field = pointer + "/" + std::to_string(*about_nodes),
                    .what = "judges updates of nodes, and not of nodes/status"});
  }

  const InspectionRun& run_;
  ApiResources resources_;
  std::vector<SampleWrite> samples_;
};

}  // namespace

void inspect_admission(const InspectionRun& run) {
  std::optional<AdmissionLook> look;
  for (const InspectedObject& object : run.inspected.objects) {
    const bool webhooks = object.kind().ends_with("WebhookConfiguration");
    const bool policy = object.kind().ends_with("AdmissionPolicy");
    if (!webhooks && !policy) continue;
    if (!look) look.emplace(run);
    if (webhooks) {
      look->look_at_webhooks(object);
    } else {
      look->look_at_policy(object);
    }
  }
}

}  // namespace nodebound::inspect
