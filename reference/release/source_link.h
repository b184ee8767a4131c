#pragma once

#include <string>
#include <string_view>

#include "reference/release/catalogue.h"

namespace nodebound {

/// The URL of a rule's source: the page of a KEP or CVE, an issue, or the file at `version`.
std::string link_of(std::string_view source, const Version& version);

/// The release in whose files the rule's sources are read: `version`, or the last release with the rule if `version`
/// lacks it.
Version read_at(const RuleEntry& rule, const Version& version);

}  // namespace nodebound
