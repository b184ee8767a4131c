#include <algorithm>
#include <cmath>
#include <limits>

#include "fakes/kubelet_api/configuration/configuration_fields.h"
#include "fakes/kubelet_api/configuration/kubelet_configuration.h"
#include "fakes/wire/go/go_duration.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/yaml/yaml.h"
#include "reference/release/catalogue.h"
#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::kubelet_api {
namespace {

constexpr std::string_view group_version = "kubelet.config.k8s.io/v1beta1";
constexpr std::string_view kind_name = "KubeletConfiguration";
constexpr std::size_t longest_file = 4U << 20U;

using Mistake = tl::unexpected<std::string>;

// The error of encoding/json for a value of the wrong type.
Mistake mismatch(const Object& value, const std::string& path, std::string_view type) {
  std::string what = go_json_type(value);
  // Go shows the number if the field cannot hold it.
  if (value.is_number() && type.starts_with("int")) what += " " + value.dump();
  return Mistake("json: cannot unmarshal " + what + " into Go struct field KubeletConfiguration." + path + " of type " +
                 std::string(type));
}

bool fits(const Object& value, std::int64_t least, std::int64_t most) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
  return value.is_number_integer() && value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
}

/// Checks the values of one file, and notes the fields that the release does not have.
class Check {
 public:
  Check(const Version& version, std::vector<std::string>& warnings) : version_(version), warnings_(warnings) {}

  tl::expected<void, std::string> object(const Object& value, const std::string& prefix) {
    for (const auto& [name, child] : value.items()) {
      if (prefix.empty() && (name == "kind" || name == "apiVersion")) continue;
      const std::string path = prefix + name;
      const ConfigurationField* field = find(path);
      if (field == nullptr) {
        warnings_.push_back("unknown field \"" + path + "\"");
      } else if (auto right = one(child, *field); !right) {
        return right;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] const ConfigurationField* find(const std::string& path) const {
    for (const ConfigurationField& field : configuration_fields()) {
      if (field.path == path && field.releases.contains(version_)) return &field;
    }
    return nullptr;
  }

  tl::expected<void, std::string> one(const Object& value, const ConfigurationField& field) {
    if (value.is_null()) return {};
    const std::string& type = field.type;
    if (type == "object") {
      return value.is_object() ? object(value, field.path + ".") : mismatch(value, field.path, "struct");
    }
    if (type == "duration") return duration(value, field.path);
    if (type == "strings") return list(value, field.path);
    if (type == "string-map") return map(value, field.path, "string");
    if (type == "bool-map") return map(value, field.path, "bool");
    if (is_of(value, type)) return {};
    return mismatch(value, field.path, type == "number" ? "float64" : type == "any-object" ? "struct" : type);
  }

  static bool is_of(const Object& value, std::string_view type) {
    if (type == "string") return value.is_string();
    if (type == "bool") return value.is_boolean();
    if (type == "number") return value.is_number();
    if (type == "list") return value.is_array();
    if (type == "any-object") return value.is_object();
    if (type == "int32") {
      return fits(value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
    }
    return type != "int64" ||
           fits(value, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  }

  static tl::expected<void, std::string> duration(const Object& value, const std::string& path) {
    if (!value.is_string()) return mismatch(value, path, "string");
    const auto time = parse_go_duration(value.get_ref<const std::string&>());
    if (!time) return Mistake(time.error());
    return {};
  }

  static tl::expected<void, std::string> list(const Object& value, const std::string& path) {
    if (!value.is_array()) return mismatch(value, path, "[]string");
    for (const Object& item : value) {
      if (!item.is_string() && !item.is_null()) return mismatch(item, path, "string");
    }
    return {};
  }

  static tl::expected<void, std::string> map(const Object& value, const std::string& path, const std::string& type) {
    if (!value.is_object()) return mismatch(value, path, "map[string]" + type);
    for (const auto& [key, item] : value.items()) {
      if (!is_of(item, type) && !item.is_null()) return mismatch(item, path, type);
    }
    return {};
  }

  const Version& version_;
  std::vector<std::string>& warnings_;
};

// Errors show a text; a long one would help nobody.
std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 200;
  return std::string(text.substr(0, longest)) + (text.size() > longest ? "..." : "");
}

tl::expected<void, std::string> check_kind(const Object& object, std::string_view source) {
  if (!object.is_object()) {
    return Mistake("couldn't get version/kind; json parse error: json: cannot unmarshal " +
                   std::string(go_json_type(object)) + " into an object with apiVersion and kind");
  }
  for (const char* name : {"kind", "apiVersion"}) {
    const Object& value = member(object, name);
    if (!value.is_null() && !value.is_string()) {
      return Mistake("couldn't get version/kind; json parse error: json: cannot unmarshal " +
                     std::string(go_json_type(value)) + " into Go struct field ." + name + " of type string");
    }
  }
  const std::string_view kind = text(object, "kind");
  const std::string_view version = text(object, "apiVersion");
  if (kind.empty()) return Mistake("Object 'Kind' is missing in '" + shortened(source) + "'");
  if (version.empty()) return Mistake("Object 'apiVersion' is missing in '" + shortened(source) + "'");
  if (kind == kind_name && version == group_version) return {};
  return Mistake("no kind \"" + std::string(kind) + "\" is registered for version \"" + std::string(version) +
                 "\" in scheme: expected " + std::string(kind_name) + " of " + std::string(group_version));
}

}  // namespace

Result<KubeletConfigurationFile> read_kubelet_configuration(std::string_view text, const std::string& where,
                                                            const Version& version) {
  const auto undecoded = [&](const std::string& what) { return input_error(where, "failed to decode: " + what); };
  if (!Catalogue::built_in()[KubeletTrait::configuration_file].in_force.front().contains(version)) {
    return input_error(where,
                       "a kubelet of " + version.text() + " has no configuration file of " +
                           std::string(group_version) + ", which came with 1.10",
                       "give its flags instead");
  }
  if (text.empty()) return input_error(where, "kubelet config file \"" + where + "\" was empty");
  if (text.size() > longest_file) return input_error(where, "expected a file of 4 MiB at most");
  auto object = read_yaml(text);
  if (!object) return undecoded(object.error());
  if (const auto right = check_kind(*object, text); !right) return undecoded(right.error());
  KubeletConfigurationFile out;
  if (const auto right = Check(version, out.warnings).object(*object, ""); !right) return undecoded(right.error());
  for (const auto& [gate, on] : member(*object, "featureGates").items()) {
    if (on.is_boolean()) out.feature_gates[gate] = on.get<bool>();
  }
  out.object = std::move(*object);
  return out;
}

}  // namespace nodebound::kubelet_api
