#include "reference/release/minors.h"

namespace nodebound {

std::vector<Version> minors_of(const Catalogue& catalogue) {
  std::vector<Version> out;
  const ReleaseRange& range = catalogue.releases();
  Version version = range.versions().front();
  for (version.patch = 0; range.contains(version); ++version.minor) out.push_back(version);
  return out;
}

std::string beginning_of(const Version& since) {
  return since.major > 0 ? since.short_text() : "";
}

}  // namespace nodebound
