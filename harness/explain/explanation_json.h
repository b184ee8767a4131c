#pragma once

#include <string>

#include "harness/explain/explanation.h"

namespace nodebound::explain {

/// The facts of an explanation, for programs.
std::string to_json(const Explanation& explanation, const Question& question);

}  // namespace nodebound::explain
