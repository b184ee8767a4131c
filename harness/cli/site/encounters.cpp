#include "harness/cli/site/encounters.h"

#include "reference/release/source_link.h"
#include "reference/release/toml_reader.h"

namespace nodebound::data {
std::string_view encounters_text();
}  // namespace nodebound::data

namespace nodebound::cli {

Result<std::vector<Encounter>> encounters(const Catalogue& catalogue) {
  constexpr std::string_view file = "harness/cli/site/encounters.toml";
  std::vector<Encounter> out;
  try {
    const toml::table whole = parse_toml(data::encounters_text(), file);
    TomlReader in(whole);
    in.tables("encounter", [&](const toml::table& table) {
      TomlReader one(table);
      Encounter encounter{{}, one.text("what", true), one.texts("where")};
      for (const std::string& id : one.texts("rules")) {
        const std::optional<Rule> rule = catalogue.find(id);
        if (!rule) throw TomlMistake(table, "there is no rule \"" + id + "\"");
        encounter.rules.push_back(*rule);
      }
      one.done();
      out.push_back(std::move(encounter));
    });
    in.done();
  } catch (const toml::parse_error& error) {
    return toml_error(file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(file, mistake);
  }
  return out;
}

std::string address_of(const std::string& where) {
  const std::size_t number = where.find('#');
  if (number == std::string::npos) return link_of(where, Version{});
  return "https://github.com/" + where.substr(0, number) + "/issues/" + where.substr(number + 1);
}

}  // namespace nodebound::cli
