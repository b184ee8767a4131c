#include "harness/run/contents.h"

#include <sstream>

#include "fakes/apiserver/read/field_selector.h"
#include "fakes/wire/resources/routes.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/label_selector.h"

namespace nodebound {
namespace {

/// What a request selects.
struct AskedFor {
  Attributes attributes;
  const ApiResource* resource = nullptr;
  FieldSelector fields;
  LabelSelector labels;

  [[nodiscard]] bool selects(const Object& object) const {
    const Object& metadata = member(object, "metadata");
    const std::string_view kind = text(object, "kind");
    // The items of a list name no kind, and a row of a Table holds only metadata.
    if (!kind.empty() && kind != resource->kind && kind != "PartialObjectMetadata") return false;
    if (!attributes.name.empty() && text(metadata, "name") != attributes.name) return false;
    const bool in_namespace = resource->namespaced && !attributes.namespace_.empty();
    if (in_namespace && text(metadata, "namespace") != attributes.namespace_) return false;
    return labels.matches(object) && (kind == "PartialObjectMetadata" || fields.matches(object));
  }
};

std::optional<AskedFor> asked_for(const HttpRequest& request, const ApiResources& resources) {
  if (request.method != "GET") return std::nullopt;
  AskedFor out;
  out.attributes = attributes_of(request.method, request.target);
  if (!out.attributes.resource_request) return std::nullopt;
  const Route route = route_of(resources, out.attributes);
  const bool whole = out.attributes.subresource.empty() || out.attributes.subresource == "status";
  if (route.outcome != Route::Outcome::found || !whole) return std::nullopt;
  out.resource = route.resource;
  const Result<FieldSelector> fields =
      FieldSelector::parse(*out.resource, query_parameter(request.target, "fieldSelector"));
  const Result<LabelSelector> labels = LabelSelector::parse(query_parameter(request.target, "labelSelector"));
  if (!fields || !labels) return std::nullopt;
  if (out.attributes.verb != "get") {
    out.fields = *fields;
    out.labels = *labels;
  }
  return out;
}

/// The objects of a document: those of a list or Table, or the document itself.
std::vector<Object> objects_in(const Object& document) {
  std::vector<Object> out;
  const std::string_view kind = text(document, "kind");
  if (kind == "Table") {
    for (const Object& row : member(document, "rows")) out.push_back(member(row, "object"));
  } else if (kind.ends_with("List") && member(document, "items").is_array()) {
    for (const Object& item : document["items"]) out.push_back(item);
  } else if (document.is_object() && kind != "Status") {
    out.push_back(document);
  }
  return out;
}

std::vector<Object> objects_in(const std::string& body, bool watch) {
  if (!watch) return objects_in(Object::parse(body, nullptr, false));
  std::vector<Object> out;
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) {
    const Object event = Object::parse(line, nullptr, false);
    if (text(event, "type") == "BOOKMARK" || text(event, "type") == "ERROR") continue;
    for (Object& object : objects_in(member(event, "object"))) out.push_back(std::move(object));
  }
  return out;
}

std::string name_of(const ApiResource& resource, const Object& object) {
  const std::string kind(text(object, "kind"));
  const bool other = !kind.empty() && kind != resource.kind && kind != "PartialObjectMetadata";
  std::string out = other ? kind : resource.resource;
  out += " \"" + std::string(text(object, "metadata", "name")) + "\"";
  const std::string_view in = text(object, "metadata", "namespace");
  return in.empty() ? out : out + " in namespace \"" + std::string(in) + "\"";
}

}  // namespace

std::vector<std::string> objects_not_asked_for(const HttpRequest& request, const HttpResponse& response,
                                               const ApiResources& resources) {
  const std::optional<AskedFor> asked = asked_for(request, resources);
  if (!asked) return {};
  std::vector<std::string> out;
  for (const Object& object : objects_in(response.body, asked->attributes.verb == "watch")) {
    if (object.is_object() && !asked->selects(object)) out.push_back(name_of(*asked->resource, object));
  }
  return out;
}

}  // namespace nodebound
