#include "harness/inspect/knowledge.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "reference/release/toml_reader.h"

namespace nodebound::data {

std::string_view inspections_text();

}  // namespace nodebound::data

namespace nodebound::inspect {
namespace {

constexpr std::string_view inspections_file = "harness/inspect/inspections.toml";

Finding::Level level_of(const toml::table& table, const std::string& text) {
  for (const auto level : {Finding::Level::error, Finding::Level::warning, Finding::Level::note}) {
    if (text == to_string(level)) return level;
  }
  throw TomlMistake(table, "expected error, warning or note, found \"" + text + "\"");
}

InspectionKnowledge::Entry read_entry(const toml::table& table, const Catalogue& catalogue) {
  TomlReader in(table);
  InspectionKnowledge::Entry out;
  out.id = in.text("id", true);
  out.level = level_of(table, in.text("level", true));
  out.statement = in.text("statement", true);
  out.rules = in.texts("rules");
  out.advice = in.text("do", true);
  out.seen_at = in.texts("seen");
  for (const std::string& id : out.rules) {
    const std::optional<Rule> rule = catalogue.find(id);
    if (!rule) throw TomlMistake(table, "expected a rule of the catalogue, found \"" + id + "\"");
    const std::vector<ReleaseRange>& ranges = catalogue[*rule].in_force;
    out.ranges.insert(out.ranges.end(), ranges.begin(), ranges.end());
  }
  const ReleaseRange own = ReleaseRange::read(in);
  if (!own.is_unlimited()) out.ranges.push_back(own);
  in.done();
  return out;
}

InspectionKnowledge read_knowledge(const toml::table& file, const Catalogue& catalogue) {
  InspectionKnowledge out;
  TomlReader in(file);
  const auto each = [&](const char* key, auto&& read) {
    in.tables(key, [&](const toml::table& table) {
      TomlReader entry(table);
      read(entry);
      entry.done();
    });
  };
  in.tables("inspection", [&](const toml::table& table) { out.entries.push_back(read_entry(table, catalogue)); });
  each("credential", [&](TomlReader& entry) {
    out.credentials.push_back({entry.text("path", true), entry.text("of", true)});
  });
  each("agent", [&](TomlReader& entry) {
    out.agents.push_back({entry.texts("words"), entry.text("did", true), entry.texts("seen"), entry.texts("requests")});
  });
  each("label_field", [&](TomlReader& entry) {
    out.label_fields.push_back({entry.text("kind"), entry.text("group"), entry.texts("path")});
  });
  each("usual_binding", [&](TomlReader& entry) { out.usual_roles.push_back(entry.text("role", true)); });
  each("node_write", [&](TomlReader& entry) {
    out.node_writes.push_back({entry.text("what", true), entry.text("operation", true), entry.text("group"),
                               entry.text("resource", true), entry.text("subresource"), entry.text("namespace"),
                               entry.text("if_blocked", true)});
  });
  in.done();
  return out;
}

}  // namespace

const InspectionKnowledge& InspectionKnowledge::built_in() {
  // The file is compiled in, and a test reads it, so this cannot fail.
  static const InspectionKnowledge out = parse(data::inspections_text(), Catalogue::built_in()).value();
  return out;
}

Result<InspectionKnowledge> InspectionKnowledge::parse(std::string_view text, const Catalogue& catalogue) {
  try {
    return read_knowledge(parse_toml(text, inspections_file), catalogue);
  } catch (const toml::parse_error& error) {
    return toml_error(inspections_file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(inspections_file, mistake);
  }
}

const InspectionKnowledge::Entry& InspectionKnowledge::entry(std::string_view id) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.id == id; });
  if (found == entries.end()) throw std::logic_error("no inspection " + std::string(id));
  return *found;
}

}  // namespace nodebound::inspect
