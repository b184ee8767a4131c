#include "fakes/apiserver/review/access_question.h"

#include "fakes/apiserver/review/reviewed_selectors.h"

namespace nodebound::apiserver {
namespace {

Subject questioned_subject(const Object& spec) {
  const Object& groups = member(spec, member(spec, "groups").is_null() ? "group" : "groups");
  Subject out{std::string(text(spec, "user")), strings_of(groups), std::string(text(spec, "uid")), {}};
  for (const auto& [key, values] : member(spec, "extra").items()) out.extra[key] = strings_of(values);
  return out;
}

Attributes questioned_attributes(const Object& spec) {
  Attributes out;
  const Object& resource = member(spec, "resourceAttributes");
  if (!resource.is_object()) {
    out.verb = text(spec, "nonResourceAttributes", "verb");
    out.path = text(spec, "nonResourceAttributes", "path");
    return out;
  }
  out.resource_request = true;
  out.verb = text(resource, "verb");
  out.api_group = text(resource, "group");
  out.api_version = text(resource, "version");
  out.resource = text(resource, "resource");
  out.subresource = text(resource, "subresource");
  out.namespace_ = text(resource, "namespace");
  out.name = text(resource, "name");
  return out;
}

}  // namespace

AccessQuestion access_question(const Object& spec) {
  AccessQuestion out{questioned_subject(spec), questioned_attributes(spec), {}};
  ReviewedSelectors selectors = ReviewedSelectors::of(member(spec, "resourceAttributes"));
  out.attributes.field_selector = std::move(selectors.fields);
  out.ignored_selectors = std::move(selectors.ignored);
  return out;
}

}  // namespace nodebound::apiserver
