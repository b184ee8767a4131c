#include "harness/explore/episode/barrier.h"

#include <algorithm>
#include <array>
#include <thread>

namespace nodebound::explore {
namespace {

using std::chrono::milliseconds;

// Kinds that admission reads from informers of its own, or that no canary can show.
constexpr std::array<std::string_view, 8> without_canary = {"nodes",      "persistentvolumeclaims", "persistentvolumes",
                                                            "csidrivers", "serviceaccounts",        "namespaces",
                                                            "pods",       "resourceclaims"};

constexpr milliseconds pause_quick{15};
constexpr milliseconds pause_careful{400};
constexpr milliseconds stale_for{2000};

}  // namespace

Barrier::Barrier(Endpoint& endpoint, Session& session, const Names& names, journal::Journal& journal,
                 const Release& release)
    : administrator_(endpoint, session, names, journal), settler_(administrator_, names, release) {}

void Barrier::wrote(const RequestText& target) {
  settler_.wrote(target);
  const std::string& resource = target.resource;
  if (std::find(without_canary.begin(), without_canary.end(), resource) != without_canary.end()) {
    others_ = true;
    last_unseen_ = Clock::now();
  }
}

bool Barrier::may_be_stale() const {
  return Clock::now() - last_unseen_ < stale_for;
}

Result<void> Barrier::pass(Pace pace) {
  if (Result<void> settled = settler_.settle(); !settled) return settled;
  if (!others_) return {};
  others_ = false;
  std::this_thread::sleep_until(last_unseen_ + (pace == Pace::quick ? pause_quick : pause_careful));
  return {};
}

}  // namespace nodebound::explore
