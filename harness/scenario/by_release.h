#pragma once

#include <toml++/toml.h>

#include "harness/scenario/scenario.h"

namespace nodebound {

/// The scenario at one version: without steps that do not hold there, with the expectation of this version, and with
/// the matching `since X` and `until X` tables of its bodies merged.
Scenario at_version(Scenario scenario, const Version& version);

/// A body at one version.
Object at_version(Object body, const Version& version);

/// Reads a body as written, for all versions. Throws TomlMistake if a `since X` or `until X` is malformed.
Object read_body(const toml::node& node);

}  // namespace nodebound
