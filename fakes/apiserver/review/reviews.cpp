#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/review/reviewed_selectors.h"
#include "fakes/apiserver/status.h"
#include "fakes/validation/review.h"

namespace nodebound {
namespace {

Attributes reviewed_attributes(const Object& spec) {
  Attributes attributes;
  const Object& resource = member(spec, "resourceAttributes");
  if (!resource.is_object()) {
    attributes.verb = text(spec, "nonResourceAttributes", "verb");
    attributes.path = text(spec, "nonResourceAttributes", "path");
    return attributes;
  }
  attributes.resource_request = true;
  attributes.verb = text(resource, "verb");
  attributes.api_group = text(resource, "group");
  attributes.api_version = text(resource, "version");
  attributes.resource = text(resource, "resource");
  attributes.subresource = text(resource, "subresource");
  attributes.namespace_ = text(resource, "namespace");
  attributes.name = text(resource, "name");
  return attributes;
}

Subject reviewed_subject(const Object& spec) {
  Subject out{std::string(text(spec, "user")), strings_of(member(spec, "groups")), std::string(text(spec, "uid")), {}};
  for (const auto& [key, values] : member(spec, "extra").items()) out.extra[key] = strings_of(values);
  return out;
}

}  // namespace

HttpResponse ApiServer::review_token(Object review) {
  if (text(review, "spec", "token").empty()) {
    return failure(400, "BadRequest", "token is required for TokenReview in authentication");
  }
  review["status"] = {{"authenticated", false}};
  if (options_.token_reviewer) {
    review["status"] = options_.token_reviewer(member(review, "spec"), [this](const ObjectKey& key) {
      const Object* found = store_.cluster().find(key);
      return found == nullptr ? std::nullopt : std::optional<Object>(*found);
    });
  }
  return object_response(201, review);
}

HttpResponse ApiServer::review(const Call& call, Object review) {
  static const Object nothing;
  review = served_as(*call.resource, std::move(review));
  const AdmissionRequest request = admission_request(call, Operation::create, review, nothing);
  if (const Admission refusal = refused(request)) return refusal_response(request, *refusal, rules_);
  // Some releases write a time that is not set as null.
  const bool says_no_time = defaults_.does(Behaviour::null_creation_timestamp);
  if (member(review, "metadata").is_null()) review["metadata"] = Object::object();
  if (says_no_time && review["metadata"].is_object()) review["metadata"].emplace("creationTimestamp", nullptr);
  if (call.resource->resource == "selfsubjectrulesreviews") return review_rules(call, std::move(review));
  if (call.resource->resource == "selfsubjectreviews") {
    review["metadata"]["creationTimestamp"] = now();
    Object& info = review["status"]["userInfo"] = {{"username", call.subject.name}, {"groups", call.subject.groups}};
    if (!call.subject.uid.empty()) info["uid"] = call.subject.uid;
    if (!call.subject.extra.empty()) info["extra"] = call.subject.extra;
    return object_response(201, review);
  }
  if (call.resource->resource == "tokenreviews") return review_token(std::move(review));
  return review_access(call, std::move(review));
}

HttpResponse ApiServer::review_access(const Call& call, Object review) {
  const bool self = call.resource->resource == "selfsubjectaccessreviews";
  const bool local = call.resource->namespaced;
  if (local) review["metadata"].emplace("namespace", call.attributes.namespace_);
  if (!defaults_.does(Behaviour::review_selectors) && member(review, "spec", "resourceAttributes").is_object()) {
    for (const char* selector : {"fieldSelector", "labelSelector"})
      review["spec"]["resourceAttributes"].erase(selector);
  }
  const FieldMistakes mistakes = wrong_access_review(review, self, local);
  if (!mistakes.empty()) return invalid(*call.resource->release, call.resource->group, "", "", mistakes);
  const Object& spec = member(review, "spec");
  const Subject subject = self ? call.subject : reviewed_subject(spec);
  Attributes attributes = reviewed_attributes(spec);
  ReviewedSelectors selectors = ReviewedSelectors::of(member(spec, "resourceAttributes"));
  attributes.field_selector = std::move(selectors.fields);
  const Decision decision = chain_->authorize(subject, attributes);
  review["status"] = {{"allowed", decision.allowed()}};
  if (decision.outcome == Decision::Outcome::deny) review["status"]["denied"] = true;
  if (!decision.reason.empty()) review["status"]["reason"] = decision.reason;
  if (!selectors.ignored.empty()) review["status"]["evaluationError"] = selectors.ignored;
  HttpResponse response = object_response(201, review);
  response.headers["x-nodebound-rule"] = rules_.catalogue()[decision.rule].id;
  return response;
}

}  // namespace nodebound
