#pragma once

#include <string>
#include <vector>

#include "reference/release/catalogue.h"

namespace nodebound {

/// The first release of each minor that the catalogue covers, oldest first.
std::vector<Version> minors_of(const Catalogue& catalogue);

/// `1.14`, or `1.14.3`: the release with which a text began; empty for one without a beginning.
std::string beginning_of(const Version& since);

}  // namespace nodebound
