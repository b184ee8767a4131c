#include "harness/explore/drawn/subject.h"

#include "harness/explore/drawn/names.h"
#include "reference/identity/node_identity.h"

namespace nodebound::explore {
namespace {

Subject service_account(Chance& chance) {
  const std::string namespace_ = drawn_namespace(chance);
  return {"system:serviceaccount:" + namespace_ + ":" + drawn_service_account(chance),
          {"system:serviceaccounts", "system:serviceaccounts:" + namespace_},
          "",
          {}};
}

// Close to a node's identity, but not one.
Subject nearly_a_node(Chance& chance) {
  const std::string node = drawn_node(chance);
  switch (chance.below(6)) {
    case 0:
      return {"system:node:" + node, {}, "", {}};
    case 1:
      return {node, {"system:nodes"}, "", {}};
    case 2:
      return {"system:nodes:" + node, {"system:nodes"}, "", {}};
    case 3:
      return {"system:node:" + node, {"system:node", "nodes"}, "", {}};
    case 4:
      return {"System:Node:" + node, {"system:nodes"}, "", {}};
    default:
      return {"system:node:" + node + ":" + drawn_node(chance), {"system:nodes"}, "", {}};
  }
}

Subject controller(Chance& chance) {
  return {chance.pick({"system:kube-scheduler", "system:kube-controller-manager", "system:kube-proxy"}), {}, "", {}};
}

}  // namespace

Subject drawn_administrator() {
  return {"admin", {"system:masters"}, "", {}};
}

Subject drawn_subject(Chance& chance) {
  const std::size_t kind = chance.below(100);
  if (kind < 55) {
    Subject node{"system:node:" + drawn_node(chance), {"system:nodes"}, "", {}};
    if (chance.one_in(20)) node.groups.emplace_back("team");
    return node;
  }
  if (kind < 72) return drawn_administrator();
  if (kind < 79) return service_account(chance);
  if (kind < 86) return {chance.pick({"ann", "bob", "ann-b"}), {chance.pick({"team", "others"})}, "", {}};
  if (kind < 92) return nearly_a_node(chance);
  if (kind < 95) return {"system:anonymous", {"system:unauthenticated"}, "", {}};
  if (kind < 97) return {"system:bootstrap:abcdef", {"system:bootstrappers"}, "", {}};
  return controller(chance);
}

std::string node_of(const Subject& subject) {
  return subject.name.starts_with(node_user_prefix) ? subject.name.substr(node_user_prefix.size()) : std::string();
}

}  // namespace nodebound::explore
