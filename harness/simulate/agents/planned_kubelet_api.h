#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fakes/kubelet_api/review_client.h"
#include "harness/simulate/clock/simulated_clock.h"
#include "harness/simulate/plan/plan.h"
#include "reference/kubelet/filter.h"
#include "reference/kubelet/routes.h"

namespace nodebound::simulate {

/// The rules and settings by which kubelets that are started alike decide. Immutable except for a cache.
class KubeletApiRules {
 public:
  KubeletApiRules(const Catalogue& catalogue, const Plan::Kubelet& kubelet);

  /// One way to decide: the rules of the release, or those with one rule inverted.
  struct Way {
    Way(RuleSet rules_in_force, const Plan::KubeletApi& api, std::optional<Rule> turned_round);
    RuleSet rules;
    KubeletSettings settings;
    KubeletRoutes routes;
    std::optional<Rule> turned;
  };

  [[nodiscard]] const Way& own() const { return own_; }
  /// The rule sets that review such a request differently, or route it elsewhere.
  const std::vector<std::unique_ptr<const Way>>& others(const HttpRequest& request);

 private:
  Plan::KubeletApi api_;
  Way own_;
  std::map<std::string, std::vector<std::unique_ptr<const Way>>> others_;  ///< by method and target
};

/// The own API of one kubelet of a plan. It asks the plan's API servers to authenticate and authorize its callers, and
/// remembers the results as long as a kubelet does. Another release, or a restart, is a new object.
class PlannedKubeletApi {
 public:
  /// Sends its reviews with the kubelet's own credentials.
  using Reviewing = std::function<HttpResponse(const HttpRequest&)>;

  PlannedKubeletApi(std::shared_ptr<KubeletApiRules> rules, std::string node, Reviewing reviewing,
                    const SimulatedClock& clock);

  /// The header `x-nodebound-rule` of a refusal names the rule that would avoid it if inverted; otherwise the rule that
  /// decided. Status 0 if a review had no answer.
  HttpResponse handle(const HttpRequest& request, const KubeletCredentials& caller);

 private:
  class Transport final : public kubelet_api::ReviewTransport {
   public:
    explicit Transport(Reviewing reviewing) : reviewing_(std::move(reviewing)) {}
    Reply post(const HttpRequest& request) override;
    bool unanswered = false;

   private:
    Reviewing reviewing_;
  };

  HttpResponse decide(const KubeletApiRules::Way& by, const HttpRequest& request, const KubeletCredentials& caller);

  std::shared_ptr<KubeletApiRules> rules_;
  std::string node_;
  Transport transport_;
  kubelet_api::ReviewClient reviews_;
};

}  // namespace nodebound::simulate
