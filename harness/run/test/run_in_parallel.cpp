#include <atomic>
#include <boost/test/unit_test.hpp>
#include <new>
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

BOOST_AUTO_TEST_CASE(an_exception_of_any_thread_comes_to_the_caller_once_all_have_ended) {
  for (const std::size_t threads : {1U, 8U}) {
    std::atomic<int> under_way = 0;
    std::atomic<int> done = 0;
    const auto all = [&] {
      in_parallel(
          10'000, threads,
          [&](std::size_t item, std::size_t) {
            ++under_way;
            if (item == 5) {
              --under_way;
              throw std::bad_alloc();
            }
            ++done;
            --under_way;
          },
          [] { return false; });
    };
    BOOST_CHECK_THROW(all(), std::bad_alloc);
    BOOST_TEST(under_way == 0);
    if (threads == 1) BOOST_TEST(done == 5);
  }
}

BOOST_AUTO_TEST_SUITE_END()
