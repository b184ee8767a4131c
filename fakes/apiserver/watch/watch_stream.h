#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "fakes/apiserver/read/list_options.h"
#include "fakes/apiserver/read/representation.h"
#include "fakes/store/store.h"
#include "fakes/wire/http.h"

namespace nodebound::apiserver {

/// The answer to a watch: the changes of the selected objects. An object that enters the selection is ADDED, and one
/// that leaves it is DELETED, whatever happened to the object itself.
class WatchStream final : public BodyStream, public ChangeListener {
 public:
  using Time = std::chrono::system_clock::time_point;

  struct Watched {
    const ApiResource* resource;
    std::shared_ptr<const ApiResources> resources;  ///< keeps `resource` alive
    std::string namespace_;
    Representation as;
    ListOptions options;
    std::optional<Time> ends;         ///< nothing without a clock: the watch never ends by time
    std::optional<Time> bookmark_at;  ///< when the next bookmark is due
    Timestamp now;
    ServerFault server_fault = {};
  };

  explicit WatchStream(Watched watched) : watched_(std::move(watched)) {}

  /// Adds the objects that exist when the watch begins.
  void add(std::span<const Store::Listed> objects);
  void add_bookmark(std::uint64_t version, bool ends_initial_events);
  /// Ends the watch with an error event, a `Status` in JSON.
  void fail(const std::string& status);
  void end();

  /// Ends the watch if its time is over, or sends a bookmark if one is due.
  void tick(Time now, std::uint64_t version);
  /// When it has to be ticked next; Time::max() if never.
  [[nodiscard]] Time due();

  void changed(const std::shared_ptr<const Change>& change) override;
  bool take(std::string& out) override;
  void on_ready(std::function<void()> notify) override;
  [[nodiscard]] bool broken() const override { return broken_; }
  void expire() override;

 private:
  struct Event {
    const char* type;
    KeptObject object;
    std::shared_ptr<const Change> change;  ///< its JSON is shared; null if the event has no change
    std::string json;                      ///< of an event without a change
  };

  /// Shared, because each event copies it out of the lock.
  using Bell = std::shared_ptr<const std::function<void()>>;

  std::optional<Event> event_of(const std::shared_ptr<const Change>& change) const;
  [[nodiscard]] std::string text_of(const Event& event);
  [[nodiscard]] std::string protobuf_of(const Event& event) const;
  void push(Event event);
  /// Whether the watch has sent all events of its limit. Call it with the lock held.
  bool is_spent(std::string& out);

  const Watched watched_;
  std::mutex mutex_;
  std::deque<Event> events_;
  Bell bell_;
  std::optional<Time> bookmark_at_ = watched_.bookmark_at;
  bool ended_ = false;
  std::size_t taken_ = 0;
  std::atomic<bool> broken_ = false;
};

}  // namespace nodebound::apiserver
