#include "harness/cli/serve/review_options.h"

#include <chrono>
#include <random>
#include <thread>

#include "harness/endpoint/signals.h"

namespace nodebound::cli {
namespace {

template <typename Unit>
std::int64_t now() {
  return std::chrono::duration_cast<Unit>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// A review waits between its attempts.
void sleep_unless_interrupted(std::int64_t milliseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (!interrupted() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

double chance() {
  thread_local std::minstd_rand source(std::random_device{}());
  return std::generate_canonical<double, 32>(source);
}

}  // namespace

std::int64_t seconds_now() {
  return now<std::chrono::seconds>();
}

kubelet_api::ReviewClient::Options review_options(const std::string& content_type) {
  return {content_type, now<std::chrono::milliseconds>, sleep_unless_interrupted, chance};
}

}  // namespace nodebound::cli
