#pragma once

#include <string>
#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound::replay {

/// The pool that the labels of a Node name: by `pool_label`, or without one by the first of those of clouds and
/// installers that the Node has. Empty if none does.
std::string_view pool_of_labels(const Object& labels, const std::string& pool_label);

}  // namespace nodebound::replay
