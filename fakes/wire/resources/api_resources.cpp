#include "fakes/wire/resources/api_resources.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>

#include "reference/encoding/ascii.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::vector<ApiSubresource> subresources_of(const ApiResourceEntry& entry, const ApiVersionEntry& version,
                                            const Release& release) {
  std::vector<ApiSubresource> out;
  for (const ApiSubresourceEntry& sub : entry.subresources) {
    if (!sub.range.holds(release) || (!sub.of.empty() && sub.of != version.version)) continue;
    out.push_back({sub.name, sub.kind.empty() ? entry.kind : sub.kind,
                   sub.group_version.empty() ? group_version_of(entry.group, version.version) : sub.group_version,
                   sub.verbs, sub.connect, sub.keeps_metadata});
  }
  return out;
}

// apiserver's pkg/endpoints/deprecation.
std::string deprecation_of(const ApiResourceEntry& entry, const ApiVersionEntry& version, const Release& release) {
  const std::optional<ApiDeprecation>& deprecated = version.deprecated;
  if (!deprecated || !deprecated->range.holds(release) || !release.does(Behaviour::deprecated_apis_warned)) return {};
  std::string out = group_version_of(entry.group, version.version) + " " + entry.kind + " is deprecated in v" +
                    deprecated->since + "+";
  if (!deprecated->unavailable.empty()) out += ", unavailable in v" + deprecated->unavailable + "+";
  if (deprecated->use.empty()) return out;
  const bool names_kind = deprecated->use.find(' ') != std::string::npos;
  return out + "; use " + deprecated->use + (names_kind ? "" : " " + entry.kind);
}

ApiResource served(const ApiResourceEntry& entry, const ApiVersionEntry& version, const Release& release) {
  ApiResource out;
  out.group = entry.group;
  out.version = version.version;
  out.group_version = group_version_of(entry.group, version.version);
  out.resource = entry.resource;
  out.singular = in_lower_case(entry.kind);
  out.kind = entry.kind;
  out.short_names = entry.short_names;
  out.categories = entry.categories;
  for (const ApiFieldEntry& entry_field : entry.fields) {
    if (entry_field.range.holds(release)) out.fields.push_back(entry_field.field);
  }
  out.namespaced = entry.namespaced;
  out.verbs = version.verbs.empty() ? entry.verbs : version.verbs;
  out.create_on_update = entry.create_on_update;
  out.status_on_create = entry.status_on_create;
  out.answers_deleted = entry.answers_deleted;
  out.needs_version = entry.needs_version;
  out.uncached = entry.uncached;
  out.names = validation::name_rule(entry.names);
  out.release = &release;
  out.by_default = !version.on_request;
  out.deprecation = deprecation_of(entry, version, release);
  out.subresources = subresources_of(entry, version, release);
  return out;
}

}  // namespace

std::string group_version_of(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
}

GroupVersionKind kind_of(const ApiResource& resource, const ApiSubresource* subresource) {
  const bool own = subresource != nullptr && !subresource->kind.empty();
  GroupVersionKind out =
      parse_group_version(own ? subresource->group_version : resource.group_version).value_or(GroupVersionKind());
  out.kind = own ? subresource->kind : resource.kind;
  return out;
}

bool ApiSubresource::serves(std::string_view verb) const {
  return contains(verbs, verb);
}

bool ApiResource::serves(std::string_view verb) const {
  return contains(verbs, verb);
}

const ApiSubresource* ApiResource::subresource(std::string_view name) const {
  const auto found = std::find_if(subresources.begin(), subresources.end(),
                                  [&](const ApiSubresource& subresource) { return subresource.name == name; });
  return found == subresources.end() ? nullptr : &*found;
}

std::size_t ApiResources::KeyHash::operator()(const Key& key) const {
  const std::hash<std::string_view> hash;
  return (hash(key.group) * 31 + hash(key.version)) * 31 + hash(key.resource);
}

ApiResources::ApiResources(const Release& release, RuntimeConfig config, const ApiCatalogue& catalogue)
    : release_(release) {
  for (const ApiResourceEntry& entry : catalogue.entries()) add(entry, config);
  index();
}

ApiResources::ApiResources(const ApiResources& base, std::vector<ApiResource> more)
    : release_(base.release_), resources_(base.resources_) {
  std::move(more.begin(), more.end(), std::back_inserter(resources_));
  for (ApiResource& resource : resources_) resource.release = &release_;
  index();
}

void ApiResources::index() {
  for (const ApiResource& resource : resources_) {
    add_to_group(resource);
    by_key_.emplace(Key{resource.group, resource.version, resource.resource}, &resource);
  }
  for (Group& group : groups_) {
    if (group.preferred.empty()) group.preferred = group.versions.front();
  }
}

void ApiResources::add(const ApiResourceEntry& entry, RuntimeConfig config) {
  const auto first = static_cast<std::ptrdiff_t>(resources_.size());
  for (const ApiVersionEntry& version : entry.versions) {
    const bool wanted = !version.on_request || config == RuntimeConfig::api_all;
    if (wanted && version.range.holds(release_)) resources_.push_back(served(entry, version, release_));
  }
  std::sort(resources_.begin() + first, resources_.end(),
            [](const ApiResource& a, const ApiResource& b) { return is_newer_version(a.version, b.version); });
}

void ApiResources::add_to_group(const ApiResource& resource) {
  auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.name == resource.group; });
  if (group == groups_.end()) group = groups_.insert(groups_.end(), {resource.group, {}, {}});
  std::vector<std::string>& versions = group->versions;
  if (!contains(versions, resource.version)) {
    versions.insert(std::upper_bound(versions.begin(), versions.end(), resource.version, is_newer_version),
                    resource.version);
  }
  if (resource.by_default && (group->preferred.empty() || is_newer_version(resource.version, group->preferred))) {
    group->preferred = resource.version;
  }
}

const ApiResource* ApiResources::find(std::string_view group, std::string_view version,
                                      std::string_view resource) const {
  const auto found = by_key_.find({group, version, resource});
  return found == by_key_.end() ? nullptr : found->second;
}

std::span<const ApiResource> ApiResources::versions_of(std::string_view group, std::string_view resource) const {
  const auto is_one = [&](const ApiResource& r) { return r.group == group && r.resource == resource; };
  const auto first = std::find_if(resources_.begin(), resources_.end(), is_one);
  return {first, std::find_if_not(first, resources_.end(), is_one)};
}

const ApiResource* ApiResources::find_kind(std::string_view group, std::string_view kind) const {
  const auto found = std::find_if(resources_.begin(), resources_.end(),
                                  [&](const ApiResource& r) { return r.group == group && r.kind == kind; });
  return found == resources_.end() ? nullptr : &*found;
}

const ApiResources::Group* ApiResources::find_group(std::string_view name) const {
  const auto found =
      std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) { return group.name == name; });
  return found == groups_.end() ? nullptr : &*found;
}

std::vector<std::string> ApiResources::group_versions() const {
  std::vector<std::string> out;
  for (const Group& group : groups_) {
    for (const std::string& version : group.versions) out.push_back(group_version_of(group.name, version));
  }
  return out;
}

}  // namespace nodebound
