#include "harness/inspect/pod_spec.h"

#include <array>
#include <nlohmann/json.hpp>

namespace nodebound::inspect {
namespace {

const Object& at(const Object& object, const std::vector<const char*>& path) {
  const Object* out = &object;
  for (const char* name : path) out = &member(*out, name);
  return *out;
}

std::string pointer_of(const std::vector<const char*>& path) {
  std::string out;
  for (const char* name : path) out += std::string("/") + name;
  return out;
}

std::vector<const char*> pod_spec_path(std::string_view kind) {
  if (kind == "Pod") return {"spec"};
  if (kind == "PodTemplate") return {"template", "spec"};
  if (kind == "CronJob") return {"spec", "jobTemplate", "spec", "template", "spec"};
  return {"spec", "template", "spec"};
}

}  // namespace

void with_pod_spec(const InspectedObject& object, const std::function<void(const PodSpec&)>& visit) {
  // Other kinds may have a pod template in the same place, as those of operators do.
  const std::vector<const char*> path = pod_spec_path(object.kind());
  const Object& spec = at(object.object, path);
  if (spec.is_object() && member(spec, "containers").is_array()) visit({object, spec, pointer_of(path)});
}

std::vector<InspectedContainer> containers_of(const PodSpec& pod) {
  std::vector<InspectedContainer> out;
  for (const char* sort : {"initContainers", "containers", "ephemeralContainers"}) {
    const Object& list = member(pod.spec, sort);
    if (!list.is_array()) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      out.push_back({list[i], pod.pointer + "/" + sort + "/" + std::to_string(i)});
    }
  }
  return out;
}

std::vector<ContainerText> texts_of(const InspectedContainer& container) {
  std::vector<ContainerText> out;
  for (const char* part : {"command", "args"}) {
    const Object& list = member(container.container, part);
    if (!list.is_array()) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_string()) continue;
      out.push_back({list[i].get<std::string>(), container.pointer + "/" + part + "/" + std::to_string(i)});
    }
  }
  const Object& variables = member(container.container, "env");
  for (std::size_t i = 0; variables.is_array() && i < variables.size(); ++i) {
    const std::string_view value = text(variables[i], "value");
    if (!value.empty()) out.push_back({std::string(value), container.pointer + "/env/" + std::to_string(i) + "/value"});
  }
  return out;
}

}  // namespace nodebound::inspect
