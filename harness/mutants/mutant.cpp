#include "harness/mutants/mutant.h"

#include <algorithm>

namespace nodebound::mutants {

std::string_view to_string(GraphFault::What what) {
  switch (what) {
    case GraphFault::What::after_pod_deletion:
      return "after-pod-deletion";
    case GraphFault::What::after_volume_deletion:
      return "after-volume-deletion";
    case GraphFault::What::after_object_deletion:
      return "after-object-deletion";
    case GraphFault::What::after_replacement:
      return "after-replacement";
    case GraphFault::What::after_change:
      return "after-change";
    case GraphFault::What::every_node:
      return "every-node";
    case GraphFault::What::every_namespace:
      return "every-namespace";
  }
  return "";
}

std::string_view meaning_of(GraphFault::What what) {
  switch (what) {
    case GraphFault::What::after_pod_deletion:
      return "leads on after the pod was deleted";
    case GraphFault::What::after_volume_deletion:
      return "leads on after the volume was deleted";
    case GraphFault::What::after_object_deletion:
      return "leads on after the object was deleted that names its node";
    case GraphFault::What::after_replacement:
      return "leads on after its object was made anew under the same name without it";
    case GraphFault::What::after_change:
      return "leads on after its object was changed";
    case GraphFault::What::every_node:
      return "leads to every node";
    case GraphFault::What::every_namespace:
      return "leads to objects of that name in every namespace";
  }
  return "";
}

std::string_view to_string(Loosening::Kind kind) {
  switch (kind) {
    case Loosening::Kind::unchecked:
      return "unchecked";
    case Loosening::Kind::misread:
      return "misread";
    case Loosening::Kind::refused:
      return "refused";
  }
  return "";
}

bool has_reach(const Mutant& mutant) {
  return !std::holds_alternative<Flip>(mutant.fault) && !std::holds_alternative<WrongContent>(mutant.fault);
}

bool applies(const Mutant& mutant, const RuleSet& rules) {
  if (const auto* flip = std::get_if<Flip>(&mutant.fault)) return rules.in_force(flip->rule) != flip->on;
  if (std::holds_alternative<WrongContent>(mutant.fault)) return true;
  if (std::holds_alternative<WrongIdentity>(mutant.fault)) return rules.in_force(Rule::node_authorizer);
  // For "nobody else is allowed", the mutant names a rule that is never in force by itself.
  return std::any_of(mutant.rules.begin(), mutant.rules.end(), [&](Rule rule) { return rules.in_force(rule); });
}

}  // namespace nodebound::mutants
