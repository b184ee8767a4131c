#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "fakes/wire/certificates/pki.h"
#include "fakes/wire/http.h"
#include "reference/cluster/object.h"
#include "reference/release/release.h"
#include "reference/signers/certificate_signers.h"

namespace nodebound::controllers {

/// The controllers csrapproving and csrsigning of kube-controller-manager.
class CertificateController {
 public:
  using Time = std::chrono::system_clock::time_point;
  /// Sends a request to the API server as the controller's user.
  using Call = std::function<HttpResponse(const HttpRequest& request)>;

  struct Options {
    bool approves = true;
    /// Signs with it; null: signs nothing.
    std::shared_ptr<const CertificateAuthority> authority = nullptr;
    std::chrono::seconds longest = std::chrono::hours(8760);  ///< how long a certificate lasts that wants nothing else
  };

  /// `release` must outlive it.
  CertificateController(const Release& release, Options options, Call call);

  /// Approves and signs what is to be approved and signed. A request that it could do nothing for is looked at again
  /// once it has changed, or after a while, ever longer.
  void look(Time now);

 private:
  struct Waiting {
    std::string resource_version;
    Time again;
    std::chrono::milliseconds pause;
  };

  [[nodiscard]] bool waits(const Object& request, Time now) const;
  /// Whether it has changed the request; it waits if not.
  bool process(Object& request, Time now);
  bool approve(Object& request);
  bool sign(Object& request, Time now);
  [[nodiscard]] bool may_be_approved(const Object& request, std::string_view subresource) const;
  bool fail(Object& request, const std::string& why, Time now);
  /// Writes it; then it is what the server has stored.
  bool update(Object& request, const char* subresource) const;
  [[nodiscard]] HttpResponse send(const char* method, const std::string& target, const Object& body) const;

  const Release& release_;
  const Options options_;
  const Call call_;
  const std::string group_version_;
  std::map<std::string, Waiting> waiting_;  ///< by uid
};

}  // namespace nodebound::controllers
