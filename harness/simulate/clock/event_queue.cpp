#include "harness/simulate/clock/event_queue.h"

namespace nodebound::simulate {

void EventQueue::push(fake_kubelet::KubeletTime at, Run run, std::optional<Plan::Time> again_after) {
  events_.push({at, added_++, std::move(run), again_after});
}

Result<void> EventQueue::run_next() {
  const Event event = events_.top();
  events_.pop();
  clock_.advance_to(event.at);
  if (Result<void> done = event.run(); !done) return done;
  if (event.again_after) push(clock_.now + *event.again_after, event.run, event.again_after);
  return {};
}

}  // namespace nodebound::simulate
