#pragma once

#include <string>

#include "harness/scenario/scenario.h"

namespace nodebound {

/// The scenario as it is at one version: without the steps that hold elsewhere, with the expectation that holds here,
/// and with what `since X` and `until X` in its bodies say about this version merged into them.
Scenario at_version(Scenario scenario, const Version& version);

/// A body as it is at one version.
Object at_version(Object body, const Version& version);

/// What is wrong with the `since X` and `until X` of a body; empty if nothing is.
std::string mistake_in_versions_of(const Object& body);

}  // namespace nodebound
