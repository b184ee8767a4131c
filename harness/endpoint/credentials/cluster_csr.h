#pragma once

#include <chrono>

#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/https_client.h"
#include "reference/identity/subject.h"
#include "reference/result.h"

namespace nodebound {

/// Has the cluster issue a client certificate for `subject`: makes a CertificateSigningRequest as the administrator,
/// approves it, waits for the certificate, and removes the request in every case.
Result<IssuedCertificate> request_certificate(HttpClient& administrator, const Subject& subject,
                                              std::chrono::milliseconds patience = std::chrono::seconds(30));

}  // namespace nodebound
