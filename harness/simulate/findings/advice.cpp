#include "harness/simulate/findings/advice.h"

#include <map>

#include "reference/release/toml_reader.h"

namespace nodebound::data {

std::string_view advice_text();

}  // namespace nodebound::data

namespace nodebound::simulate {
namespace {

constexpr std::string_view advice_file = "harness/simulate/findings/advice.toml";

// The file is compiled in, and tests check it, so reading it cannot fail.
std::map<std::string, std::string> read_advice() {
  std::map<std::string, std::string> out;
  const toml::table file = parse_toml(data::advice_text(), advice_file);
  TomlReader in(file);
  in.tables("advice", [&](const toml::table& table) {
    TomlReader entry(table);
    const std::string text = entry.text("do", true);
    for (const std::string& rule : entry.texts("rules")) out[rule] = text;
    for (const std::string& status : entry.texts("statuses")) out[status] = text;
    for (const std::string& cause : entry.texts("causes")) out[cause] = text;
    entry.done();
  });
  in.done();
  return out;
}

}  // namespace

std::string advice_for(const Simulation::Finding& finding) {
  return advice_for(finding.rule.empty() ? std::to_string(finding.status) : finding.rule);
}

std::string advice_for(std::string_view rule) {
  static const std::map<std::string, std::string> advice = read_advice();
  const auto found = advice.find(std::string(rule));
  return found == advice.end() ? std::string() : found->second;
}

}  // namespace nodebound::simulate
