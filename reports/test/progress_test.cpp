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

BOOST_AUTO_TEST_CASE(plain_output_has_a_line_every_tenth) {
  std::ostringstream out;
  Time time;
  ProgressBar bar(out, 200, {.terminal = false}, time.clock());
  for (int i = 0; i < 200; ++i) {
    time.now += seconds(1);
    bar.advance(i < 3 ? Verdict::fail : Verdict::pass, "scenario");
  }
  bar.finish();
  const std::string text = out.str();
  BOOST_TEST(std::ranges::count(text, '\n') == 10);
  BOOST_TEST(text.starts_with(" 10% 20/200, 3 failed, 20s, 3m00s left\n 20% 40/200"));
  BOOST_TEST(text.ends_with("100% 200/200, 3 failed, 3m20s\n"));
  BOOST_TEST(text.find('\x1b') == std::string::npos);
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
  ProgressBar bar(out, 1, {.terminal = false});
  for (int i = 0; i < 3; ++i) bar.advance(Verdict::pass, "s");
  BOOST_TEST(std::ranges::count(out.str(), '\n') == 1);
}

BOOST_AUTO_TEST_CASE(many_threads) {
  std::ostringstream out;
  {
    ProgressBar bar(out, 4000, {.terminal = false});
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&bar] {
        for (int n = 0; n < 1000; ++n) bar.advance(n % 10 == 0 ? Verdict::fail : Verdict::pass, "s");
      });
    }
  }
  BOOST_TEST(out.str().find("100% 4000/4000, 400 failed") != std::string::npos);
  BOOST_TEST(std::ranges::count(out.str(), '\n') == 10);
}

BOOST_AUTO_TEST_SUITE_END()
