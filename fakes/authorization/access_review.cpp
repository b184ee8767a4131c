#include "fakes/authorization/access_review.h"

#include <utility>

#include "fakes/wire/go/json.h"
#include "reference/authorizer/reviewed_request.h"
#include "reference/cluster/object.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::authorization {
namespace {

using Ordered = nlohmann::ordered_json;

// Go leaves out empty fields.
void put(Ordered& to, const char* field, const std::string& value) {
  if (!value.empty()) to[field] = value;
}

Ordered requirements(const std::vector<cel::SelectorRequirement>& selector) {
  Ordered out = Ordered::array();
  for (const cel::SelectorRequirement& one : selector) {
    out.push_back({{"key", one.key}, {"operator", one.op}, {"values", one.values}});
  }
  return out;
}

Ordered resource_attributes(const cel::ResourceAttributes& attributes) {
  Ordered out = Ordered::object();
  put(out, "namespace", attributes.namespace_);
  put(out, "verb", attributes.verb);
  put(out, "group", attributes.group);
  put(out, "version", attributes.version);
  put(out, "resource", attributes.resource);
  put(out, "subresource", attributes.subresource);
  put(out, "name", attributes.name);
  if (attributes.field_selector) {
    out["fieldSelector"]["requirements"] = requirements(attributes.field_selector->requirements);
  }
  return out;
}

Ordered spec_object(const cel::SubjectAccessReviewSpec& request, ReviewVersion version) {
  Ordered spec = Ordered::object();
  if (request.resource_attributes) {
    spec["resourceAttributes"] = resource_attributes(*request.resource_attributes);
  } else {
    Ordered& other = spec["nonResourceAttributes"] = Ordered::object();
    put(other, "path", request.non_resource_attributes->path);
    put(other, "verb", request.non_resource_attributes->verb);
  }
  put(spec, "user", request.user);
  if (!request.groups.empty()) spec[version == ReviewVersion::v1 ? "groups" : "group"] = request.groups;
  if (!request.extra.empty()) spec["extra"] = request.extra;
  put(spec, "uid", request.uid);
  return spec;
}

}  // namespace

std::string access_review(const Subject& subject, const Attributes& attributes, ReviewVersion version,
                          const Release& release) {
  Ordered metadata = Ordered::object();
  if (release.does(Behaviour::null_creation_timestamp)) metadata["creationTimestamp"] = nullptr;
  const Ordered review = {
      {"kind", "SubjectAccessReview"},
      {"apiVersion", version == ReviewVersion::v1 ? "authorization.k8s.io/v1" : "authorization.k8s.io/v1beta1"},
      {"metadata", metadata},
      {"spec", spec_object(reviewed_request(subject, attributes, release), version)},
      {"status", {{"allowed", false}}}};
  return escaped_for_html(review.dump(-1, ' ', false, Ordered::error_handler_t::replace)) + "\n";
}

tl::expected<WebhookAnswer, std::string> read_access_review(std::string_view body) {
  const auto parsed = read_json(body);
  if (!parsed) return tl::unexpected("couldn't get version/kind; json parse error: " + parsed.error());
  const Object& review = *parsed;
  if (!review.is_object()) return tl::unexpected<std::string>("couldn't get version/kind; json parse error");
  const Object& status = member(review, "status");
  const auto wrong = [&](const char* field, const char* expected) {
    return tl::unexpected(std::string("status.") + field + " is no " + expected);
  };
  if (!status.is_null() && !status.is_object()) return tl::unexpected<std::string>("status is no object");
  for (const char* field : {"allowed", "denied"}) {
    const Object& value = member(status, field);
    if (!value.is_null() && !value.is_boolean()) return wrong(field, "boolean");
  }
  const Object& reason = member(status, "reason");
  if (!reason.is_null() && !reason.is_string()) return wrong("reason", "text");
  WebhookAnswer out;
  out.allowed = is_true(status, "allowed");
  out.denied = is_true(status, "denied");
  out.reason = text(status, "reason");
  return out;
}

}  // namespace nodebound::authorization
