#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/authorizer/authorizer.h"
#include "reference/cluster/cluster.h"
#include "reference/kubelet/filter.h"
#include "reference/kubelet/routes.h"
#include "reference/kubelet/settings.h"
#include "reference/release/rule_set.h"

namespace nodebound::explain {

/// A request to a kubelet's own API.
struct KubeletRequest {
  Subject subject;  ///< as authenticated, or `system:anonymous`
  std::string method;
  std::string target;
  std::string node;  ///< empty: no particular Node

  /// `GET /pods`
  [[nodiscard]] std::string line() const { return method + " " + target; }
};

/// A SubjectAccessReview that a kubelet sends, and its answer.
struct KubeletReview {
  Attributes attributes;
  Decision decision;
  std::string by;  ///< the authorizer that allows it; empty if none does

  /// `get nodes/pods`
  [[nodiscard]] std::string text() const { return attributes.verb + " nodes/" + attributes.subresource; }
};

/// The answer of a kubelet of one release.
struct KubeletAnswer {
  KubeletRoute route;
  KubeletDecision decision;  ///< of its authorization filter, if the route is guarded
  std::vector<KubeletReview> reviews;

  /// Whether the handler of the path answers.
  [[nodiscard]] bool reaches() const {
    return route.kind == KubeletRoute::Kind::handler && (!route.is_guarded() || decision.passes());
  }
  [[nodiscard]] bool is_refused() const { return route.is_guarded() && !decision.passes(); }
};

/// Asks a kubelet of the release `kubelet` whose API server has `server`'s rules and the cluster's objects.
KubeletAnswer kubelet_answer(const RuleSet& kubelet, const KubeletSettings& settings, const RuleSet& server,
                             const Cluster& cluster, const KubeletRequest& request);

/// The settings of kubeadm, and of an empty configuration file: certificates and tokens are accepted, anonymous
/// requests are not, and access is reviewed.
KubeletSettings usual_settings(const RuleSet& kubelet);

}  // namespace nodebound::explain
