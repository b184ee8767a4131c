#pragma once

#include <string>
#include <vector>

#include "harness/kubelet/embedded_kubelet.h"
#include "harness/mutants/mutant.h"

namespace nodebound {

/// A faulty kubelet: the fake one, and one thing that it does wrong.
struct KubeletMutant {
  std::string id;
  std::string part;     ///< the title of its rule's group
  std::string meaning;  ///< what it does wrong, in one line
  std::vector<Rule> rules;
  std::vector<Flip> flips;  ///< of a rule; empty for the others
  std::function<KubeletFault()> fault;
};

/// Whether the fake kubelet asks for the rule. The others say what is built into it: only faults break them.
bool is_asked_for(Rule rule);

/// Every rule of kubelets that is asked for taken out, and put in.
std::vector<KubeletMutant> kubelet_flips(const Catalogue& catalogue);

/// What kubelets got wrong, or might, that is no rule which is off or on.
std::vector<KubeletMutant> kubelet_faults(const Catalogue& catalogue);

}  // namespace nodebound
