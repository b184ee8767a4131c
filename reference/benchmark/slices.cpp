#include "reference/benchmark/slices.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <istream>
#include <ostream>
#include <sstream>
#include <thread>

#include "reference/benchmark/heap.h"
#include "reference/benchmark/keep.h"

namespace nodebound {
namespace {

using SliceClock = std::chrono::steady_clock;

/// Adds and removes a pod that shares a Secret with a pod of every node.
class PodWriter {
 public:
  explicit PodWriter(SharedDecider& shared) : shared_(shared) {}
  ~PodWriter() { set(0); }
  PodWriter(const PodWriter&) = delete;
  PodWriter& operator=(const PodWriter&) = delete;

  /// How many writes there were since the last time.
  int set(int per_second) {
    if (thread_.joinable()) {
      ends_ = true;
      thread_.join();
      ends_ = false;
    }
    const int written = writes_;
    writes_ = 0;
    if (per_second > 0) thread_ = std::thread([this, per_second] { write(std::chrono::seconds(1) / per_second); });
    return written;
  }

 private:
  void write(SliceClock::duration every) {
    for (SliceClock::time_point next = SliceClock::now(); !ends_; next += every) {
      std::this_thread::sleep_until(next);
      const bool adds = writes_ % 2 == 0;
      shared_.write([&](Decider& decider) { write_once(decider.graph, adds); });
      ++writes_;
    }
  }

  static void write_once(NodeGraph& graph, bool adds) {
    static constexpr Rule edge = Rule::edge_secret_volume;
    static constexpr std::array<NodeGraph::Reference, 3> references = {
        {{ObjectKind::secret, "ns0", "secret0-shared", edge},
         {ObjectKind::secret, "ns0", "secret-writer", edge},
         {ObjectKind::serviceaccount, "ns0", "writer", edge}}};
    if (adds) {
      graph.put_pod("ns0", "writer", "node7", references);
    } else {
      graph.remove_pod("ns0", "writer");
    }
  }

  SharedDecider& shared_;
  std::thread thread_;
  std::atomic<bool> ends_ = false;
  int writes_ = 0;  ///< read once the thread has ended
};

template <typename Decide>
void slice(std::ostream& out, std::span<const Request> requests, int count, Decide decide) {
  const Heap before = Heap::now();
  const std::clock_t used = std::clock();
  const SliceClock::time_point start = SliceClock::now();
  std::size_t next = 0;
  for (int i = 0; i < count; ++i) {
    keep(decide(requests[next].subject, requests[next].attributes));
    if (++next == requests.size()) next = 0;
  }
  const std::chrono::nanoseconds took = SliceClock::now() - start;
  const double busy = static_cast<double>(std::clock() - used) * (1e9 / CLOCKS_PER_SEC);
  out << "slice " << static_cast<std::int64_t>(busy) << ' ' << took.count() << ' '
      << Heap::now().allocations - before.allocations << std::endl;
}

}  // namespace

bool answer_slices(std::istream& in, std::ostream& out, SharedDecider& shared, std::span<const Request> requests) {
  PodWriter writer(shared);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what;
    std::size_t from = 0;
    std::size_t to = 0;
    int count = 0;
    words >> what;
    if (what == "write" && words >> count) {
      out << "slice " << writer.set(count) << " 0 0" << std::endl;
      continue;
    }
    if (!(words >> from >> to >> count) || from >= to || to > requests.size()) return false;
    const std::span<const Request> asked = requests.subspan(from, to - from);
    if (what == "beside") {
      slice(out, asked, count, [&](const Subject& subject, const Attributes& attributes) {
        return shared.read([&](const Decider& now) { return now.authorizer.decide(subject, attributes); });
      });
    } else if (what == "decide") {
      shared.read([&](const Decider& now) {
        slice(out, asked, count, [&](const Subject& subject, const Attributes& attributes) {
          return now.authorizer.decide(subject, attributes);
        });
      });
    } else if (what == "explain") {
      shared.read([&](const Decider& now) {
        slice(out, asked, count, [&](const Subject& subject, const Attributes& attributes) {
          return now.authorizer.authorize(subject, attributes);
        });
      });
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace nodebound
