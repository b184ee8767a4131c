#pragma once

#include "fakes/apiserver/read/table.h"

namespace nodebound {

/// The columns of pods.
TableColumns pod_table();

}  // namespace nodebound
