#include "harness/explore/drawn/names.h"

namespace nodebound::explore {

std::string drawn_node(Chance& chance) {
  return chance.pick({"a", "a", "a", "b", "b", "b", "ab", "a-b", "a.b", "aa", "none"});
}

std::string drawn_namespace(Chance& chance) {
  return chance.pick({"shop", "shop", "shop", "shop", "shop-2", "shop-2", "kube-system", "default", "kube-node-lease"});
}

std::string drawn_service_account(Chance& chance) {
  return chance.pick({"default", "default", "till", "till", "audit"});
}

std::string drawn_name(Chance& chance) {
  return chance.pick({"x", "x", "x", "y", "y", "xy", "x-y", "x.y", "z", "a", "b", "none"});
}

std::string drawn_bad_name(Chance& chance) {
  switch (chance.below(8)) {
    case 0:
      return "";
    case 1:
      return std::string(254, 'n');
    case 2:
      return "Upper";
    case 3:
      return "under_score";
    case 4:
      return "-x";
    case 5:
      return "x y";
    case 6:
      return "caf\xc3\xa9";
    default:
      return std::string(253, 'n');
  }
}

}  // namespace nodebound::explore
