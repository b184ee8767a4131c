#include "harness/contents/selected_objects.h"

#include "fakes/wire/protobuf/protobuf.h"
#include "fakes/wire/resources/routes.h"
#include "harness/contents/watch_events.h"

namespace nodebound {
namespace {

void add_objects_of(const Object& document, std::vector<Object>& out) {
  const std::string_view kind = text(document, "kind");
  if (kind == "Table") {
    for (const Object& row : member(document, "rows")) out.push_back(member(row, "object"));
  } else if (kind.ends_with("List")) {
    for (const Object& item : member(document, "items")) out.push_back(item);
  } else if (document.is_object() && kind != "Status") {
    out.push_back(document);
  }
}

Object read_protobuf(const std::string& body) {
  const auto envelope = read_envelope(body);
  if (!envelope) return nullptr;
  std::optional<GroupVersionKind> kind = parse_group_version(envelope->group_version);
  if (!kind) return nullptr;
  kind->kind = envelope->kind;
  auto object = read_message(*kind, envelope->raw);
  if (!object) return nullptr;
  (*object)["kind"] = envelope->kind;
  return std::move(*object);
}

}  // namespace

std::optional<SelectedObjects> SelectedObjects::of(const HttpRequest& request, const ApiResources& resources) {
  if (request.method != "GET") return std::nullopt;
  SelectedObjects out;
  out.attributes = attributes_of(request.method, request.target);
  if (!out.attributes.resource_request) return std::nullopt;
  const Route route = route_of(resources, out.attributes);
  const bool whole = out.attributes.subresource.empty() || out.attributes.subresource == "status";
  if (route.outcome != Route::Outcome::found || !whole) return std::nullopt;
  out.resource = route.resource;
  const Result<apiserver::FieldSelector> fields =
      apiserver::FieldSelector::parse(*out.resource, query_parameter(request.target, "fieldSelector"));
  const Result<LabelSelector> labels = LabelSelector::parse(query_parameter(request.target, "labelSelector"));
  if (!fields || !labels) return std::nullopt;
  if (out.attributes.verb != "get") {
    out.fields = *fields;
    out.labels = *labels;
  }
  return out;
}

bool SelectedObjects::contains(const Object& object) const {
  const Object& metadata = member(object, "metadata");
  const std::string_view kind = text(object, "kind");
  // The items of a list name no kind, and a row of a Table holds only metadata.
  if (!kind.empty() && kind != resource->kind && kind != "PartialObjectMetadata") return false;
  if (!attributes.name.empty() && text(metadata, "name") != attributes.name) return false;
  const bool in_namespace = resource->namespaced && !attributes.namespace_.empty();
  if (in_namespace && text(metadata, "namespace") != attributes.namespace_) return false;
  return labels.matches(object) && (kind == "PartialObjectMetadata" || fields.matches(object));
}

std::vector<Object> SelectedObjects::shown_in(const HttpResponse& response) const {
  std::vector<Object> out;
  if (media_type_of(response.content_type) == MediaType::protobuf) {
    if (attributes.verb != "watch") add_objects_of(read_protobuf(response.body), out);
    return out;
  }
  if (attributes.verb != "watch") {
    add_objects_of(Object::parse(response.body, nullptr, false), out);
    return out;
  }
  for (const Object& event : events_in(response.body)) {
    if (text(event, "type") == "BOOKMARK" || text(event, "type") == "ERROR") continue;
    add_objects_of(member(event, "object"), out);
  }
  return out;
}

std::string SelectedObjects::name_of(const Object& object) const {
  const std::string kind(text(object, "kind"));
  const bool other = !kind.empty() && kind != resource->kind && kind != "PartialObjectMetadata";
  std::string out = other ? kind : resource->resource;
  out += " \"" + std::string(text(object, "metadata", "name")) + "\"";
  const std::string_view in = text(object, "metadata", "namespace");
  return in.empty() ? out : out + " in namespace \"" + std::string(in) + "\"";
}

}  // namespace nodebound
