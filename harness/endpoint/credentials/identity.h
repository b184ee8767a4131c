#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/https_client.h"
#include "reference/identity/subject.h"
#include "reference/result.h"

namespace nodebound {

/// `system:anonymous` asks without credentials, because no credential makes a server treat a caller as anonymous.
bool is_anonymous(const Subject& subject);

/// The subject without `system:authenticated`, which every API server adds to authenticated callers.
Subject as_presented(Subject subject);

/// True if a certificate can express the whole subject: a certificate carries neither uid nor extra.
bool fits_certificate(const Subject& subject);

/// The administrator's credentials with the headers that impersonate `subject`. An input error if a header cannot carry
/// the subject's names unchanged.
Result<Credentials> impersonating(Credentials administrator, const Subject& subject);

/// Equal for equal subjects only.
std::string key_of(const Subject& subject);

/// The certificates of an endpoint's subjects, each issued once, at first use. Thread-safe.
class CertificateStore {
 public:
  using Issue = std::function<Result<IssuedCertificate>(const Subject&)>;

  explicit CertificateStore(Issue issue) : issue_(std::move(issue)) {}

  Result<IssuedCertificate> of(const Subject& subject);

 private:
  std::mutex mutex_;
  Issue issue_;
  std::map<std::string, IssuedCertificate> issued_;
};

}  // namespace nodebound
