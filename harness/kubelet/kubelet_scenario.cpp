#include "harness/kubelet/kubelet_scenario.h"

#include <algorithm>

#include "harness/kubelet/step_reader.h"
#include "harness/objects/input_file.h"
#include "harness/scenario/scenario_files.h"
#include "harness/scenario/toml_json.h"

namespace nodebound::kubelet_conformance {
namespace {

ReviewedToken read_token(const toml::table& table) {
  TomlReader token(table);
  ReviewedToken out;
  const std::string user = token.text("user");
  if (!user.empty()) out.verdict.subject = Subject{user, token.texts("groups"), token.text("uid"), {}};
  if (const toml::table* extra = token.table("extra"); extra != nullptr && out.verdict.subject) {
    TomlReader values(*extra);
    for (const auto& [key, ignored] : *extra) {
      out.verdict.subject->extra[std::string(key.str())] = values.texts(key.str());
    }
  }
  out.verdict.error = token.text("error");
  if (const toml::node* status = token.find("status"))
    out.status = static_cast<int>(TomlReader::number_of(*status, 400, 599));
  if (const toml::node* hold = token.find("hold"))
    out.hold = static_cast<std::size_t>(TomlReader::number_of(*hold, 2, 16));
  token.done();
  return out;
}

std::map<std::string, ReviewedToken> read_tokens(TomlReader& in) {
  std::map<std::string, ReviewedToken> out;
  const toml::table* tokens = in.table("tokens");
  if (tokens == nullptr) return out;
  for (const auto& [name, node] : *tokens) {
    if (!node.is_table()) throw TomlMistake(node, "expected a table with user, error or status");
    out[std::string(name.str())] = read_token(*node.as_table());
  }
  return out;
}

KubeletScenario read_scenario(const toml::table& table, const std::string& file, const std::string& id,
                              const Catalogue& catalogue) {
  TomlReader in(table);
  KubeletScenario out;
  out.id = id;
  out.title = in.text("title", true);
  out.profile = in.text("profile", true);
  out.holds = read_kubelet_holds(in, catalogue);
  out.gates = in.flags("feature-gates");
  if (const toml::table* config = in.table("config")) out.config = to_json(*config);
  out.flags_only = in.flag("flags-only");
  out.any_configuration = in.flag("any-configuration");
  out.flags = in.texts("flags");
  out.tokens = read_tokens(in);
  in.tables("start",
            [&](const toml::table& start) { out.starts.push_back(read_kubelet_start(start, file, catalogue)); });
  in.tables("step", [&](const toml::table& step) { out.steps.push_back(read_kubelet_step(step, file, catalogue)); });
  if (out.steps.empty() && out.starts.empty()) throw TomlMistake(table, "expected a [[step]] or [[start]]");
  in.done();
  return out;
}

}  // namespace

bool KubeletHolds::at(const RuleSet& rules) const {
  const auto in_force = [&](Rule rule) { return rules.in_force(rule); };
  return releases.contains(rules.release().version) && std::all_of(where.begin(), where.end(), in_force) &&
         std::none_of(unless.begin(), unless.end(), in_force);
}

bool KubeletScenario::uses(KubeletPort port) const {
  return std::any_of(steps.begin(), steps.end(), [&](const KubeletStep& step) {
    return step.port == port && step.expect != KubeletStep::Expect::closed;
  });
}

Result<KubeletScenario> parse_kubelet_scenario(std::string_view text, const std::string& file, const std::string& id,
                                               const Catalogue& catalogue) try {
  return read_scenario(parse_toml(text, file), file, id, catalogue);
} catch (const toml::parse_error& error) {
  return toml_error(file, error);
} catch (const TomlMistake& mistake) {
  return toml_error(file, mistake);
}

Result<std::vector<KubeletScenario>> load_kubelet_scenarios(const std::filesystem::path& folder,
                                                            const Catalogue& catalogue) {
  const Result<std::vector<ScenarioFile>> files = scenario_files(folder, ScenarioKind::kubelet);
  if (!files) return tl::unexpected(files.error());
  std::vector<KubeletScenario> out;
  for (const ScenarioFile& file : *files) {
    const Result<std::string> text = read_input(file.path.string(), input_limit::configuration);
    if (!text) return tl::unexpected(text.error());
    Result<KubeletScenario> scenario = parse_kubelet_scenario(*text, file.path.string(), file.id, catalogue);
    if (!scenario) return tl::unexpected(scenario.error());
    out.push_back(std::move(*scenario));
  }
  return out;
}

}  // namespace nodebound::kubelet_conformance
