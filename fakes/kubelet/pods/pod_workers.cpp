#include "fakes/kubelet/pods/pod_workers.h"

#include <algorithm>
#include <set>

namespace nodebound::fake_kubelet {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr BackOff pod_tries{milliseconds(500), milliseconds(61'000)};
constexpr seconds between_syncs{60};

std::string key_of(const Object& pod) {
  return std::string(text(pod, "metadata", "namespace")) + "/" + std::string(text(pod, "metadata", "name"));
}

}  // namespace

PodWorkers::PodWorkers(KubeletSelf& self, Informers& informers)
    : self_(self),
      reader_(self, objects_, informers),
      pods_of_node_({"/api/v1/pods", "spec.nodeName=" + self.name}, true) {}

void PodWorkers::listed(const Object& items) {
  std::set<std::string> there;
  for (const Object& item : items) {
    there.insert(key_of(item));
    changed(item);
  }
  std::vector<std::string> missing;
  for (const auto& [key, pod] : pods_) {
    if (!there.contains(key)) missing.push_back(key);
  }
  for (const std::string& key : missing) forget(key);
}

void PodWorkers::changed(const Object& object) {
  ++changes_;
  const std::string key = key_of(object);
  const std::string_view uid = text(object, "metadata", "uid");
  if (const auto found = pods_.find(key); found != pods_.end() && found->second.id.uid != uid) forget(key);
  const auto [entry, is_new] = pods_.try_emplace(key);
  Pod& pod = entry->second;
  if (is_new) {
    pod.id = {std::string(text(object, "metadata", "namespace")), std::string(text(object, "metadata", "name")),
              std::string(uid)};
    pod.mirror = text(object, "metadata", "annotations", mirror_annotation);
    const std::string_view phase = text(object, "status", "phase");
    if (phase == "Succeeded" || phase == "Failed") {
      pod.state = State::ended;
      pod.phase = phase == "Failed" ? PodPhase::failed : PodPhase::succeeded;
      pod.reported = true;
      if (self_.machine) self_.machine->shows(object);
    }
    pod.due = self_.now;
  }
  if (pod.state == State::starting) pod.object = std::make_unique<Object>(object);
  const bool leaves = !text(object, "metadata", "deletionTimestamp").empty();
  if (leaves && !pod.leaves) {
    pod.leaves = true;
    pod.tries = 0;
    // Mirror pods are deleted by the part that created them.
    if (pod.mirror.empty()) {
      pod.state = State::leaving;
      pod.due = self_.now;
    }
  }
}

void PodWorkers::deleted(const Object& object) {
  ++changes_;
  forget(key_of(object));
}

void PodWorkers::forget(const std::string& key) {
  const auto found = pods_.find(key);
  if (found == pods_.end()) return;
  for (const ReferencedObjects::Key& held : found->second.held) objects_.release(held);
  if (self_.machine) self_.machine->forgets(found->second.id.uid);
  pods_.erase(found);
}

void PodWorkers::act() {
  if (!self_.rung && due_ > self_.now) return;
  pods_of_node_.act(self_, *this);
  objects_.act(self_);
  due_ = KubeletTime::max();
  gone_.clear();
  for (auto& [key, pod] : pods_) {
    if (pod.due <= self_.now) advance(pod);
    due_ = std::min(due_, pod.due);
  }
  for (const std::string& key : gone_) forget(key);
  due_ = std::min({due_, pods_of_node_.due(), objects_.due()});
}

void PodWorkers::advance(Pod& pod) {
  switch (pod.state) {
    case State::starting:
      return start(pod);
    case State::running:
      return refresh(pod);
    case State::ended:
      if (report(pod)) pod.due = KubeletTime::max();
      return;
    case State::leaving:
      return leave(pod);
  }
}

void PodWorkers::start(Pod& pod) {
  // A static pod cannot reference API objects, so its mirror pod needs none.
  if (pod.mirror.empty()) {
    PodNeeds needs = needs_of(self_, *pod.object);
    const bool all = reader_.read(pod.id, needs);
    if (pod.held.empty()) {
      pod.held = std::move(needs.objects);
      for (const ReferencedObjects::Key& key : pod.held) objects_.hold(key);
    }
    if (!all) return retry(pod);
    pod.tokens = std::move(needs.tokens);
  }
  if (!report(pod)) return;
  pod.state = State::running;
  pod.object.reset();
  for (const PodToken& token : pod.tokens) {
    pod.tokens_due = std::min(pod.tokens_due, self_.now + milliseconds(token.lasts) * 4 / 5);
  }
  pod.due = next_of(pod);
  self_.tell({{"kind", "Pod"}, {"namespace", pod.id.namespace_}, {"name", pod.id.name}, {"uid", pod.id.uid}},
             pod.id.namespace_, "Started", "Started container");
}

KubeletTime PodWorkers::next_of(const Pod& pod) {
  const bool expire = std::any_of(pod.held.begin(), pod.held.end(), [&](const ReferencedObjects::Key& key) {
    return ReferencedObjects::expire(self_, key.kind);
  });
  if (!expire) return pod.tokens_due;
  return std::min(pod.tokens_due, self_.now + between_syncs + milliseconds(self_.draw() % 30'000));
}

void PodWorkers::refresh(Pod& pod) {
  if (pod.tokens_due <= self_.now) {
    const bool all = reader_.request_tokens(pod.id, pod.tokens);
    pod.tokens_due = self_.now + (all ? std::chrono::minutes(48) : std::chrono::minutes(1));
  }
  for (const ReferencedObjects::Key& key : pod.held) {
    if (ReferencedObjects::expire(self_, key.kind)) objects_.read(self_, key);
  }
  pod.due = next_of(pod);
}

// Whether the API server has the pod's phase now. If not, it is reported again later, or the pod is gone.
bool PodWorkers::report(Pod& pod) {
  if (pod.reported) return true;
  switch (write_pod_status(self_, pod.id, pod.phase)) {
    case PodWrite::done:
      pod.reported = true;
      pod.tries = 0;
      return true;
    case PodWrite::gone:
      pod.due = KubeletTime::max();
      gone_.push_back(pod.id.namespace_ + "/" + pod.id.name);
      return false;
    case PodWrite::failed:
      retry(pod);
      return false;
  }
  return false;
}

void PodWorkers::leave(Pod& pod) {
  if (pod.phase == PodPhase::running) {
    pod.phase = PodPhase::succeeded;
    pod.reported = false;
  }
  if (!report(pod)) return;
  const PodWrite deleted = delete_pod(self_, pod.id);
  if (deleted == PodWrite::failed) return retry(pod);
  pod.due = KubeletTime::max();
  gone_.push_back(pod.id.namespace_ + "/" + pod.id.name);
}

void PodWorkers::retry(Pod& pod) {
  pod.due = self_.now + self_.jittered(pod_tries.after(pod.tries));
  pod.tries = static_cast<std::uint8_t>(std::min(pod.tries + 1, 20));
}

bool PodWorkers::end(const std::string& namespace_, const std::string& name, PodPhase phase) {
  const auto found = pods_.find(namespace_ + "/" + name);
  if (found == pods_.end() || found->second.state != State::running) return false;
  Pod& pod = found->second;
  pod.state = State::ended;
  pod.phase = phase;
  pod.reported = false;
  pod.due = self_.now;
  due_ = std::min(due_, pod.due);
  return true;
}

void PodWorkers::drop() {
  pods_of_node_.drop();
  objects_.drop();
  due_ = KubeletTime();
}

}  // namespace nodebound::fake_kubelet
