#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/authorizer/webhook_authorizer.h"
#include "reference/release/release.h"

namespace nodebound::authorization {

/// The version of the SubjectAccessReviews that a webhook is sent.
enum class ReviewVersion { v1, v1beta1 };

/// The SubjectAccessReview that an API server of the release sends about a request, to the byte
/// (staging/src/k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go).
std::string access_review(const Subject& subject, const Attributes& attributes, ReviewVersion version,
                          const Release& release);

/// Reads what the webhook answers. The error is why that is no answer.
tl::expected<WebhookAnswer, std::string> read_access_review(std::string_view body);

}  // namespace nodebound::authorization
