#pragma once

#include <memory>
#include <set>
#include <string>

#include "harness/endpoint/endpoint.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The embedded reference of one rule set: no sockets, no privileges. Every session is a cluster of its own.
/// `rules` must outlive the endpoint.
std::unique_ptr<Endpoint> make_reference_endpoint(const RuleSet& rules, std::set<std::string> disabled_plugins);

}  // namespace nodebound
