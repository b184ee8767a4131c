#include "harness/mutants/known.h"

#include <algorithm>

namespace nodebound::data {
std::string_view equivalent_text();
}

namespace nodebound::mutants {
namespace {

std::vector<std::string> required_texts(TomlReader& reader, std::string_view key) {
  reader.required(key);
  return reader.texts(key);
}

bool fits_any(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return is_id_of(pattern, text); });
}

}  // namespace

bool is_id_of(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= text.size(); ++at) {
    if (is_id_of(rest, text.substr(at))) return true;
  }
  return false;
}

bool Equivalent::is_about(const std::string& mutant, const Version& release) const {
  return holds.contains(release) && fits_any(mutants, mutant);
}

const Equivalent* Known::equivalent(const std::string& mutant, const Version& release) const {
  const auto found = std::find_if(equivalents.begin(), equivalents.end(),
                                  [&](const Equivalent& one) { return one.is_about(mutant, release); });
  return found == equivalents.end() ? nullptr : &*found;
}

std::string Known::stays_because(const std::string& id) const {
  const auto found = std::find_if(stays.begin(), stays.end(), [&](const Stays& one) { return fits_any(one.ids, id); });
  return found == stays.end() ? std::string() : found->why;
}

Result<Known> parse_known(std::string_view text, const std::string& file) {
  Known known;
  try {
    const toml::table document = parse_toml(text, file);
    TomlReader reader(document);
    reader.tables("equivalent", [&](const toml::table& table) {
      TomlReader entry(table);
      Equivalent equivalent;
      equivalent.mutants = required_texts(entry, "mutants");
      equivalent.holds = ReleaseRange::read_versions(entry);
      equivalent.worded = entry.flag("worded");
      equivalent.proof = entry.text("proof", true);
      entry.done();
      known.equivalents.push_back(std::move(equivalent));
    });
    reader.tables("stays", [&](const toml::table& table) {
      TomlReader entry(table);
      Stays stays;
      stays.ids = required_texts(entry, "ids");
      stays.why = entry.text("why", true);
      entry.done();
      known.stays.push_back(std::move(stays));
    });
    reader.done();
  } catch (const toml::parse_error& error) {
    return toml_error(file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(file, mistake);
  }
  return known;
}

Result<Known> built_in_known() {
  return parse_known(data::equivalent_text(), "harness/mutants/faults/equivalent.toml");
}

}  // namespace nodebound::mutants
