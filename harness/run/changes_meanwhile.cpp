#include "harness/run/changes_meanwhile.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "harness/contents/watch_events.h"
#include "reference/cluster/object.h"

namespace nodebound {

Result<HttpResponse> with_changes_meanwhile(Endpoint& target, const HttpRequest& watch,
                                            const std::function<Result<HttpResponse>()>& read) {
  constexpr std::chrono::milliseconds between{300};
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const Object lease = {{"metadata", {{"name", "bookmarks"}}}};
  const HttpRequest list = list_of_watch(watch);
  const std::unique_ptr<Session> session = target.open_session();
  std::mutex mutex;
  std::condition_variable ended;
  bool is_read = false;
  const auto change = [&](int times) {
    const Object patch = {{"metadata", {{"annotations", {{"times", std::to_string(times)}}}}}};
    (void)session->send(target.administrator(),
                        {"PATCH", leases + "/bookmarks", "application/merge-patch+json", patch.dump(), false});
    (void)session->send(target.administrator(), list);
  };
  (void)session->send(target.administrator(), {"POST", leases, "application/json", lease.dump(), false});
  std::thread writer([&] {
    for (int times = 0;; ++times) {
      change(times);
      std::unique_lock lock(mutex);
      if (ended.wait_for(lock, between, [&] { return is_read; })) return;
    }
  });
  Result<HttpResponse> out = read();
  {
    const std::lock_guard lock(mutex);
    is_read = true;
  }
  ended.notify_all();
  writer.join();
  return out;
}

}  // namespace nodebound
