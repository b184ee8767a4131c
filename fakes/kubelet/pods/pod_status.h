#pragma once

#include "fakes/kubelet/pods/pod_reads.h"

namespace nodebound::fake_kubelet {

enum class PodPhase { running, succeeded, failed };

/// The result of a write to a pod.
enum class PodWrite { done, gone, failed };

/// Reports a pod's phase: gets the pod and writes its status, in the way of the release.
PodWrite write_pod_status(KubeletSelf& self, const PodId& pod, PodPhase phase);

/// Deletes a pod that is being deleted and no longer runs.
PodWrite delete_pod(KubeletSelf& self, const PodId& pod);

}  // namespace nodebound::fake_kubelet
