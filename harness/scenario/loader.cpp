#include "harness/scenario/loader.h"

#include <algorithm>
#include <set>

#include "harness/objects/input_file.h"
#include "harness/scenario/fill_in.h"
#include "harness/scenario/names_in_use.h"
#include "harness/scenario/scenario_files.h"

namespace nodebound {
namespace {

constexpr int most_profile_versions = 10000;

template <typename Parse>
auto read_vocabulary(const std::filesystem::path& file, const std::string& what, Parse parse)
    -> decltype(parse(std::string_view(), std::string())) {
  const auto text = bytes_of_file(file, input_limit::configuration);
  if (text) return parse(*text, file.string());
  return input_error(file.string(), "cannot read the file that " + what + ": " + text.error(),
                     "--scenarios names the folder of scenarios");
}

// A mistake in a file occurs in each of its cases, so it is reported once.
void add_once(Error error, std::vector<Error>& all) {
  const bool known = std::any_of(all.begin(), all.end(), [&](const Error& e) { return e.text() == error.text(); });
  if (!known) all.push_back(std::move(error));
}

void add(ReadScenario read, LoadedScenarios& out) {
  const std::string& file = read.scenario.file;
  std::stable_sort(read.mistakes.begin(), read.mistakes.end(), [](const TomlMistake& a, const TomlMistake& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  for (const TomlMistake& mistake : read.mistakes) add_once(toml_error(file, mistake).value(), out.mistakes);
  for (const Action* action : vain_deletes(read.scenario)) {
    add_once({Error::Kind::input,
              file + ":" + std::to_string(action->line),
              "deletes " + to_text(action->target).substr(std::string_view("delete ").size()) +
                  ", which nothing before it makes",
              {}},
             out.warnings);
  }
  out.scenarios.push_back(std::move(read.scenario));
}

// Whether the only line that begins with `profile` names another one, in plain letters.
bool is_plainly_of_another(std::string_view text, std::string_view wanted) {
  constexpr std::string_view key = "profile";
  constexpr std::string_view assignment = "profile = \"";
  std::string_view named;
  for (std::size_t at = text.starts_with(key) ? 0 : text.find("\nprofile"); at != std::string_view::npos;
       at = text.find("\nprofile", at + 1)) {
    const std::string_view line = text.substr(text[at] == '\n' ? at + 1 : at);
    if (!named.empty() || !line.starts_with(assignment)) return false;
    named = line.substr(assignment.size());
    named = named.substr(0, std::min(named.find('\n'), named.size()));
    if (!named.ends_with('"')) return false;
    named.remove_suffix(1);
    const bool plain =
        std::all_of(named.begin(), named.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
    if (!plain || named.empty() || named == wanted) return false;
  }
  return !named.empty();
}

}  // namespace

LoadedScenarios read_scenarios(std::string_view text, const std::string& file, const std::string& id,
                               const Fixtures& fixtures, const Profiles& profiles, const Catalogue& catalogue) {
  const Vocabulary vocabulary{fixtures, profiles, catalogue};
  LoadedScenarios out;
  try {
    const toml::table plain = parse_toml(text, file);
    std::set<std::string> case_ids;
    TomlReader in(plain);
    in.tables("cases", [&](const toml::table& values) {
      const std::string case_id = TomlReader(values).text("id", true);
      if (!case_ids.insert(case_id).second) throw TomlMistake(values, "two cases have the id \"" + case_id + "\"");
      // Each case is parsed anew, so that every value keeps its place in the file.
      toml::table filled = parse_toml(text, file);
      filled.erase("cases");
      fill_in(filled, values);
      add(read_scenario(filled, &values, vocabulary, file, id + "[" + case_id + "]"), out);
    });
    if (plain.get("cases") == nullptr) add(read_scenario(plain, nullptr, vocabulary, file, id), out);
  } catch (const toml::parse_error& error) {
    out.mistakes.push_back(toml_error(file, error).value());
  } catch (const TomlMistake& mistake) {
    out.mistakes.push_back(toml_error(file, mistake).value());
  }
  if (!out.mistakes.empty()) out.scenarios.clear();
  return out;
}

Result<std::vector<Scenario>> parse_scenarios(std::string_view text, const std::string& file, const std::string& id,
                                              const Fixtures& fixtures, const Profiles& profiles,
                                              const Catalogue& catalogue) {
  LoadedScenarios read = read_scenarios(text, file, id, fixtures, profiles, catalogue);
  if (!read.mistakes.empty()) return tl::unexpected<Error>(read.mistakes.front());
  return std::move(read.scenarios);
}

Result<Profiles> parse_profiles(std::string_view text, const std::string& file) {
  try {
    Profiles profiles;
    for (const auto& [name, node] : parse_toml(text, file)) {
      if (!node.is_table()) throw TomlMistake(node, "expected a table");
      TomlReader in(*node.as_table());
      in.text("about", true);
      Profile& profile = profiles[std::string(name.str())];
      profile.range = ReleaseRange::read_within(in, Catalogue::built_in().releases());
      if (const toml::node* version = in.find("version")) {
        profile.version = static_cast<int>(TomlReader::number_of(*version, 1, most_profile_versions, "a version"));
      }
      for (const std::string& gate : in.texts("extended_gates")) {
        if (Catalogue::built_in().find_gate(gate) == nullptr) {
          throw TomlMistake(node, "extended_gates: gates.toml has no feature gate \"" + gate + "\"");
        }
        profile.extended_gates.insert(gate);
      }
      in.done();
    }
    return profiles;
  } catch (const toml::parse_error& error) {
    return toml_error(file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(file, mistake);
  }
}

Result<Profiles> profiles_of(const std::filesystem::path& folder) {
  return read_vocabulary(folder / "profiles.toml", "names the profiles", parse_profiles);
}

Result<Profiles> kubelet_profiles_of(const std::filesystem::path& folder) {
  return read_vocabulary(folder / "kubelet" / "profiles.toml", "names the profiles of kubelets", parse_profiles);
}

Result<Fixtures> fixtures_of(const std::filesystem::path& folder) {
  return read_vocabulary(folder / "fixtures.toml", "defines what fixtures are made of", Fixtures::parse);
}

LoadedScenarios load_scenarios(const std::filesystem::path& folder, const Catalogue& catalogue,
                               std::string_view wanted) {
  LoadedScenarios loaded;
  const Result<Fixtures> fixtures = fixtures_of(folder);
  const Result<Profiles> profiles = profiles_of(folder);
  if (!fixtures) loaded.mistakes.push_back(fixtures.error());
  if (!profiles) loaded.mistakes.push_back(profiles.error());
  if (!fixtures || !profiles) return loaded;
  const Result<std::vector<ScenarioFile>> files = scenario_files(folder, ScenarioKind::api_server);
  if (!files) {
    loaded.mistakes.push_back(files.error());
    return loaded;
  }
  for (const ScenarioFile& file : *files) {
    Result<LoadedScenarios> read = read_vocabulary(
        file.path, "has scenarios", [&](std::string_view text, const std::string& name) -> Result<LoadedScenarios> {
          if (!wanted.empty() && is_plainly_of_another(text, wanted)) return LoadedScenarios();
          return read_scenarios(text, name, file.id, *fixtures, *profiles, catalogue);
        });
    if (!read) {
      loaded.mistakes.push_back(read.error());
      continue;
    }
    std::move(read->scenarios.begin(), read->scenarios.end(), std::back_inserter(loaded.scenarios));
    std::move(read->mistakes.begin(), read->mistakes.end(), std::back_inserter(loaded.mistakes));
    std::move(read->warnings.begin(), read->warnings.end(), std::back_inserter(loaded.warnings));
  }
  return loaded;
}

}  // namespace nodebound
