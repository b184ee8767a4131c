// Runs during the build: turns the reference's data files into C++, so that an unknown id fails to compile, and the
// binary needs no data files.
//
//   generate OUT_DIR FILE.toml...
//
// Of rules.toml, behaviours.toml and kubelet_traits.toml it makes an enumeration of the ids, too.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Enumeration {
  std::string_view file;   ///< without its ending
  std::string_view key;    ///< of its entries
  std::string_view group;  ///< the lists that hold them, if they are not at the top
  std::string_view type;
  std::string_view name;  ///< of the generated header and count
};

constexpr std::array enumerations = {
    Enumeration{"rules", "rule", "group", "Rule", "rule"},
    Enumeration{"behaviours", "behaviour", "", "Behaviour", "behaviour"},
    Enumeration{"kubelet_traits", "trait", "", "KubeletTrait", "kubelet_trait"},
};

std::string read(const fs::path& path) {
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void add_ids(std::vector<std::string>& ids, const toml::table& in, std::string_view key) {
  in[key].as_array()->for_each(
      [&](const toml::table& entry) { ids.push_back(entry["id"].value<std::string>().value()); });
}

std::vector<std::string> ids_of(const Enumeration& of, const std::string& text, const fs::path& path) {
  std::vector<std::string> ids;
  const toml::table file = toml::parse(std::string_view(text), path.string());
  if (of.group.empty()) {
    add_ids(ids, file, of.key);
  } else {
    file[of.group].as_array()->for_each([&](const toml::table& group) { add_ids(ids, group, of.key); });
  }
  return ids;
}

// Leaves an unchanged file alone, because everything that names an id is rebuilt when it changes.
void write_ids(const fs::path& dir, const Enumeration& of, const std::vector<std::string>& ids) {
  std::ostringstream out;
  out << "// Made from reference/" << of.file << ".toml while building.\n#pragma once\n\n#include <cstddef>\n"
      << "#include <cstdint>\n\nnamespace nodebound {\n\nenum class " << of.type << " : std::uint16_t {\n";
  for (std::string id : ids) {
    std::replace(id.begin(), id.end(), '-', '_');
    out << "  " << id << ",\n";
  }
  out << "};\n\ninline constexpr std::size_t " << of.name << "_count = " << ids.size()
      << ";\n\n}  // namespace nodebound\n";
  const fs::path path = dir / (std::string(of.name) + "_ids.h");
  if (!fs::exists(path) || read(path) != out.str()) std::ofstream(path) << out.str();
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
  if (argc < 3) {
    std::cerr << "usage: generate OUT_DIR FILE.toml...\n";
    return 2;
  }
  try {
    const fs::path dir = argv[1];
    fs::create_directories(dir);
    std::ofstream out(dir / "catalogue_data.cpp");
    out << "// Made from the data files of reference/ while building.\n#include <string_view>\n\n"
        << "namespace nodebound::data {\n\n";
    for (int i = 2; i < argc; ++i) {
      const fs::path path = argv[i];
      const std::string text = read(path);
      const std::string name = path.stem().string();
      write_data(out, name, text);
      for (const Enumeration& of : enumerations) {
        if (of.file == name) write_ids(dir, of, ids_of(of, text, path));
      }
    }
    out << "}  // namespace nodebound::data\n";
    return out.good() ? 0 : 1;
  } catch (const toml::parse_error& error) {
    std::cerr << error.source().begin.line << ": " << error.description() << '\n';
    return 1;
  }
}
