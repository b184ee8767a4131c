#pragma once

#include <optional>

#include "fakes/apiserver/read/table.h"

namespace nodebound {

/// The columns of events and of kinds of RBAC, storage, scheduling and certificates; nothing for other kinds.
std::optional<TableColumns> other_columns_of(const ApiResource& resource);

}  // namespace nodebound
