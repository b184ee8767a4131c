#pragma once

#include <string>

#include "reports/run/report.h"

namespace nodebound {

/// OpenMetrics text, for the textfile collector of a node exporter or a push gateway.
std::string to_metrics(const Report& report);

}  // namespace nodebound
