#include "harness/objects/cluster_file.h"

#include "fakes/apiserver/api_catalogue.h"
#include "harness/objects/document.h"
#include "reports/text.h"

namespace nodebound {
namespace {

constexpr const char* like_kubectl =
    "expected what `kubectl get -o yaml` prints: objects with apiVersion, kind, metadata";

// The named member, which must be text that is not empty.
Result<std::string> required(const Object& parent, const char* name, const std::string& field,
                             const std::string& where) {
  const std::string_view value = text(parent, name);
  if (!value.empty()) return std::string(value);
  const bool there = !member(parent, name).is_null();
  return input_error(where, "an object " + std::string(there ? "whose " + field + " is not text" : "without " + field),
                     like_kubectl);
}

Result<std::string> group_of(const std::string& api_version, const std::string& where) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string::npos) return std::string();
  if (slash == 0 || api_version.find('/', slash + 1) != std::string::npos) {
    return input_error(where, "the apiVersion \"" + printable(api_version) + "\" is none",
                       "expected GROUP/VERSION or v1");
  }
  return api_version.substr(0, slash);
}

class ClusterReader {
 public:
  Result<void> add(Object object, const std::string& where) {
    if (!object.is_object()) return input_error(where, "expected an object", like_kubectl);
    const Result<std::string> kind = required(object, "kind", "kind", where);
    if (!kind) return tl::unexpected<Error>(kind.error());
    const Result<std::string> api_version = required(object, "apiVersion", "apiVersion", where);
    if (!api_version) return tl::unexpected<Error>(api_version.error());
    const Result<std::string> group = group_of(*api_version, where);
    if (!group) return tl::unexpected<Error>(group.error());
    const Result<std::string> name = required(member(object, "metadata"), "name", "metadata.name", where);
    if (!name) return tl::unexpected<Error>(name.error());
    const ApiResourceEntry* resource = ApiCatalogue::built_in().find_kind(*group, *kind);
    if (resource == nullptr) return {};
    Object& metadata = object["metadata"];
    metadata.erase("managedFields");
    if (!resource->namespaced) {
      metadata.erase("namespace");
    } else if (text(metadata, "namespace").empty()) {
      metadata["namespace"] = "default";
    }
    std::string in(text(metadata, "namespace"));
    objects.push_back({{*group, std::string(resource->resource), std::move(in), *name}, std::move(object), where});
    return {};
  }

  Result<void> add(Document document, const std::string& file) {
    const std::string where = file + ":" + std::to_string(document.line);
    const std::string_view kind = text(document.value, "kind");
    const Object& listed = member(document.value, "items");
    if (!kind.ends_with("List") || (!listed.is_array() && kind != "List")) {
      return add(std::move(document.value), where);
    }
    if (!listed.is_array() && !listed.is_null())
      return input_error(where, "a List whose items are no list", like_kubectl);
    for (std::size_t i = 0; i < listed.size(); ++i) {
      Object item = std::move(document.value["items"][i]);
      // The API's own lists, such as a PodList, say once what their items are.
      if (item.is_object() && kind != "List") {
        if (!item.contains("kind")) item["kind"] = kind.substr(0, kind.size() - 4);
        if (!item.contains("apiVersion")) item["apiVersion"] = member(document.value, "apiVersion");
      }
      const std::string place = file + ":" + std::to_string(document.item_lines[i]);
      if (Result<void> added = add(std::move(item), place); !added) return added;
    }
    return {};
  }

  std::vector<ClusterObject> objects;
};

}  // namespace

Result<std::vector<ClusterObject>> read_cluster_objects(std::string_view text, const std::string& file) {
  Result<std::vector<Document>> documents = read_documents(text, file);
  if (!documents) return tl::unexpected<Error>(documents.error());
  if (documents->empty()) return input_error(file, "has no objects", like_kubectl);
  ClusterReader reader;
  for (Document& document : *documents) {
    if (Result<void> added = reader.add(std::move(document), file); !added) return tl::unexpected<Error>(added.error());
  }
  return std::move(reader.objects);
}

Result<Object> read_body(std::string_view text, const std::string& file) {
  Result<std::vector<Document>> documents = read_documents(text, file);
  if (!documents) return tl::unexpected<Error>(documents.error());
  if (documents->size() != 1 || !documents->front().value.is_object()) {
    const int line = documents->empty() ? 1 : documents->back().line;
    return input_error(file + ":" + std::to_string(line), "expected one object as the request's body");
  }
  return std::move(documents->front().value);
}

Result<void> load(const std::vector<ClusterObject>& objects, Cluster& cluster) {
  for (const ClusterObject& entry : objects) {
    try {
      cluster.erase(entry.key);
      cluster.put(entry.key, entry.object);
    } catch (const Object::exception& error) {
      return input_error(entry.where, std::string("some member is of another type than the API has: ") + error.what());
    }
  }
  return {};
}

}  // namespace nodebound
