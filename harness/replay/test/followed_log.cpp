#include <array>
#include <boost/test/unit_test.hpp>
#include <functional>

#include "harness/replay/followed_file.h"
#include "harness/replay/test/replayed_log.h"

BOOST_AUTO_TEST_SUITE(followed_log)

using namespace nodebound;
using namespace nodebound::replay;
using namespace nodebound::test;

namespace {

void append(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

/// What is read of a file while each step is done once nothing new is there, to the end of the last.
std::string read_with_steps(const std::string& path, std::vector<std::function<void()>> steps) {
  std::size_t done = 0;
  Following following;
  following.ended = [&] { return done > steps.size(); };
  following.idle = [&] {
    if (done < steps.size()) steps[done]();
    ++done;
  };
  const Result<TextSource> source = follow_file(path, following);
  BOOST_REQUIRE(source.has_value());
  std::string out;
  std::array<char, 16> block{};
  while (const std::size_t count = (*source)(block.data(), block.size())) out.append(block.data(), count);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_is_read_on_as_it_grows) {
  const LogFile file("one\n");
  BOOST_TEST(read_with_steps(file.path(), {[&] { append(file.path(), "tw"); }, [&] { append(file.path(), "o\n"); }}) ==
             "one\ntwo\n");
}

BOOST_AUTO_TEST_CASE(after_a_rotation_the_rest_and_then_the_new_file_is_read) {
  const LogFile file("one\n");
  const std::string old = file.path() + ".1";
  const auto rotate = [&] {
    std::filesystem::rename(file.path(), old);
    append(old, "late\n");
    append(file.path(), "two\n");
  };
  BOOST_TEST(read_with_steps(file.path(), {rotate}) == "one\nlate\ntwo\n");
  std::filesystem::remove(old);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_free_for_a_while_is_waited_for) {
  const LogFile file("one\n");
  const std::string old = file.path() + ".1";
  BOOST_TEST(read_with_steps(file.path(), {[&] { std::filesystem::rename(file.path(), old); },
                                           [&] { append(file.path(), "two\n"); }}) == "one\ntwo\n");
  std::filesystem::remove(old);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_is_read_from_its_beginning_and_a_torn_line_ends) {
  const LogFile file("one\ntor");
  const auto cut = [&] { std::ofstream(file.path(), std::ios::trunc) << "two\n"; };
  BOOST_TEST(read_with_steps(file.path(), {cut}) == "one\ntor\ntwo\n");
}

BOOST_AUTO_TEST_CASE(what_is_no_file_cannot_be_followed) {
  const Following following;
  const Result<TextSource> source = follow_file("/nonexistent/audit.log", following);
  BOOST_REQUIRE(!source.has_value());
  BOOST_TEST(source.error().where == "/nonexistent/audit.log");
}

BOOST_AUTO_TEST_CASE(a_new_refusal_is_told_while_the_log_is_followed_and_the_report_has_it) {
  const LogFile file(WrittenEvent{}.line());
  const RuleSet from = rules_of("1.31.0");
  const RuleSet to = rules_of("1.36.3");
  std::vector<std::string> told;
  ReplayQuestion question;
  question.logs = {file.path()};
  question.from = &from;
  question.to = &to;
  question.default_rbac = true;
  std::size_t asked = 0;
  // What is held back for later requests is decided at the end, whatever the clock says.
  question.followed_until = [&] { return ++asked > 3; };
  question.newly_refused = [&](const Replay::Finding& finding) { told.push_back(finding.request); };
  const Result<Replay> done = nodebound::replay::replay(question);
  BOOST_REQUIRE(done.has_value());
  BOOST_TEST(done->newly_refused == 1U);
  BOOST_TEST(told == std::vector<std::string>{"list nodes"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
