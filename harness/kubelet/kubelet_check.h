#pragma once

#include <string>
#include <vector>

#include "harness/check/engine.h"
#include "harness/kubelet/cluster/kubelet_cluster.h"
#include "harness/kubelet/kubelet_expectation.h"
#include "harness/kubelet/target/kubelet_under_test.h"
#include "reports/run/report.h"

namespace nodebound::kubelet_conformance {

/// The steps of one scenario, against one kubelet. All must outlive it.
class KubeletCheck {
 public:
  KubeletCheck(const KubeletScenario& scenario, const RuleSet& rules, KubeletCluster& cluster,
               KubeletUnderTest& kubelet);

  /// Why the cluster cannot set up the step; empty if it can.
  [[nodiscard]] std::string cannot(const KubeletStep& step) const { return cluster_.cannot(scenario_, step); }

  Judgement ask(const KubeletStep& step, CheckResult& out);

 private:
  Judgement ask_closed(const KubeletStep& step, CheckResult& out);
  Result<void> prepare(const KubeletStep& step, const KubeletCallers::Caller& caller);
  Result<void> send_crowd(const KubeletStep& step);
  Result<HttpResponse> ask(const KubeletStep& step, const KubeletCallers::Caller& caller);
  Result<HttpResponse> ask_at_once(const KubeletStep& step, const KubeletCallers::Caller& caller,
                                   const KubeletExpectation& expected);
  Judgement judge(const KubeletStep& step, const KubeletExpectation& expected, const HttpResponse& response,
                  CheckResult& out);

  const KubeletScenario& scenario_;
  const RuleSet& rules_;
  KubeletCluster& cluster_;
  KubeletUnderTest& kubelet_;
  std::size_t crowd_ = 0;  ///< how many others have asked so far
};

/// A step as the question that it puts to a kubelet.
class KubeletStepQuestion final : public CheckQuestion {
 public:
  KubeletStepQuestion(KubeletCheck& check, const KubeletStep& step) : check_(check), step_(step) {}

  [[nodiscard]] std::vector<Capability> needs() const override { return {Capability::kubelet_request}; }
  [[nodiscard]] std::string not_asked() const override { return check_.cannot(step_); }
  Judgement ask(CheckResult& result) override { return check_.ask(step_, result); }

 private:
  KubeletCheck& check_;
  const KubeletStep& step_;
};

/// The result of a step or start before it is judged.
CheckResult described(const KubeletScenario& scenario, const KubeletStep& step);
CheckResult described(const KubeletScenario& scenario, const KubeletStart& start);

}  // namespace nodebound::kubelet_conformance
