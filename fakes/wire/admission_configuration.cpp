#include "fakes/wire/admission_configuration.h"

#include "fakes/wire/yaml/yaml.h"

namespace nodebound {
namespace {

Result<Object> configuration_in(const Object& entry, const std::string& name,
                                const std::function<Result<std::string>(const std::string& path)>& read) {
  if (const Object& own = member(entry, "configuration"); !own.is_null()) return own;
  const std::string path(text(entry, "path"));
  if (path.empty()) return Object();
  const Result<std::string> content = read(path);
  if (!content) return tl::unexpected<Error>(content.error());
  tl::expected<Object, std::string> parsed = read_yaml(*content);
  if (!parsed) return input_error(name, path + ": " + parsed.error());
  return std::move(*parsed);
}

Result<void> read_node_selectors(const Object& configuration, const std::string& name, PlacementSettings& out) {
  const Object& selectors = member(configuration, "podNodeSelectorPluginConfig");
  if (selectors.is_null()) return {};
  if (!selectors.is_object()) return input_error(name, "podNodeSelectorPluginConfig is no map of namespaces");
  for (const auto& [namespace_, selector] : selectors.items()) {
    if (!selector.is_string()) {
      return input_error(name, "podNodeSelectorPluginConfig." + namespace_ + " is no text", "write key=value");
    }
    out.node_selectors[namespace_] = selector.get<std::string>();
  }
  return {};
}

Result<void> read_tolerations(const Object& configuration, const std::string& name, PlacementSettings& out) {
  for (const char* list : {"default", "whitelist"}) {
    const Object& tolerations = member(configuration, list);
    if (!tolerations.is_null() && !tolerations.is_array()) {
      return input_error(name, std::string(list) + " of PodTolerationRestriction is no list of tolerations");
    }
  }
  out.default_tolerations = member(configuration, "default");
  out.tolerations_whitelist = member(configuration, "whitelist");
  return {};
}

}  // namespace

Result<PlacementSettings> read_pod_placement(std::string_view text, const std::string& name,
                                             const std::function<Result<std::string>(const std::string& path)>& read) {
  PlacementSettings out;
  if (text.empty()) return out;
  const tl::expected<Object, std::string> file = read_yaml(text);
  if (!file) return input_error(name, file.error());
  for (const Object& entry : member(*file, "plugins")) {
    const std::string_view plugin = nodebound::text(entry, "name");
    const bool selects = plugin == PodNodeSelector::plugin_name;
    if (!selects && plugin != PodTolerationRestriction::plugin_name) continue;
    const Result<Object> configuration = configuration_in(entry, name, read);
    if (!configuration) return tl::unexpected<Error>(configuration.error());
    const Result<void> taken =
        selects ? read_node_selectors(*configuration, name, out) : read_tolerations(*configuration, name, out);
    if (!taken) return tl::unexpected<Error>(taken.error());
  }
  return out;
}

}  // namespace nodebound
