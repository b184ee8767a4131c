#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/inspect/inspected_object.h"

namespace nodebound::inspect {

/// The pods that a workload makes.
struct PodSpec {
  const InspectedObject& workload;
  const Object& spec;
  std::string pointer;  ///< of the spec within the workload
};

/// Calls `visit` if the object is a Pod, or makes pods.
void with_pod_spec(const InspectedObject& object, const std::function<void(const PodSpec&)>& visit);

/// A container, whatever its sort.
struct InspectedContainer {
  const Object& container;
  std::string pointer;
};
std::vector<InspectedContainer> containers_of(const PodSpec& pod);

/// A text that a container is started with: a part of its command, or the value of a variable.
struct ContainerText {
  std::string text;
  std::string pointer;
};
std::vector<ContainerText> texts_of(const InspectedContainer& container);

}  // namespace nodebound::inspect
