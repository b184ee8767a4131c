#include "fakes/apiserver/write/defaults.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "reference/release/behaviour_ids.h"
#include "reference/release/toml_reader.h"

namespace nodebound::data {
std::string_view defaults_text();
}  // namespace nodebound::data

namespace nodebound::apiserver {

namespace {

using Path = DefaultsTable::Path;
using Field = DefaultsTable::Field;

constexpr std::string_view defaults_file = "fakes/apiserver/write/defaults.toml";

Path path_of(std::string_view text) {
  Path path;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('.'), text.size());
    std::string_view name = text.substr(0, end);
    const bool items = name.ends_with("[]");
    if (items) name.remove_suffix(2);
    path.push_back({std::string(name), items});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return path;
}

Object value_of(const toml::node& node) {
  if (node.is_string()) return *node.value<std::string>();
  if (node.is_boolean()) return *node.value<bool>();
  if (node.is_integer()) return *node.value<std::int64_t>();
  if (const toml::array* array = node.as_array()) {
    Object out = Object::array();
    for (const toml::node& item : *array) out.push_back(value_of(item));
    return out;
  }
  const toml::table* table = node.as_table();
  if (table == nullptr) throw TomlMistake(node, "expected text, a number, true, false, a list or a table");
  if (table->empty()) return Object::object();
  TomlReader in(*table);
  Object value = Object::parse(in.text("json", true), nullptr, false);
  in.done();
  if (value.is_discarded()) throw TomlMistake(node, "expected JSON");
  return value;
}

/// Reads the table; keeps its sets until the entries that include them are read.
class Reader {
 public:
  void read_set(const toml::table& table) {
    TomlReader in(table);
    const std::string name = in.text("name", true);
    sets_[name] = read_fields(in);
    in.done();
  }

  DefaultsTable::Entry read_object(const toml::table& table) {
    TomlReader in(table);
    DefaultsTable::Entry entry;
    entry.group = in.text("group");
    entry.resource = in.text("resource", true);
    entry.on_create = in.flag("on_create");
    entry.fields = read_fields(in);
    entry.range = ReleaseRange::read(in);
    if (const toml::table* when = in.table("when")) {
      TomlReader conditions(*when);
      for (const auto& [key, value] : *when) {
        entry.when.push_back({path_of(key.str()), conditions.texts(key.str())});
      }
    }
    in.done();
    return entry;
  }

 private:
  std::vector<Field> read_fields(TomlReader& in) {
    std::vector<Field> fields;
    if (const toml::table* own = in.table("fields")) {
      for (const auto& [key, value] : *own) fields.push_back({path_of(key.str()), value_of(value)});
    }
    const toml::table* includes = in.table("include");
    if (includes == nullptr) return fields;
    for (const auto& [key, value] : *includes) {
      const auto set = sets_.find(TomlReader::string_of(value));
      if (set == sets_.end()) throw TomlMistake(value, "there is no such set before this");
      for (const Field& field : set->second) {
        Field below{path_of(key.str()), field.value};
        below.path.insert(below.path.end(), field.path.begin(), field.path.end());
        fields.push_back(std::move(below));
      }
    }
    return fields;
  }

  std::map<std::string, std::vector<Field>> sets_;
};

// Makes only a missing top-level field (`status`); a missing nested one (a volume's `secret`) stays missing.
void fill_in(Object& at, std::span<const DefaultsTable::Step> path, const Object& value, bool first, bool replaces) {
  if (!at.is_object()) return;
  const DefaultsTable::Step& step = path.front();
  auto found = at.find(step.name);
  const bool missing = found == at.end() || found->is_null();
  if (path.size() == 1) {
    if (missing || replaces) at[step.name] = value;
    return;
  }
  if (missing) {
    if (!first || step.items || path.size() != 2) return;
    found = at.emplace(step.name, nullptr).first;
    *found = Object::object();
  }
  if (!step.items) return fill_in(*found, path.subspan(1), value, false, replaces);
  if (!found->is_array()) return;
  for (Object& item : *found) fill_in(item, path.subspan(1), value, false, replaces);
}

bool holds(const DefaultsTable::Condition& condition, const Object& object) {
  const Object* at = &object;
  for (const DefaultsTable::Step& step : condition.path) at = &member(*at, step.name);
  if (!at->is_null() && !at->is_string()) return false;
  const std::string value = at->is_string() ? at->get<std::string>() : std::string();
  return std::find(condition.values.begin(), condition.values.end(), value) != condition.values.end();
}

}  // namespace

Result<DefaultsTable> DefaultsTable::parse(std::string_view defaults) try {
  const toml::table file = parse_toml(defaults, defaults_file);
  DefaultsTable out;
  Reader reader;
  TomlReader in(file);
  in.tables("set", [&](const toml::table& set) { reader.read_set(set); });
  in.tables("object", [&](const toml::table& object) { out.entries_.push_back(reader.read_object(object)); });
  in.done();
  return out;
} catch (const toml::parse_error& error) {
  return toml_error(defaults_file, error);
} catch (const TomlMistake& mistake) {
  return toml_error(defaults_file, mistake);
}

const DefaultsTable& DefaultsTable::built_in() {
  static const DefaultsTable table = [] {
    Result<DefaultsTable> parsed = parse(data::defaults_text());
    if (!parsed) throw std::logic_error(parsed.error().text());
    return std::move(*parsed);
  }();
  return table;
}

Defaults::Defaults(const Release& release, const std::set<std::string>& disabled_plugins, const DefaultsTable& table) {
  for (const DefaultsTable::Entry& entry : table.entries()) {
    if (entry.range.holds(release)) entries_[{entry.group, entry.resource}].push_back(&entry);
  }
  behaviours_.resize(behaviour_count);
  for (std::size_t i = 0; i < behaviour_count; ++i) {
    const auto behaviour = static_cast<Behaviour>(i);
    behaviours_[i] = release.does(behaviour) && !disabled_plugins.contains((*release.catalogue)[behaviour].plugin);
  }
}

void Defaults::apply(std::string_view group, std::string_view resource, By by, Object& object) const {
  const auto found = entries_.find({group, resource});
  if (found == entries_.end()) return;
  for (const DefaultsTable::Entry* entry : found->second) {
    if (entry->on_create != (by == By::strategy)) continue;
    const bool wanted = std::all_of(entry->when.begin(), entry->when.end(),
                                    [&](const auto& condition) { return holds(condition, object); });
    if (!wanted) continue;
    for (const DefaultsTable::Field& field : entry->fields) {
      const bool replaces = entry->on_create && field.path.front().name == "metadata";
      fill_in(object, field.path, field.value, true, replaces);
    }
  }
}

}  // namespace nodebound::apiserver
