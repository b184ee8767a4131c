#include "fakes/kubelet/pods/pod_status.h"

namespace nodebound {
namespace {

const char* name_of(PodPhase phase) {
  return phase == PodPhase::running ? "Running" : phase == PodPhase::succeeded ? "Succeeded" : "Failed";
}

bool has_ended(const Object& pod) {
  const std::string_view phase = text(pod, "status", "phase");
  return phase == "Succeeded" || phase == "Failed";
}

Object container_status(const Object& container, PodPhase phase, const std::string& time) {
  Object state = {{"running", {{"startedAt", time}}}};
  if (phase != PodPhase::running) {
    state = {{"terminated",
              {{"exitCode", phase == PodPhase::failed ? 1 : 0},
               {"reason", phase == PodPhase::failed ? "Error" : "Completed"},
               {"startedAt", time},
               {"finishedAt", time}}}};
  }
  return {{"name", text(container, "name")},
          {"image", text(container, "image")},
          {"imageID", ""},
          {"ready", phase == PodPhase::running},
          {"restartCount", 0},
          {"state", state}};
}

Object status_of(const KubeletSelf& self, const Object& pod, PodPhase phase) {
  const std::string time = self.timestamp();
  Object out = {{"phase", name_of(phase)}, {"conditions", Object::array()}, {"containerStatuses", Object::array()}};
  for (const char* type : {"Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
    const bool holds = phase == PodPhase::running || type[0] == 'I' || type[0] == 'P';
    out["conditions"].push_back({{"type", type}, {"status", holds ? "True" : "False"}, {"lastTransitionTime", time}});
  }
  const std::string_view started = text(pod, "status", "startTime");
  out["startTime"] = started.empty() ? time : std::string(started);
  for (const Object& container : member(pod, "spec", "containers")) {
    out["containerStatuses"].push_back(container_status(container, phase, time));
  }
  return out;
}

PodWrite outcome_of(const ApiAnswer& answer) {
  return answer.ok() ? PodWrite::done : answer.status() == 404 ? PodWrite::gone : PodWrite::failed;
}

}  // namespace

PodWrite write_pod_status(KubeletSelf& self, const PodId& pod, PodPhase phase) {
  const ApiAnswer found = self.get(pod.target());
  if (!found.ok()) return outcome_of(found);
  Object current = found.object();
  // The pod was deleted meanwhile, and this one has its name.
  if (text(current, "metadata", "uid") != pod.uid) return PodWrite::gone;
  if (has_ended(current)) return PodWrite::done;
  Object status = status_of(self, current, phase);
  if (!self.traits->has(KubeletTrait::pod_status_patch)) {
    current["status"].update(status);
    return outcome_of(self.put(pod.target("/status"), current));
  }
  Object patch = {{"status", std::move(status)}};
  if (self.traits->has(KubeletTrait::pod_status_uid)) patch["metadata"]["uid"] = pod.uid;
  return outcome_of(self.patch(pod.target("/status"), patch));
}

PodWrite delete_pod(KubeletSelf& self, const PodId& pod) {
  const Object options = {{"apiVersion", "v1"},
                          {"kind", "DeleteOptions"},
                          {"gracePeriodSeconds", 0},
                          {"preconditions", {{"uid", pod.uid}}}};
  const ApiAnswer answer = self.remove(pod.target(), options);
  // A conflict means another UID: the pod is gone.
  return answer.status() == 409 ? PodWrite::gone : outcome_of(answer);
}

}  // namespace nodebound
