#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/status.h"

namespace nodebound {
namespace {

std::vector<std::string> texts(const Object& list) {
  std::vector<std::string> out;
  for (const Object& item : list) {
    if (item.is_string()) out.push_back(item.get<std::string>());
  }
  return out;
}

// A requirement of a review is In or NotIn with one value; others say nothing that an authorizer would use.
std::vector<FieldRequirement> field_requirements(const Object& selector) {
  if (member(selector, "rawSelector").is_string()) return parse_field_selector(text(selector, "rawSelector"));
  std::vector<FieldRequirement> out;
  for (const Object& requirement : member(selector, "requirements")) {
    const std::string_view op = text(requirement, "operator");
    const Object& values = member(requirement, "values");
    if ((op != "In" && op != "NotIn") || values.size() != 1 || !values.front().is_string()) continue;
    out.push_back({std::string(text(requirement, "key")), op == "In" ? "=" : "!=", values.front().get<std::string>()});
  }
  return out;
}

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
  attributes.field_selector = field_requirements(member(resource, "fieldSelector"));
  return attributes;
}

}  // namespace

// No rule is about what the review lists: it says that the list is not the whole.
HttpResponse ApiServer::review_rules(Object review) {
  if (text(review, "spec", "namespace").empty()) return failure(400, "BadRequest", "no namespace on request");
  review["spec"] = Object::object();
  review["status"] = {{"resourceRules", Object::array()},
                      {"nonResourceRules", Object::array()},
                      {"incomplete", true},
                      {"evaluationError", "this server does not resolve the rules of a user"}};
  return object_response(201, review);
}

HttpResponse ApiServer::review(const Call& call, Object review) {
  review = served_as(*call.resource, std::move(review));
  if (call.resource->resource == "selfsubjectrulesreviews") return review_rules(std::move(review));
  if (call.resource->resource == "selfsubjectreviews") {
    review["status"]["userInfo"] = {{"username", call.subject.name}, {"groups", call.subject.groups}};
    return object_response(201, review);
  }
  if (call.resource->resource == "tokenreviews") {
    review["status"] = {{"authenticated", false}};
    return object_response(201, review);
  }
  const Object spec = member(review, "spec");
  Subject subject = call.subject;
  if (call.resource->resource != "selfsubjectaccessreviews") {
    subject = {std::string(text(spec, "user")), texts(member(spec, "groups")), std::string(text(spec, "uid")), {}};
    if (subject.name.empty() && subject.groups.empty()) {
      return failure(422, "Invalid",
                     ".authorization.k8s.io \"\" is invalid: spec.user: Invalid value: \"\": at least one of user or "
                     "group must be specified");
    }
  }
  const Decision decision = chain_->authorize(subject, reviewed_attributes(spec));
  review["status"] = {{"allowed", decision.allowed()}};
  if (decision.outcome == Decision::Outcome::deny) review["status"]["denied"] = true;
  if (!decision.reason.empty()) review["status"]["reason"] = decision.reason;
  HttpResponse response = object_response(201, review);
  response.headers["x-nodebound-rule"] = rules_.catalogue()[decision.rule].id;
  return response;
}

}  // namespace nodebound
