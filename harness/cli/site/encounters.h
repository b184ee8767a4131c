#pragma once

#include <string>
#include <vector>

#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound::cli {

/// Somebody was hit by rules: an entry of encounters.toml.
struct Encounter {
  std::vector<Rule> rules;
  std::string what;
  std::vector<std::string> where;  ///< `owner/repository#number`, or a CVE
};

/// All of them; an error names a rule that there is not.
Result<std::vector<Encounter>> encounters(const Catalogue& catalogue);

/// The address of an encounter's `where`.
std::string address_of(const std::string& where);

}  // namespace nodebound::cli
