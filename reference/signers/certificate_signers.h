#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/release/release.h"

namespace nodebound::signers {

/// A way in which a CertificateSigningRequest may be approved: its author must be allowed to create that subresource of
/// certificatesigningrequests.
struct Approval {
  std::string_view subresource;
  std::string_view message;  ///< of the condition
};

/// The ways that csrapproving tries, in its order; none if it leaves the request to others
/// (pkg/controller/certificates/approver/sarapprove.go).
std::vector<Approval> approvals_of(const Object& request, const Release& release);

/// What csrsigning makes of a request that is approved.
struct Signing {
  enum class Outcome {
    ignored,  ///< it waits for another signer, or for ever
    failed,   ///< it gets the condition Failed
    issued,
  };
  Outcome outcome = Outcome::ignored;
  std::string why;  ///< it failed, in kube-controller-manager's words
};

/// pkg/controller/certificates/signer/signer.go
Signing signing_of(const Object& request, const Release& release);

/// When a certificate begins and ends, in seconds from now.
struct Lifetime {
  std::int64_t begin;
  std::int64_t end;
};

/// Of the certificate for a request, if the signer's certificates last `longest` and its own one ends in
/// `authority_ends`, both in seconds.
Lifetime lifetime_of(const Object& request, std::int64_t longest, std::int64_t authority_ends, const Release& release);

}  // namespace nodebound::signers
