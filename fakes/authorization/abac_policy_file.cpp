#include "fakes/authorization/abac_policy_file.h"

#include <array>

#include "fakes/wire/go/go_types.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/go/type_meta.h"
#include "fakes/wire/yaml/yaml.h"
#include "reference/cluster/object.h"
#include "reference/encoding/ascii.h"

namespace nodebound::authorization {
namespace {

template <typename T>
using Read = tl::expected<T, std::string>;

constexpr std::string_view policy_group = "abac.authorization.kubernetes.io";
constexpr const char* authenticated = "system:authenticated";
// bufio.MaxScanTokenSize: a longer line ends Go's reading.
constexpr std::size_t longest_line = 64 * 1024;

struct TextField {
  const char* name;
  std::string AbacPolicy::*field;
};
constexpr std::array unversioned_fields = {TextField{"user", &AbacPolicy::user}, TextField{"group", &AbacPolicy::group},
                                           TextField{"resource", &AbacPolicy::resource},
                                           TextField{"namespace", &AbacPolicy::namespace_}};
constexpr std::array fields = {TextField{"user", &AbacPolicy::user},
                               TextField{"group", &AbacPolicy::group},
                               TextField{"apiGroup", &AbacPolicy::api_group},
                               TextField{"resource", &AbacPolicy::resource},
                               TextField{"namespace", &AbacPolicy::namespace_},
                               TextField{"nonResourcePath", &AbacPolicy::non_resource_path}};

std::string misfit(const Object& value, const std::string& path, const char* type) {
  return cannot_unmarshal(value, "struct field " + path + " of type " + type);
}

template <typename Fields>
Read<AbacPolicy> policy_of(const Object& object, const Fields& texts, const std::string& path) {
  AbacPolicy out;
  for (const TextField& text : texts) {
    const Object& value = member(object, text.name);
    if (value.is_null()) continue;
    if (!value.is_string()) return tl::unexpected(misfit(value, path + text.name, "string"));
    out.*text.field = value.template get<std::string>();
  }
  const Object& readonly = member(object, "readonly");
  if (!readonly.is_null() && !readonly.is_boolean()) return tl::unexpected(misfit(readonly, path + "readonly", "bool"));
  out.readonly = readonly.is_boolean() && readonly.template get<bool>();
  return out;
}

void let_any_be_authenticated(AbacPolicy& policy) {
  if (policy.user != "*" && policy.group != "*") return;
  policy.group = authenticated;
  policy.user.clear();
  policy.subjects = AbacPolicy::Subjects::any;
}

// pkg/apis/abac/v0/conversion.go
Read<AbacPolicy> unversioned_policy(const Object& object) {
  Read<AbacPolicy> out = policy_of(object, unversioned_fields, "Policy.");
  if (!out) return out;
  out->unversioned = true;
  if (out->user.empty() && out->group.empty()) {
    out->group = authenticated;
    out->subjects = AbacPolicy::Subjects::left_out;
  }
  let_any_be_authenticated(*out);
  if (out->namespace_.empty() && out->resource.empty()) out->non_resource_path = "*";
  if (out->namespace_.empty()) out->namespace_ = "*";
  if (out->resource.empty()) out->resource = "*";
  out->api_group = "*";
  return out;
}

Read<AbacPolicy> versioned_policy(const Object& object) {
  const Object& spec = member(object, "spec");
  if (!spec.is_null() && !spec.is_object()) return tl::unexpected(misfit(spec, "Policy.spec", "v1beta1.PolicySpec"));
  Read<AbacPolicy> out = policy_of(spec.is_null() ? Object::object() : spec, fields, "PolicySpec.spec.");
  if (out) let_any_be_authenticated(*out);
  return out;
}

Read<AbacPolicy> policy_in(std::string_view line, const Release* release) {
  const auto begin = line.find_first_not_of(" \t\r");
  Read<Object> object = line.substr(begin).starts_with('{') ? read_json(line) : read_yaml(line);
  if (!object && line.substr(begin).starts_with('{')) {
    return tl::unexpected("couldn't get version/kind; json parse error: " + object.error());
  }
  if (!object) return tl::unexpected(object.error());
  if (object->is_null()) *object = Object::object();
  Read<GroupVersionKind> kind = type_meta_of(*object);
  if (!kind) return tl::unexpected(kind.error());
  const bool of_group = kind->group == policy_group;
  const bool versioned = of_group && kind->version == "v1beta1";
  if (versioned && kind->kind.empty()) {
    return tl::unexpected(std::string("converting (v1beta1.Policy) to (v0.Policy): unknown conversion"));
  }
  if (kind->group_version().empty()) kind->group = policy_group, kind->version = "v0";
  const bool unversioned = kind->group == policy_group && kind->version == "v0";
  if ((!versioned && !unversioned) || (!kind->kind.empty() && kind->kind != "Policy")) {
    return tl::unexpected(not_registered(*kind, release));
  }
  return versioned ? versioned_policy(*object) : unversioned_policy(*object);
}

}  // namespace

Result<AbacPolicyFile> read_abac_policy_file(std::string_view text, const std::string& name, const Release* release) {
  std::vector<AbacPolicy> policies;
  AbacPolicyFile out;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.size() >= longest_line) {
      return input_error(name + ":" + std::to_string(number),
                         "error reading policy file " + name + ": bufio.Scanner: token too long",
                         "a line has less than 64 KiB");
    }
    const std::size_t begin = line.find_first_not_of(" \t\r\v\f");
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    Read<AbacPolicy> read = policy_in(line, release);
    if (!read) {
      return input_error(
          name + ":" + std::to_string(number),
          "error reading policy file " + name + ", line " + std::to_string(number) + ": " + std::string(line) + ": " +
              read.error(),
          R"(a line reads like {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"u"}})");
    }
    if (read->unversioned) out.unversioned.push_back(number);
    policies.push_back(std::move(*read));
  }
  out.policies = std::make_shared<const AbacPolicies>(std::move(policies));
  return out;
}

}  // namespace nodebound::authorization
