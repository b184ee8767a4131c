#pragma once

#include "fakes/apiserver/read/table.h"

namespace nodebound::apiserver {

/// The columns of pods.
TableColumns pod_table();

}  // namespace nodebound::apiserver
