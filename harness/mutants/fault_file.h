#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/mutants/mutant.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound {

/// Reads which rules get which faults. An unknown key, rule or word is an error with its line, and so is a mutant that
/// is there twice.
Result<std::vector<Mutant>> parse_faults(std::string_view text, const std::string& file, const Catalogue& catalogue);

/// The faults that this binary was built with.
Result<std::vector<Mutant>> built_in_faults(const Catalogue& catalogue);

/// Every rule taken out, and every rule put in.
std::vector<Mutant> flips(const Catalogue& catalogue);

}  // namespace nodebound
