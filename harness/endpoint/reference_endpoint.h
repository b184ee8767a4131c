#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/judges.h"
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

/// Makes the judges of one session; `answered` is, whenever they are asked, the request that is being answered.
using MakeJudges = std::function<std::shared_ptr<Judges>(const HttpRequest*& answered)>;

/// The embedded reference with judges of somebody's choice; without `make_judges`, or where it makes none, with its
/// own.
std::unique_ptr<Endpoint> make_judged_reference(const RuleSet& rules, std::set<std::string> disabled_plugins,
                                                std::shared_ptr<const ApiResources> resources, MakeJudges make_judges);

}  // namespace nodebound
