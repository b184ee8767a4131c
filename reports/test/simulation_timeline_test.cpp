#include "reports/simulation/simulation_timeline.h"

#include <boost/test/unit_test.hpp>
#include <set>

#include "reports/test/simulation_sample.h"

BOOST_AUTO_TEST_SUITE(reports_simulation_timeline)

using namespace nodebound;
using namespace std::chrono_literals;
using Time = Simulation::Time;

BOOST_AUTO_TEST_CASE(a_bar_is_a_slice_where_there_are_few) {
  const Timeline timeline = timeline_of(test::simulation());
  BOOST_TEST((timeline.end == 3h));
  BOOST_TEST((timeline.width == 15min));
  BOOST_REQUIRE_EQUAL(timeline.bars.size(), 12U);
  BOOST_REQUIRE_EQUAL(timeline.rules.size(), 3U);
  BOOST_TEST(timeline.rules[0].id == "node-read-own");
  BOOST_TEST(timeline.rules[0].total == 70U);
  BOOST_TEST(timeline.rules[1].id == "403");
  BOOST_TEST(timeline.bars[4].counts == (std::vector<std::size_t>{40, 10, 0}), boost::test_tools::per_element());
  BOOST_TEST(timeline.bars[0].counts == (std::vector<std::size_t>{0, 0, 2}), boost::test_tools::per_element());
  BOOST_TEST(timeline.highest == 50U);
  BOOST_TEST(timeline.refusals == 82U);
}

BOOST_AUTO_TEST_CASE(many_slices_are_put_together_and_none_is_lost) {
  Simulation simulation;
  simulation.slice = 1min;
  simulation.length = 10'000min;
  for (int i = 0; i < 10'000; ++i) simulation.refusals.push_back({i * 1min, "rule" + std::to_string(i % 30), 1});
  const Timeline timeline = timeline_of(simulation);
  BOOST_TEST((timeline.width == 42min));
  BOOST_TEST(timeline.bars.size() == 239U);
  BOOST_REQUIRE_EQUAL(timeline.rules.size(), 9U);
  BOOST_TEST(timeline.rules[8].rules == 22U);
  std::size_t total = 0;
  for (const Timeline::Bar& bar : timeline.bars) {
    for (const std::size_t count : bar.counts) total += count;
  }
  BOOST_TEST(total == 10'000U);
  BOOST_TEST(timeline.highest == 42U);
}

BOOST_AUTO_TEST_CASE(a_ninth_rule_is_named_and_more_are_the_rest) {
  Simulation simulation = test::simulation();
  simulation.refusals.clear();
  for (int i = 0; i < 9; ++i) simulation.refusals.push_back({0s, "rule" + std::to_string(i), 1});
  BOOST_TEST(timeline_of(simulation).rules[8].id == "rule8");
  simulation.refusals.push_back({0s, "rule9", 1});
  BOOST_TEST(timeline_of(simulation).rules[8].id == "other rules");
  BOOST_TEST(timeline_of(simulation).rules[8].total == 2U);
}

BOOST_AUTO_TEST_CASE(lanes_begin_with_the_control_plane_and_show_shares) {
  const Timeline timeline = timeline_of(test::simulation());
  BOOST_REQUIRE_EQUAL(timeline.lanes.size(), 2U);
  BOOST_TEST(timeline.lanes[0].pool == "");
  const Timeline::Lane& blue = timeline.lanes[1];
  BOOST_TEST(blue.pool == "blue");
  BOOST_REQUIRE_EQUAL(blue.stretches.size(), 2U);
  BOOST_TEST((blue.stretches[1].at == 2h));
  BOOST_TEST(blue.stretches[1].members == 12U);
  BOOST_REQUIRE_EQUAL(blue.stretches[1].shares.size(), 2U);
  BOOST_TEST(timeline.versions[blue.stretches[1].shares[0].version] == "1.31.0");
  BOOST_TEST(majority_of(blue.stretches[1]) == 1U);
}

BOOST_AUTO_TEST_CASE(versions_are_ordered_as_versions) {
  Simulation simulation;
  simulation.length = 1h;
  for (const char* version : {"1.10.0", "1.9.11", "1.9.2", "1.10.0-rc.1", "", "newest"}) {
    simulation.versions.push_back({"a", 0s, version, 1});
  }
  const std::vector<std::string> ordered = {"", "newest", "1.9.2", "1.9.11", "1.10.0", "1.10.0-rc.1"};
  BOOST_TEST(timeline_of(simulation).versions == ordered, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_rolling_upgrade_is_no_longer_than_a_picture_is_wide) {
  Simulation simulation;
  simulation.length = 10h;
  for (std::size_t i = 0; i <= 5000; ++i) {
    const Time at = static_cast<std::int64_t>(i) * 5s;
    simulation.versions.push_back({"blue", at, "1.31.0", 5000 - i});
    simulation.versions.push_back({"blue", at, "1.32.0", i});
  }
  const Timeline timeline = timeline_of(simulation);
  const std::vector<Timeline::Stretch>& stretches = timeline.lanes[0].stretches;
  BOOST_TEST(stretches.size() <= Timeline::most_bars);
  BOOST_TEST(stretches.size() > 100U);
  BOOST_TEST(stretches.back().members == 5000U);
  BOOST_REQUIRE_EQUAL(stretches.back().shares.size(), 1U);
  BOOST_TEST(timeline.versions[stretches.back().shares[0].version] == "1.32.0");
}

BOOST_AUTO_TEST_CASE(no_length_and_times_out_of_bounds_still_make_a_timeline) {
  const Timeline empty = timeline_of({});
  BOOST_TEST((empty.end == 1ms));
  BOOST_TEST(empty.bars.size() == 1U);
  for (const Time far : {Time::max(), Time::min()}) {
    Simulation simulation = test::simulation();
    simulation.length = simulation.slice = simulation.steps[1].at = far;
    simulation.versions[0].at = simulation.refusals[0].at = far;
    const Timeline timeline = timeline_of(simulation);
    BOOST_TEST(timeline.bars.size() <= Timeline::most_bars);
    BOOST_TEST(timeline.refusals == 82U);
  }
}

BOOST_AUTO_TEST_CASE(many_pools_and_versions_at_once_are_bounded) {
  Simulation simulation;
  for (std::size_t i = 0; i < 1000; ++i) {
    simulation.versions.push_back({"pool" + std::to_string(i), 0s, "1.31.0", 1});
    simulation.versions.push_back({"", 0s, "1." + std::to_string(i), i});
  }
  const Timeline timeline = timeline_of(simulation);
  BOOST_TEST(timeline.lanes.size() == Timeline::most_lanes);
  BOOST_TEST(timeline.lanes_left_out == 1001 - Timeline::most_lanes);
  BOOST_TEST(timeline.lanes[0].stretches[0].shares.size() == Timeline::most_versions);
}

BOOST_AUTO_TEST_CASE(axes_have_few_and_round_marks) {
  const auto times = axis_times(3h);
  BOOST_TEST((times == std::vector<Time>{0h, 30min, 60min, 90min, 120min, 150min, 180min}));
  BOOST_TEST(axis_times(1ms).size() == 2U);
  for (const Time end : {Time(7h), Time(400 * 24h), Time::max()}) {
    BOOST_TEST(axis_times(end).size() <= 8U);
    BOOST_TEST(axis_times(end).size() >= 3U);
  }
  BOOST_TEST(axis_top(0) == 2U);
  BOOST_TEST(axis_top(7) == 8U);
  BOOST_TEST(axis_top(601) == 800U);
  BOOST_TEST(axis_top(std::numeric_limits<std::size_t>::max()) == std::numeric_limits<std::size_t>::max());
}

BOOST_AUTO_TEST_CASE(pools_that_begin_alike_are_told_apart) {
  Simulation simulation;
  simulation.length = 1h;
  for (int i = 0; i < 20; ++i) {
    simulation.versions.push_back({"production-eu-west-1-workers-" + std::to_string(i), 0s, "1.31.0", 5});
  }
  simulation.versions.push_back({"blue", 0s, "1.31.0", 5});
  const Timeline timeline = timeline_of(simulation);
  BOOST_TEST(timeline.lanes.size() == 21U);
  const std::vector<std::string> labels = lane_labels(timeline, 17);
  BOOST_TEST(labels[0] == "…west-1-workers-0");
  BOOST_TEST(labels[19] == "…est-1-workers-19");
  BOOST_TEST(labels[20] == "pool blue");
  BOOST_TEST((std::set<std::string>(labels.begin(), labels.end()).size() == labels.size()));
}

BOOST_AUTO_TEST_CASE(nodes_that_are_not_ready_have_a_row_of_their_own) {
  Simulation simulation = test::simulation();
  BOOST_TEST(timeline_of(simulation).rows() == 2U);
  simulation.not_ready = {{1h, 3}, {1h + 1s, 5}, {2h, 0}};
  const Timeline timeline = timeline_of(simulation);
  BOOST_TEST(timeline.rows() == 3U);
  BOOST_TEST(timeline.nodes == 12U);
  BOOST_REQUIRE_EQUAL(timeline.not_ready.size(), 2U);
  BOOST_TEST(timeline.not_ready[0].nodes == 5U);
  simulation.not_ready = {{1h, 0}};
  BOOST_TEST(timeline_of(simulation).rows() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
