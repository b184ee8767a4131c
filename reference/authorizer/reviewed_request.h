#pragma once

#include "reference/authorizer/attributes.h"
#include "reference/cel/subject_access_review.h"
#include "reference/identity/subject.h"
#include "reference/release/release.h"

namespace nodebound {

/// The spec of the SubjectAccessReview that an API server of the release makes of a request (resourceAttributesFrom in
/// staging/src/k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go).
cel::SubjectAccessReviewSpec reviewed_request(const Subject& subject, const Attributes& attributes,
                                              const Release& release);

}  // namespace nodebound
