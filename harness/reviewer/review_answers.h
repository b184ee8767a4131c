#pragma once

#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fakes/wire/http.h"
#include "harness/reviewer/followed_cluster.h"
#include "reference/admission/pod_placement.h"
#include "reference/authorizer/authorization_mode.h"
#include "reference/authorizer/authorizer.h"

namespace nodebound::reviewer {

/// Answers SubjectAccessReviews and AdmissionReviews from the reference, by a cluster that is followed. Thread-safe.
class ReviewAnswers {
 public:
  struct Options {
    /// Those that are asked about access, in order: Node, RBAC, or both.
    std::vector<AuthorizationMode> modes = {AuthorizationMode::node};
    std::set<std::string> plugins = {};  ///< those that are asked about admission
    PlacementSettings placement = {};    ///< of those that place pods
  };

  /// Whether an admission webhook may change the object.
  enum class Webhook { validating, mutating };

  /// `rules` and `cluster` must outlive it.
  ReviewAnswers(const RuleSet& rules, const FollowedCluster& cluster, Options options);
  ~ReviewAnswers();

  /// The answer to a review: 200, or 400 if the body is none of a known version. A mutating webhook answers with the
  /// JSON patch that completes the object as the plugins do.
  [[nodiscard]] HttpResponse answer(const std::string& body, Webhook webhook = Webhook::validating) const;

  /// What the authorizers say. Where none decides, the rule is that of the first, and the reason joins theirs.
  [[nodiscard]] Decision decide(const Subject& subject, const Attributes& attributes) const;

 private:
  struct Deciders;

  [[nodiscard]] Object access(const Object& review) const;
  [[nodiscard]] Object admission(const Object& request, Webhook webhook) const;
  [[nodiscard]] const Deciders& deciders_on(const Cluster& cluster) const;

  const FollowedCluster& cluster_;
  const Options options_;
  std::array<std::unique_ptr<const Deciders>, 2> deciders_;  ///< for each of its clusters
};

}  // namespace nodebound::reviewer
