#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>

#include "harness/endpoint/server_settings.h"

namespace nodebound {

/// One thing that a target may or may not be asked, or used for.
enum class Capability {
  request,        ///< a request to the Kubernetes API, as any subject
  access_review,  ///< a SubjectAccessReview about anybody's request
  admission,  ///< what admission alone says: an AdmissionReview, or a request of a subject whom RBAC allows everything
  kubelet_request,  ///< a request to a kubelet's own API
  own_server,       ///< it can be started anew, with settings of a scenario
  objects,          ///< the administrator can make the objects that a question is about
  own_tokens,       ///< it issues tokens for service accounts, and knows them again
};

/// What a target can be asked. A run may do without some of it.
class Capabilities {
 public:
  Capabilities(std::initializer_list<Capability> all);

  /// The same without one of them, which is skipped for this reason from now on.
  [[nodiscard]] Capabilities without(Capability capability, std::string why) const;

  /// The same with one of them.
  [[nodiscard]] Capabilities with(Capability capability) const;

  /// Why a question that needs it is skipped; nothing if it can be asked.
  [[nodiscard]] std::optional<std::string> lacks(Capability capability) const;
  [[nodiscard]] bool has(Capability capability) const { return !lacks(capability); }

 private:
  std::map<Capability, std::string> lacking_;
};

/// What an API server can be asked.
Capabilities of_api_server();

/// What an API server can be asked that was started with these settings.
Capabilities of_api_server(const ServerSettings& settings);

}  // namespace nodebound
