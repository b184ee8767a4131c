#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/authorizer/webhook_authorizer.h"

namespace nodebound {

/// What an authorization webhook of the suite answers to some reviews.
struct ScriptedAnswer {
  enum class Kind {
    allow,
    deny,
    no_opinion,
    allow_and_deny,
    rubbish,  ///< 200 with a body that is no review
    refusal,  ///< HTTP status 403
  };

  /// The reviews that it is for: those with all of these. Empty: any.
  std::string user;
  std::string group;
  std::string verb;
  std::string resource;
  std::string path;

  Kind kind = Kind::no_opinion;
  std::string reason;

  bool operator==(const ScriptedAnswer&) const = default;
};

/// The first entry that is for a review answers it; without one the webhook has no opinion.
using WebhookScript = std::vector<ScriptedAnswer>;

/// `allow`, `deny`, `no-opinion`, `allow-and-deny`, `rubbish` or `refusal`.
std::string_view to_string(ScriptedAnswer::Kind kind);
std::vector<std::string> scripted_kinds();

/// The answer to a review of this request.
ScriptedAnswer answer_of(const WebhookScript& script, const Subject& subject, const Attributes& attributes);

/// The same as an authorizer gets it.
WebhookAnswer as_received(const ScriptedAnswer& answer);

}  // namespace nodebound
