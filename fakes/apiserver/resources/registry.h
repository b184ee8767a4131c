#pragma once

#include <array>
#include <span>

#include "fakes/apiserver/resources/strategy.h"

namespace nodebound::apiserver {

/// The strategy of a resource; one without specialities for a resource that has none.
const Strategy& strategy_of(std::string_view group, std::string_view resource);

/// The strategies of the kinds that have specialities, file by file. A new file is declared here, and listed below.
namespace strategies {

std::span<const Strategy> admission_policies();
std::span<const Strategy> certificates();
std::span<const Strategy> config_maps();
std::span<const Strategy> custom_resource_definitions();
std::span<const Strategy> dynamic_resources();
std::span<const Strategy> events();
std::span<const Strategy> leases();
std::span<const Strategy> namespaces();
std::span<const Strategy> nodes();
std::span<const Strategy> others();
std::span<const Strategy> pods();
std::span<const Strategy> rbac();
std::span<const Strategy> reviews();
std::span<const Strategy> secrets();
std::span<const Strategy> service_accounts();
std::span<const Strategy> services();
std::span<const Strategy> storage();
std::span<const Strategy> volumes();
std::span<const Strategy> webhook_configurations();
std::span<const Strategy> workloads();

inline constexpr std::array all = {admission_policies,
                                   certificates,
                                   config_maps,
                                   custom_resource_definitions,
                                   dynamic_resources,
                                   events,
                                   leases,
                                   namespaces,
                                   nodes,
                                   others,
                                   pods,
                                   rbac,
                                   reviews,
                                   service_accounts,
                                   secrets,
                                   services,
                                   storage,
                                   volumes,
                                   webhook_configurations,
                                   workloads};

}  // namespace strategies
}  // namespace nodebound::apiserver
