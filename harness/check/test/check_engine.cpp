#include <boost/test/unit_test.hpp>

#include "harness/check/ask_until_final.h"
#include "harness/check/engine.h"

BOOST_AUTO_TEST_SUITE(check_engine)

using namespace nodebound;

namespace {

using Kind = Reason::Kind;
using std::chrono::milliseconds;

/// Answers as it is told, the last answer again and again.
class ToldQuestion final : public CheckQuestion {
 public:
  explicit ToldQuestion(std::vector<Judgement> answers) : answers_(std::move(answers)) {}

  [[nodiscard]] std::vector<Capability> needs() const override { return {Capability::request, Capability::admission}; }
  [[nodiscard]] std::string not_asked() const override { return why_not; }
  Judgement ask(CheckResult& result) override {
    result.reason_expected = "in these words";
    const std::size_t at = asked++;
    return answers_[std::min(at, answers_.size() - 1)];
  }
  [[nodiscard]] milliseconds patience(const Judgement& judgement) const override {
    return judgement.verdict() == Verdict::pass ? milliseconds(0) : wait;
  }
  [[nodiscard]] const Deviation* known_defect() const override { return known; }

  std::size_t asked = 0;
  std::string why_not;
  milliseconds wait{0};
  const Deviation* known = nullptr;

 private:
  std::vector<Judgement> answers_;
};

const Judgement passed{{Kind::met, {}}, "refused", Answer::Kind::refused, Layer::admission, true, {}};
const Judgement reworded{{Kind::met, {}}, "refused", Answer::Kind::refused, Layer::admission, false, {}};
const Judgement allowed{{Kind::allowed_unduly, {}}, "allowed", Answer::Kind::allowed};

CheckResult result_of(ToldQuestion& question, const Capabilities& can = of_api_server(), bool exact = false) {
  std::atomic<bool> enough = false;
  const CheckRun run{.can = can, .enough = enough, .exact_reasons = exact};
  CheckEngine engine(run);
  engine.check({}, question);
  return engine.take().front();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_verdict_and_its_words_come_from_the_reason) {
  BOOST_TEST((verdict_of(Reason()) == Verdict::inconclusive));
  BOOST_TEST(words_of(Reason()) == "");
  BOOST_TEST((verdict_of({Kind::refused_by_another, {"admission", "403"}}) == Verdict::fail));
  BOOST_TEST(words_of({Kind::refused_by_another, {"admission", "403"}}) ==
             "refused, but not by admission with HTTP 403");
  BOOST_TEST(words_of({Kind::known_defect, {"{} and so on.", "issue"}}) == "{} and so on. See issue");
  BOOST_TEST(words_of({Kind::stopped, {"gone"}}) == "gone");
}

BOOST_AUTO_TEST_CASE(what_a_target_cannot_be_asked_is_skipped_with_the_first_reason) {
  ToldQuestion question({passed});
  const Capabilities reviews = {Capability::access_review};
  const CheckResult unable = result_of(question, reviews);
  BOOST_TEST((unable.verdict == Verdict::skip));
  BOOST_TEST(unable.why == "the target answers no requests to the Kubernetes API");
  BOOST_TEST(result_of(question, of_api_server().without(Capability::admission, "not here")).why == "not here");
  question.why_not = "not now";
  BOOST_TEST(result_of(question, reviews).why == "not now");
  BOOST_TEST(question.asked == 0U);
}

BOOST_AUTO_TEST_CASE(the_result_says_who_decided_and_how) {
  ToldQuestion question({passed});
  const CheckResult result = result_of(question);
  BOOST_TEST((result.verdict == Verdict::pass));
  BOOST_TEST(result.why == "");
  BOOST_TEST(result.observed == "refused");
  BOOST_TEST(result.evidence.decision == "refused");
  BOOST_TEST(result.evidence.layer == "admission");
  BOOST_TEST(question.asked == 1U);
}

BOOST_AUTO_TEST_CASE(a_target_is_asked_again_while_it_may_still_learn) {
  ToldQuestion question({allowed, allowed, passed, allowed});
  question.wait = milliseconds(60'000);
  BOOST_TEST((result_of(question).verdict == Verdict::pass));
  BOOST_TEST(question.asked == 3U);
  ToldQuestion final({allowed, passed});
  BOOST_TEST((result_of(final).verdict == Verdict::fail));
  BOOST_TEST(final.asked == 1U);
}

BOOST_AUTO_TEST_CASE(a_known_defect_explains_only_the_opposite_answer) {
  const Deviation& defect = Catalogue::built_in().deviations().front();
  ToldQuestion opposite({allowed});
  opposite.known = &defect;
  const CheckResult explained = result_of(opposite);
  BOOST_TEST((explained.verdict == Verdict::deviation));
  BOOST_TEST(explained.deviation == defect.id);
  BOOST_TEST(explained.why == defect.statement + " See " + defect.issue);
  ToldQuestion leaking({{{Kind::shows_others, {"secrets \"a\""}}, "allowed", Answer::Kind::allowed}});
  leaking.known = &defect;
  BOOST_TEST((result_of(leaking).verdict == Verdict::fail));
  BOOST_TEST(result_of(leaking).deviation == "");
}

BOOST_AUTO_TEST_CASE(other_words_fail_where_exact_ones_are_asked_for) {
  ToldQuestion question({reworded});
  BOOST_TEST((result_of(question).verdict == Verdict::pass));
  const CheckResult exact = result_of(question, of_api_server(), true);
  BOOST_TEST((exact.verdict == Verdict::fail));
  BOOST_TEST(exact.why == "refused in other words than the release's: in these words");
}

BOOST_AUTO_TEST_CASE(a_failure_is_enough_for_a_run_that_fails_fast) {
  std::atomic<bool> enough = false;
  std::size_t judged = 0;
  const CheckRun run{
      .can = of_api_server(), .enough = enough, .fail_fast = true, .judged = [&](const CheckResult&) { ++judged; }};
  CheckEngine engine(run);
  ToldQuestion good({passed});
  engine.check({}, good);
  engine.leave_out({}, {Kind::stopped, {"gone"}});
  BOOST_TEST(!enough);
  ToldQuestion bad({allowed});
  engine.check({}, bad);
  BOOST_TEST(enough.load());
  BOOST_TEST(judged == 3U);
  BOOST_TEST(engine.take().size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
