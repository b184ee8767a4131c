#include "harness/lint/admission_plugins.h"

#include <algorithm>
#include <stdexcept>

#include "reference/release/toml_reader.h"

namespace nodebound::data {
std::string_view admission_plugins_text();
}  // namespace nodebound::data

namespace nodebound::lint {
namespace {

constexpr std::string_view plugins_file = "harness/lint/admission_plugins.toml";

ConfigurationForm::Kind read_kind_of_form(const toml::table& table) {
  TomlReader in(table);
  ConfigurationForm::Kind out{in.text("apiVersion", true), in.text("kind", true), ReleaseRange::read(in)};
  in.done();
  return out;
}

std::optional<ReleaseRange> read_range_of_form(TomlReader& in, const char* key) {
  const toml::table* table = in.table(key);
  if (table == nullptr) return std::nullopt;
  TomlReader of_range(*table);
  const ReleaseRange out = ReleaseRange::read(of_range);
  of_range.done();
  return out;
}

ConfigurationForm read_form(const toml::table& table) {
  TomlReader in(table);
  ConfigurationForm out;
  out.strict = read_range_of_form(in, "strict");
  in.tables("kinds", [&](const toml::table& one) { out.kinds.push_back(read_kind_of_form(one)); });
  if (const toml::table* fields = in.table("fields")) {
    TomlReader of_fields(*fields);
    for (const auto& [name, below] : *fields) out.fields[std::string(name.str())] = of_fields.texts(name.str());
  }
  in.tables("later_fields", [&](const toml::table& one) {
    TomlReader field(one);
    out.later_fields.push_back({field.text("name", true), ReleaseRange::read(field)});
    field.done();
  });
  out.absolute_path = in.text("absolute_path");
  out.path_needed = read_range_of_form(in, "path_needed");
  out.selectors = in.text("selectors");
  out.opaque = in.flag("opaque");
  in.done();
  return out;
}

ConfigurablePlugin read_configurable_plugin(const toml::table& table) {
  TomlReader in(table);
  ConfigurablePlugin out{in.text("name", true), ReleaseRange::read(in), std::nullopt};
  if (const toml::table* configuration = in.table("configuration")) out.configuration = read_form(*configuration);
  in.done();
  return out;
}

}  // namespace

const ConfigurablePlugin* AdmissionPlugins::find(std::string_view name, const Release& release) const {
  const auto found = std::find_if(plugins.begin(), plugins.end(), [&](const ConfigurablePlugin& one) {
    return one.name == name && one.known.holds(release);
  });
  return found == plugins.end() ? nullptr : &*found;
}

Result<AdmissionPlugins> parse_admission_plugins(std::string_view text) {
  try {
    AdmissionPlugins out;
    const toml::table file = parse_toml(text, plugins_file);
    TomlReader in(file);
    in.tables("plugin", [&](const toml::table& one) { out.plugins.push_back(read_configurable_plugin(one)); });
    if (const toml::table* own = in.table("file")) out.file = read_form(*own);
    in.done();
    return out;
  } catch (const toml::parse_error& error) {
    return toml_error(plugins_file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(plugins_file, mistake);
  }
}

const AdmissionPlugins& admission_plugins() {
  static const AdmissionPlugins all = [] {
    Result<AdmissionPlugins> parsed = parse_admission_plugins(data::admission_plugins_text());
    if (!parsed) throw std::logic_error(parsed.error().text());
    return std::move(*parsed);
  }();
  return all;
}

}  // namespace nodebound::lint
