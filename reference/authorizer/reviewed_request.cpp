#include "reference/authorizer/reviewed_request.h"

#include <utility>

#include "reference/release/behaviour_ids.h"

namespace nodebound {
namespace {

cel::SelectorAttributes reviewed_fields(const std::vector<FieldRequirement>& selector) {
  cel::SelectorAttributes out;
  for (const FieldRequirement& one : selector) {
    out.requirements.push_back({one.field, one.op == "!=" ? "NotIn" : "In", {one.value}});
  }
  return out;
}

}  // namespace

cel::SubjectAccessReviewSpec reviewed_request(const Subject& subject, const Attributes& attributes,
                                              const Release& release) {
  cel::SubjectAccessReviewSpec out;
  out.user = subject.name;
  out.groups = subject.groups;
  out.extra = subject.extra;
  out.uid = subject.uid;
  if (!attributes.resource_request) {
    out.non_resource_attributes = {attributes.path, attributes.verb};
    return out;
  }
  cel::ResourceAttributes resource{.namespace_ = attributes.namespace_,
                                   .verb = attributes.verb,
                                   .group = attributes.api_group,
                                   .version = attributes.api_version,
                                   .resource = attributes.resource,
                                   .subresource = attributes.subresource,
                                   .name = attributes.name,
                                   .field_selector = std::nullopt,
                                   .label_selector = std::nullopt};
  if (release.does(Behaviour::review_selectors) && !attributes.field_selector.empty()) {
    resource.field_selector = reviewed_fields(attributes.field_selector);
  }
  out.resource_attributes = std::move(resource);
  return out;
}

}  // namespace nodebound
