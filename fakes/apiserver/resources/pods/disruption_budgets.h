#pragma once

#include <optional>

#include "fakes/wire/http.h"
#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

/// What the PodDisruptionBudgets say to an eviction.
struct BudgetAnswer {
  std::optional<HttpResponse> refusal = std::nullopt;
  /// The budget that permits one more disruption, with this one counted; empty if no budget is asked.
  Object counted = nullptr;
};

/// Asks the budget that selects the pod (pkg/registry/core/pod/storage/eviction.go).
BudgetAnswer ask_budgets(const ServerState& server, const Object& pod);

/// Stores a budget in which an eviction was counted.
void store_budget(ServerState& server, Object budget);

}  // namespace nodebound::apiserver
