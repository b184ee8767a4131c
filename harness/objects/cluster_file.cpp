#include "harness/objects/cluster_file.h"

#include <optional>

#include "fakes/wire/resources/api_catalogue.h"
#include "reports/text.h"

namespace nodebound {
namespace {

constexpr const char* like_kubectl =
    "expected what `kubectl get -o yaml` prints: objects with apiVersion, kind, metadata";

// The named member, which must be a non-empty string.
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

/// The objects of a file in order. An error in one is reported only once its document proves to be a list.
class ClusterReader {
 public:
  ClusterReader(std::string file, const KeepObject& keep) : file_(std::move(file)), keep_(keep) {}

  void item(Object&& object, int line) {
    if (!object.is_object()) return note(Error{Error::Kind::input, place(line), "expected an object", like_kubectl});
    // The API's own lists, such as a PodList, name the kind of their items once, mostly before them.
    if (!object.contains("kind") || !object.contains("apiVersion")) {
      unnamed_.push_back({std::move(object), line, waiting_.size()});
    } else if (Result<void> added = add(std::move(object), place(line), waiting_); !added) {
      note(added.error());
    }
  }

  void document(Document&& document) {
    any_ = true;
    if (failed_) return;
    const std::string_view kind = text(document.value, "kind");
    const Object& listed = member(document.value, "items");
    const bool list = kind.ends_with("List") && (listed.is_array() || kind == "List");
    Result<void> done = list ? take_list(document) : add(std::move(document.value), place(document.line), objects_);
    if (!done) failed_ = done.error();
    waiting_.clear();
    unnamed_.clear();
    mistake_.reset();
  }

  Result<std::vector<ClusterObject>> result() {
    if (failed_) return tl::unexpected<Error>(*failed_);
    if (!any_) return input_error(file_, "has no objects", like_kubectl);
    return std::move(objects_);
  }

 private:
  /// A list element without a kind, and the number of objects before it.
  struct Unnamed {
    Object object;
    int line;
    std::size_t before;
  };

  [[nodiscard]] std::string place(int line) const { return file_ + ":" + std::to_string(line); }

  void note(Error error) {
    if (!mistake_) mistake_ = std::move(error);
  }

  Result<void> take_list(Document& document) {
    const Object& listed = member(document.value, "items");
    if (!listed.is_array() && !listed.is_null()) {
      return input_error(place(document.line), "a List whose items are no list", like_kubectl);
    }
    for (std::size_t i = 0; i < listed.size(); ++i) item(Object(listed[i]), document.item_lines[i]);
    const std::string kind(text(document.value, "kind"));
    std::size_t taken = 0;
    const auto take_until = [&](std::size_t end) {
      for (; taken < end; ++taken) objects_.push_back(std::move(waiting_[taken]));
    };
    for (Unnamed& unnamed : unnamed_) {
      take_until(unnamed.before);
      if (kind != "List") {
        unnamed.object.emplace("kind", kind.substr(0, kind.size() - 4));
        unnamed.object.emplace("apiVersion", member(document.value, "apiVersion"));
      }
      if (Result<void> added = add(std::move(unnamed.object), place(unnamed.line), objects_); !added) {
        note(added.error());
      }
    }
    take_until(waiting_.size());
    if (mistake_) return tl::unexpected<Error>(*mistake_);
    return {};
  }

  Result<void> add(Object object, const std::string& where, std::vector<ClusterObject>& to) {
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
    ClusterObject entry{{*group, std::string(resource->resource), std::move(in), *name}, std::move(object), where};
    if (!keep_ || keep_(entry)) to.push_back(std::move(entry));
    return {};
  }

  std::string file_;
  const KeepObject& keep_;
  bool any_ = false;
  std::optional<Error> failed_;
  std::vector<ClusterObject> objects_;
  // State of the document that is being read:
  std::vector<ClusterObject> waiting_;
  std::vector<Unnamed> unnamed_;
  std::optional<Error> mistake_;
};

}  // namespace

Result<std::vector<ClusterObject>> read_cluster_objects(const TextSource& source, const std::string& file,
                                                        const KeepObject& keep) {
  ClusterReader reader(file, keep);
  const DocumentHandler handler{[&](Object&& item, int line) { reader.item(std::move(item), line); },
                                [&](Document&& document) { reader.document(std::move(document)); }};
  if (Result<void> read = read_documents(source, file, handler); !read) return tl::unexpected<Error>(read.error());
  return reader.result();
}

Result<std::vector<ClusterObject>> read_cluster_objects(std::string_view text, const std::string& file) {
  return read_cluster_objects(source_of(text), file, nullptr);
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
      // Many clusters share the same objects, so none has its own copies.
      cluster.put_shared(entry.key, std::shared_ptr<const Object>(std::shared_ptr<const Object>(), &entry.object));
    } catch (const Object::exception& error) {
      return input_error(entry.where, std::string("some member is of another type than the API has: ") + error.what());
    }
  }
  return {};
}

}  // namespace nodebound
