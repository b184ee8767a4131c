#pragma once

#include <string>

#include "harness/explain/kubelet_fleet.h"
#include "reports/terminal.h"

namespace nodebound::explain {

std::string to_text(const KubeletFleet& fleet, const TerminalStyle& style);
std::string to_json(const KubeletFleet& fleet);
/// The proposals that take nothing away, as documents for `kubectl apply -f -`.
std::string to_yaml(const KubeletFleet& fleet);

}  // namespace nodebound::explain
