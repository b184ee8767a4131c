#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <unordered_set>
#include <vector>

#include "harness/replay/audit_event.h"

namespace nodebound::replay {

/// Puts requests into the order of what happens: a request is decided when it is received, and what it writes is there
/// when it is answered. A log has them in the order of the answers, so a window of it is held back. A request counts
/// once, however many stages of it, or servers that passed it on, the log has.
class TimeOrder {
 public:
  struct Moment {
    LoggedRequest::Micros at = 0;
    bool decide = false;  ///< otherwise what it has written is there
    bool late = false;    ///< later ones have been handed on already
    std::shared_ptr<const LoggedRequest> request;
  };
  using Sink = std::function<void(const Moment&)>;

  explicit TimeOrder(Sink sink) : sink_(std::move(sink)) {}

  void add(LoggedRequest&& request);
  /// Hands on what happened before that time: nothing earlier is waited for any more.
  void hand_on(LoggedRequest::Micros before);
  /// Hands on what is held back.
  void finish();

  [[nodiscard]] std::size_t repeated() const { return repeated_; }

 private:
  static constexpr LoggedRequest::Micros kWindow = 60'000'000;
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
  static constexpr std::size_t kMostMoments = 200'000;
  static constexpr std::size_t kRemembered = std::size_t{1} << 19U;

  struct Later {
    // Of the same time, a write is there before the next request is decided.
    bool operator()(const Moment& a, const Moment& b) const {
      return a.at != b.at ? a.at > b.at : a.decide && !b.decide;
    }
  };

  void push(Moment moment);
  void pop();
  bool seen_before(const std::string& id);

  Sink sink_;
  std::priority_queue<Moment, std::vector<Moment>, Later> held_;
  std::size_t held_bytes_ = 0;
  LoggedRequest::Micros newest_ = 0;
  LoggedRequest::Micros handed_on_ = 0;
  std::unordered_set<std::size_t> ids_;
  std::deque<std::size_t> id_order_;
  std::size_t repeated_ = 0;
};

}  // namespace nodebound::replay
