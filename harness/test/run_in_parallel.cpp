#include <atomic>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "harness/run/in_parallel.h"

BOOST_AUTO_TEST_SUITE(run_in_parallel)

using namespace nodebound;

BOOST_AUTO_TEST_CASE(every_item_is_done_once_whatever_the_threads) {
  for (const std::size_t threads : {1U, 3U, 200U}) {
    std::vector<std::atomic<int>> done(100);
    std::atomic<bool> known_thread = true;
    in_parallel(
        done.size(), threads,
        [&](std::size_t item, std::size_t thread) {
          ++done[item];
          if (thread >= threads) known_thread = false;
        },
        [] { return false; });
    for (const std::atomic<int>& times : done) BOOST_TEST(times == 1);
    BOOST_TEST(known_thread);
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_begun_once_it_is_enough) {
  std::size_t done = 0;
  in_parallel(
      100, 1, [&](std::size_t, std::size_t) { ++done; }, [&] { return done == 3; });
  BOOST_TEST(done == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
