#pragma once

#include <memory>

#include "fakes/authentication/client_certificates.h"
#include "fakes/http/handler.h"
#include "harness/reviewer/review_answers.h"

namespace nodebound::reviewer {

/// A webhook's server: reviews by POST at any path, /healthz, /livez and /readyz. At a path that ends in /mutate an
/// AdmissionReview is answered as a mutating webhook does, with a patch. Until every collection was listed
/// once, a review is answered with 503, because an authorizer without objects would refuse what it must allow.
class ReviewHandler final : public HttpHandler {
 public:
  /// `clients` null: everybody may ask. The rest must outlive it.
  ReviewHandler(const ReviewAnswers& answers, const FollowedCluster& cluster,
                const authentication::ClientCertificates* clients)
      : answers_(answers), cluster_(cluster), clients_(clients) {}

  HttpResponse handle(const IncomingRequest& request) override;

 private:
  [[nodiscard]] HttpResponse readiness() const;
  [[nodiscard]] bool may_ask(const IncomingRequest& request) const;

  const ReviewAnswers& answers_;
  const FollowedCluster& cluster_;
  const authentication::ClientCertificates* clients_;
};

}  // namespace nodebound::reviewer
