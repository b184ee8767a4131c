#include "harness/simulate/findings/not_simulated.h"

namespace nodebound::simulate {

std::vector<std::string> what_is_not_simulated(const Plan& plan) {
  std::vector<std::string> out = {
      "Admission webhooks and policies, quotas, webhook authorizers, and limits on how much is asked: what these "
      "refuse "
      "is not seen.",
      "What is shorter than five minutes: status and Lease are sampled that often.",
      "Drains, evictions, PodDisruptionBudgets and autoscalers: pods stay on a Node that is not ready.",
      "Of kube-controller-manager: all but approving and signing kubelets' certificates, DaemonSets, and the labels of "
      "os and arch. Of kube-scheduler: resources, ports and volumes.",
      "Cloud providers, container runtimes, networks and storage; agents ask for what the plan says, and for nothing "
      "else."};
  if (plan.servers > 1) {
    out.emplace_back("Nodes that are not ready for the minutes in which one of several API servers refuses them.");
  }
  return out;
}

}  // namespace nodebound::simulate
