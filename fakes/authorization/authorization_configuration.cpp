#include "fakes/authorization/authorization_configuration.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "fakes/wire/go/go_duration.h"
#include "fakes/wire/yaml/yaml.h"
#include "reference/cluster/names.h"
#include "reference/cluster/object.h"
#include "reference/encoding/ascii.h"
#include "reference/encoding/joined.h"
#include "reference/release/release_range.h"
#include "reference/release/toml_reader.h"

namespace nodebound::data {
std::string_view authorization_configuration_text();
}  // namespace nodebound::data

namespace nodebound::authorization {

namespace {

constexpr std::string_view table_file = "fakes/authorization/authorization_configuration.toml";
constexpr std::string_view group = "apiserver.config.k8s.io/";
constexpr std::string_view kind_name = "AuthorizationConfiguration";
constexpr std::array<std::string_view, 6> types = {"ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"};
constexpr std::string_view not_loaded = "failed to load AuthorizationConfiguration from file: ";
constexpr std::size_t most_conditions = 64;

enum class FieldType { object, list, text, flag, duration };

struct Field {
  std::string path;
  FieldType type;
  ReleaseRange releases;
};

struct Table {
  std::vector<std::pair<std::string, ReleaseRange>> versions;
  std::vector<Field> fields;
};

FieldType read_type(TomlReader& in) {
  static constexpr std::array<std::pair<std::string_view, FieldType>, 5> names = {{{"object", FieldType::object},
                                                                                   {"list", FieldType::list},
                                                                                   {"text", FieldType::text},
                                                                                   {"flag", FieldType::flag},
                                                                                   {"duration", FieldType::duration}}};
  const std::string text = in.text("type", true);
  for (const auto& [name, type] : names) {
    if (name == text) return type;
  }
  throw TomlMistake(in.required("type"), "there is no type \"" + text + "\"");
}

const Table& table() {
  static const Table all = [] {
    Table out;
    const toml::table file = parse_toml(data::authorization_configuration_text(), table_file);
    TomlReader in(file);
    in.tables("version", [&](const toml::table& each) {
      TomlReader one(each);
      std::string name = one.text("name", true);
      out.versions.emplace_back(std::move(name), ReleaseRange::read(one));
      one.done();
    });
    in.tables("field", [&](const toml::table& each) {
      TomlReader one(each);
      std::string path = one.text("path", true);
      const FieldType type = read_type(one);
      out.fields.push_back({std::move(path), type, ReleaseRange::read(one)});
      one.done();
    });
    in.done();
    return out;
  }();
  return all;
}

std::string in_quotes(std::string_view text) {
  return Object(std::string(text)).dump(-1, ' ', false, Object::error_handler_t::replace);
}

// A time of 0 is the default.
std::chrono::nanoseconds kept(std::optional<std::chrono::nanoseconds> configured, std::chrono::nanoseconds otherwise) {
  return configured && configured->count() != 0 ? *configured : otherwise;
}

/// Reads one file, and notes its mistakes.
class ConfigurationReader {
 public:
  explicit ConfigurationReader(const Release& release) : release_(release) {}

  AuthorizationConfiguration read(std::string_view text) && {
    const auto object = read_yaml(text);
    if (!object) {
      mistake("", object.error());
    } else if (const auto keys = repeated_yaml_keys(text); !keys.empty()) {
      mistake("", std::string(not_loaded) + "strict decoding error: " + yaml_keys_error(keys));
    } else if (has_type(*object)) {
      check_fields(*object, "", "");
      // kube-apiserver validates only what it could decode.
      if (out_.mistakes.empty()) authorizers(member(*object, "authorizers"));
    }
    return std::move(out_);
  }

 private:
  void mistake(const std::string& path, const std::string& what) {
    out_.mistakes.push_back(path.empty() ? what : path + ": " + what);
  }
  void required(const std::string& path, const std::string& why = {}) {
    mistake(path, why.empty() ? "Required value" : "Required value: " + why);
  }
  void invalid(const std::string& path, std::string_view value, const std::string& why) {
    mistake(path, "Invalid value: " + in_quotes(value) + ": " + why);
  }
  template <typename Known>
  void unsupported(const std::string& path, std::string_view value, const Known& known) {
    std::vector<std::string> names;
    for (const std::string_view each : known) names.push_back(in_quotes(each));
    mistake(path, "Unsupported value: " + in_quotes(value) + ": supported values: " + joined(names, ", "));
  }

  bool has_type(const Object& object) {
    if (!object.is_object()) {
      mistake("", "expected an object of kind AuthorizationConfiguration");
      return false;
    }
    const std::string_view api_version = text(object, "apiVersion");
    std::vector<std::string> taken;
    for (const auto& [name, releases] : table().versions) {
      if (releases.holds(release_)) taken.push_back(std::string(group) + name);
    }
    if (text(object, "kind") == kind_name && std::find(taken.begin(), taken.end(), api_version) != taken.end()) {
      return true;
    }
    const std::string version = "Kubernetes " + release_.version.text();
    mistake("", taken.empty()
                    ? version + " reads no AuthorizationConfiguration"
                    : version + " does not read kind " + in_quotes(text(object, "kind")) + " of apiVersion " +
                          in_quotes(api_version) + ": it reads AuthorizationConfiguration of " + joined(taken, ", "));
    return false;
  }

  // `place` is where the object is in the file, `path` the same in the table: authorizers[0] and authorizers[].
  void check_fields(const Object& object, const std::string& place, const std::string& path) {
    for (const auto& [name, value] : object.items()) {
      const std::string dot = path.empty() ? "" : ".";
      const Field* field = find(path + dot + name);
      const std::string here = place + dot + name;
      if (field == nullptr) {
        mistake("", std::string(not_loaded) + "strict decoding error: unknown field " + in_quotes(here));
      } else if (!value.is_null()) {
        check_value(value, *field, here);
      }
    }
  }

  [[nodiscard]] const Field* find(const std::string& path) const {
    const auto found = std::ranges::find_if(
        table().fields, [&](const Field& field) { return field.path == path && field.releases.holds(release_); });
    return found == table().fields.end() ? nullptr : &*found;
  }

  void check_value(const Object& value, const Field& field, const std::string& here) {
    switch (field.type) {
      case FieldType::object:
        return value.is_object() ? check_fields(value, here, field.path) : mistake(here, "expected an object");
      case FieldType::list:
        if (!value.is_array()) return mistake(here, "expected a list");
        for (std::size_t i = 0; i < value.size(); ++i) {
          const std::string element = here + "[" + std::to_string(i) + "]";
          if (value[i].is_object()) {
            check_fields(value[i], element, field.path + "[]");
          } else {
            mistake(element, "expected an object");
          }
        }
        return;
      case FieldType::text:
        return value.is_string() ? void() : mistake(here, "expected text");
      case FieldType::flag:
        return value.is_boolean() ? void() : mistake(here, "expected true or false");
      case FieldType::duration:
        break;
    }
    if (!value.is_string()) return mistake(here, "expected a duration, such as \"5m\"");
    const auto duration = parse_go_duration(value.get_ref<const std::string&>());
    if (!duration) mistake(here, duration.error());
  }

  void authorizers(const Object& list) {
    if (list.empty()) return required("authorizers", "at least one authorization mode must be defined");
    std::set<std::string, std::less<>> seen_types;
    std::set<std::string, std::less<>> seen_names;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string path = "authorizers[" + std::to_string(i) + "]";
      const std::string type(text(list[i], "type"));
      if (type.empty()) {
        required(path + ".type");
      } else if (std::find(types.begin(), types.end(), type) == types.end()) {
        unsupported(path + ".type", type, types);
      } else if (type != "Webhook" && !seen_types.insert(type).second) {
        mistake(path + ".type", "Duplicate value: " + in_quotes(type));
      } else {
        authorizer(list[i], type, path, seen_names);
      }
    }
    if (out_.mistakes.empty()) names_of_modes();
  }

  void authorizer(const Object& entry, const std::string& type, const std::string& path,
                  std::set<std::string, std::less<>>& seen_names) {
    const std::string name(text(entry, "name"));
    if (name.empty()) {
      required(path + ".name");
    } else if (seen_names.contains(name)) {
      mistake(path + ".name", "Duplicate value: " + in_quotes(name));
    } else if (const auto wrong = wrong_dns_subdomain(name); !wrong.empty()) {
      invalid(path + ".name", name, "authorizer name is invalid: " + joined(wrong, ", "));
    }
    seen_names.insert(name);
    ConfiguredAuthorizer out{type, name, std::nullopt};
    const Object& webhook = member(entry, "webhook");
    if (type != "Webhook") {
      if (!webhook.is_null()) invalid(path + ".webhook", "non-null", "may only be specified when type=Webhook");
    } else if (webhook.is_null()) {
      required(path + ".webhook", "required when type=Webhook");
    } else {
      out.webhook = read_webhook(webhook, path);
    }
    out_.authorizers.push_back(std::move(out));
  }

  // kube-apiserver leaves "webhook" out of the paths of its mistakes.
  ConfiguredAuthorizer::Webhook read_webhook(const Object& webhook, const std::string& path) {
    ConfiguredAuthorizer::Webhook out;
    const auto timeout = duration(webhook, "timeout").value_or(std::chrono::nanoseconds(0));
    if (timeout.count() == 0) {
      required(path + ".timeout");
    } else if (timeout > std::chrono::seconds(30) || timeout.count() < 0) {
      invalid(path + ".timeout", go_text(timeout), "must be > 0s and <= 30s");
    }
    out.timeout = timeout;
    out.authorized_ttl = ttl(webhook, "authorizedTTL", path);
    out.unauthorized_ttl = ttl(webhook, "unauthorizedTTL", path);
    out.caches_authorized = member(webhook, "cacheAuthorizedRequests") != false;
    out.caches_unauthorized = member(webhook, "cacheUnauthorizedRequests") != false;
    if (text(webhook, "subjectAccessReviewVersion") == "v1beta1") out.review_version = ReviewVersion::v1beta1;
    choice(webhook, "subjectAccessReviewVersion", path, std::array<std::string_view, 2>{"v1", "v1beta1"});
    const Object& conditions = member(webhook, "matchConditions");
    const std::string version = "matchConditionSubjectAccessReviewVersion";
    if (!text(webhook, version.c_str()).empty()) {
      choice(webhook, version.c_str(), path, std::array<std::string_view, 1>{"v1"});
    } else if (!conditions.empty()) {
      required(path + "." + version, "required if match conditions are specified");
    }
    choice(webhook, "failurePolicy", path, std::array<std::string_view, 2>{"NoOpinion", "Deny"});
    out.deny_on_failure = text(webhook, "failurePolicy") == "Deny";
    connection(member(webhook, "connectionInfo"), path + ".connectionInfo");
    out.kubeconfig = text(webhook, "connectionInfo", "kubeConfigFile");
    read_conditions(conditions, path + ".matchConditions", out);
    return out;
  }

  static std::optional<std::chrono::nanoseconds> duration(const Object& webhook, const char* field) {
    const auto value = parse_go_duration(text(webhook, field));
    return value ? std::optional(std::chrono::nanoseconds(*value)) : std::nullopt;
  }
  static std::string go_text(std::chrono::nanoseconds time) {
    return go_duration(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
  }
  std::optional<std::chrono::nanoseconds> ttl(const Object& webhook, const char* field, const std::string& path) {
    const auto value = duration(webhook, field);
    if (value && value->count() < 0) invalid(path + "." + field, go_text(*value), "must be > 0s");
    return value;
  }

  template <typename Known>
  void choice(const Object& webhook, const char* field, const std::string& path, const Known& known) {
    const std::string_view value = text(webhook, field);
    if (value.empty()) return required(path + "." + field);
    if (std::find(known.begin(), known.end(), value) == known.end()) unsupported(path + "." + field, value, known);
  }

  void connection(const Object& info, const std::string& path) {
    const std::string_view type = text(info, "type");
    const std::string_view file = text(info, "kubeConfigFile");
    if (type.empty()) {
      required(path + ".type");
    } else if (type == "InClusterConfig") {
      if (!member(info, "kubeConfigFile").is_null())
        invalid(path + ".kubeConfigFile", file, "can only be set when type=KubeConfigFile");
    } else if (type != "KubeConfigFile") {
      // It shows the whole connection.
      const std::string shown_file = member(info, "kubeConfigFile").is_null() ? "null" : in_quotes(file);
      mistake(path + ".type", "Unsupported value: {\"Type\":" + in_quotes(type) + ",\"KubeConfigFile\":" + shown_file +
                                  "}: supported values: \"InClusterConfig\", \"KubeConfigFile\"");
    } else if (file.empty()) {
      required(path + ".kubeConfigFile");
    } else if (!file.starts_with('/')) {
      invalid(path + ".kubeConfigFile", file, "must be an absolute path");
    }
  }

  void read_conditions(const Object& conditions, const std::string& path, ConfiguredAuthorizer::Webhook& out) {
    if (conditions.size() > most_conditions) {
      return mistake(path, "Too many: " + std::to_string(conditions.size()) + ": must have at most " +
                               std::to_string(most_conditions) + " items");
    }
    std::set<std::string, std::less<>> seen;
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      const std::string place = path + "[" + std::to_string(i) + "].expression";
      const std::string expression(text(conditions[i], "expression"));
      if (expression.find_first_not_of(" \t\r\n\v\f") == std::string::npos) {
        required(place);
      } else if (!seen.insert(expression).second) {
        mistake(place, "Duplicate value: " + in_quotes(expression));
      } else if (auto condition = cel::MatchCondition::compile(expression, release_)) {
        out.conditions.push_back(std::move(*condition));
      } else if (condition.error().kind == cel::CompileError::Kind::unsupported) {
        out.unsupported.push_back(place + ": " + condition.error().what);
      } else {
        invalid(place, expression, condition.error().what);
      }
    }
  }

  void names_of_modes() {
    for (const ConfiguredAuthorizer& each : out_.authorizers) {
      const std::string expected = in_lower_case(each.type);
      if (each.type == "Webhook" || each.name == expected) continue;
      mistake("", "expected name " + expected + " for authorizer " + each.type + " instead of " + each.name);
    }
  }

  const Release& release_;
  AuthorizationConfiguration out_;
};

}  // namespace

std::optional<std::chrono::nanoseconds> ConfiguredAuthorizer::keeps_authorized() const {
  if (!webhook || !webhook->caches_authorized) return std::nullopt;
  return kept(webhook->authorized_ttl, std::chrono::minutes(5));
}

std::optional<std::chrono::nanoseconds> ConfiguredAuthorizer::keeps_unauthorized() const {
  if (!webhook || !webhook->caches_unauthorized) return std::nullopt;
  return kept(webhook->unauthorized_ttl, std::chrono::seconds(30));
}

AuthorizationConfiguration read_authorization_configuration(std::string_view text, const Release& release) {
  return ConfigurationReader(release).read(text);
}

}  // namespace nodebound::authorization
