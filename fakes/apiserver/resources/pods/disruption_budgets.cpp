#include "fakes/apiserver/resources/pods/disruption_budgets.h"

#include <algorithm>
#include <string>
#include <vector>

#include "fakes/apiserver/resources/pods/condition.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/fields/field_writer.h"
#include "reference/cluster/label_selector.h"

namespace nodebound::apiserver {
namespace {

constexpr const char* budget_group = "policy";
constexpr const char* budget_resource = "poddisruptionbudgets";
constexpr std::size_t most_disrupted_pods = 2000;

// A selector that is missing selects nothing, an empty one everything, and a wrong one nothing.
bool selects(const Object& selector, const Object& object) {
  if (!selector.is_object()) return false;
  const std::optional<LabelSelector> parsed = LabelSelector::of(selector);
  return parsed && parsed->matches(object);
}

std::int64_t count_in(const Object& status, const char* field) {
  const Object& value = member(status, field);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

bool is_ready(const Object& pod) {
  const Object& conditions = member(pod, "status", "conditions");
  return std::any_of(conditions.begin(), conditions.end(), [](const Object& condition) {
    return text(condition, "type") == "Ready" && text(condition, "status") == "True";
  });
}

const Object& disruption_condition(const Object& budget) {
  static const Object none;
  for (const Object& own : member(budget, "status", "conditions")) {
    if (text(own, "type") == "DisruptionAllowed") return own;
  }
  return none;
}

HttpResponse too_many_disruptions(const std::string& why, int retry_after) {
  const Object causes = {{{"reason", "DisruptionBudget"}, {"message", why}}};
  Object details = {{"causes", causes}};
  if (retry_after != 0) details["retryAfterSeconds"] = retry_after;
  HttpResponse out =
      failure(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", details);
  if (retry_after != 0) out.headers["retry-after"] = std::to_string(retry_after);
  return out;
}

HttpResponse forbidden_by_budget(const std::string& name, const std::string& why) {
  return failure(403, "Forbidden", "poddisruptionbudget.policy \"" + name + "\" is forbidden: " + why,
                 status_details(budget_group, "poddisruptionbudget", name));
}

// Why a budget permits no disruption. What a failed sync has counted cannot be trusted.
std::string no_disruptions(const Object& budget, const std::string& name) {
  const Object& status = member(budget, "status");
  const Object& condition = disruption_condition(budget);
  const std::string message(text(condition, "message"));
  const std::string reason(text(condition, "reason"));
  const bool said = text(condition, "status") == "False" && !message.empty();
  const std::string not_now = "The disruption budget " + name + " does not allow evicting pods currently";
  if (said && reason == "SyncFailed") return not_now + " because it failed sync: " + message;
  const std::int64_t healthy = count_in(status, "currentHealthy");
  const std::int64_t desired = count_in(status, "desiredHealthy");
  if (healthy <= desired) {
    return "The disruption budget " + name + " needs " + std::to_string(desired) + " healthy pods and has " +
           std::to_string(healthy) + " currently";
  }
  return said ? not_now + " (" + reason + "): " + message : not_now;
}

std::optional<HttpResponse> refused_by_budget(const Object& budget) {
  const std::string name(text(budget, "metadata", "name"));
  const Object& status = member(budget, "status");
  if (count_in(status, "observedGeneration") < count_in(member(budget, "metadata"), "generation")) {
    return too_many_disruptions("The disruption budget " + name + " is still being processed by the server.", 10);
  }
  const std::int64_t allowed = count_in(status, "disruptionsAllowed");
  if (allowed < 0) return forbidden_by_budget(name, "pdb disruptions allowed is negative");
  if (member(status, "disruptedPods").size() > most_disrupted_pods) {
    return forbidden_by_budget(name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  }
  if (allowed == 0) return too_many_disruptions(no_disruptions(budget, name), 0);
  return std::nullopt;
}

// A pod that is not ready does not count as healthy, so its eviction disrupts nothing as long as enough others are.
bool is_free(const Object& budget, const Object& pod) {
  if (is_ready(pod)) return false;
  if (text(budget, "spec", "unhealthyPodEvictionPolicy") == "AlwaysAllow") return true;
  const std::int64_t desired = count_in(member(budget, "status"), "desiredHealthy");
  return count_in(member(budget, "status"), "currentHealthy") >= desired && desired > 0;
}

Object with_disruption(Object budget, const Object& pod, const std::string& now) {
  const std::int64_t left = count_in(member(budget, "status"), "disruptionsAllowed") - 1;
  Object& status = budget["status"];
  status["disruptionsAllowed"] = left;
  status["disruptedPods"][std::string(text(pod, "metadata", "name"))] = now;
  if (left > 0) return budget;
  const std::int64_t generation = count_in(status, "observedGeneration");
  set_condition(budget, {{"type", "DisruptionAllowed"},
                         {"status", "False"},
                         {"observedGeneration", generation},
                         {"lastTransitionTime", now},
                         {"reason", "InsufficientPods"},
                         {"message", ""}});
  return budget;
}

// Pods that have ended, or have not begun, are no disruption.
bool needs_no_budget(const Object& pod) {
  const std::string_view phase = text(pod, "status", "phase");
  return phase == "Succeeded" || phase == "Failed" || phase == "Pending" ||
         !text(pod, "metadata", "deletionTimestamp").empty();
}

}  // namespace

BudgetAnswer ask_budgets(const ServerState& server, const Object& pod) {
  if (needs_no_budget(pod)) return {};
  std::vector<ObjectPtr> own;
  server.store.cluster().each_shared(budget_group, budget_resource, std::string(text(pod, "metadata", "namespace")),
                                     [&](const std::string&, const std::string&, const ObjectPtr& budget) {
                                       if (selects(member(*budget, "spec", "selector"), pod)) {
                                         own.push_back(budget);
                                       }
                                     });
  if (own.empty()) return {};
  if (own.size() > 1) {
    return {.refusal = failure(
                500, "",
                "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.")};
  }
  const Object& budget = *own.front();
  if (is_free(budget, pod)) return {};
  if (auto refusal = refused_by_budget(budget)) return {.refusal = std::move(refusal)};
  return {.counted = with_disruption(budget, pod, server.now())};
}

void store_budget(ServerState& server, Object budget) {
  const ObjectKey key{budget_group, budget_resource, std::string(text(budget, "metadata", "namespace")),
                      std::string(text(budget, "metadata", "name"))};
  const ObjectPtr before = server.store.cluster().find(key);
  const auto resources = server.served().resources;
  const ApiResource* const resource = resources->find_kind(budget_group, "PodDisruptionBudget");
  if (before == nullptr || resource == nullptr) return;
  const FieldWriter writer{ValueType::of_kind({budget_group, resource->version, resource->kind}),
                           "kube-apiserver",
                           resource->group_version,
                           "status",
                           server.now(),
                           {{"f:spec"}}};
  record_update(writer, tracked_managers(server), *before, budget);
  server.store.put(key, std::move(budget));
}

}  // namespace nodebound::apiserver
