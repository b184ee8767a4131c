#pragma once

#include "reference/authorizer/authorizer_chain.h"
#include "reference/authorizer/node_authorizer.h"
#include "reference/authorizer/rbac_authorizer.h"
#include "reference/cluster/cluster.h"

namespace nodebound::explain {

/// The authorizers of --authorization-mode=Node,RBAC. Rules and cluster must outlive them.
struct Authorizers {
  Authorizers(const RuleSet& rules, const Cluster& cluster)
      : node(rules, cluster.graph()), rbac(rules, cluster.rbac()), chain(rules, {&node, &rbac}) {}
  Authorizers(const Authorizers&) = delete;
  Authorizers& operator=(const Authorizers&) = delete;

  NodeAuthorizer node;
  RbacAuthorizer rbac;
  AuthorizerChain chain;
};

}  // namespace nodebound::explain
