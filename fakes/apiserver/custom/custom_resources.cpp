#include "fakes/apiserver/custom/custom_resources.h"

#include <algorithm>

#include "fakes/apiserver/custom/custom_schema.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/store/change.h"

namespace nodebound::apiserver {
namespace {

constexpr const char* group_of_definitions = "apiextensions.k8s.io";
constexpr const char* definitions = "customresourcedefinitions";

const Object& schema_of_resource(const ApiResource& resource) {
  return member(*resource.definition, "schema", "openAPIV3Schema");
}

// A path in JSONPath as field selectors name it: `.spec.color` is `spec.color`.
std::vector<std::string> selectable_fields_of(const Object& version, bool namespaced) {
  std::vector<std::string> out;
  for (const Object& field : member(version, "selectableFields")) {
    const std::string_view path = text(field, "jsonPath");
    out.emplace_back(path.substr(path.starts_with('.') ? 1 : 0));
  }
  if (!out.empty() && namespaced) out.emplace_back("metadata.namespace");
  return out;
}

ApiResource resource_of(const Object& spec, const Object& version) {
  const Object& names = member(spec, "names");
  ApiResource out;
  out.group = text(spec, "group");
  out.version = text(version, "name");
  out.group_version = group_version_of(out.group, out.version);
  out.resource = text(names, "plural");
  out.singular = text(names, "singular");
  out.kind = text(names, "kind");
  out.short_names = strings_of(member(names, "shortNames"));
  out.categories = strings_of(member(names, "categories"));
  out.namespaced = text(spec, "scope") == "Namespaced";
  out.fields = selectable_fields_of(version, out.namespaced);
  out.verbs = {"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"};
  out.needs_version = true;
  if (!member(version, "subresources", "status").is_null()) {
    out.subresources.push_back({"status", out.kind, out.group_version, {"get", "patch", "update"}});
  }
  out.definition = std::make_shared<const Object>(version);
  return out;
}

void add_versions(const Object& definition, std::vector<ApiResource>& out) {
  const Object& spec = member(definition, "spec");
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for (const Object& version : member(spec, "versions")) {
    if (is_true(version, "served")) out.push_back(resource_of(spec, version));
  }
  std::sort(out.begin() + first, out.end(),
            [](const ApiResource& a, const ApiResource& b) { return is_newer_version(a.version, b.version); });
}

void decode_custom(const WriteContext& write, Object& object) {
  const Object& schema = schema_of_resource(write.resource);
  prune(schema, object);
  add_schema_defaults(schema, object);
}

void begin_custom(const WriteContext&, Object& object) {
  object["metadata"]["generation"] = 1;
}

}  // namespace

std::vector<ApiResource> custom_resources_of(const Cluster& cluster) {
  std::vector<ApiResource> out;
  cluster.each_shared(group_of_definitions, definitions, "",
                      [&](const std::string&, const std::string&, const ObjectPtr& object) {
                        // One that is being deleted is served until its objects are gone; here they go with it.
                        add_versions(*object, out);
                      });
  return out;
}

std::vector<std::string> definitions_in(const Cluster& cluster) {
  std::vector<std::string> out;
  cluster.each_shared(group_of_definitions, definitions, "",
                      [&](const std::string&, const std::string& name, const ObjectPtr& object) {
                        out.push_back(name + "@" + std::string(text(*object, "metadata", "resourceVersion")));
                      });
  return out;
}

const Strategy& custom_strategy() {
  static constexpr Strategy strategy = {.decode = decode_custom,
                                        .checks = {.metadata_checks = 3, .any_finalizers = true, .declared = false},
                                        .prepare_for_create = begin_custom};
  return strategy;
}

std::vector<std::string> unknown_custom_fields(const ApiResource& resource, Object object) {
  return prune(schema_of_resource(resource), object);
}

validation::FieldMistakes mistakes_of_custom_object(const ApiResource& resource, const Object& object) {
  return mistakes_by_schema(schema_of_resource(resource), object);
}

}  // namespace nodebound::apiserver
