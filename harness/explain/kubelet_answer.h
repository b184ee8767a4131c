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

namespace nodebound {

/// A request to a kubelet's own API.
struct KubeletRequest {
  Subject subject;  ///< that authentication found, or `system:anonymous`
  std::string method;
  std::string target;
  std::string node;  ///< empty: of no Node in particular

  /// `GET /pods`
  [[nodiscard]] std::string line() const { return method + " " + target; }
};

/// A SubjectAccessReview that a kubelet sends, and what it is told.
struct KubeletReview {
  Attributes attributes;
  Decision decision;
  std::string by;  ///< the authorizer that allows it; empty where none does

  /// `get nodes/pods`
  [[nodiscard]] std::string text() const { return attributes.verb + " nodes/" + attributes.subresource; }
};

/// What a kubelet of one release answers.
struct KubeletAnswer {
  KubeletRoute route;
  KubeletDecision decision;  ///< of its filter, where the route is guarded
  std::vector<KubeletReview> reviews;

  /// Whether what is behind the path answers.
  [[nodiscard]] bool reaches() const {
    return route.kind == KubeletRoute::Kind::handler && (!route.is_guarded() || decision.passes());
  }
  [[nodiscard]] bool is_refused() const { return route.is_guarded() && !decision.passes(); }
};

/// Asks a kubelet of `kubelet`'s release, whose API server has `server`'s rules and the cluster's objects.
KubeletAnswer kubelet_answer(const RuleSet& kubelet, const KubeletSettings& settings, const RuleSet& server,
                             const Cluster& cluster, const KubeletRequest& request);

/// What kubeadm and a configuration file that says nothing come to: certificates and tokens are known, nobody is
/// anonymous, access is reviewed.
KubeletSettings usual_settings(const RuleSet& kubelet);

}  // namespace nodebound
