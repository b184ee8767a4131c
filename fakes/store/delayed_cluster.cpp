#include "fakes/store/delayed_cluster.h"

#include <algorithm>

namespace nodebound {

void DelayedCluster::changed(const ObjectKey& key, std::shared_ptr<const Change> change, Time known_at) {
  std::deque<News>& news = news_[key.group + "/" + key.resource];
  if (!news.empty()) known_at = std::max(known_at, news.back().known_at);
  news.push_back({key, std::move(change), known_at});
}

bool DelayedCluster::has_news(Time now) const {
  return std::any_of(news_.begin(), news_.end(),
                     [&](const auto& of) { return !of.second.empty() && of.second.front().known_at <= now; });
}

void DelayedCluster::catch_up(Time now) {
  for (auto& [resource, news] : news_) {
    for (; !news.empty() && news.front().known_at <= now; news.pop_front()) {
      const News& next = news.front();
      if (next.change->kind == Change::Kind::deleted) {
        cluster_.erase(next.key);
      } else {
        cluster_.put_shared(next.key, next.change->object);
      }
    }
  }
}

}  // namespace nodebound
