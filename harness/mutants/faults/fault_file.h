#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/mutants/mutant.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound::mutants {

/// Reads which rules get which faults. An unknown key, rule or word is an error with its line; so is a duplicate
/// mutant.
Result<std::vector<Mutant>> parse_faults(std::string_view text, const std::string& file, const Catalogue& catalogue);

/// The faults that are compiled into this binary.
Result<std::vector<Mutant>> built_in_faults(const Catalogue& catalogue);

/// The mutants with one rule taken out or put in, for every rule.
std::vector<Mutant> flips(const Catalogue& catalogue);

}  // namespace nodebound::mutants
