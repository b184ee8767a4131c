#include "harness/check/engine.h"

#include "harness/check/ask_until_final.h"

namespace nodebound {
namespace {

std::string decision_of(const Judgement& judgement) {
  if (judgement.decision == Answer::Kind::unclear) return {};
  return judgement.decision == Answer::Kind::allowed ? "allowed" : "refused";
}

Reason final_reason(const Judgement& judgement, const CheckResult& result, bool exact, const Deviation* known) {
  if (exact && judgement.reason_match == false) return {Reason::Kind::reworded, {result.reason_expected}};
  if (known != nullptr && judgement.reason.is_opposite()) {
    return {Reason::Kind::known_defect, {known->statement, known->issue}};
  }
  return judgement.reason;
}

}  // namespace

void CheckEngine::check(CheckResult blank, CheckQuestion& question) {
  if (const auto why = why_not(question)) return leave_out(std::move(blank), *why);
  Judgement judgement = ask_until_final([&] { return question.ask(blank); },
                                        [&](const Judgement& now) { return question.patience(now); }, circumstances_);
  const Deviation* known = question.known_defect();
  const Reason reason = final_reason(judgement, blank, run_.exact_reasons, known);
  if (reason.kind == Reason::Kind::known_defect) blank.deviation = known->id;
  blank.evidence.decision = decision_of(judgement);
  if (judgement.layer) blank.evidence.layer = to_string(*judgement.layer);
  blank.observed = std::move(judgement.observed);
  blank.reason_match = judgement.reason_match;
  blank.leaked = std::move(judgement.leaked);
  report(std::move(blank), reason);
}

void CheckEngine::leave_out(CheckResult blank, const Reason& why) {
  report(std::move(blank), why);
}

std::optional<Reason> CheckEngine::why_not(const CheckQuestion& question) const {
  if (std::string why = question.not_asked(); !why.empty()) return Reason{Reason::Kind::not_asked, {std::move(why)}};
  for (const Capability needed : question.needs()) {
    if (auto why = run_.can.lacks(needed)) return Reason{Reason::Kind::not_asked, {std::move(*why)}};
  }
  return std::nullopt;
}

// The only place that sets a verdict.
void CheckEngine::report(CheckResult result, const Reason& reason) {
  result.verdict = verdict_of(reason);
  result.why = words_of(reason);
  result.left_open = result.verdict == Verdict::skip && reason.kind != Reason::Kind::not_asked;
  if (run_.fail_fast && result.verdict == Verdict::fail) run_.enough = true;
  run_.judged(result);
  results_.push_back(std::move(result));
}

}  // namespace nodebound
