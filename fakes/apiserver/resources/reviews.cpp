#include <array>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/review/access_question.h"
#include "fakes/apiserver/review/rules_review.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/webhooks/webhook_admission.h"
#include "fakes/apiserver/write/fields/field_writer.h"
#include "fakes/apiserver/write/write.h"
#include "fakes/validation/review.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

HttpResponse review_token(const ServerState& server, const Call&, Object review) {
  if (text(review, "spec", "token").empty()) {
    return failure(400, "BadRequest", "token is required for TokenReview in authentication");
  }
  review["status"] = {{"authenticated", false}};
  if (server.options.token_reviewer) {
    review["status"] = server.options.token_reviewer(member(review, "spec"), [&server](const ObjectKey& key) {
      const ObjectPtr found = server.store.cluster().find(key);
      return found == nullptr ? std::nullopt : std::optional<Object>(*found);
    });
  }
  return object_response(201, review);
}

// `self`: of the caller.
HttpResponse review_access(const ServerState& server, const Call& call, Object review, bool self) {
  const bool local = call.resource->namespaced;
  if (local) review["metadata"].emplace("namespace", call.attributes.namespace_);
  if (!server.defaults.does(Behaviour::review_selectors) && member(review, "spec", "resourceAttributes").is_object()) {
    for (const char* selector : {"fieldSelector", "labelSelector"})
      review["spec"]["resourceAttributes"].erase(selector);
  }
  const validation::FieldMistakes mistakes = validation::wrong_access_review(review, self, local);
  if (!mistakes.empty()) return invalid(*call.resource->release, call.resource->group, "", "", mistakes);
  const Object& spec = member(review, "spec");
  AccessQuestion question = access_question(spec);
  const Subject& subject = self ? call.subject : question.subject;
  Attributes& attributes = question.attributes;
  if (attributes.resource_request && attributes.api_version.empty() &&
      server.defaults.does(Behaviour::review_of_any_version)) {
    attributes.api_version = "*";
  }
  const Decision decision = server.chain->authorize(subject, attributes);
  review["status"] = {{"allowed", decision.allowed()}};
  if (decision.outcome == Decision::Outcome::deny) review["status"]["denied"] = true;
  if (!decision.reason.empty()) review["status"]["reason"] = decision.reason;
  const bool both = !decision.error.empty() && !question.ignored_selectors.empty();
  const std::string errors = decision.error + (both ? "; " : "") + question.ignored_selectors;
  if (!errors.empty()) review["status"]["evaluationError"] = errors;
  HttpResponse response = object_response(201, review);
  name_rule(server.rules, decision, response);
  return response;
}

HttpResponse review_own_access(const ServerState& server, const Call& call, Object review) {
  return review_access(server, call, std::move(review), true);
}

HttpResponse review_others_access(const ServerState& server, const Call& call, Object review) {
  return review_access(server, call, std::move(review), false);
}

HttpResponse review_self(const ServerState& /*server*/, const Call& call, Object review) {
  review["metadata"]["creationTimestamp"] = call.now;
  Object& info = review["status"]["userInfo"] = {{"username", call.subject.name}, {"groups", call.subject.groups}};
  if (!call.subject.uid.empty()) info["uid"] = call.subject.uid;
  if (!call.subject.extra.empty()) info["extra"] = call.subject.extra;
  return object_response(201, review);
}

constexpr std::string_view authentication = "authentication.k8s.io";
constexpr std::string_view authorization = "authorization.k8s.io";

}  // namespace

std::span<const Strategy> strategies::reviews() {
  static constexpr std::array kinds = {
      Strategy{.group = authentication, .resource = "tokenreviews", .review = review_token},
      Strategy{.group = authentication, .resource = "selfsubjectreviews", .review = review_self},
      Strategy{.group = authorization, .resource = "selfsubjectrulesreviews", .review = review_rules},
      Strategy{.group = authorization, .resource = "selfsubjectaccessreviews", .review = review_own_access},
      Strategy{.group = authorization, .resource = "subjectaccessreviews", .review = review_others_access},
      Strategy{.group = authorization, .resource = "localsubjectaccessreviews", .review = review_others_access},
  };
  return kinds;
}

HttpResponse answer_review(ServerState& server, const Call& call) {
  static const Object nothing;
  Object review = served_as(*call.resource, call.body);
  record_fields(server, call, Object::object(), review);
  const AdmissionRequest request = admission_request(call, Operation::create, review, nothing);
  const auto plugins = [&] { return refused_by_plugins(server, request); };
  if (auto refusal = mutated(server, call, {Operation::create, review, nothing}, plugins)) return *refusal;
  if (auto refusal = refused_by_validators(server, call, {Operation::create, review, nothing})) return *refusal;
  // Some releases write a time that is not set as null.
  const bool says_no_time = server.defaults.does(Behaviour::null_creation_timestamp);
  if (member(review, "metadata").is_null()) review["metadata"] = Object::object();
  if (says_no_time && review["metadata"].is_object()) review["metadata"].emplace("creationTimestamp", nullptr);
  return call.strategy->review(server, call, std::move(review));
}

}  // namespace nodebound::apiserver
