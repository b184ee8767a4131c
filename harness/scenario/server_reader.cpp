#include "harness/scenario/server_reader.h"

#include <algorithm>

#include "fakes/authorization/abac_policy_file.h"
#include "harness/scenario/toml_json.h"
#include "reference/admission/default_plugins.h"
#include "reference/release/refusal_text.h"
#include "reference/release/toml_reader.h"

namespace nodebound {
namespace {

constexpr const char* modes_key = "authorization-modes";
constexpr const char* policy_key = "abac-policy";
constexpr const char* webhook_key = "authorization-webhook";
constexpr const char* authorization_configuration_key = "authorization-configuration";
constexpr const char* enabled_key = "enable-admission-plugins";
constexpr const char* disabled_key = "disable-admission-plugins";
constexpr const char* configuration_key = "admission-configuration";

// Of the plugins that both the reference and a kube-apiserver can be started without, those that are on by default.
const std::vector<std::string> usual_plugins = {"NodeRestriction", "ServiceAccount"};

AuthorizationMode read_mode(const toml::node& node) {
  const Result<AuthorizationMode> mode = parse_authorization_mode({}, TomlReader::string_of(node));
  if (!mode) throw TomlMistake(node, mode.error().what + "; " + mode.error().hint);
  return *mode;
}

void read_modes(const toml::node& node, ServerSettings& out) {
  const toml::array* modes = node.as_array();
  if (modes == nullptr || modes->empty()) throw TomlMistake(node, R"(expected a list like ["Node", "RBAC"])");
  for (const toml::node& one : *modes) {
    const AuthorizationMode mode = read_mode(one);
    if (out.has(mode)) throw TomlMistake(one, std::string("\"") + to_string(mode) + "\" is given twice");
    out.authorization_modes.push_back(mode);
  }
}

// A table is a line: JSON in braces would read like placeholders.
std::string read_policy(const toml::table& table) {
  std::string line = to_json(table).dump();
  const Result<authorization::AbacPolicyFile> read = authorization::read_abac_policy_file(line, policy_key);
  if (!read) throw TomlMistake(table, "kube-apiserver refuses this policy: " + read.error().what);
  return line;
}

ScriptedAnswer::Kind read_kind(const toml::node& node) {
  const std::string text = TomlReader::string_of(node);
  const std::vector<std::string> kinds = scripted_kinds();
  const auto found = std::find(kinds.begin(), kinds.end(), text);
  if (found == kinds.end()) {
    throw TomlMistake(node, "a webhook cannot answer \"" + text + "\"" + did_you_mean(text, kinds) +
                                "; expected allow, deny, no-opinion, allow-and-deny, rubbish or refusal");
  }
  return static_cast<ScriptedAnswer::Kind>(found - kinds.begin());
}

ScriptedAnswer read_answer(const toml::table& table) {
  TomlReader in(table);
  ScriptedAnswer out{in.text("user"),     in.text("group"), in.text("verb"),
                     in.text("resource"), in.text("path"),  read_kind(in.required("answer")),
                     in.text("reason")};
  if (!out.path.empty() && !out.resource.empty()) throw TomlMistake(table, "a review has a path or a resource");
  in.done();
  return out;
}

WebhookConfiguration read_webhook_configuration(const toml::table& table) {
  TomlReader in(table);
  WebhookConfiguration out;
  const std::string policy = in.text("failure-policy");
  if (!policy.empty() && policy != "Deny" && policy != "NoOpinion") {
    throw TomlMistake(in.required("failure-policy"),
                      go_quoted(policy) + " is no failure policy; expected Deny or NoOpinion");
  }
  out.deny_on_failure = policy == "Deny";
  out.match_conditions = in.texts("match-conditions");
  in.done();
  return out;
}

std::vector<std::string> read_plugins(TomlReader& in, const char* key, const std::vector<std::string>& known) {
  std::vector<std::string> plugins = in.texts(key);
  for (const std::string& plugin : plugins) {
    if (std::find(known.begin(), known.end(), plugin) != known.end()) continue;
    std::string all;
    for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
    throw TomlMistake(in.required(key), "\"" + plugin + "\" is no plugin that " + key + " can name" +
                                            did_you_mean(plugin, known) + "; expected " + all);
  }
  return plugins;
}

// An AdmissionConfiguration of the configurations of plugins, by name.
std::string read_configuration(const toml::table& table, const std::vector<std::string>& enabled) {
  Object plugins = Object::array();
  for (const auto& [key, configuration] : table) {
    const std::string plugin(key.str());
    if (std::find(enabled.begin(), enabled.end(), plugin) == enabled.end()) {
      throw TomlMistake(configuration, "\"" + plugin + "\" is configured, and " + enabled_key + " does not name it");
    }
    plugins.push_back({{"name", plugin}, {"configuration", to_json(configuration)}});
  }
  return Object{
      {"apiVersion", "apiserver.config.k8s.io/v1"}, {"kind", "AdmissionConfiguration"}, {"plugins", std::move(plugins)}}
      .dump();
}

}  // namespace

ServerSettings read_server_settings(const toml::table& table) {
  TomlReader in(table);
  ServerSettings out;
  out.enabled_plugins = read_plugins(in, enabled_key, optional_plugins());
  out.disabled_plugins = read_plugins(in, disabled_key, usual_plugins);
  if (const toml::table* configuration = in.table(configuration_key)) {
    out.admission_configuration = read_configuration(*configuration, out.enabled_plugins);
  }
  const bool about_plugins = !out.enabled_plugins.empty() || !out.disabled_plugins.empty();
  if (about_plugins && in.find(modes_key) == nullptr) {
    out.authorization_modes = {AuthorizationMode::node, AuthorizationMode::rbac};
  } else {
    read_modes(in.required(modes_key), out);
  }
  in.tables(policy_key, [&](const toml::table& policy) { out.abac_policy.push_back(read_policy(policy)); });
  const bool has_policies = in.find(policy_key) != nullptr;
  if (has_policies != out.has(AuthorizationMode::abac)) {
    throw TomlMistake(table, has_policies ? "abac-policy is for the mode ABAC, which is not among authorization-modes"
                                          : "the mode ABAC needs abac-policy, a list of policies");
  }
  in.tables(webhook_key, [&](const toml::table& one) { out.authorization_webhook.push_back(read_answer(one)); });
  const bool has_webhook = in.find(webhook_key) != nullptr;
  if (has_webhook != out.has(AuthorizationMode::webhook)) {
    throw TomlMistake(
        table, has_webhook ? "authorization-webhook is for the mode Webhook, which is not among authorization-modes"
                           : "the mode Webhook needs authorization-webhook, a list of answers");
  }
  if (const toml::table* configuration = in.table(authorization_configuration_key)) {
    if (!has_webhook || has_policies) {
      throw TomlMistake(*configuration, std::string(authorization_configuration_key) +
                                            " is about the mode Webhook, and not to be had with the mode ABAC");
    }
    out.webhook_configuration = read_webhook_configuration(*configuration);
  }
  in.done();
  return out;
}

}  // namespace nodebound
