#include "harness/kubelet/kubelet_expectation.h"

#include "harness/kubelet/target/kubelet_under_test.h"
#include "reference/kubelet/attributes.h"

namespace nodebound::kubelet_conformance {

using Expect = KubeletStep::Expect;

KubeletExpectation KubeletExpectation::of(const KubeletStep& step, const std::string& user, const RuleSet& rules) {
  const std::string path = step.target.substr(0, step.target.find('?'));
  const std::vector<Attributes> asked = kubelet_attributes(step.method, path, kubelet_node, rules);
  const auto text = [&](Rule rule, const std::string& subresources) {
    return rules.refusal(rule).render({{"user", user}, {"verb", asked.front().verb}, {"subresources", subresources}});
  };
  switch (step.expect) {
    case Expect::allowed:
      return {};
    case Expect::unauthorized:
      return {401, text(Rule::kubelet_authentication, ""), true};
    case Expect::forbidden: {
      std::string subresources;
      for (const Attributes& one : asked) subresources += (subresources.empty() ? "" : " ") + one.subresource;
      return {403, text(Rule::kubelet_authorization, subresources), true};
    }
    case Expect::error: {
      // The failed review is the last one that was sent.
      const std::string last = step.access_reviews && !step.access_reviews->empty() ? step.access_reviews->back() : "";
      const std::size_t blank = last.find(' ');
      return {500,
              text(Rule::kubelet_review_error,
                   blank == std::string::npos ? asked.front().subresource : last.substr(blank + 1)),
              true};
    }
    case Expect::closed:
      return {};
    case Expect::status:
      return {step.status, step.body, !step.body.empty()};
  }
  return {};
}

std::string KubeletExpectation::text() const {
  return status == 0 ? "it reaches the path" : "HTTP " + std::to_string(status);
}

bool KubeletExpectation::met_by(const HttpResponse& response) const {
  return status == 0 ? was_let_through(response) : response.status == status;
}

bool was_let_through(const HttpResponse& response) {
  if (response.status == 500) return !response.body.starts_with("Authorization error");
  return response.status != 401 && response.status != 403;
}

}  // namespace nodebound::kubelet_conformance
