#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "reference/identity/subject.h"
#include "reference/release/rule_set.h"

namespace nodebound::test {

/// The rules of a version with its default gates, except those in `gates`.
inline RuleSet rules_of(std::string_view version, const GateSettings& gates = {}) {
  const Result<Release> release = Release::make(Catalogue::built_in(), Version::parse(version).value(), gates);
  if (!release) throw std::invalid_argument(release.error().text());
  return {Catalogue::built_in(), *release};
}

inline Subject node_named(std::string_view name) {
  return {"system:node:" + std::string(name), {"system:nodes", "system:authenticated"}, "", {}};
}

}  // namespace nodebound::test
