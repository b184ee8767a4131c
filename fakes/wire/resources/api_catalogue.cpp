#include "fakes/wire/resources/api_catalogue.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <stdexcept>

#include "reference/release/toml_reader.h"

namespace nodebound {

namespace data {
std::string_view api_resources_text();
}  // namespace data

namespace {

constexpr std::string_view api_catalogue_file = "fakes/wire/resources/resources.toml";

std::vector<std::string> read_verbs(TomlReader& in, const std::vector<std::string>& otherwise) {
  static constexpr std::array<std::string_view, 8> known = {"create", "delete", "deletecollection", "get",
                                                            "list",   "patch",  "update",           "watch"};
  const toml::node* node = in.find("verbs");
  if (node == nullptr) return otherwise;
  std::vector<std::string> verbs = in.texts("verbs");
  for (const std::string& verb : verbs) {
    if (std::find(known.begin(), known.end(), verb) != known.end()) continue;
    throw TomlMistake(*node, "unknown verb \"" + verb + "\"" + did_you_mean(verb, {known.begin(), known.end()}));
  }
  return verbs;
}

std::vector<ApiFieldEntry> read_fields(TomlReader& in) {
  std::vector<ApiFieldEntry> out;
  for (std::string& field : in.texts("fields")) out.push_back({std::move(field), {}});
  in.tables("new_fields", [&](const toml::table& table) {
    TomlReader of_one(table);
    of_one.required("since");
    for (std::string& field : of_one.texts("fields")) out.push_back({std::move(field), ReleaseRange::read(of_one)});
    of_one.done();
  });
  return out;
}

ApiDeprecation read_deprecation(const toml::table& table) {
  TomlReader in(table);
  ApiDeprecation out{in.text("since", true), in.text("unavailable"), in.text("use"), ReleaseRange::read_versions(in)};
  in.done();
  return out;
}

ApiVersionEntry read_api_version(const toml::table& table) {
  TomlReader in(table);
  in.required("since");
  ApiVersionEntry entry{in.text("version", true), read_verbs(in, {}), in.flag("on_request"), ReleaseRange::read(in)};
  if (const toml::table* deprecated = in.table("deprecated")) entry.deprecated = read_deprecation(*deprecated);
  in.done();
  return entry;
}

ApiSubresourceEntry read_subresource(const toml::table& table) {
  TomlReader in(table);
  ApiSubresourceEntry entry;
  entry.name = in.text("name", true);
  entry.kind = in.text("kind");
  entry.group_version = in.text("version");
  entry.of = in.text("of");
  entry.verbs = read_verbs(in, {"get", "patch", "update"});
  entry.connect = in.flag("connect");
  entry.keeps_metadata = in.flag("keeps_metadata");
  entry.range = ReleaseRange::read(in);
  in.done();
  return entry;
}

ApiResourceEntry read_resource(const toml::table& table, const toml::table& group) {
  TomlReader in(table, &group);
  ApiResourceEntry entry;
  entry.group = in.text("name", true);
  entry.resource = in.text("resource", true);
  entry.kind = in.text("kind", true);
  entry.short_names = in.texts("short");
  entry.categories = in.texts("categories");
  entry.fields = read_fields(in);
  entry.namespaced = in.flag("namespaced");
  entry.verbs = read_verbs(in, {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"});
  entry.create_on_update = in.flag("create_on_update");
  entry.status_on_create = in.flag("status_on_create");
  entry.answers_deleted = in.flag("answers_deleted");
  entry.needs_version = in.flag("needs_version");
  entry.uncached = in.flag("uncached");
  entry.names = in.text("names");
  in.tables("versions", [&](const toml::table& version) { entry.versions.push_back(read_api_version(version)); });
  in.tables("subresources", [&](const toml::table& sub) { entry.subresources.push_back(read_subresource(sub)); });
  in.done();
  if (entry.versions.empty()) throw TomlMistake(table, "expected at least one version");
  return entry;
}

// A key of a group that none of its resources would use is a mistake.
void check_keys(const toml::table& group) {
  TomlReader in(group);
  for (const char* key :
       {"name", "resource", "categories", "namespaced", "verbs", "create_on_update", "versions", "subresources"}) {
    in.find(key);
  }
  in.done();
}

std::vector<ApiResourceEntry> read_entries(const toml::table& file) {
  std::vector<ApiResourceEntry> entries;
  TomlReader in(file);
  in.find("reviewed");
  in.tables("group", [&](const toml::table& group) {
    check_keys(group);
    TomlReader(group).tables("resource", [&](const toml::table& resource) {
      ApiResourceEntry entry = read_resource(resource, group);
      const bool again = std::any_of(entries.begin(), entries.end(), [&](const ApiResourceEntry& other) {
        return other.group == entry.group && other.resource == entry.resource;
      });
      if (again) throw TomlMistake(resource, "the group has " + entry.resource + " twice");
      entries.push_back(std::move(entry));
    });
  });
  in.done();
  return entries;
}

std::vector<ReviewedResource> read_reviewed(const toml::table& file) {
  std::vector<ReviewedResource> out;
  TomlReader(file).tables("reviewed", [&](const toml::table& table) {
    TomlReader in(table);
    const std::string resource = in.text("resource", true);
    const std::size_t slash = std::min(resource.find('/'), resource.size());
    ReviewedResource entry;
    entry.group = in.text("group");
    entry.resource = resource.substr(0, slash);
    entry.subresource = resource.substr(std::min(slash + 1, resource.size()));
    entry.verbs = in.texts("verbs");
    entry.namespaced = in.flag("namespaced");
    in.done();
    out.push_back(std::move(entry));
  });
  return out;
}

// v1beta2 as its rank, major and minor number: 2, 1, 2.
struct ParsedVersion {
  int rank = 0;  ///< alpha, beta, stable
  int major = 0;
  int minor = 0;

  auto operator<=>(const ParsedVersion&) const = default;
};

ParsedVersion parsed(std::string_view text) {
  ParsedVersion version;
  const char* const end = text.data() + text.size();
  const char* at = std::from_chars(text.data() + std::min<std::size_t>(1, text.size()), end, version.major).ptr;
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  version.rank = rest.empty() ? 3 : rest.starts_with("beta") ? 2 : 1;
  const std::size_t digits = std::min(rest.find_first_of("0123456789"), rest.size());
  std::from_chars(rest.data() + digits, end, version.minor);
  return version;
}

}  // namespace

bool is_newer_version(std::string_view version, std::string_view other) {
  return parsed(version) > parsed(other);
}

const std::string& ApiResourceEntry::newest_version() const {
  return std::min_element(
             versions.begin(), versions.end(),
             [](const ApiVersionEntry& a, const ApiVersionEntry& b) { return is_newer_version(a.version, b.version); })
      ->version;
}

Result<ApiCatalogue> ApiCatalogue::parse(std::string_view resources) {
  try {
    ApiCatalogue catalogue;
    const toml::table file = parse_toml(resources, api_catalogue_file);
    catalogue.entries_ = read_entries(file);
    catalogue.reviewed_ = read_reviewed(file);
    return catalogue;
  } catch (const toml::parse_error& error) {
    return toml_error(api_catalogue_file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(api_catalogue_file, mistake);
  }
}

const ApiCatalogue& ApiCatalogue::built_in() {
  static const ApiCatalogue catalogue = [] {
    Result<ApiCatalogue> parsed_file = parse(data::api_resources_text());
    if (!parsed_file) throw std::logic_error(parsed_file.error().text());
    return std::move(*parsed_file);
  }();
  return catalogue;
}

const ApiResourceEntry* ApiCatalogue::find(std::string_view resource, std::optional<std::string_view> group) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const ApiResourceEntry& entry) {
    return entry.resource == resource && (!group || entry.group == *group);
  });
  return found == entries_.end() ? nullptr : &*found;
}

const ApiResourceEntry* ApiCatalogue::find_kind(std::string_view group, std::string_view kind) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const ApiResourceEntry& e) { return e.group == group && e.kind == kind; });
  return found == entries_.end() ? nullptr : &*found;
}

const ApiResourceEntry* ApiCatalogue::find_short(std::string_view name, std::optional<std::string_view> group) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const ApiResourceEntry& entry) {
    const std::vector<std::string>& names = entry.short_names;
    return std::find(names.begin(), names.end(), name) != names.end() && (!group || entry.group == *group);
  });
  return found == entries_.end() ? nullptr : &*found;
}

const ReviewedResource* ApiCatalogue::find_reviewed(std::string_view resource,
                                                    std::optional<std::string_view> group) const {
  const auto found = std::find_if(reviewed_.begin(), reviewed_.end(), [&](const ReviewedResource& entry) {
    return entry.resource == resource && (!group || entry.group == *group);
  });
  return found == reviewed_.end() ? nullptr : &*found;
}

bool ApiCatalogue::has_subresource(std::string_view group, std::string_view resource,
                                   std::string_view subresource) const {
  const ApiResourceEntry* entry = find(resource, group);
  const bool served = entry != nullptr && std::any_of(entry->subresources.begin(), entry->subresources.end(),
                                                      [&](const auto& sub) { return sub.name == subresource; });
  return served || std::any_of(reviewed_.begin(), reviewed_.end(), [&](const ReviewedResource& own) {
           return own.group == group && own.resource == resource && own.subresource == subresource;
         });
}

std::vector<std::string> ApiCatalogue::gates() const {
  std::set<std::string> names;
  for (const ApiResourceEntry& entry : entries_) {
    for (const ApiVersionEntry& version : entry.versions) {
      names.insert(version.range.gates.begin(), version.range.gates.end());
    }
    for (const ApiSubresourceEntry& sub : entry.subresources)
      names.insert(sub.range.gates.begin(), sub.range.gates.end());
  }
  return {names.begin(), names.end()};
}

}  // namespace nodebound
