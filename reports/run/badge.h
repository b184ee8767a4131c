#pragma once

#include <string>

#include "reports/run/report.h"

namespace nodebound {

/// A small picture of the verdict, for a README.
std::string to_badge_svg(const Report& report);

/// The same for https://shields.io/badges/endpoint-badge.
std::string to_badge_json(const Report& report);

}  // namespace nodebound
