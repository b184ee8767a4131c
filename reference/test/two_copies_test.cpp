// That readers never wait for a writer, and see each of its writes wholly or not at all. Its tests are for the thread
// sanitizer, too (preset tsan).
#include "reference/cluster/two_copies.h"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "reference/cluster/node_graph.h"

BOOST_AUTO_TEST_SUITE(two_copies)

using namespace nodebound;

namespace {

constexpr Rule edge_of_secret = Rule::edge_secret_volume;

std::string node_after(int writes) {
  return "n" + std::to_string(writes);
}

/// A pod with two Secrets that each write binds to another node: after N writes to the node of that number.
class MovingPod {
 public:
  MovingPod()
      : graph_([] {
          NodeGraph graph;
          move(graph, 0);
          return graph;
        }) {}

  void write() {
    const int next = ++begun_;
    graph_.write([&](NodeGraph& graph) { move(graph, next); });
    done_ = next;
  }

  /// Whether a reader sees the pod on one node, that of a write which was not over when the read began.
  [[nodiscard]] bool looks_right() const {
    const int first = done_;
    return graph_.read([&](const NodeGraph& graph) {
      int found = 0;
      bool alike = !first || !secret_leads(graph, "one", first - 1);
      for (int after = first; after <= begun_; ++after) {
        const bool leads = secret_leads(graph, "one", after);
        found += leads ? 1 : 0;
        alike = alike && leads == secret_leads(graph, "two", after);
      }
      return alike && found == 1;
    });
  }

 private:
  static void move(NodeGraph& graph, int writes) {
    const std::vector<NodeGraph::Reference> references = {{ObjectKind::secret, "ns", "one", edge_of_secret},
                                                          {ObjectKind::secret, "ns", "two", edge_of_secret}};
    graph.put_pod("ns", "p", node_after(writes), references);
    // So that what readers look for moves in memory, too.
    for (int i = 0; i < 8; ++i) graph.put_pod("ns", "other" + std::to_string((writes + i) % 50), "n", {});
    for (int i = 0; i < 8; ++i) graph.remove_pod("ns", "other" + std::to_string((writes + i) % 50));
  }
  static bool secret_leads(const NodeGraph& graph, std::string_view name, int writes) {
    return graph.leads(ObjectKind::secret, "ns", name, node_after(writes));
  }

  TwoCopies<NodeGraph> graph_;
  std::atomic<int> begun_ = 0;
  std::atomic<int> done_ = 0;
};

TwoCopies<int> zero() {
  return TwoCopies<int>([] { return 0; });
}

int value(const TwoCopies<int>& of) {
  return of.read([](int now) { return now; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_answer_is_that_of_a_state_between_two_writes) {
  MovingPod pod;
  std::atomic<bool> ends = false;
  std::atomic<int> reads = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      do {
        wrong += pod.looks_right() ? 0 : 1;
        ++reads;
      } while (!ends);
    });
  }
  for (int i = 0; i < 300; ++i) pod.write();
  while (reads < 100) std::this_thread::yield();
  ends = true;
  for (std::thread& reader : readers) reader.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(pod.looks_right());
}

BOOST_AUTO_TEST_CASE(a_write_is_seen_once_it_has_returned) {
  TwoCopies<int> number = zero();
  for (int i = 1; i < 5; ++i) {
    number.write([&](int& now) { now = i; });
    BOOST_TEST(value(number) == i);
  }
}

BOOST_AUTO_TEST_CASE(readers_do_not_wait_for_a_writer_that_is_stopped_in_a_change) {
  TwoCopies<int> number = zero();
  std::latch within(1);
  std::latch released(1);
  std::thread writer([&] {
    number.write([&](int& now) {
      now = 1;
      if (!within.try_wait()) within.count_down();
      released.wait();
    });
  });
  within.wait();
  BOOST_TEST(value(number) == 0);
  released.count_down();
  writer.join();
  BOOST_TEST(value(number) == 1);
}

BOOST_AUTO_TEST_CASE(readers_do_not_wait_for_a_writer_that_waits_for_a_reader) {
  TwoCopies<int> number = zero();
  std::latch reads(1);
  std::latch goes_on(1);
  int before = -1;
  int after = -1;
  std::thread slow([&] {
    number.read([&](const int& now) {
      before = now;
      reads.count_down();
      goes_on.wait();
      after = now;
    });
  });
  reads.wait();
  std::thread writer([&] { number.write([](int& now) { now = 1; }); });
  while (value(number) == 0) std::this_thread::yield();
  goes_on.count_down();
  slow.join();
  writer.join();
  // What a reader has begun to read does not change meanwhile.
  BOOST_TEST(before == 0);
  BOOST_TEST(after == 0);
  BOOST_TEST(value(number) == 1);
}

BOOST_AUTO_TEST_CASE(a_reader_may_read_within_a_read) {
  TwoCopies<int> number = zero();
  std::latch reads(1);
  std::latch goes_on(1);
  std::atomic<bool> written = false;
  bool waited = false;
  std::thread reader([&] {
    number.read([&](const int& now) {
      static_cast<void>(value(number));
      reads.count_down();
      goes_on.wait();
      waited = now == 0 && !written;
    });
  });
  reads.wait();
  std::thread writer([&] {
    number.write([](int& now) { now = 1; });
    written = true;
  });
  while (value(number) == 0) std::this_thread::yield();
  goes_on.count_down();
  reader.join();
  writer.join();
  BOOST_TEST(waited);
}

// More threads than find room in the first block of readers, and more after them.
BOOST_AUTO_TEST_CASE(any_number_of_threads_may_read) {
  constexpr int threads = 40;
  TwoCopies<int> number = zero();
  for (int round = 1; round <= 3; ++round) {
    std::latch all_read(threads);
    std::atomic<int> right = 0;
    std::vector<std::thread> readers;
    for (int i = 0; i < threads; ++i) {
      readers.emplace_back([&] {
        number.read([&](const int& now) {
          const int before = now;
          all_read.arrive_and_wait();
          right += before == round - 1 && now == before ? 1 : 0;
        });
      });
    }
    all_read.wait();
    number.write([&](int& now) { now = round; });
    for (std::thread& reader : readers) reader.join();
    BOOST_TEST(right == threads);
    BOOST_TEST(value(number) == round);
  }
}

BOOST_AUTO_TEST_SUITE_END()
