#include "harness/replay/time_order.h"

#include <algorithm>
#include <string>
#include <utility>

namespace nodebound::replay {

bool TimeOrder::seen_before(const std::string& id) {
  if (id.empty()) return false;
  const std::size_t hash = std::hash<std::string>()(id);
  if (!ids_.insert(hash).second) return true;
  id_order_.push_back(hash);
  if (id_order_.size() > kRemembered) {
    ids_.erase(id_order_.front());
    id_order_.pop_front();
  }
  return false;
}

void TimeOrder::push(Moment moment) {
  moment.late = moment.at < handed_on_;
  held_bytes_ += moment.request->bytes;
  held_.push(std::move(moment));
}

void TimeOrder::pop() {
  const Moment moment = held_.top();
  held_.pop();
  held_bytes_ -= moment.request->bytes;
  handed_on_ = std::max(handed_on_, moment.at);
  sink_(moment);
}

void TimeOrder::add(LoggedRequest&& request) {
  if (seen_before(request.id)) {
    ++repeated_;
    return;
  }
  newest_ = std::max(newest_, request.answered);
  const auto shared = std::make_shared<const LoggedRequest>(std::move(request));
  if (shared->about_nodes) push({shared->received, true, false, shared});
  if (shared->changes_state) push({shared->answered, false, false, shared});
  while (!held_.empty() &&
         (held_.top().at < newest_ - kWindow || held_bytes_ > kMostBytes || held_.size() > kMostMoments)) {
    pop();
  }
}

void TimeOrder::hand_on(LoggedRequest::Micros before) {
  while (!held_.empty() && held_.top().at < before) pop();
}

void TimeOrder::finish() {
  while (!held_.empty()) pop();
}

}  // namespace nodebound::replay
