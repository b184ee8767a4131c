#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "fakes/apiserver/review/judges.h"
#include "fakes/wire/resources/api_resources.h"
#include "harness/endpoint/endpoint.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The embedded reference of one rule set, without sockets and privileges. Each session is a cluster of its own.
/// `rules` must outlive the endpoint.
std::unique_ptr<Endpoint> make_reference_endpoint(const RuleSet& rules, std::set<std::string> disabled_plugins);

/// The same as a whole cluster, like a started kube-apiserver: it has the objects that a server makes at its first
/// start, and an object can name only namespaces, service accounts and PriorityClasses that exist. It serves what
/// `config` says.
std::unique_ptr<Endpoint> make_reference_cluster(const RuleSet& rules, std::set<std::string> disabled_plugins,
                                                 RuntimeConfig config);

/// Makes the judges of one session. When the judges are asked, `answered` is the request that is being answered.
using MakeJudges = std::function<std::shared_ptr<Judges>(const HttpRequest*& answered)>;

/// The embedded reference with the caller's judges. Uses its own judges if `make_judges` is empty or makes none.
std::unique_ptr<Endpoint> make_judged_reference(const RuleSet& rules, std::set<std::string> disabled_plugins,
                                                std::shared_ptr<const ApiResources> resources, MakeJudges make_judges);

}  // namespace nodebound
