#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "harness/replay/test/replayed_log.h"

BOOST_AUTO_TEST_SUITE(replay_shards)

using namespace nodebound;
using namespace nodebound::replay;
using namespace nodebound::test;

namespace {

// Many nodes and users, requests that are refused anew, unknown and unchanged, some of the same microsecond.
std::string busy_log() {
  std::string out;
  for (int i = 0; i < 60; ++i) {
    WrittenEvent event{.uri = i % 3 == 0 ? "/api/v1/pods" : "/api/v1/nodes", .second = i / 2};
    event.user = "system:node:n" + std::to_string(i % 17);
    out += event.line();
    WrittenEvent label{.verb = "patch", .uri = "/api/v1/nodes/n" + std::to_string(i), .second = i / 3};
    label.user = "system:node:n" + std::to_string(i);
    out += label.line();
    WrittenEvent proxy{.verb = "get", .uri = "/api/v1/nodes/a/proxy/metrics", .code = 403, .second = i};
    proxy.user = "user" + std::to_string(i % 5);
    proxy.groups = {"system:authenticated"};
    proxy.decision = "forbid";
    out += proxy.line();
  }
  return out;
}

Replay replayed_share(const std::string& log, const Share& share) {
  const RuleSet from = rules_of("1.31.0");
  const RuleSet to = rules_of("1.36.3");
  ReplayQuestion question;
  question.logs = {log};
  question.from = &from;
  question.to = &to;
  question.default_rbac = true;
  question.share = share;
  return nodebound::replay::replay(question).value();
}

// As a report in a file, read again.
ReportInFile<Replay> in_file(const Replay& replay, const std::string& file) {
  const std::string text = to_json(replay);
  Result<Replay> read = replay_from_json(text, file);
  BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().text()));
  BOOST_TEST(to_json(*read) == text);
  return {file, std::move(*read)};
}

std::vector<ReportInFile<Replay>> all_shares(const std::string& log, std::size_t of) {
  std::vector<ReportInFile<Replay>> out;
  for (std::size_t i = 1; i <= of; ++i) out.push_back(in_file(replayed_share(log, {i, of}), std::to_string(i)));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(merged_shares_are_the_report_of_one_run_to_the_byte) {
  const LogFile file(busy_log());
  const Replay whole = replayed_share(file.path(), {});
  BOOST_TEST(whole.newly_refused > 20U);
  BOOST_TEST(whole.unknown > 20U);
  for (const std::size_t of : {1U, 2U, 5U}) {
    const Result<Replay> joined = merged(all_shares(file.path(), of));
    BOOST_REQUIRE(joined.has_value());
    BOOST_TEST(to_json(*joined) == to_json(whole), of);
  }
}

BOOST_AUTO_TEST_CASE(each_share_decides_a_part) {
  const LogFile file(busy_log());
  const Replay whole = replayed_share(file.path(), {});
  const auto shares = all_shares(file.path(), 3);
  for (const auto& share : shares) {
    BOOST_TEST(share.report.requests > 0U);
    BOOST_TEST(share.report.requests < whole.requests);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_whole_is_refused) {
  const LogFile file(busy_log());
  const auto shares = all_shares(file.path(), 3);
  const Result<Replay> missing = merged({shares[0], shares[2]});
  BOOST_REQUIRE(!missing.has_value());
  BOOST_TEST(missing.error().text().find("shares are missing: 2/3") != std::string::npos, missing.error().text());
  const Result<Replay> twice = merged({shares[0], shares[1], shares[1]});
  BOOST_REQUIRE(!twice.has_value());
  BOOST_TEST(twice.error().text().find("is share 2/3, as 2 is") != std::string::npos, twice.error().text());
  const Result<Replay> mixed = merged({shares[0], in_file(replayed_share(file.path(), {2, 2}), "other")});
  BOOST_REQUIRE(!mixed.has_value());
  BOOST_TEST(mixed.error().where == "other");
}

BOOST_AUTO_TEST_CASE(shares_of_other_logs_are_refused) {
  const LogFile file(busy_log());
  const LogFile other(busy_log() + WrittenEvent{.second = 70}.line(), "other.log");
  const Result<Replay> joined = merged(
      {in_file(replayed_share(file.path(), {1, 2}), "one"), in_file(replayed_share(other.path(), {2, 2}), "two")});
  BOOST_REQUIRE(!joined.has_value());
  BOOST_TEST(joined.error().where == "two");
}

BOOST_AUTO_TEST_CASE(a_report_with_another_shape_is_refused_with_its_place) {
  const LogFile file(busy_log());
  nlohmann::json report = nlohmann::json::parse(to_json(replayed_share(file.path(), {1, 2})));
  report["share"]["index"] = 3;
  const Result<Replay> read = replay_from_json(report.dump(), "replay.json");
  BOOST_REQUIRE(!read.has_value());
  BOOST_TEST(read.error().text().find("share.index") != std::string::npos, read.error().text());
}

BOOST_AUTO_TEST_SUITE_END()
