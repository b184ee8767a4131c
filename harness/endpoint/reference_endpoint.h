#pragma once

#include <memory>
#include <set>
#include <string>

#include "fakes/apiserver/api_resources.h"
#include "harness/endpoint/endpoint.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The embedded reference of one rule set: no sockets, no privileges. Every session is a cluster of its own.
/// `rules` must outlive the endpoint.
std::unique_ptr<Endpoint> make_reference_endpoint(const RuleSet& rules, std::set<std::string> disabled_plugins);

/// The same as a server of a whole cluster, as a started kube-apiserver is: what every one makes when it first starts
/// is there, and what a cluster lacks is missed. It serves what `config` says.
std::unique_ptr<Endpoint> make_reference_cluster(const RuleSet& rules, std::set<std::string> disabled_plugins,
                                                 RuntimeConfig config);

}  // namespace nodebound
