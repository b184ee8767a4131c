#include "reports/replay/replay.h"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "reference/test/project_paths.h"
#include "reports/test/schema.h"

BOOST_AUTO_TEST_SUITE(reports_replay)

using namespace nodebound;

namespace {

Replay sample() {
  Replay out;
  out.from = {"1.31.4", {}, 240, {"NodeRestriction"}};
  out.to = {"1.36.3", {"A=true"}, 310, {}};
  out.logs = {"audit.log"};
  out.first = "2026-12-01T09:00:00Z";
  out.last = "2026-12-02T09:00:00Z";
  out.requests = 1000;
  out.newly_refused = 3;
  out.unchanged = 995;
  out.unknown = 1;
  out.disagreeing = 1;
  out.compared = 999;
  Replay::Finding finding;
  finding.rule = "node-read-not-all";
  finding.statement = "A node may not.";
  finding.layer = "authorizer";
  finding.recorded = "allowed (HTTP 200)";
  finding.request = "list nodes";
  finding.user_agent = "evil|agent\x1b[31m";
  finding.who = "nodes";
  finding.pool = "blue";
  finding.subjects = 2;
  finding.count = 3;
  finding.first = out.first;
  finding.last = out.last;
  finding.example = "list nodes as system:node:a";
  finding.where = "audit.log:7";
  finding.since = "1.32";
  finding.put_off_by = {"Gate=false"};
  finding.advice = "Select.";
  out.findings.push_back(finding);
  finding.outcome = Replay::Finding::Outcome::disagrees;
  finding.rule = "pod-of-node";
  out.findings.push_back(finding);
  out.unknowns.push_back({"no-body", "No body.", 1, "audit.log:9"});
  out.troubles.push_back({"torn", 2, {"audit.log:3", "audit.log:4"}});
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_share_is_rounded_down) {
  BOOST_TEST(share_text(999, 1000) == "99.9 %");
  BOOST_TEST(share_text(9999, 10000) == "99.9 %");
  BOOST_TEST(share_text(10, 10) == "100 %");
  BOOST_TEST(share_text(0, 0) == "–");
}

BOOST_AUTO_TEST_CASE(the_json_follows_its_schema) {
  std::ifstream file(std::string(project::source_folder) + "/reports/replay/replay.schema.json");
  const auto schema = nlohmann::json::parse(file);
  Replay share = sample();
  share.share = {2, 3};
  for (const Replay& replay : {sample(), Replay(), share}) {
    for (const std::string& violation : test::violations(schema, nlohmann::json::parse(to_json(replay)))) {
      BOOST_ERROR(violation);
    }
  }
  const auto json = nlohmann::json::parse(to_json(sample()));
  BOOST_TEST(json["summary"]["decided"] == 998);
  BOOST_TEST(json["findings"][0]["put_off_by"][0] == "Gate=false");
}

BOOST_AUTO_TEST_CASE(what_disagrees_comes_before_what_is_newly_refused) {
  const std::string page = to_terminal(sample(), {});
  BOOST_TEST(page.find("99.8 %: 998 of 1000") < page.find("Decided otherwise"));
  BOOST_TEST(page.find("Decided otherwise") < page.find("Newly refused: 3"));
  BOOST_TEST(page.find("99.8 % of 999") != std::string::npos);
  BOOST_TEST(page.find("2 nodes of pool blue") != std::string::npos);
  BOOST_TEST(page.find("audit.log:3, audit.log:4") != std::string::npos);
  BOOST_TEST(page.find("\x1b") == std::string::npos);
  BOOST_TEST(to_terminal(Replay(), {}).find("NOTHING TO DECIDE") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_change_request_has_a_row_for_each_group) {
  const std::string text = to_markdown(sample());
  BOOST_TEST(text.find("# From 1.31.4 to 1.36.3") == 0U);
  BOOST_TEST(text.find("`node-read-not-all`") != std::string::npos);
  BOOST_TEST(text.find("evil|agent") == std::string::npos);
  BOOST_TEST(text.find("\x1b") == std::string::npos);
  BOOST_TEST(text.find("## Cannot tell: 1 request") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_page_shows_each_group_and_nothing_that_a_browser_obeys) {
  Replay replay = sample();
  replay.findings[0].example = "get <script>alert(1)</script>";
  const std::string page = to_html(replay);
  BOOST_TEST(page.find("<p class=\"verdict fail\">Newly refused: 3 requests</p>") != std::string::npos);
  BOOST_TEST(page.find("2 nodes of pool blue") != std::string::npos);
  BOOST_TEST(page.find("--feature-gates=Gate=false") != std::string::npos);
  BOOST_TEST(page.find("&lt;script&gt;") != std::string::npos);
  BOOST_TEST(page.find("<script") == std::string::npos);
  BOOST_TEST(page.find("\x1b") == std::string::npos);
  BOOST_TEST(to_html(Replay()).find("Nothing to decide") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_page_is_green_only_if_nobody_is_refused_unaccepted) {
  Replay replay = sample();
  replay.findings[0].accepted = "known (until 2027-01-31)";
  const std::string page = to_html(replay);
  BOOST_TEST(page.find("verdict pass") != std::string::npos);
  BOOST_TEST(page.find("<h2>Accepted</h2>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  Replay share = sample();
  share.share = {2, 3};
  share.clients.push_back(common_finding(share.findings[0]));
  for (const Replay& replay : {sample(), share}) {
    const Result<Replay> read = replay_from_json(to_json(replay), "replay.json");
    BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().text()));
    BOOST_TEST(to_json(*read) == to_json(replay));
  }
  BOOST_TEST(!replay_from_json("{", "replay.json").has_value());
  BOOST_TEST(!replay_from_json("{\"schema\": \"nodebound.dev/report/v2\"}", "replay.json").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
