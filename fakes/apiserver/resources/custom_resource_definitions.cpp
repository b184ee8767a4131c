#include <algorithm>
#include <array>
#include <re2/re2.h>

#include "fakes/apiserver/custom/custom_resources.h"
#include "fakes/apiserver/custom/custom_schema.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/write/remove.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/store/change.h"
#include "fakes/wire/resources/api_catalogue.h"
#include "reference/encoding/ascii.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;

constexpr Column definition_columns[] = {
    name_column,
    {"Created At", [](const Object& o, const std::string&) { return member(o, "metadata", "creationTimestamp"); }, 0,
     "date"}};

void decode_definition(const WriteContext&, Object& object) {
  Object& spec = object["spec"];
  if (!spec.is_object()) return;
  Object& names = spec["names"];
  const std::string kind(text(names, "kind"));
  if (!kind.empty() && text(names, "singular").empty()) names["singular"] = in_lower_case(kind);
  if (!kind.empty() && text(names, "listKind").empty()) names["listKind"] = kind + "List";
  if (!spec.contains("conversion")) spec["conversion"] = {{"strategy", "None"}};
}

// kube-apiserver's internal type has the schema of a single version elsewhere.
validation::FieldMistakes wrong_version(const Object& version, const std::string& path, bool is_single) {
  validation::FieldMistakes out;
  static const RE2 label("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
  if (const std::string name(text(version, "name")); !RE2::FullMatch(name, label)) {
    out.push_back(validation::invalid_field(
        path + ".name", name,
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start "
        "with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name', "
        " or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"));
  }
  const Object& schema = member(version, "schema", "openAPIV3Schema");
  const std::string at = (is_single ? "spec.validation" : path + ".schema") + std::string(".openAPIV3Schema");
  if (!schema.is_object()) {
    out.push_back(validation::required_field(at, "schemas are required"));
    return out;
  }
  if (text(schema, "type").empty())
    out.push_back(validation::required_field(at + ".type", "must not be empty at the root"));
  validation::append(out, wrong_schema(schema, at));
  if (!member(version, "subresources", "scale").is_null()) {
    out.push_back(
        validation::forbidden_field(path + ".subresources.scale", "this server does not serve the subresource"));
  }
  return out;
}

validation::FieldMistakes wrong_versions(const Object& versions) {
  validation::FieldMistakes out;
  std::size_t stored = 0;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    validation::append(out,
                       wrong_version(versions[i], "spec.versions[" + std::to_string(i) + "]", versions.size() == 1));
    stored += is_true(versions[i], "storage") ? 1 : 0;
  }
  if (stored != 1) {
    out.push_back(validation::invalid_field("spec.versions", validation::Shown(versions),
                                            "must have exactly one version marked as storage version"));
  }
  return out;
}

validation::FieldMistakes wrong_group(const Object& object) {
  constexpr const char* approval = "api-approved.kubernetes.io";
  const std::string group(text(object, "spec", "group"));
  const auto& own = ApiCatalogue::built_in().entries();
  const bool is_own =
      std::any_of(own.begin(), own.end(), [&](const ApiResourceEntry& entry) { return entry.group == group; });
  const bool is_protected = group.ends_with(".k8s.io") || group.ends_with(".kubernetes.io");
  validation::FieldMistakes out;
  if (group.empty()) {
    out.push_back(validation::required_field("spec.group", ""));
  } else if (group.find('.') == std::string::npos) {
    out.push_back(validation::invalid_field("spec.group", group, "should be a domain with at least one dot"));
  } else if (is_own) {
    out.push_back(validation::forbidden_field("spec.group", "this server serves a group of that name itself"));
  } else if (is_protected && text(object, "metadata", "annotations", approval).empty()) {
    out.push_back(validation::required_field("metadata.annotations[" + std::string(approval) + "]",
                                             "protected groups must have approval annotation \"" +
                                                 std::string(approval) +
                                                 "\", see https://github.com/kubernetes/enhancements/pull/1111"));
  }
  return out;
}

validation::FieldMistakes wrong_definition(const Object& object) {
  validation::FieldMistakes out;
  const Object& spec = member(object, "spec");
  const std::string expected = std::string(text(spec, "names", "plural")) + "." + std::string(text(spec, "group"));
  if (const std::string name(text(object, "metadata", "name")); name != expected) {
    out.push_back(validation::invalid_field("metadata.name", name, "must be spec.names.plural+\".\"+spec.group"));
  }
  validation::append(out, wrong_group(object));
  const std::string scope(text(spec, "scope"));
  if (scope.empty()) out.push_back(validation::required_field("spec.scope", ""));
  if (!scope.empty() && scope != "Cluster" && scope != "Namespaced") {
    out.push_back(validation::unsupported_field("spec.scope", scope, {"Cluster", "Namespaced"}));
  }
  validation::append(out, wrong_versions(member(spec, "versions")));
  for (const char* const name : {"plural", "kind"}) {
    if (text(spec, "names", name).empty())
      out.push_back(validation::required_field("spec.names." + std::string(name), ""));
  }
  if (text(spec, "conversion", "strategy") != "None") {
    out.push_back(
        validation::forbidden_field("spec.conversion.strategy", "this server converts no objects between versions"));
  }
  if (is_true(spec, "preserveUnknownFields")) {
    out.push_back(validation::invalid_field("spec.preserveUnknownFields", true,
                                            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
                                            "spec.versions[*].schema instead"));
  }
  return out;
}

void remember_stored_version(Object& object) {
  Object& stored = object["status"]["storedVersions"];
  for (const Object& version : member(object, "spec", "versions")) {
    const Object& name = member(version, "name");
    if (is_true(version, "storage") && std::find(stored.begin(), stored.end(), name) == stored.end()) {
      stored.push_back(name);
    }
  }
}

// In kube-apiserver, controllers do this a moment later.
void begin_definition(const WriteContext& write, Object& object) {
  object["metadata"]["generation"] = 1;
  const auto condition = [&](const char* type, const char* reason, const char* message) {
    return Object{{"type", type},
                  {"status", "True"},
                  {"reason", reason},
                  {"message", message},
                  {"lastTransitionTime", write.now}};
  };
  object["status"] = {
      {"conditions",
       Object::array({condition("NamesAccepted", "NoConflicts", "no conflicts found"),
                      condition("Established", "InitialNamesAccepted", "the initial names have been accepted")})},
      {"acceptedNames", member(object, "spec", "names")}};
  remember_stored_version(object);
}

void change_definition(const WriteContext&, const Object&, Object& submitted) {
  if (!submitted["status"].is_object()) return;
  submitted["status"]["acceptedNames"] = member(submitted, "spec", "names");
  remember_stored_version(submitted);
}

// The objects go with their definition, whose name is `PLURAL.GROUP`.
void erase_custom_objects(ServerState& server, const ObjectKey& key) {
  const std::size_t dot = key.name.find('.');
  if (dot == std::string::npos) return;
  const std::string resource = key.name.substr(0, dot);
  const std::string group = key.name.substr(dot + 1);
  std::vector<ObjectKey> own;
  server.store.cluster().each_shared(group, resource, "",
                                     [&](const std::string& in, const std::string& name, const ObjectPtr&) {
                                       own.push_back({group, resource, in, name});
                                     });
  for (const ObjectKey& each : own) erase_object(server, each, custom_strategy());
}

}  // namespace

std::span<const Strategy> strategies::custom_resource_definitions() {
  static constexpr std::array kinds = {
      Strategy{.group = "apiextensions.k8s.io",
               .resource = "customresourcedefinitions",
               .columns = TableColumns(definition_columns),
               .decode = decode_definition,
               .checks = {.object = wrong_definition, .metadata_checks = 3, .any_finalizers = true, .declared = false},
               .prepare_for_create = begin_definition,
               .prepare_for_update = change_definition,
               .erased = erase_custom_objects}};
  return kinds;
}

}  // namespace nodebound::apiserver
