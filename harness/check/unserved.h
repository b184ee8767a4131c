#pragma once

#include <string>

#include "fakes/wire/resources/api_resources.h"

namespace nodebound {

/// What the request needs and the release does not serve; empty if it serves it. Then an answer says nothing about
/// rules.
std::string unserved(const ApiResources& resources, const std::string& method, const std::string& target);

}  // namespace nodebound
