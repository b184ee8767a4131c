#include "harness/simulate/control_plane/os_labels.h"

#include <string>
#include <string_view>

namespace nodebound {
namespace {

constexpr Version first_that_copies{1, 14, 0};
constexpr Version first_from_stable{1, 19, 0};

}  // namespace

Object copied_os_labels(const Version& version, const Object& node) {
  Object out = nullptr;
  if (version < first_that_copies) return out;
  const Object& labels = member(node, "metadata", "labels");
  for (const std::string_view name : {"os", "arch"}) {
    std::string from = "beta.kubernetes.io/" + std::string(name);
    std::string to = "kubernetes.io/" + std::string(name);
    if (version >= first_from_stable) std::swap(from, to);
    const Object& value = member(labels, from);
    // If the source label is missing, the other one stays unchanged.
    if (value.is_string() && member(labels, to) != value) out[to] = value;
  }
  return out;
}

}  // namespace nodebound
