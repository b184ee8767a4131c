#include "fakes/apiserver/resources/pods/columns.h"

#include <string>

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

Object ready_containers(const Object& pod, Now) {
  int ready = 0;
  for (const Object& status : member(pod, "status", "containerStatuses")) ready += is_true(status, "ready") ? 1 : 0;
  return std::to_string(ready) + "/" + std::to_string(member(pod, "spec", "containers").size());
}

// The reason why the last container waits or has ended, or else the phase.
Object pod_status(const Object& pod, Now) {
  std::string reason(text(pod, "status", "phase"));
  if (!text(pod, "status", "reason").empty()) reason = text(pod, "status", "reason");
  for (const Object& status : member(pod, "status", "containerStatuses")) {
    const std::string_view waiting = text(status, "state", "waiting", "reason");
    const std::string_view ended = text(status, "state", "terminated", "reason");
    if (!waiting.empty()) reason = waiting;
    if (waiting.empty() && !ended.empty()) reason = ended;
  }
  if (text(pod, "metadata", "deletionTimestamp").empty()) return reason;
  return text(pod, "status", "reason") == "NodeLost" ? "Unknown" : "Terminating";
}

Object restarts(const Object& pod, Now) {
  std::int64_t count = 0;
  for (const Object& status : member(pod, "status", "containerStatuses")) {
    const Object& own = member(status, "restartCount");
    if (own.is_number_integer()) count += own.get<std::int64_t>();
  }
  return std::to_string(count);
}

Object readiness_gates(const Object& pod, Now) {
  const Object& gates = member(pod, "spec", "readinessGates");
  if (gates.empty()) return "<none>";
  int met = 0;
  for (const Object& gate : gates) {
    for (const Object& condition : member(pod, "status", "conditions")) {
      if (text(condition, "type") == text(gate, "conditionType")) met += text(condition, "status") == "True" ? 1 : 0;
    }
  }
  return std::to_string(met) + "/" + std::to_string(gates.size());
}

constexpr Column pod_columns[] = {
    name_column,
    {"Ready", ready_containers},
    {"Status", pod_status},
    {"Restarts", restarts},
    age_column,
    {"IP", [](const Object& o, Now) { return text_cell(text(o, "status", "podIP"), "<none>"); }, 1},
    {"Node", [](const Object& o, Now) { return text_cell(text(o, "spec", "nodeName"), "<none>"); }, 1},
    {"Nominated Node", [](const Object& o, Now) { return text_cell(text(o, "status", "nominatedNodeName"), "<none>"); },
     1},
    {"Readiness Gates", readiness_gates, 1}};

}  // namespace

TableColumns pod_table() {
  return TableColumns(pod_columns);
}

}  // namespace nodebound::apiserver
