#pragma once

#include <string>

#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// An OpenAPI v2 document in protobuf.
std::string v2_message_of(const Object& document);

}  // namespace nodebound::apiserver
