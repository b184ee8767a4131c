#include "harness/explore/drawn/devices.h"

#include "harness/explore/drawn/names.h"

namespace nodebound::explore {

Object drawn_slice(Chance& chance, const std::string& node) {
  Object spec = {{"driver", chance.pick({"gpu.example.com", "gpu.example.com", "Bad"})}};
  const std::string name = chance.one_in(4) || node.empty() ? drawn_node(chance) : node;
  spec["pool"] = {{"name", name}, {"generation", 1}, {"resourceSliceCount", chance.one_in(8) ? 0 : 1}};
  if (!chance.one_in(6)) spec["nodeName"] = name;
  if (chance.one_in(6)) spec["allNodes"] = true;
  if (chance.one_in(3)) spec["devices"] = {{{"name", "d0"}}};
  return {{"spec", spec}};
}

Object drawn_claim_of_devices(Chance& chance, const std::string&) {
  Object request = {{"name", "r"}};
  const Object wanted = {{"deviceClassName", "gpu.example.com"}};
  if (chance.one_in(3)) {
    request.update(wanted);
  } else {
    request["exactly"] = wanted;
  }
  return {{"spec", {{"devices", {{"requests", {request}}}}}}};
}

}  // namespace nodebound::explore
