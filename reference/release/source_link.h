#pragma once

#include <string>
#include <string_view>

#include "reference/release/catalogue.h"

namespace nodebound {

/// Where a source of a rule can be read: the page of a KEP or CVE, an issue, or the file as it is at `version`.
std::string link_of(std::string_view source, const Version& version);

/// The release whose files the rule's sources are read at: `version`, or where the rule is not there, the last that has
/// it.
Version read_at(const RuleEntry& rule, const Version& version);

}  // namespace nodebound
