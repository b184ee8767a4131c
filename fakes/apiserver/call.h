#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/apiserver/read/representation.h"
#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/cluster.h"
#include "reference/identity/subject.h"

namespace nodebound::apiserver {

struct Strategy;
struct SubresourceStrategy;
class AdmissionNotes;
class ReviewTalk;
class WebhookTalk;

/// A request on its way through the server.
struct Call {
  const Subject& subject;
  const HttpRequest& request;
  Attributes attributes;
  bool dry_run = false;
  std::string now = {};                                     ///< the time of the request, as objects have it
  std::shared_ptr<const ApiResources> resources = nullptr;  ///< what is served while the request is answered
  const ApiResource* resource = nullptr;
  const ApiSubresource* subresource = nullptr;
  const Strategy* strategy = nullptr;            ///< of the resource
  const SubresourceStrategy* through = nullptr;  ///< of the subresource; null if there is none
  Representation as = {};
  Object body = {};                        ///< of a create or update; the options of a delete
  std::vector<std::string> warnings = {};  ///< about the API version and the body
  ReviewTalk* reviews = nullptr;           ///< with an authorization webhook; null if none takes its time
  WebhookTalk* talk = nullptr;             ///< with admission webhooks; null if none are asked
  AdmissionNotes* notes = nullptr;         ///< of a write

  [[nodiscard]] ObjectKey key() const { return key(attributes.name); }
  [[nodiscard]] ObjectKey key(std::string_view name) const;
};

}  // namespace nodebound::apiserver
