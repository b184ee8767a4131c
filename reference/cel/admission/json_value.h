#pragma once

#include <memory_resource>

#include "reference/cel/evaluation/value.h"
#include "reference/cluster/object.h"

namespace nodebound::cel {

/// A view of JSON as an expression sees an object of the API: whole numbers are int. The JSON and the memory must
/// outlive it.
Value json_value(const Object& json, std::pmr::memory_resource& memory);

}  // namespace nodebound::cel
