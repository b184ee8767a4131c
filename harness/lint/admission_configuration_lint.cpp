#include "harness/lint/admission_configuration_lint.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "fakes/wire/yaml/yaml.h"
#include "harness/lint/admission_plugins.h"
#include "reference/cluster/label_selector.h"
#include "reference/cluster/object.h"
#include "reference/release/toml_reader.h"

// staging/src/k8s.io/apiserver/pkg/admission/config.go, and LoadConfiguration of each plugin

namespace nodebound::lint {
namespace {

constexpr const char* plugin_without_kind = "PodNodeSelector";

/// Reads one file as kube-apiserver of one release reads it at its start.
class AdmissionConfigurationLint {
 public:
  AdmissionConfigurationLint(std::string_view text, const std::string& file, const Release& release)
      : text_(text), file_(file), release_(release) {}

  Remarks of_file(const Object& object) && {
    const AdmissionPlugins& known = admission_plugins();
    form(known.file, object, "");
    const Object& plugins = member(object, "plugins");
    if (!plugins.is_null() && !plugins.is_array()) {
      add(Remark::Kind::refused, "plugins:", "plugins is no list", "");
      return std::move(out_);
    }
    std::set<std::string, std::less<>> named;
    for (std::size_t i = 0; i < plugins.size(); ++i) {
      const std::string name(nodebound::text(plugins[i], "name"));
      if (!named.insert(name).second) {
        add(Remark::Kind::ignored, name, "the plugin " + name + " is configured twice, and only the first time counts",
            "remove one of them");
      } else {
        plugin(known, name, plugins[i], "plugins[" + std::to_string(i) + "].configuration");
      }
    }
    return std::move(out_);
  }

  Remarks of_plugin_alone(const Object& object) && {
    const ConfigurablePlugin* plugin = admission_plugins().find(plugin_without_kind, release_);
    if (plugin != nullptr && plugin->configuration) form(*plugin->configuration, object, "");
    return std::move(out_);
  }

 private:
  void add(Remark::Kind kind, std::string_view word, std::string what, std::string advice) {
    out_.push_back({kind, place_of(word, text_, file_), std::move(what), std::move(advice)});
  }

  void plugin(const AdmissionPlugins& known, const std::string& name, const Object& entry, const std::string& path) {
    const ConfigurablePlugin* plugin = known.find(name, release_);
    const Object& configuration = member(entry, "configuration");
    const bool by_path = !nodebound::text(entry, "path").empty();
    if (plugin == nullptr) {
      std::vector<std::string> names;
      for (const ConfigurablePlugin& each : known.plugins) {
        if (each.known.holds(release_)) names.push_back(each.name);
      }
      return add(Remark::Kind::ignored, name,
                 "Kubernetes " + release_.version.text() + " has no admission plugin " + name +
                     ", so its configuration is not read" + did_you_mean(name, names),
                 "remove it, or correct the name");
    }
    if (!plugin->configuration) {
      if (configuration.is_null() && !by_path) return;
      return add(Remark::Kind::ignored, name, "the plugin " + name + " reads no configuration", "remove it");
    }
    if (!configuration.is_null() && by_path) {
      add(Remark::Kind::ignored, "path:", "path of " + name + " is not read beside a configuration",
          "remove one of them");
    }
    if (configuration.is_null() || plugin->configuration->opaque) return;
    form(*plugin->configuration, configuration, path);
    if (name == "PodSecurity") pod_security(configuration, path);
  }

  void form(const ConfigurationForm& form, const Object& object, const std::string& path) {
    const std::string_view version = nodebound::text(object, "apiVersion");
    const std::string_view kind = nodebound::text(object, "kind");
    const bool has_kind = form.kinds.empty() || std::any_of(form.kinds.begin(), form.kinds.end(), [&](const auto& one) {
                            return one.api_version == version && one.kind == kind && one.known.holds(release_);
                          });
    if (!has_kind) return other_kind(form, object, path);
    unknown_fields(form, object, path);
    if (!form.absolute_path.empty()) absolute_path(form, object, path);
    if (!form.selectors.empty()) selectors(form.selectors, object, path);
  }

  void other_kind(const ConfigurationForm& form, const Object& object, const std::string& path) {
    std::string wanted;
    for (const ConfigurationForm::Kind& each : form.kinds) {
      if (each.known.holds(release_)) wanted += (wanted.empty() ? "" : ", ") + each.kind + " of " + each.api_version;
    }
    const std::string_view version = nodebound::text(object, "apiVersion");
    const std::string_view kind = nodebound::text(object, "kind");
    const std::string what = version.empty() ? "it has no apiVersion"
                             : kind.empty()
                                 ? "it has no kind"
                                 : "no " + std::string(kind) + " of apiVersion " + std::string(version) + " is known";
    add(Remark::Kind::refused, version.empty() ? "configuration:" : version, (path.empty() ? "" : path + ": ") + what,
        "known are " + wanted);
  }

  void unknown(const ConfigurationForm& form, const std::string& path, const std::string& name) {
    const bool strict = form.is_strict(release_);
    add(strict ? Remark::Kind::refused : Remark::Kind::ignored, name + ":", "unknown field \"" + path + name + "\"",
        "remove it, or correct the name");
  }

  void unknown_fields(const ConfigurationForm& form, const Object& object, const std::string& path) {
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const auto& [name, value] : object.items()) {
      if (name == "apiVersion" || name == "kind") continue;
      const bool later =
          std::any_of(form.later_fields.begin(), form.later_fields.end(),
                      [&, &own = name](const auto& field) { return field.name == own && field.known.holds(release_); });
      const auto field = form.fields.find(name);
      if (field == form.fields.end() && !later) unknown(form, prefix, name);
      if (field == form.fields.end() || field->second.empty()) continue;
      if (value.is_object()) unknown_below(form, value, field->second, prefix + name + ".");
      if (!value.is_array()) continue;
      for (std::size_t i = 0; i < value.size(); ++i) {
        unknown_below(form, value[i], field->second, prefix + name + "[" + std::to_string(i) + "].");
      }
    }
  }

  void unknown_below(const ConfigurationForm& form, const Object& object, const std::vector<std::string>& known,
                     const std::string& path) {
    if (!object.is_object()) return;
    for (const auto& [name, value] : object.items()) {
      if (std::find(known.begin(), known.end(), name) == known.end()) unknown(form, path, name);
    }
  }

  void absolute_path(const ConfigurationForm& form, const Object& object, const std::string& path) {
    const std::string_view value = nodebound::text(object, form.absolute_path);
    const bool needed = form.path_needed && form.path_needed->holds(release_);
    if (value.starts_with('/') || (value.empty() && !needed)) return;
    add(Remark::Kind::refused, value.empty() ? "configuration:" : value,
        path + "." + form.absolute_path + ": must be an absolute file path", "begin it with /");
  }

  // A selector that cannot be read is found out when a pod is written, which is then refused.
  void selectors(const std::string& field, const Object& object, const std::string& path) {
    for (const auto& [in, value] : member(object, field).items()) {
      const std::string where = (path.empty() ? "" : path + ".") + field + "." + in;
      if (!value.is_string()) {
        add(Remark::Kind::ignored, in + ":", where + ": is no text, so the whole file is not read", "write key=value");
        continue;
      }
      const auto selector = LabelSelector::parse(value.get_ref<const std::string&>());
      if (selector) continue;
      add(Remark::Kind::ignored, in + ":", where + ": " + selector.error().what,
          "write key=value, several with commas; no pod can be made there otherwise");
    }
  }

  void pod_security(const Object& configuration, const std::string& path) {
    constexpr std::array<std::string_view, 3> levels = {"privileged", "baseline", "restricted"};
    const Object& defaults = member(configuration, "defaults");
    for (const char* mode : {"enforce", "audit", "warn"}) {
      const std::string_view level = nodebound::text(defaults, mode);
      if (level.empty() || std::find(levels.begin(), levels.end(), level) != levels.end()) continue;
      add(Remark::Kind::refused, level,
          path + ".defaults." + mode + ": must be one of privileged, baseline, restricted", "");
    }
    const Object& users = member(configuration, "exemptions", "usernames");
    for (const Object& each : users) {
      if (!each.is_string() || !each.get_ref<const std::string&>().starts_with("system:node:")) continue;
      add(Remark::Kind::unsafe, each.get_ref<const std::string&>(),
          "the pods that " + each.get_ref<const std::string&>() + " makes are not judged",
          "remove the exemption: static pods do not need it");
    }
  }

  std::string_view text_;
  const std::string& file_;
  const Release& release_;
  Remarks out_;
};

}  // namespace

Remarks lint_admission_configuration(std::string_view text, const std::string& file, const Release& release) {
  const auto read = read_yaml(text);
  if (!read) return {{Remark::Kind::refused, file, read.error(), ""}};
  AdmissionConfigurationLint lint(text, file, release);
  const bool alone = nodebound::text(*read, "kind").empty();
  return alone ? std::move(lint).of_plugin_alone(*read) : std::move(lint).of_file(*read);
}

}  // namespace nodebound::lint
