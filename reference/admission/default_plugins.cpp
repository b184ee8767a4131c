#include "reference/admission/default_plugins.h"

#include <algorithm>
#include <stdexcept>

#include "reference/admission/owner_references.h"
#include "reference/admission/pod_placement.h"
#include "reference/release/toml_reader.h"

namespace nodebound {

namespace data {
std::string_view default_plugins_text();
}  // namespace data

namespace {

constexpr std::string_view default_plugins_file = "reference/admission/default_plugins.toml";

bool contains(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// `pods`, `pods/resize`, `jobs.batch`
std::string spelled(const WrittenResource& written) {
  std::string out(written.resource);
  if (!written.group.empty()) out.append(".").append(written.group);
  if (!written.subresource.empty()) out.append("/").append(written.subresource);
  return out;
}

DefaultPlugin::LooksAt read_looks_at(const toml::table& table) {
  TomlReader in(table);
  DefaultPlugin::LooksAt out{in.texts("resources"), in.texts("operations"), in.flag("namespaced")};
  for (const std::string& operation : out.operations) {
    const std::vector<std::string> known = {"create", "update", "delete", "connect"};
    if (!contains(known, operation)) {
      throw TomlMistake(in.required("operations"),
                        "unknown operation \"" + operation + "\"" + did_you_mean(operation, known));
    }
  }
  in.done();
  if (out.resources.empty() || out.operations.empty()) throw TomlMistake(table, "expected resources and operations");
  return out;
}

DefaultPlugin read_plugin(const toml::table& table) {
  TomlReader in(table);
  DefaultPlugin plugin;
  plugin.name = in.text("name", true);
  plugin.on = ReleaseRange::read(in);
  in.tables("looks_at", [&](const toml::table& one) { plugin.looks_at.push_back(read_looks_at(one)); });
  plugin.only_changes = in.flag("changes");
  in.done();
  if (plugin.looks_at.empty()) throw TomlMistake(table, "expected what the plugin looks at");
  return plugin;
}

}  // namespace

bool DefaultPlugin::looks(const WrittenResource& written) const {
  const std::string resource = spelled(written);
  return std::any_of(looks_at.begin(), looks_at.end(), [&](const LooksAt& one) {
    return (contains(one.resources, "*") || contains(one.resources, resource)) &&
           contains(one.operations, written.operation) && (!one.namespaced || written.namespaced);
  });
}

const std::vector<std::string>& optional_plugins() {
  static const std::vector<std::string> names = {std::string(OwnerReferencesPermissionEnforcement::plugin_name),
                                                 std::string(PodNodeSelector::plugin_name),
                                                 std::string(PodTolerationRestriction::plugin_name)};
  return names;
}

const std::vector<DefaultPlugin>& default_plugins() {
  static const std::vector<DefaultPlugin> plugins = [] {
    Result<std::vector<DefaultPlugin>> parsed = parse_default_plugins(data::default_plugins_text());
    if (!parsed) throw std::logic_error(parsed.error().text());
    return std::move(*parsed);
  }();
  return plugins;
}

Result<std::vector<DefaultPlugin>> parse_default_plugins(std::string_view text) {
  try {
    std::vector<DefaultPlugin> plugins;
    const toml::table file = parse_toml(text, default_plugins_file);
    TomlReader in(file);
    in.tables("plugin", [&](const toml::table& table) { plugins.push_back(read_plugin(table)); });
    in.done();
    return plugins;
  } catch (const toml::parse_error& error) {
    return toml_error(default_plugins_file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(default_plugins_file, mistake);
  }
}

std::vector<std::string> plugins_that_look(const RuleSet& rules, const WrittenResource& written) {
  std::vector<std::string> out;
  for (const DefaultPlugin& plugin : default_plugins()) {
    if (!plugin.only_changes && plugin.on.holds(rules.release()) && plugin.looks(written)) out.push_back(plugin.name);
  }
  return out;
}

}  // namespace nodebound
