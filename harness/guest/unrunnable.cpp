#include "harness/guest/unrunnable.h"

namespace nodebound::guest {
namespace {

bool never_exists(std::string_view image) {
  const std::string_view host = image.substr(0, image.find('/'));
  return host.size() < image.size() && (host.ends_with(".invalid") || host.ends_with(".example"));
}

bool is_image_of_a_container(const Object& container) {
  return container.is_object() && member(container, "image").is_string() && !never_exists(text(container, "image"));
}

// An operation of a JSON patch that sets an image: {"op": "replace", "path": "/spec/containers/0/image", "value": …}.
bool sets_image(const Object& value) {
  return text(value, "path").ends_with("/image") && member(value, "value").is_string() &&
         !never_exists(text(value, "value"));
}

}  // namespace

void make_unrunnable(std::string_view resource, Object& object) {
  if (resource != "nodes" && resource != "pods") return;
  Object& spec = object["spec"];
  // If it is no object at all, the API server will refuse it.
  if (!spec.is_null() && !spec.is_object()) return;
  if (resource == "nodes") {
    spec["unschedulable"] = true;
    if (member(spec, "taints").empty()) {
      spec["taints"] = Object::array({{{"key", journal::run_label}, {"effect", "NoSchedule"}}});
    }
  } else if (text(spec, "nodeName").empty() && !spec.contains("schedulerName")) {
    spec["schedulerName"] = no_scheduler;
  }
}

std::string runnable_image(const Object& value) {
  if (!value.is_object()) return {};
  for (const char* kind : {"containers", "initContainers", "ephemeralContainers"}) {
    for (const Object& container : member(value, kind)) {
      if (is_image_of_a_container(container)) return std::string(text(container, "image"));
    }
  }
  // The same for the value of a whole container that a patch adds.
  if (text(value, "path").find("ontainers/") != std::string_view::npos &&
      is_image_of_a_container(member(value, "value"))) {
    return std::string(text(value, "value", "image"));
  }
  return sets_image(value) ? std::string(text(value, "value")) : std::string();
}

}  // namespace nodebound::guest
