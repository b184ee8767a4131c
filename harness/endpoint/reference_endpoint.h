#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "fakes/apiserver/review/access_control.h"
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

/// Makes the access control of one session. When it decides, `answered` is the request that is being answered.
using MakeAccessControl = std::function<std::shared_ptr<apiserver::AccessControl>(const HttpRequest*& answered)>;

/// The embedded reference with the caller's access control; with its own if `make_access_control` is empty or makes
/// none.
std::unique_ptr<Endpoint> make_judged_reference(const RuleSet& rules, std::set<std::string> disabled_plugins,
                                                std::shared_ptr<const ApiResources> resources,
                                                MakeAccessControl make_access_control);

}  // namespace nodebound
