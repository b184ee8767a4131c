#include "fakes/apiserver/resources/workload_columns.h"

#include <string>

namespace nodebound::apiserver {
namespace {

using Cell = TableColumns::Column;
using At = const std::string&;

Object number_or_zero(const Object& object, const char* part, const char* field) {
  const Object& own = member(object, part, field);
  return own.is_number_integer() ? own : Object(0);
}

Object ready_of_wanted(const Object& object, At) {
  return number_or_zero(object, "status", "readyReplicas").dump() + "/" +
         number_or_zero(object, "spec", "replicas").dump();
}

Object of_containers(const Object& object, const char* field) {
  std::string out;
  for (const Object& container : member(object, "spec", "template", "spec", "containers")) {
    out += (out.empty() ? "" : ",") + std::string(text(container, field));
  }
  return out;
}

constexpr Cell containers_column = {"Containers", [](const Object& o, At) { return of_containers(o, "name"); }, 1};
constexpr Cell images_column = {"Images", [](const Object& o, At) { return of_containers(o, "image"); }, 1};
constexpr Cell selector_column = {
    "Selector", [](const Object& o, At) { return text_cell(selector_text(member(o, "spec", "selector")), "<none>"); },
    1};

constexpr Cell of_deployments[] = {
    name_column,
    {"Ready", ready_of_wanted},
    {"Up-to-date", [](const Object& o, At) { return number_or_zero(o, "status", "updatedReplicas"); }},
    {"Available", [](const Object& o, At) { return number_or_zero(o, "status", "availableReplicas"); }},
    age_column,
    containers_column,
    images_column,
    selector_column};

constexpr Cell of_replicas[] = {
    name_column,
    {"Desired", [](const Object& o, At) { return number_or_zero(o, "spec", "replicas"); }},
    {"Current", [](const Object& o, At) { return number_or_zero(o, "status", "replicas"); }},
    {"Ready", [](const Object& o, At) { return number_or_zero(o, "status", "readyReplicas"); }},
    age_column,
    containers_column,
    images_column,
    selector_column};

constexpr Cell of_stateful_sets[] = {
    name_column, {"Ready", ready_of_wanted}, age_column, containers_column, images_column};

constexpr Cell of_daemon_sets[] = {
    name_column,
    {"Desired", [](const Object& o, At) { return number_or_zero(o, "status", "desiredNumberScheduled"); }},
    {"Current", [](const Object& o, At) { return number_or_zero(o, "status", "currentNumberScheduled"); }},
    {"Ready", [](const Object& o, At) { return number_or_zero(o, "status", "numberReady"); }},
    {"Up-to-date", [](const Object& o, At) { return number_or_zero(o, "status", "updatedNumberScheduled"); }},
    {"Available", [](const Object& o, At) { return number_or_zero(o, "status", "numberAvailable"); }},
    {"Node Selector",
     [](const Object& o, At) {
       return text_cell(selector_text(member(o, "spec", "template", "spec", "nodeSelector")), "<none>");
     }},
    age_column,
    containers_column,
    images_column,
    selector_column};

}  // namespace

std::string selector_text(const Object& selector) {
  std::string out;
  const auto add = [&](const std::string& requirement) { out += (out.empty() ? "" : ",") + requirement; };
  const bool structured = selector.contains("matchLabels") || selector.contains("matchExpressions");
  const Object& labels = structured ? member(selector, "matchLabels") : selector;
  for (const auto& [key, value] : labels.items()) add(key + "=" + value.get<std::string>());
  for (const Object& expression : member(selector, "matchExpressions")) {
    const std::string key(text(expression, "key"));
    const std::string_view op = text(expression, "operator");
    std::string values;
    for (const Object& value : member(expression, "values")) {
      values += (values.empty() ? "" : ",") + value.get<std::string>();
    }
    if (op == "Exists") add(key);
    if (op == "DoesNotExist") add("!" + key);
    if (op == "In" || op == "NotIn") add(key + (op == "In" ? " in (" : " notin (") + values + ")");
  }
  return out;
}

constexpr TableColumns deployment_columns(of_deployments);
constexpr TableColumns replica_columns(of_replicas);
constexpr TableColumns stateful_set_columns(of_stateful_sets);
constexpr TableColumns daemon_set_columns(of_daemon_sets);

}  // namespace nodebound::apiserver
