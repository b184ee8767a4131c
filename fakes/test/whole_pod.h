#pragma once

#include <string>
#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound {

/// Tests write only the parts of a pod that matter to them. This adds the container that every pod needs to a body that
/// is posted to the pods of a namespace, or that replaces one of them.
inline std::string whole_pod(std::string_view method, std::string_view target, const std::string& body) {
  const std::string_view path = target.substr(0, target.find('?'));
  const std::size_t pods = path.find("/pods");
  const bool of_pod =
      pods != std::string_view::npos && (method == "PUT" || (method == "POST" && path.ends_with("/pods")));
  if (!of_pod) return body;
  Object pod = Object::parse(body, nullptr, false);
  if (!pod.is_object() || !(member(pod, "spec").is_object() || member(pod, "spec").is_null())) return body;
  if (member(pod, "spec", "containers").empty()) {
    pod["spec"]["containers"] = Object::array({{{"name", "main"}, {"image", "registry.invalid/none"}}});
  }
  return pod.dump();
}

}  // namespace nodebound
