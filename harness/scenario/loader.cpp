#include "harness/scenario/loader.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "harness/scenario/fill_in.h"

namespace nodebound {
namespace {

std::optional<std::string> file_text(const std::filesystem::path& path) {
  const std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

template <typename Parse>
auto read_vocabulary(const std::filesystem::path& file, const std::string& what, Parse parse)
    -> decltype(parse(std::string_view(), std::string())) {
  const std::optional<std::string> text = file_text(file);
  if (text) return parse(*text, file.string());
  return input_error(file.string(), "cannot read the file that " + what, "--scenarios names the folder of scenarios");
}

}  // namespace

Result<std::vector<Scenario>> parse_scenarios(std::string_view text, const std::string& file, const std::string& id,
                                              const Fixtures& fixtures, const Profiles& profiles,
                                              const Catalogue& catalogue) {
  const Vocabulary vocabulary{fixtures, profiles, catalogue};
  try {
    const toml::table plain = parse_toml(text, file);
    std::vector<Scenario> scenarios;
    std::set<std::string> case_ids;
    TomlReader in(plain);
    in.tables("cases", [&](const toml::table& values) {
      const std::string case_id = TomlReader(values).text("id", true);
      if (!case_ids.insert(case_id).second) throw TomlMistake(values, "two cases have the id \"" + case_id + "\"");
      // Each case gets a tree of its own, parsed anew so that every value keeps its place in the file.
      toml::table filled = parse_toml(text, file);
      filled.erase("cases");
      fill_in(filled, values);
      scenarios.push_back(read_scenario(filled, &values, vocabulary, file, id + "[" + case_id + "]"));
    });
    if (plain.get("cases") == nullptr) {
      scenarios.push_back(read_scenario(plain, nullptr, vocabulary, file, id));
    }
    return scenarios;
  } catch (const toml::parse_error& error) {
    return toml_error(file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(file, mistake);
  }
}

Result<Profiles> parse_profiles(std::string_view text, const std::string& file) {
  try {
    Profiles profiles;
    for (const auto& [name, node] : parse_toml(text, file)) {
      if (!node.is_table()) throw TomlMistake(node, "expected a table");
      TomlReader in(*node.as_table());
      in.text("about", true);
      profiles[std::string(name.str())] = read_holds(in);
      in.done();
    }
    return profiles;
  } catch (const toml::parse_error& error) {
    return toml_error(file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(file, mistake);
  }
}

Result<Fixtures> fixtures_of(const std::filesystem::path& folder) {
  return read_vocabulary(folder / "fixtures.toml", "defines what fixtures are made of", Fixtures::parse);
}

LoadedScenarios load_scenarios(const std::filesystem::path& folder, const Catalogue& catalogue) {
  LoadedScenarios loaded;
  const std::filesystem::path fixtures_file = folder / "fixtures.toml";
  const std::filesystem::path profiles_file = folder / "profiles.toml";
  const Result<Fixtures> fixtures = fixtures_of(folder);
  const Result<Profiles> profiles = read_vocabulary(profiles_file, "names the profiles", parse_profiles);
  if (!fixtures) loaded.mistakes.push_back(fixtures.error());
  if (!profiles) loaded.mistakes.push_back(profiles.error());
  if (!fixtures || !profiles) return loaded;
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    const std::filesystem::path& path = entry.path();
    const auto kind = path.stem().extension();
    const bool is_other = kind == ".plan" || kind == ".kubelet";
    if (path.extension() == ".toml" && !is_other && path != fixtures_file && path != profiles_file)
      files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    const std::string id = file.lexically_relative(folder).replace_extension().generic_string();
    Result<std::vector<Scenario>> read =
        read_vocabulary(file, "has scenarios", [&](std::string_view text, const std::string& name) {
          return parse_scenarios(text, name, id, *fixtures, *profiles, catalogue);
        });
    if (!read) {
      loaded.mistakes.push_back(read.error());
      continue;
    }
    std::move(read->begin(), read->end(), std::back_inserter(loaded.scenarios));
  }
  return loaded;
}

}  // namespace nodebound
