#pragma once

#include <optional>
#include <string>

#include "fakes/wire/http.h"
#include "reference/authorizer/attributes.h"
#include "reference/release/catalogue.h"
#include "reports/run/report.h"

namespace nodebound {

/// The target's answer, parsed: allowed, refused and by whom, or inconclusive.
struct Answer {
  enum class Kind { allowed, refused, unclear };

  Kind kind = Kind::unclear;
  std::optional<Layer> layer;  ///< who refused
  int status = 0;
  bool review = false;    ///< the answer to a review: its HTTP status is not the decision
  bool of_rules = false;  ///< a review of all rights of a subject: unknown authorizers may add reasons
  std::string message;
  std::optional<AccessOpinion> opinion = {};  ///< of a SubjectAccessReview
};

/// Parses an answer of a Kubernetes API server. A connection to a pod is allowed if the server asks for the upgrade
/// that it came without: nothing is left to refuse it but the kubelet. Authorizers and admission refuse with different
/// messages: only an authorizer's names the user and the verb.
Answer read_answer(const HttpResponse& response);

/// Where SubjectAccessReviews are posted.
inline constexpr const char* access_review_path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

/// Parses the answer to a SubjectAccessReview: the authorizers' decision about somebody else's request.
Answer read_review(const HttpResponse& response);

/// Parses the answer to a SelfSubjectRulesReview. An incomplete one counts as refused by the authorizers, whose reasons
/// are lines, as in the answer to a SubjectAccessReview.
Answer read_rules_review(const HttpResponse& response);

/// Parses the same: allowed if the review lists a rule that covers `wanted`, refused by the authorizers if it does not,
/// for the reasons for which RBAC would refuse the request.
Answer read_listed_rules(const HttpResponse& response, const Attributes& wanted);

/// `allowed (HTTP 200)`, `refused by admission (HTTP 403)`, `no decision (HTTP 404)`
std::string to_text(const Answer& answer);

}  // namespace nodebound
