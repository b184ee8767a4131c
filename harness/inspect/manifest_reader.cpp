#include "harness/inspect/manifest_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "harness/objects/document.h"
#include "harness/objects/input_file.h"

namespace nodebound::inspect {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 20'000;
constexpr int deepest_folder = 40;
constexpr std::size_t largest_file = input_limit::configuration;

bool is_document(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

// Files that may hold the flags of kubelets.
bool is_flag_file(const fs::path& path) {
  constexpr std::array<std::string_view, 5> extensions = {".service", ".conf", ".env", ".sh", ".toml"};
  const std::string extension = path.extension().string();
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end() ||
         path.filename().string().starts_with("kubelet");
}

// A list that kubectl prints, or one of the API's own.
bool is_list(const Object& value) {
  return text(value, "kind").ends_with("List") && member(value, "items").is_array();
}

void add_object(InspectedObject whole, Inspected& out) {
  if (!is_list(whole.object)) {
    out.objects.push_back(std::move(whole));
    return;
  }
  const std::string kind(text(whole.object, "kind"));
  const Object version = member(whole.object, "apiVersion");
  Object items = std::move(whole.object["items"]);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_object()) continue;
    InspectedObject item = whole;
    item.object = std::move(items[i]);
    item.within = "/items/" + std::to_string(i);
    item.line = whole.line_of(item.within);
    if (kind != "List" && !item.object.contains("kind")) {
      item.object["kind"] = kind.substr(0, kind.size() - std::string_view("List").size());
      item.object["apiVersion"] = version;
    }
    out.objects.push_back(std::move(item));
  }
}

class FolderReader {
 public:
  explicit FolderReader(Inspected& out) : out_(out) {}

  Result<void> read(const fs::path& folder, int depth) {
    if (depth > deepest_folder) return trouble(folder, "folders are nested too deeply");
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      if (!at->path().filename().string().starts_with(".")) entries.push_back(at->path());
      if (entries.size() > most_files) break;
    }
    if (error) return trouble(folder, error.message());
    std::sort(entries.begin(), entries.end());
    for (const fs::path& entry : entries) {
      if (out_.files >= most_files) {
        return input_error(folder.string(), "has more than " + std::to_string(most_files) + " files",
                           "name the folders that hold manifests");
      }
      if (Result<void> taken = take(entry, depth); !taken) return taken;
    }
    return {};
  }

 private:
  Result<void> take(const fs::path& entry, int depth) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(entry, error);
    if (error) return trouble(entry, error.message());
    if (fs::is_directory(status)) return read(entry, depth + 1);
    if (!fs::is_regular_file(status) || (!is_document(entry) && !is_flag_file(entry))) return {};
    ++out_.files;
    auto bytes = bytes_of_file(entry, largest_file);
    if (!bytes) return trouble(entry, bytes.error());
    InspectedFile file{entry.string(), std::move(*bytes)};
    if (!is_document(entry)) {
      out_.texts.push_back(std::make_shared<InspectedFile>(std::move(file)));
    } else if (const Result<void> added = add_manifest(std::move(file), out_); !added) {
      out_.troubles.push_back({added.error().where, added.error().what});
    }
    return {};
  }

  Result<void> trouble(const fs::path& where, std::string what) {
    out_.troubles.push_back({where.string(), std::move(what)});
    return {};
  }

  Inspected& out_;
};

Result<void> add_named(const std::string& path, Inspected& out) {
  std::error_code error;
  if (path != "-" && fs::is_directory(path, error)) return FolderReader(out).read(path, 0);
  Result<std::string> bytes = read_input(path, path == "-" ? input_limit::objects : largest_file);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  ++out.files;
  InspectedFile file{path == "-" ? "standard input" : path, std::move(*bytes)};
  if (path != "-" && !is_document(path)) {
    // A file of flags is no YAML; what is YAML has no need of the text.
    Inspected documents;
    const bool any = add_manifest(file, documents).has_value() && !documents.objects.empty();
    if (!any) {
      out.texts.push_back(std::make_shared<InspectedFile>(std::move(file)));
      return {};
    }
  }
  return add_manifest(std::move(file), out);
}

}  // namespace

Result<void> add_manifest(InspectedFile file, Inspected& out) {
  const auto shared = std::make_shared<const InspectedFile>(std::move(file));
  std::size_t number = 0;
  DocumentHandler handler;
  handler.wants_lines = shared->text.size() <= largest_file;
  handler.document = [&](Document&& document) {
    InspectedObject object;
    object.file = shared;
    object.line = document.line;
    object.document = number++;
    if (handler.wants_lines)
      object.lines = std::make_shared<const std::map<std::string, int>>(std::move(document.lines));
    object.object = std::move(document.value);
    if (object.object.is_object()) add_object(std::move(object), out);
  };
  return read_documents(source_of(shared->text), shared->name, handler);
}

Result<Inspected> read_manifests(const std::vector<std::string>& paths) {
  Inspected out;
  for (const std::string& path : paths) {
    if (Result<void> added = add_named(path, out); !added) return tl::unexpected<Error>(added.error());
  }
  return out;
}

}  // namespace nodebound::inspect
