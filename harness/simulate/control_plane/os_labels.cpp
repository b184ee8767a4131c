#include "harness/simulate/control_plane/os_labels.h"

#include <string>
#include <string_view>

#include "reference/release/behaviour_ids.h"

namespace nodebound::simulate {
Object copied_os_labels(const Release& release, const Object& node) {
  Object out = nullptr;
  const bool back = release.does(Behaviour::os_labels_copied_back);
  if (!back && !release.does(Behaviour::os_labels_copied)) return out;
  const Object& labels = member(node, "metadata", "labels");
  for (const std::string_view name : {"os", "arch"}) {
    std::string from = "beta.kubernetes.io/" + std::string(name);
    std::string to = "kubernetes.io/" + std::string(name);
    if (back) std::swap(from, to);
    const Object& value = member(labels, from);
    // If the source label is missing, the other one stays unchanged.
    if (value.is_string() && member(labels, to) != value) out[to] = value;
  }
  return out;
}

}  // namespace nodebound::simulate
