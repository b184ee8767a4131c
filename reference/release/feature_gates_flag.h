#pragma once

#include <string>

#include "reference/release/release.h"
#include "reference/result.h"

namespace nodebound {

/// Reads the settings of gates as a flag writes them: `A=true,B=false`. `where` is the flag's name, for errors.
Result<GateSettings> parse_feature_gates(const std::string& where, const std::string& text);

}  // namespace nodebound
