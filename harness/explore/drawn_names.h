#pragma once

#include <string>

#include "harness/explore/chance.h"

namespace nodebound {

// Few names, so that requests meet the same objects again, and names that are parts of each other, so that what
// compares less than all of them is found out.

std::string drawn_node(Chance& chance);
std::string drawn_namespace(Chance& chance);
std::string drawn_service_account(Chance& chance);

/// The name of an object that is no node.
std::string drawn_name(Chance& chance);

/// What is no name: empty, too long, upper case, a path.
std::string drawn_bad_name(Chance& chance);

}  // namespace nodebound
