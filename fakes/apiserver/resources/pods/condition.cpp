#include "fakes/apiserver/resources/pods/condition.h"

#include <algorithm>

namespace nodebound::apiserver {

bool set_condition(Object& pod, Object condition) {
  Object& conditions = pod["status"]["conditions"];
  if (!conditions.is_array()) conditions = Object::array();
  const auto own = std::find_if(conditions.begin(), conditions.end(),
                                [&](const Object& other) { return text(other, "type") == text(condition, "type"); });
  if (own == conditions.end()) {
    conditions.push_back(std::move(condition));
    return true;
  }
  if (text(*own, "status") == text(condition, "status")) {
    condition["lastTransitionTime"] = member(*own, "lastTransitionTime");
  }
  const bool changed = *own != condition;
  *own = std::move(condition);
  return changed;
}

}  // namespace nodebound::apiserver
