// Runs during the build: turns the reference's data files into C++, so that an unknown rule id fails to compile, and
// the binary needs no data files.
//
//   generate RULES.toml GATES.toml DEVIATIONS.toml OUT_DIR

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

namespace {

std::string read(const std::filesystem::path& path) {
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> rule_ids(const std::string& text, const std::string& path) {
  std::vector<std::string> ids;
  const toml::table rules = toml::parse(std::string_view(text), std::string_view(path));
  rules["group"].as_array()->for_each([&](const toml::table& group) {
    group["rule"].as_array()->for_each(
        [&](const toml::table& rule) { ids.push_back(rule["id"].value<std::string>().value()); });
  });
  return ids;
}

// Leaves an unchanged file alone, because everything that asks for a rule is rebuilt when it changes.
void write_rule_ids(const std::filesystem::path& path, const std::vector<std::string>& ids) {
  std::ostringstream out;
  out << "// Made from reference/rules.toml while building.\n#pragma once\n\n#include <cstddef>\n#include <cstdint>\n\n"
      << "namespace nodebound {\n\nenum class Rule : std::uint16_t {\n";
  for (std::string id : ids) {
    std::replace(id.begin(), id.end(), '-', '_');
    out << "  " << id << ",\n";
  }
  out << "};\n\ninline constexpr std::size_t rule_count = " << ids.size() << ";\n\n}  // namespace nodebound\n";
  if (!std::filesystem::exists(path) || read(path) != out.str()) std::ofstream(path) << out.str();
}

// The text is written as bytes, because string literals have a maximum length.
void write_data(std::ofstream& out, std::string_view name, const std::string& text) {
  out << "static const unsigned char " << name << "_bytes[] = {";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i % 24 == 0) out << '\n';
    out << static_cast<unsigned>(static_cast<unsigned char>(text[i])) << ',';
  }
  out << "\n};\nstd::string_view " << name << "_text() {\n  return {reinterpret_cast<const char*>(" << name
      << "_bytes), sizeof(" << name << "_bytes)};\n}\n\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: generate RULES.toml GATES.toml DEVIATIONS.toml OUT_DIR\n";
    return 2;
  }
  try {
    const std::string rules = read(argv[1]);
    const std::filesystem::path dir = argv[4];
    std::filesystem::create_directories(dir);
    write_rule_ids(dir / "rule_ids.h", rule_ids(rules, argv[1]));
    std::ofstream out(dir / "catalogue_data.cpp");
    out << "// Made from the data files of reference/ while building.\n#include <string_view>\n\n"
        << "namespace nodebound::data {\n\n";
    write_data(out, "rules", rules);
    write_data(out, "gates", read(argv[2]));
    write_data(out, "deviations", read(argv[3]));
    out << "}  // namespace nodebound::data\n";
    return out.good() ? 0 : 1;
  } catch (const toml::parse_error& error) {
    std::cerr << error.source().begin.line << ": " << error.description() << '\n';
    return 1;
  }
}
