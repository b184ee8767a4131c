#pragma once

#include <string>
#include <vector>

#include "harness/kubelet/target/embedded_kubelet.h"
#include "harness/mutants/mutant.h"

namespace nodebound::mutants {

/// A faulty kubelet: the fake one with one fault.
struct KubeletMutant {
  std::string id;
  std::string part;     ///< the title of its rule's group
  std::string meaning;  ///< its fault, in one line
  std::vector<Rule> rules;
  std::vector<Flip> flips;  ///< of a rule; empty for other faults
  std::function<kubelet_conformance::KubeletFault()> fault;
};

/// Whether the fake kubelet consults the rule. The remaining rules are built in, so only faults can break them.
bool is_asked_for(Rule rule);

/// The mutants with one consulted kubelet rule taken out or put in.
std::vector<KubeletMutant> kubelet_flips(const Catalogue& catalogue);

/// Real or plausible kubelet faults that are more than a rule switched on or off.
std::vector<KubeletMutant> kubelet_faults(const Catalogue& catalogue);

}  // namespace nodebound::mutants
