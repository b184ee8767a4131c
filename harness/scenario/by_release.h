#pragma once

#include <toml++/toml.h>

#include "harness/scenario/scenario.h"

namespace nodebound {

/// The scenario as it is at one version: without the steps that hold elsewhere, with the expectation that holds here,
/// and with what `since X` and `until X` in its bodies say about this version merged into them.
Scenario at_version(Scenario scenario, const Version& version);

/// A body as it is at one version.
Object at_version(Object body, const Version& version);

/// A body as it is written. Throws TomlMistake where its `since X` and `until X` are not well-formed.
Object read_body(const toml::node& node);

}  // namespace nodebound
