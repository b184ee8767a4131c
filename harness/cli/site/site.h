#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/scenario.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound::cli {

/// The content of each file of the site by its path.
using SiteFiles = std::map<std::string, std::string>;

/// The catalogue as pages: its rules and releases, the guides, and a page that finds the rule of a refusal. With the
/// bytes of nodebound.wasm as `library`, also a page that explains requests; without, it is empty.
Result<SiteFiles> site_files(const Catalogue& catalogue, const std::vector<Scenario>& scenarios,
                             std::string_view library);

}  // namespace nodebound::cli
