#include "fakes/kubelet_api/configuration/configuration_fields.h"

#include <sstream>
#include <stdexcept>
#include <string_view>

namespace nodebound::data {
std::string_view kubelet_configuration_fields_text();
}  // namespace nodebound::data

namespace nodebound::kubelet_api {

namespace {

Version since(const std::string& text) {
  if (text == "-") return {};  // older than all
  const auto version = Version::parse(text);
  if (!version) throw std::runtime_error("configuration_fields.txt: no version: " + text);
  return *version;
}

std::vector<ConfigurationField> read() {
  std::vector<ConfigurationField> out;
  std::istringstream lines{std::string(data::kubelet_configuration_fields_text())};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string first;
    std::string second;
    std::string third;
    words >> first >> second >> third;
    if (first == "=") {
      const std::string rest{std::istreambuf_iterator<char>(words), {}};
      out.back().defaults.emplace_back(since(second), nlohmann::ordered_json::parse(third + rest));
      continue;
    }
    std::string fourth;
    words >> fourth;
    ConfigurationField& field = out.emplace_back();
    field.path = first;
    field.type = second;
    field.releases.since = {since(third)};
    if (fourth != "-") field.releases.until = since(fourth);
  }
  return out;
}

}  // namespace

nlohmann::ordered_json ConfigurationField::default_in(const Version& version) const {
  const nlohmann::ordered_json* found = value_at(defaults, version);
  return found == nullptr ? nlohmann::ordered_json() : *found;
}

const std::vector<ConfigurationField>& configuration_fields() {
  static const std::vector<ConfigurationField> fields = read();
  return fields;
}

}  // namespace nodebound::kubelet_api
