#pragma once

#include "fakes/kubelet/pod_reads.h"

namespace nodebound {

enum class PodPhase { running, succeeded, failed };

/// What came of a write to a pod.
enum class PodWrite { done, gone, failed };

/// Reports the phase of a pod: gets it and writes its status, in the way of the release.
PodWrite write_pod_status(KubeletSelf& self, const PodId& pod, PodPhase phase);

/// Ends a pod that is to be deleted and runs no more.
PodWrite delete_pod(KubeletSelf& self, const PodId& pod);

}  // namespace nodebound
