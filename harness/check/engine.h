#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/endpoint/capability.h"
#include "harness/endpoint/circumstances.h"
#include "reports/run/report.h"

namespace nodebound {

/// One question of a check, put to one target.
class CheckQuestion {
 public:
  virtual ~CheckQuestion() = default;

  /// What a target must be able to be asked. If it lacks several, the first is the reason for the skip.
  [[nodiscard]] virtual std::vector<Capability> needs() const = 0;

  /// Why it is not asked, whatever the target can be asked; empty if it is.
  [[nodiscard]] virtual std::string not_asked() const { return {}; }

  /// Asks once. Notes in `result` what was sent and expected, and how the target answered.
  virtual Judgement ask(CheckResult& result) = 0;

  /// How long to ask again, because a target that learns of writes with a delay may come to another answer.
  [[nodiscard]] virtual std::chrono::milliseconds patience(const Judgement& /*judgement*/) const { return {}; }

  /// The known defect of the release that inverts the answer; null if there is none.
  [[nodiscard]] virtual const Deviation* known_defect() const { return nullptr; }
};

/// What all checks of a run share.
struct CheckRun {
  /// Of the target, as far as the run may use them.
  Capabilities can;
  /// Set once a check has failed in a fail-fast run: no further check is made.
  std::atomic<bool>& enough;
  bool fail_fast = false;
  bool exact_reasons = false;
  /// Called for each check as it is judged, from any thread.
  std::function<void(const CheckResult&)> judged = [](const CheckResult&) {};
};

/// Asks questions until their answers are final, and says the verdicts. For one thread.
class CheckEngine {
 public:
  /// Both must outlive the engine.
  explicit CheckEngine(const CheckRun& run, Circumstances& circumstances = real_circumstances())
      : run_(run), circumstances_(circumstances) {}

  /// `blank` is what is known of the check before it is made.
  void check(CheckResult blank, CheckQuestion& question);

  /// Reports a check that is not made.
  void leave_out(CheckResult blank, const Reason& why);

  /// The checks so far, in the order of their questions.
  [[nodiscard]] std::vector<CheckResult> take() { return std::move(results_); }

 private:
  [[nodiscard]] std::optional<Reason> why_not(const CheckQuestion& question) const;
  void report(CheckResult result, const Reason& reason);

  const CheckRun& run_;
  Circumstances& circumstances_;
  std::vector<CheckResult> results_;
};

}  // namespace nodebound
