#include "reference/release/catalogue.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "reference/release/toml_reader.h"

namespace nodebound {

namespace data {
std::string_view rules_text();
std::string_view gates_text();
std::string_view deviations_text();
std::string_view behaviours_text();
std::string_view kubelet_traits_text();
}  // namespace data

std::string_view to_string(Layer layer) {
  static constexpr std::array<std::string_view, 5> names = {"authentication", "authorizer", "admission", "validation",
                                                            "kubelet"};
  return names[static_cast<std::size_t>(layer)];
}

std::string_view to_string(Effect effect) {
  static constexpr std::array<std::string_view, 3> names = {"grant", "restriction", "reason"};
  return names[static_cast<std::size_t>(effect)];
}

namespace {

PolicyRule read_policy_rule(const toml::table& table) {
  TomlReader in(table);
  PolicyRule rule{in.texts("verbs"), in.texts("groups"), in.texts("resources"), in.texts("names"), in.texts("urls")};
  in.done();
  return rule;
}

using TextHistory = ByRelease<RefusalText>;

TextHistory read_text_history(TomlReader& in, std::string_view key) {
  return read_by_release<RefusalText>(in, key, [](TomlReader& one) { return RefusalText(one.text("text", true)); });
}

TextHistory read_refusal(TomlReader& in, const toml::table& shared_texts) {
  const toml::node* node = in.find("refusal");
  if (node == nullptr) return {};
  if (!node->is_string()) return read_text_history(in, "refusal");
  const std::string text = *node->value<std::string>();
  if (shared_texts.contains(text)) {
    TomlReader shared(shared_texts);
    return read_text_history(shared, text);
  }
  return {{Version{0, 0, 0}, RefusalText(text)}};
}

std::optional<EdgeRule> read_edge(TomlReader& in) {
  const toml::table* table = in.table("edge");
  if (table == nullptr) return std::nullopt;
  TomlReader edge(*table);
  EdgeRule out{edge.text("from", true), edge.texts("paths"), std::nullopt};
  if (const toml::table* volume = edge.table("volume")) {
    TomlReader path(*volume);
    out.volume = {path.text("name", true), path.text("namespace"), path.text("namespace_rule"),
                  path.flag("or_namespace_of_claim")};
    path.done();
  }
  edge.done();
  return out;
}

std::optional<RoleRule> read_role(TomlReader& in) {
  const toml::table* table = in.table("role");
  if (table == nullptr) return std::nullopt;
  TomlReader role(*table);
  RoleRule out;
  out.name = role.text("name", true);
  out.binding = role.text("binding");
  out.users = role.texts("users");
  out.groups = role.texts("groups");
  const toml::node* rules = role.find("rules");
  if (rules != nullptr && rules->is_string()) {
    if (TomlReader::string_of(*rules) != "node") throw TomlMistake(*rules, "expected a list of rules, or \"node\"");
    out.node_rules = true;
  } else {
    role.tables("rules", [&](const toml::table& rule) { out.rules.push_back(read_policy_rule(rule)); });
  }
  role.done();
  return out;
}

Layer read_layer(TomlReader& in) {
  const std::string name = in.text("layer", true);
  for (const Layer layer :
       {Layer::authentication, Layer::authorizer, Layer::admission, Layer::validation, Layer::kubelet}) {
    if (to_string(layer) == name) return layer;
  }
  throw TomlMistake(*in.find("layer"), "expected authentication, authorizer, admission, validation or kubelet");
}

int default_status(Layer layer) {
  switch (layer) {
    case Layer::authentication:
      return 401;
    case Layer::validation:
      return 422;
    case Layer::authorizer:
    case Layer::admission:
    case Layer::kubelet:
      break;
  }
  return 403;
}

void read_labels(TomlReader& in, RuleEntry& rule) {
  if (const toml::table* table = in.table("labels")) {
    TomlReader labels(*table);
    rule.label_keys = labels.texts("keys");
    rule.label_domains = labels.texts("domains");
    labels.done();
  }
  if (const toml::table* table = in.table("drivers")) {
    for (const auto& [source, driver] : *table) {
      rule.drivers[std::string(source.str())] = TomlReader::string_of(driver);
    }
  }
}

Effect read_effect(TomlReader& in) {
  const std::string name = in.text("effect", true);
  for (const Effect effect : {Effect::grant, Effect::restriction, Effect::reason}) {
    if (to_string(effect) == name) return effect;
  }
  throw TomlMistake(*in.find("effect"), "expected grant, restriction or reason");
}

// Definitions that the rules of a file share.
struct Shared {
  const toml::table& sources;
  const toml::table& texts;
};

RuleEntry read_rule(const toml::table& table, const toml::table& group, const Shared& shared) {
  TomlReader in(table, &group);
  RuleEntry rule;
  rule.id = in.text("id", true);
  rule.title = in.text("title", true);
  rule.statement = in.text("statement", true);
  rule.layer = read_layer(in);
  rule.effect = read_effect(in);
  rule.authorizer = in.text("authorizer");
  rule.plugin = in.text("plugin");
  if ((rule.layer == Layer::authorizer) == rule.authorizer.empty()) {
    throw TomlMistake(table, "expected the authorizer, of a rule of that layer and of no other");
  }
  rule.status = default_status(rule.layer);
  if (const toml::node* status = in.find("status")) rule.status = status->value<int>().value_or(0);
  rule.in_force = read_ranges(in);
  for (const ReleaseRange& range : rule.in_force) {
    if (range.since.empty()) throw TomlMistake(table, "expected a key \"since\"");
  }
  rule.refusal = read_refusal(in, shared.texts);
  rule.unreachable = in.text("unreachable");
  rule.edge = read_edge(in);
  in.tables("allows", [&](const toml::table& allowed) { rule.allows.push_back(read_policy_rule(allowed)); });
  rule.role = read_role(in);
  read_labels(in, rule);
  for (const std::string& source : in.texts("source")) {
    const toml::node* path = shared.sources.get(source);
    rule.source.push_back(path == nullptr ? source : TomlReader::string_of(*path));
  }
  if (rule.source.empty()) throw TomlMistake(table, "expected a source: a KEP, a CVE or an upstream file");
  in.done();
  return rule;
}

ReleaseRange read_releases(const toml::table& file) {
  TomlReader in(file);
  const toml::table* table = in.table("releases");
  if (table == nullptr) throw TomlMistake(file, "expected a key \"releases\"");
  TomlReader range(*table);
  return {{range.required_version("since")}, range.required_version("until"), {}, {}, {}};
}

std::map<Version, int> read_last_patches(const toml::table& file) {
  std::map<Version, int> patches;
  TomlReader in(file);
  const toml::table* table = in.table("last_patches");
  if (table == nullptr) return patches;
  for (const auto& [minor, patch] : *table) {
    const std::optional<Version> version = Version::parse(minor.str());
    if (!version || version->patch != 0) throw TomlMistake(patch, "expected a minor as the key, like \"1.36\"");
    patches[*version] = static_cast<int>(TomlReader::number_of(patch, 0, 1000));
  }
  return patches;
}

std::vector<RuleEntry> read_rules(const toml::table& file) {
  std::vector<RuleEntry> rules;
  TomlReader in(file);
  in.find("releases");
  in.find("last_patches");
  static const toml::table none;
  const toml::table* sources = in.table("source");
  const toml::table* texts = in.table("text");
  const Shared shared{sources == nullptr ? none : *sources, texts == nullptr ? none : *texts};
  in.tables("group", [&](const toml::table& group) {
    TomlReader(group).tables("rule", [&](const toml::table& rule) { rules.push_back(read_rule(rule, group, shared)); });
  });
  in.done();
  return rules;
}

std::vector<GateEntry> read_gates(const toml::table& file) {
  std::vector<GateEntry> gates;
  TomlReader in(file);
  in.tables("gate", [&](const toml::table& table) {
    TomlReader gate(table);
    GateEntry entry{gate.text("name", true), {}, gate.version("until"), {}, {}};
    gate.tables("stages", [&](const toml::table& stage_table) {
      TomlReader stage(stage_table);
      entry.stages.push_back({stage.required_version("since"), stage.flag("default"), stage.flag("locked")});
      stage.done();
    });
    gate.tables("absent", [&](const toml::table& absent_table) {
      TomlReader absent(absent_table);
      entry.absent.push_back(ReleaseRange::read_versions(absent));
      absent.done();
    });
    gate.tables("requires", [&](const toml::table& requirement_table) {
      TomlReader requirement(requirement_table);
      entry.requirements.push_back({requirement.text("gate", true), ReleaseRange::read_versions(requirement)});
      requirement.done();
    });
    gate.done();
    if (entry.stages.empty()) throw TomlMistake(table, "expected at least one stage");
    gates.push_back(std::move(entry));
  });
  in.done();
  return gates;
}

std::vector<Deviation> read_deviations(const toml::table& file, const std::vector<RuleEntry>& rules) {
  std::vector<Deviation> deviations;
  TomlReader in(file);
  in.tables("deviation", [&](const toml::table& table) {
    TomlReader entry(table);
    entry.required("since");
    Deviation deviation{entry.text("id", true),    entry.text("rule", true),      ReleaseRange::read_versions(entry),
                        entry.text("issue", true), entry.text("statement", true), entry.flag("crowded")};
    entry.done();
    const bool known =
        std::any_of(rules.begin(), rules.end(), [&](const RuleEntry& rule) { return rule.id == deviation.rule; });
    if (!known) throw TomlMistake(table, "no rule has the id \"" + deviation.rule + "\"");
    deviations.push_back(std::move(deviation));
  });
  in.done();
  return deviations;
}

std::vector<BehaviourEntry> read_behaviours(const toml::table& file, std::string_view key) {
  std::vector<BehaviourEntry> entries;
  TomlReader in(file);
  in.tables(key, [&](const toml::table& table) {
    TomlReader one(table);
    BehaviourEntry entry{one.text("id", true), one.text("statement", true), one.text("plugin"), read_ranges(one),
                         one.texts("source")};
    if (entry.source.empty()) throw TomlMistake(table, "expected a source");
    one.done();
    entries.push_back(std::move(entry));
  });
  in.done();
  return entries;
}

}  // namespace

Result<Catalogue> Catalogue::parse(const CatalogueFiles& files) {
  std::string_view name;
  try {
    Catalogue catalogue;
    name = "reference/rules.toml";
    const toml::table file = parse_toml(files.rules, name);
    catalogue.releases_ = read_releases(file);
    catalogue.last_patches_ = read_last_patches(file);
    catalogue.rules_ = read_rules(file);
    name = "reference/gates.toml";
    catalogue.gates_ = read_gates(parse_toml(files.gates, name));
    name = "reference/deviations.toml";
    catalogue.deviations_ = read_deviations(parse_toml(files.deviations, name), catalogue.rules_);
    name = "reference/behaviours.toml";
    catalogue.behaviours_ = read_behaviours(parse_toml(files.behaviours, name), "behaviour");
    name = "reference/kubelet_traits.toml";
    catalogue.kubelet_traits_ = read_behaviours(parse_toml(files.kubelet_traits, name), "trait");
    return catalogue;
  } catch (const toml::parse_error& error) {
    return toml_error(name, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(name, mistake);
  }
}

const CatalogueFiles& Catalogue::built_in_files() {
  static const CatalogueFiles files = {data::rules_text(), data::gates_text(), data::deviations_text(),
                                       data::behaviours_text(), data::kubelet_traits_text()};
  return files;
}

const Catalogue& Catalogue::built_in() {
  static const Catalogue catalogue = [] {
    Result<Catalogue> parsed = parse(built_in_files());
    if (!parsed) throw std::logic_error(parsed.error().text());
    return std::move(*parsed);
  }();
  return catalogue;
}

std::optional<Rule> Catalogue::find(std::string_view id) const {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].id == id) return static_cast<Rule>(i);
  }
  return std::nullopt;
}

const GateEntry* Catalogue::find_gate(std::string_view name) const {
  const auto found =
      std::find_if(gates_.begin(), gates_.end(), [&](const GateEntry& gate) { return gate.name == name; });
  return found == gates_.end() ? nullptr : &*found;
}

int Catalogue::last_patch(const Version& version) const {
  const auto known = last_patches_.find({version.major, version.minor, 0});
  if (known != last_patches_.end()) return known->second;
  int most = 0;
  for (const auto& [minor, patch] : last_patches_) most = std::max(most, patch);
  return most;
}

std::set<std::string, std::less<>> Catalogue::deciding_gates() const {
  std::set<std::string, std::less<>> names;
  for (const RuleEntry& rule : rules_) {
    for (const ReleaseRange& range : rule.in_force) {
      for (const auto* gates : {&range.gates, &range.any_gate, &range.unless_gates}) {
        names.insert(gates->begin(), gates->end());
      }
    }
  }
  return names;
}

std::vector<Version> Catalogue::turning_points() const {
  std::set<Version> points;
  const auto add = [&](const Version& version) {
    if (releases_.contains(version)) points.insert(version);
  };
  for (const RuleEntry& rule : rules_) {
    for (const ReleaseRange& range : rule.in_force) {
      for (const Version& since : range.since) add(since);
      if (range.until) add(*range.until);
    }
    for (const auto& [since, text] : rule.refusal) add(since);
  }
  const std::set<std::string, std::less<>> deciding = deciding_gates();
  for (const GateEntry& gate : gates_) {
    if (!deciding.contains(gate.name)) continue;
    for (const GateEntry::Stage& stage : gate.stages) add(stage.since);
    if (gate.until) add(*gate.until);
  }
  for (Version minor = releases_.since.front(); releases_.contains(minor); ++minor.minor) points.insert(minor);
  return {points.begin(), points.end()};
}

const Deviation* Catalogue::find_deviation(std::string_view id) const {
  const auto found =
      std::find_if(deviations_.begin(), deviations_.end(), [&](const Deviation& d) { return d.id == id; });
  return found == deviations_.end() ? nullptr : &*found;
}

}  // namespace nodebound
