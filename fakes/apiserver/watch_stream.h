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

#include "fakes/apiserver/http.h"
#include "fakes/apiserver/list_options.h"
#include "fakes/apiserver/representation.h"
#include "fakes/store/store.h"

namespace nodebound {

/// The answer to a watch: what is selected as it changes. An object that enters the selection is ADDED, one that leaves
/// it is DELETED, whatever happened to the object itself.
class WatchStream final : public BodyStream, public ChangeListener {
 public:
  using Time = std::chrono::system_clock::time_point;

  struct Watched {
    const ApiResource* resource;
    std::shared_ptr<const ApiResources> resources;  ///< that hold it
    std::string namespace_;
    Representation as;
    ListOptions options;
    std::optional<Time> ends;         ///< never, if nobody knows the time
    std::optional<Time> bookmark_at;  ///< the next one
    Timestamp now;
    Illness illness = {};
  };

  explicit WatchStream(Watched watched) : watched_(std::move(watched)) {}

  /// What is there at the start.
  void add(std::span<const ObjectPtr> objects);
  void add_bookmark(std::uint64_t version, bool ends_initial_events);
  /// Ends the watch with an error, which is a `Status`.
  void fail(const std::string& status);
  void end();

  /// Ends the watch when its time has come, or sends the bookmark that is due.
  void tick(Time now, std::uint64_t version);

  void changed(const std::shared_ptr<const Change>& change) override;
  bool take(std::string& out) override;
  void on_ready(std::function<void()> notify) override;
  [[nodiscard]] bool broken() const override { return broken_; }
  void expire() override;

 private:
  struct Event {
    const char* type;
    ObjectPtr object;
    std::shared_ptr<const Change> change;  ///< that knows the object's JSON; null if none does
    std::string json;                      ///< in place of an object
  };

  std::optional<Event> event_of(const std::shared_ptr<const Change>& change) const;
  [[nodiscard]] std::string text_of(const Event& event);
  [[nodiscard]] std::string protobuf_of(const Event& event) const;
  void push(Event event);
  /// Whether the events that it was to send are sent; with the lock held.
  bool is_spent(std::string& out);

  const Watched watched_;
  std::mutex mutex_;
  std::deque<Event> events_;
  std::function<void()> notify_;
  std::optional<Time> bookmark_at_ = watched_.bookmark_at;
  bool ended_ = false;
  std::size_t taken_ = 0;
  std::atomic<bool> broken_ = false;
};

}  // namespace nodebound
