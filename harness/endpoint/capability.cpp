#include "harness/endpoint/capability.h"

namespace nodebound {

Capabilities::Capabilities(std::initializer_list<Capability> all)
    : lacking_{{Capability::request, "the target answers no requests to the Kubernetes API"},
               {Capability::access_review, "the target answers no access reviews"},
               {Capability::admission, "the target has no admission that can be asked alone"},
               {Capability::kubelet_request, "the target has no kubelet API"},
               {Capability::own_server, "how the target's API server was started is not the run's to choose"},
               {Capability::objects, "what it is about cannot be made at the target"},
               {Capability::own_tokens, "the target issues no tokens for service accounts"}} {
  for (const Capability one : all) lacking_.erase(one);
}

Capabilities Capabilities::without(Capability capability, std::string why) const {
  Capabilities out = *this;
  out.lacking_[capability] = std::move(why);
  return out;
}

Capabilities Capabilities::with(Capability capability) const {
  Capabilities out = *this;
  out.lacking_.erase(capability);
  return out;
}

std::optional<std::string> Capabilities::lacks(Capability capability) const {
  const auto found = lacking_.find(capability);
  return found == lacking_.end() ? std::nullopt : std::optional(found->second);
}

Capabilities of_api_server() {
  return {Capability::request, Capability::access_review, Capability::admission, Capability::objects,
          Capability::own_tokens};
}

Capabilities of_api_server(const ServerSettings& settings) {
  if (settings.has(AuthorizationMode::rbac)) return of_api_server();
  return of_api_server().without(Capability::admission,
                                 "RBAC is not among its authorizers, so nobody can be let past them");
}

}  // namespace nodebound
