#pragma once

#include <string>

#include "harness/kubelet/cluster/kubelet_cluster.h"
#include "harness/kubelet/kubelet_expectation.h"
#include "harness/kubelet/target/kubelet_under_test.h"
#include "reports/run/report.h"

namespace nodebound {

/// The steps of one scenario, against one kubelet. All must outlive it.
class KubeletCheck {
 public:
  KubeletCheck(const KubeletScenario& scenario, const RuleSet& rules, KubeletCluster& cluster,
               KubeletUnderTest& kubelet);

  CheckResult check(const KubeletStep& step);

 private:
  CheckResult check_closed(const KubeletStep& step, CheckResult out);
  Result<void> prepare(const KubeletStep& step, const KubeletCallers::Caller& caller);
  Result<void> send_crowd(const KubeletStep& step);
  Result<HttpResponse> ask(const KubeletStep& step, const KubeletCallers::Caller& caller);
  Result<HttpResponse> ask_at_once(const KubeletStep& step, const KubeletCallers::Caller& caller,
                                   const KubeletExpectation& expected);
  void judge(const KubeletStep& step, const KubeletExpectation& expected, const HttpResponse& response,
             CheckResult& out);

  const KubeletScenario& scenario_;
  const RuleSet& rules_;
  KubeletCluster& cluster_;
  KubeletUnderTest& kubelet_;
  std::size_t crowd_ = 0;  ///< how many others have asked so far
};

/// The result of a step or start before it is judged.
CheckResult described(const KubeletScenario& scenario, const KubeletStep& step);
CheckResult described(const KubeletScenario& scenario, const KubeletStart& start);

}  // namespace nodebound
