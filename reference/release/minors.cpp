#include "reference/release/minors.h"

namespace nodebound {

std::vector<Version> minors_of(const Catalogue& catalogue) {
  std::vector<Version> out;
  for (const Version& version : catalogue.turning_points()) {
    if (version.patch == 0) out.push_back(version);
  }
  return out;
}

std::string beginning_of(const Version& since) {
  return since.major > 0 ? since.short_text() : "";
}

}  // namespace nodebound
