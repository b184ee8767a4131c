#include "reports/run/progress.h"

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "reports/text.h"

BOOST_AUTO_TEST_SUITE(reports_progress)

using namespace nodebound;
using std::chrono::seconds;
using std::chrono::steady_clock;

namespace {

/// A clock that stands still unless told otherwise.
struct Time {
  steady_clock::time_point now;
  ProgressBar::Clock clock() {
    return [this] { return now; };
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(plain_output_has_a_line_every_few_seconds) {
  std::ostringstream out;
  Time time;
  ProgressBar bar(out, 40, {.terminal = false}, time.clock());
  for (int i = 0; i < 14; ++i) {
    time.now += seconds(1);
    bar.advance(i < 3 ? Verdict::fail : Verdict::pass, "scenario");
  }
  bar.finish();
  BOOST_TEST(out.str() == " 12% 5/40, 3 failed, 5s, 35s left\n 25% 10/40, 3 failed, 10s, 30s left\n");
}

BOOST_AUTO_TEST_CASE(nothing_is_shown_to_who_wants_quiet) {
  for (const bool terminal : {false, true}) {
    std::ostringstream out;
    Time time;
    ProgressBar bar(out, 2, {.terminal = terminal, .quiet = true}, time.clock());
    time.now += seconds(60);
    bar.advance(Verdict::fail, "scenario");
    bar.finish();
    BOOST_TEST(out.str() == "");
  }
}

BOOST_AUTO_TEST_CASE(plain_output_of_a_long_run_stays_short) {
  std::ostringstream out;
  Time time;
  ProgressBar bar(out, 3600, {.terminal = false}, time.clock());
  for (int i = 0; i < 3600; ++i) {
    time.now += seconds(1);
    bar.advance(Verdict::pass, "scenario");
  }
  const auto lines = std::ranges::count(out.str(), '\n');
  BOOST_TEST(lines > 30);
  BOOST_TEST(lines < 80);
}

BOOST_AUTO_TEST_CASE(plain_output_of_a_short_run_is_empty) {
  std::ostringstream out;
  Time time;
  ProgressBar bar(out, 1000, {.terminal = false}, time.clock());
  for (int i = 0; i < 1000; ++i) bar.advance(Verdict::pass, "scenario");
  BOOST_TEST(out.str().empty());
}

BOOST_AUTO_TEST_CASE(a_terminal_gets_one_line_that_is_gone_at_the_end) {
  std::ostringstream out;
  Time time;
  ProgressBar bar(out, 4, {.terminal = true, .width = 80}, time.clock());
  time.now += seconds(10);
  bar.advance(Verdict::fail, "Labels\na node may set");
  BOOST_TEST(out.str() == "\r\x1b[K[#####...............] 1/4, 1 failed, 10s, 30s left, Labels a node may set");
  bar.finish();
  BOOST_TEST(out.str().ends_with("set\r\x1b[K"));
  bar.advance(Verdict::pass, "late");
  bar.finish();
  BOOST_TEST(out.str().ends_with("set\r\x1b[K"));
}

BOOST_AUTO_TEST_CASE(redraws_are_rare_and_the_last_one_certain) {
  std::ostringstream out;
  Time time;
  ProgressBar bar(out, 1000, {.terminal = true}, time.clock());
  for (int i = 0; i < 1000; ++i) bar.advance(Verdict::pass, "s");
  BOOST_TEST(std::ranges::count(out.str(), '\r') == 2);
  BOOST_TEST(out.str().find("1000/1000") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_narrow_terminal_is_not_overrun) {
  std::ostringstream out;
  ProgressBar bar(out, 2, {.terminal = true, .width = 30});
  bar.advance(Verdict::pass, std::string(200, 'x'));
  BOOST_TEST(columns(out.str().substr(4)) == 29U);
}

BOOST_AUTO_TEST_CASE(more_checks_than_announced) {
  std::ostringstream out;
  Time time;
  ProgressBar bar(out, 1, {.terminal = false}, time.clock());
  bar.advance(Verdict::pass, "s");
  time.now += seconds(6);
  bar.advance(Verdict::pass, "s");
  BOOST_TEST(out.str() == "100% 2/2, 0 failed, 6s\n");
}

BOOST_AUTO_TEST_CASE(many_threads) {
  std::ostringstream out;
  Time time;
  {
    ProgressBar bar(out, 4001, {.terminal = false}, time.clock());
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&bar] {
          for (int n = 0; n < 1000; ++n) bar.advance(n % 10 == 0 ? Verdict::fail : Verdict::pass, "s");
        });
      }
    }
    time.now += seconds(5);
    bar.advance(Verdict::pass, "s");
  }
  BOOST_TEST(out.str() == "100% 4001/4001, 400 failed, 5s\n");
}

BOOST_AUTO_TEST_SUITE_END()
