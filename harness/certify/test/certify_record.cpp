#include <boost/test/unit_test.hpp>

#include "harness/certify/gzip.h"
#include "harness/certify/record.h"
#include "harness/certify/recording_endpoint.h"
#include "harness/certify/replaying_endpoint.h"
#include "harness/endpoint/reference_endpoint.h"
#include "harness/run/runner.h"
#include "harness/test/late_endpoint.h"
#include "harness/test/project.h"
#include "reports/run/json.h"

BOOST_AUTO_TEST_SUITE(certify_record)

using namespace nodebound;
using namespace nodebound::certify;
using namespace nodebound::journal;

namespace {

// What to print where an error is not expected.
template <typename T>
std::string why_of_record(const Result<T>& result) {
  return result ? std::string() : result.error().text();
}

RuleSet rules_at(const char* version) {
  return {catalogue(), *Release::make(catalogue(), *Version::parse(version), {})};
}

Report run(Endpoint& endpoint, const RuleSet& rules, const std::vector<Scenario>& scenarios, std::size_t jobs = 1) {
  Journal journal;
  RunOptions options;
  options.run_id = "test";
  options.jobs = jobs;
  std::vector<Error> errors;
  Report report = run_scenarios(scenarios, endpoint, rules, journal, options, errors);
  report.run.request_seconds = 0;
  return report;
}

struct Recorded {
  Report report;
  std::string record;
};

Recorded recorded(Endpoint& target, const RuleSet& rules, const std::vector<Scenario>& scenarios,
                  std::size_t jobs = 1) {
  std::vector<std::string> ids;
  for (const Scenario& scenario : scenarios) ids.push_back(scenario.id);
  RecordWriter writer(ids);
  Recorded out;
  out.report = run(*make_recording_endpoint(target, writer), rules, scenarios, jobs);
  out.record = writer.finish();
  return out;
}

struct Replayed {
  Report report;
  Result<void> finished;
};

Replayed replayed(const std::string& record, const RuleSet& rules, const std::vector<Scenario>& scenarios,
                  std::size_t jobs = 1) {
  const auto replay = RecordReplay::of(record, "record");
  BOOST_REQUIRE_MESSAGE(replay, why_of_record(replay));
  Replayed out;
  out.report = run((*replay)->endpoint(), rules, scenarios, jobs);
  out.finished = (*replay)->finish();
  return out;
}

std::vector<Scenario> some(const std::string& part) {
  std::vector<Scenario> out;
  for (const Scenario& scenario : project_scenarios()) {
    if (scenario.id.find(part) != std::string::npos) out.push_back(scenario);
  }
  BOOST_REQUIRE(!out.empty());
  return out;
}

std::vector<std::string> lines_of(const std::string& record) {
  GzipLines lines(record, "record");
  std::vector<std::string> out;
  for (;;) {
    const auto line = lines.next();
    BOOST_REQUIRE(line);
    if (!*line) return out;
    out.push_back(**line);
  }
}

std::string record_of_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return gzip(text);
}

std::string problem_of_lines(const std::vector<std::string>& lines, const RuleSet& rules,
                             const std::vector<Scenario>& scenarios, std::size_t jobs = 1) {
  return why_of_record(replayed(record_of_lines(lines), rules, scenarios, jobs).finished);
}

std::size_t line_beginning_with(const std::vector<std::string>& lines, std::string_view text, std::size_t from = 0) {
  for (std::size_t i = from; i < lines.size(); ++i) {
    if (lines[i].starts_with(text)) return i;
  }
  BOOST_FAIL("no line begins so");
  return 0;
}

}  // namespace

// What a run decides on, a replay must decide on, too.
BOOST_AUTO_TEST_CASE(a_record_keeps_what_became_of_a_connection) {
  using Connection = Error::Connection;
  for (const Connection connection : {Connection::other, Connection::certificate_wanted, Connection::closed}) {
    Error error{Error::Kind::unreachable, "https://a", "it ended", "try again"};
    error.connection = connection;
    const std::optional<Error> read = certify::error_of(certify::record_of(error));
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((read->connection == connection));
    BOOST_TEST(read->text() == error.text());
  }
}

BOOST_AUTO_TEST_CASE(a_run_replays_to_the_same_report) {
  const RuleSet rules = rules_at("1.36.3");
  const auto reference = make_reference_endpoint(rules, {});
  const std::vector<Scenario> scenarios = scenarios_for_whole_runs();
  const Recorded of_reference = recorded(*reference, rules, scenarios);
  for (const std::size_t jobs : {1U, 4U}) {
    const Replayed again = replayed(of_reference.record, rules, scenarios, jobs);
    BOOST_REQUIRE_MESSAGE(again.finished, why_of_record(again.finished));
    BOOST_TEST((to_json(again.report) == to_json(of_reference.report)));
  }
  BOOST_TEST(exit_code(of_reference.report) == 0);
}

BOOST_AUTO_TEST_CASE(what_a_faulty_implementation_answered_fails_again) {
  const RuleSet rules = rules_at("1.36.3");
  for (const Rule broken : {Rule::node_taints, Rule::secret_through_pod}) {
    const RuleSet faulty = rules.with_flipped(broken);
    const auto reference = make_reference_endpoint(faulty, {});
    const std::vector<Scenario> scenarios = scenarios_naming(broken);
    const Recorded of_mutant = recorded(*reference, rules, scenarios);
    const Replayed again = replayed(of_mutant.record, rules, scenarios);
    BOOST_REQUIRE_MESSAGE(again.finished, why_of_record(again.finished));
    BOOST_TEST((to_json(again.report) == to_json(of_mutant.report)));
    BOOST_TEST(exit_code(again.report) == 1);
  }
}

BOOST_AUTO_TEST_CASE(the_record_is_the_same_for_any_number_of_jobs) {
  const RuleSet rules = rules_at("1.36.3");
  const std::vector<Scenario> scenarios = some("mirror-pod");
  const auto reference = make_reference_endpoint(rules, {});
  // Which scenario looks at bookmarks, and new keys, depend on chance; these scenarios have neither.
  BOOST_TEST((recorded(*reference, rules, scenarios, 1).record == recorded(*reference, rules, scenarios, 4).record));
}

BOOST_AUTO_TEST_CASE(another_request_is_no_replay) {
  const RuleSet rules = rules_at("1.36.3");
  const auto reference = make_reference_endpoint(rules, {});
  const std::vector<Scenario> scenarios = some("bootstrap-bindings");
  const std::string record = recorded(*reference, rules, scenarios).record;
  const std::vector<std::string> lines = lines_of(record);
  BOOST_REQUIRE(lines.size() > 10U);
  const auto problem_of = [&](const std::vector<std::string>& changed) {
    return problem_of_lines(changed, rules, scenarios);
  };
  BOOST_TEST(problem_of(lines) == "");

  std::vector<std::string> without = lines;
  without.erase(without.begin() + 5);
  BOOST_TEST(problem_of(without).find("another request") != std::string::npos);

  std::vector<std::string> twice = lines;
  twice.push_back(lines.back());
  BOOST_TEST(problem_of(twice).find("more than the run asks") != std::string::npos);

  std::vector<std::string> shorter = lines;
  shorter.pop_back();
  BOOST_TEST(problem_of(shorter).find("does not hold what the run asks") != std::string::npos);

  std::vector<std::string> no_json = lines;
  no_json[7] = "[";
  BOOST_TEST(problem_of(no_json).find("record:8: is not a line of a record") != std::string::npos);

  std::vector<std::string> deep = lines;
  deep[7] = R"({"ask":)" + std::string(1'000'000, '[');
  BOOST_TEST(problem_of(deep).find("record:8: is not a line of a record") != std::string::npos);

  for (const char* odd :
       {"{}", R"({"ask":1,"answer":2})", R"({"scenario":[]})", R"({"decided":{}})", R"({"drew":3})"}) {
    std::vector<std::string> changed = lines;
    changed[7] = odd;
    BOOST_TEST(!problem_of(changed).empty(), odd);
  }
}

BOOST_AUTO_TEST_CASE(the_first_problem_is_told_whichever_scenario_comes_first) {
  const RuleSet rules = rules_at("1.36.3");
  const auto reference = make_reference_endpoint(rules, {});
  const std::vector<Scenario> scenarios = some("mirror-pod");
  BOOST_REQUIRE(scenarios.size() > 2U);
  std::vector<std::string> lines = lines_of(recorded(*reference, rules, scenarios).record);
  const std::size_t one = line_beginning_with(lines, R"({"scenario":)") + 1;
  const std::size_t other = line_beginning_with(lines, R"({"scenario":)", one) + 1;
  lines[one] = lines[other] = "[";
  for (const std::size_t jobs : {1U, 4U}) {
    BOOST_TEST(problem_of_lines(lines, rules, scenarios, jobs) ==
               "record:" + std::to_string(one + 1) + ": is not a line of a record");
  }
}

BOOST_AUTO_TEST_CASE(what_nobody_asked_for_is_no_part_of_a_record) {
  const RuleSet rules = rules_at("1.36.3");
  const auto reference = make_reference_endpoint(rules, {});
  const std::vector<Scenario> scenarios = some("bootstrap-bindings");
  const std::vector<std::string> lines = lines_of(recorded(*reference, rules, scenarios).record);
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> out = lines;
    out.insert(out.end(), more.begin(), more.end());
    return problem_of_lines(out, rules, scenarios, 4);
  };
  const std::string next = "record:" + std::to_string(lines.size() + 1);
  BOOST_TEST(with({lines[0]}) == next + ": holds more than the run asks");
  BOOST_TEST(with({R"({"scenario":"none"})", lines.back()}) ==
             "record:" + std::to_string(lines.size() + 2) + ": holds more than the run asks");
  const std::string scenario = lines[line_beginning_with(lines, R"({"scenario":)")];
  BOOST_TEST(with({scenario, lines.back()}) == next + ": holds a scenario twice");

  // Without its lines, a scenario asks what the record does not hold.
  std::vector<std::string> of_none = lines;
  const std::size_t at = line_beginning_with(lines, R"({"scenario":)");
  of_none.resize(at);
  BOOST_TEST(problem_of_lines(of_none, rules, scenarios).starts_with("record: does not hold what the run asks: "));
  const auto no_server = RecordReplay::of(record_of_lines({lines.begin() + 1, lines.end()}), "record");
  BOOST_REQUIRE(!no_server);
  BOOST_TEST(no_server.error().text() == "record:1: does not begin with the server that was asked");
}

BOOST_AUTO_TEST_CASE(a_record_that_is_cut_off_or_too_large_is_refused) {
  const std::string member = gzip("one\ntwo\n");
  BOOST_TEST(lines_of(member + gzip("three\n")) == (std::vector<std::string>{"one", "two", "three"}),
             boost::test_tools::per_element());
  const auto error_of = [](const std::string& bytes, GzipLines::Limits limits) {
    GzipLines lines(bytes, "record", limits);
    for (;;) {
      const auto line = lines.next();
      if (!line) return line.error().what;
      if (!*line) return std::string();
    }
  };
  BOOST_TEST(error_of(member.substr(0, member.size() - 1), {}) == "ends in the middle");
  BOOST_TEST(error_of("not gzip", {}) == "is not what gzip writes, or was changed");
  BOOST_TEST(error_of(gzip("no end"), {}) == "ends in the middle of a line");
  std::string changed = member;
  changed[changed.size() - 6] = static_cast<char>(changed[changed.size() - 6] ^ 1);
  BOOST_TEST(error_of(changed, {}) == "is not what gzip writes, or was changed");
  // A bomb: a thousand times smaller than what it holds.
  const std::string bomb = gzip(std::string(std::size_t{32} << 20U, 'x'));
  BOOST_TEST(error_of(bomb, {.line = std::size_t{1} << 20U, .all = std::size_t{64} << 20U})
                 .starts_with("has a line of more than"));
  BOOST_TEST(
      error_of(bomb, {.line = std::size_t{64} << 20U, .all = std::size_t{1} << 20U}).starts_with("holds more than"));
}

BOOST_AUTO_TEST_CASE(no_token_is_kept) {
  HttpResponse answer;
  answer.body = R"({"kind":"TokenRequest","status":{"token":"eyJhbGciOi","expirationTimestamp":"soon"}})";
  RecordedTokens tokens;
  const HttpResponse kept = tokens.hide(answer);
  BOOST_TEST(kept.body.find("eyJ") == std::string::npos);
  BOOST_TEST(kept.body.find("soon") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_stands_for_a_token_is_that_token_to_the_target) {
  RecordedTokens tokens;
  for (const char* token : {"eyJfirst", "eyJsecond"}) {
    HttpResponse answer;
    answer.body = Object{{"kind", "TokenRequest"}, {"status", {{"token", token}}}}.dump();
    const std::string shown = Object::parse(tokens.hide(answer).body)["status"]["token"];
    HttpRequest request{"GET", "/api", "", ""};
    request.headers["authorization"] = "Bearer " + shown;
    BOOST_TEST(tokens.reveal(request).headers.at("authorization") == std::string("Bearer ") + token);
  }
  HttpRequest foreign{"GET", "/api", "", ""};
  foreign.headers["authorization"] = "Bearer removed-3";
  BOOST_TEST(tokens.reveal(foreign).headers.at("authorization") == "Bearer removed-3");
}

BOOST_AUTO_TEST_SUITE_END()
