#include "fakes/kubelet/pods/pod_status.h"

#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

const char* name_of(PodPhase phase) {
  return phase == PodPhase::running ? "Running" : phase == PodPhase::succeeded ? "Succeeded" : "Failed";
}

bool has_ended(const Object& pod) {
  const std::string_view phase = text(pod, "status", "phase");
  return phase == "Succeeded" || phase == "Failed";
}

// Unique to the pod, as an id that a container runtime gives.
std::string container_id(const Object& pod, const Object& container) {
  const std::string name = std::string(text(pod, "metadata", "uid")) + "/" + std::string(text(container, "name"));
  std::string digits;
  for (const char* part : {"0", "1", "2", "3"}) digits += short_hash(name + part);
  return "fake://" + digits;
}

// What a container without a restart has had from its start on.
std::string started_at(const Object& pod, const Object& container, const std::string& otherwise) {
  for (const Object& before : member(pod, "status", "containerStatuses")) {
    if (text(before, "name") != text(container, "name")) continue;
    const std::string_view since = text(before, "state", "running", "startedAt");
    if (!since.empty()) return std::string(since);
  }
  return otherwise;
}

Object container_status(const Object& pod, const Object& container, PodPhase phase, const std::string& time) {
  const std::string start = started_at(pod, container, time);
  const std::string id = container_id(pod, container);
  Object state = {{"running", {{"startedAt", start}}}};
  if (phase != PodPhase::running) {
    state = {{"terminated",
              {{"exitCode", phase == PodPhase::failed ? 1 : 0},
               {"reason", phase == PodPhase::failed ? "Error" : "Completed"},
               {"startedAt", start},
               {"finishedAt", time},
               {"containerID", id}}}};
  }
  return {{"name", text(container, "name")},
          {"image", text(container, "image")},
          {"imageID", ""},
          {"containerID", id},
          {"ready", phase == PodPhase::running},
          {"restartCount", 0},
          {"state", state}};
}

void add_addresses(const KubeletSelf& self, const Object& pod, Object& status) {
  const std::string& host = self.machine->address();
  const bool shares = is_true(member(pod, "spec"), "hostNetwork");
  const std::string own = shares ? host : self.machine->pod_address(std::string(text(pod, "metadata", "uid")));
  status["hostIP"] = host;
  status["podIP"] = own;
  if (self.traits->has(KubeletTrait::pod_ips)) status["podIPs"] = {{{"ip", own}}};
  if (self.traits->has(KubeletTrait::host_ips)) status["hostIPs"] = {{{"ip", host}}};
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
    out["containerStatuses"].push_back(container_status(pod, container, phase, time));
  }
  if (self.machine) add_addresses(self, pod, out);
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
  if (self.machine) {
    Object shown = current;
    shown["status"].update(status);
    self.machine->shows(shown);
  }
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

}  // namespace nodebound::fake_kubelet
