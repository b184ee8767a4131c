#pragma once

#include <string>

#include "harness/explore/chance.h"

namespace nodebound::explore {

// Few names, so that requests meet the same objects again. Some names are parts of others, so that an incomplete
// comparison of names shows.

std::string drawn_node(Chance& chance);
std::string drawn_namespace(Chance& chance);
std::string drawn_service_account(Chance& chance);

/// The name of an object that is no node.
std::string drawn_name(Chance& chance);

/// Something that is no valid name: empty, too long, upper case, a path.
std::string drawn_bad_name(Chance& chance);

}  // namespace nodebound::explore
