#include "harness/explain/kubelet_answer.h"

#include "harness/explain/authorizers.h"

namespace nodebound::explain {
namespace {

/// The API server of a kubelet. It remembers the reviews it was asked.
class ReviewingServer final : public Reviewer {
 public:
  ReviewingServer(const RuleSet& rules, const Cluster& cluster) : authorizers_(rules, cluster) {}

  std::optional<TokenVerdict> review_token(const std::string& /*token*/) override { return TokenVerdict{}; }

  std::optional<AccessVerdict> review_access(const Subject& subject, const Attributes& attributes) override {
    KubeletReview& review = reviews.emplace_back();
    review.attributes = attributes;
    review.decision = authorizers_.chain.authorize(subject, attributes);
    if (review.decision.allowed()) review.by = allowed_by(subject, attributes, review.decision);
    return AccessVerdict{review.decision.allowed(), review.decision.outcome == Decision::Outcome::deny};
  }

  std::vector<KubeletReview> reviews;

 private:
  [[nodiscard]] std::string allowed_by(const Subject& subject, const Attributes& attributes,
                                       const Decision& decision) const {
    if (decision.rule == Rule::masters_group) return "system:masters";
    return authorizers_.node.authorize(subject, attributes).allowed() ? "the Node authorizer" : "RBAC";
  }

  Authorizers authorizers_;
};

KubeletCredentials credentials_of(const Subject& subject) {
  KubeletCredentials out;
  if (subject.name != "system:anonymous") out.certificate = subject;
  return out;
}

}  // namespace

KubeletAnswer kubelet_answer(const RuleSet& kubelet, const KubeletSettings& settings, const RuleSet& server,
                             const Cluster& cluster, const KubeletRequest& request) {
  KubeletAnswer out;
  out.route = KubeletRoutes(kubelet, settings).find(request.method, request.target);
  if (!out.route.is_guarded()) return out;
  ReviewingServer reviewer(server, cluster);
  const KubeletFilter filter(kubelet, settings, request.node);
  out.decision = filter.decide(request.method, out.route.path, credentials_of(request.subject), reviewer);
  out.reviews = std::move(reviewer.reviews);
  return out;
}

KubeletSettings usual_settings(const RuleSet& kubelet) {
  KubeletSettings out = KubeletSettings::of_file(kubelet);
  out.client_ca = true;
  out.token_webhook = true;
  out.anonymous = false;
  out.authorization_mode = "Webhook";
  return out;
}

}  // namespace nodebound::explain
