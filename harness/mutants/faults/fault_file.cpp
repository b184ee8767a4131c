#include "harness/mutants/faults/fault_file.h"

#include <algorithm>
#include <set>

#include "harness/mutants/faults/words.h"
#include "reference/release/toml_reader.h"

namespace nodebound::data {
std::string_view faults_text();
}

namespace nodebound::mutants {
namespace {

/// The content of one table of the file.
struct Reading {
  const Catalogue& catalogue;
  std::vector<Mutant> mutants;
  std::set<std::string> ids;

  void add(const toml::node& at, Mutant mutant) {
    if (!ids.insert(mutant.id).second) throw TomlMistake(at, "there is a mutant " + mutant.id + " already");
    mutants.push_back(std::move(mutant));
  }
};

Rule rule_at(const toml::node& node, const Catalogue& catalogue) {
  const std::string id = TomlReader::string_of(node);
  if (const std::optional<Rule> rule = catalogue.find(id)) return *rule;
  std::vector<std::string> known;
  for (const RuleEntry& entry : catalogue.rules()) known.push_back(entry.id);
  throw TomlMistake(node, "there is no rule \"" + id + "\"" + did_you_mean(id, known));
}

template <typename Visit>
void each_text(TomlReader& reader, std::string_view key, Visit visit) {
  const toml::node* node = reader.find(key);
  if (node == nullptr) return;
  if (!node->is_array()) return visit(*node);
  for (const toml::node& item : *node->as_array()) visit(item);
}

// An unknown word gets its place in the file, and a hint.
template <typename T>
T parsed(const toml::node& node, Result<T> (*parse)(std::string_view)) {
  Result<T> word = parse(TomlReader::string_of(node));
  if (word) return std::move(*word);
  throw TomlMistake(node, word.error().what + (word.error().hint.empty() ? "" : "; " + word.error().hint));
}

std::string meaning_of(const Loosening& fault, const std::string& word) {
  if (fault.kind == Loosening::Kind::unchecked) return "is not checked where " + word;
  if (fault.kind == Loosening::Kind::refused) return "refuses where " + word + ", too";
  const WordAndArgument parts = split_word(word);
  const std::vector<Word> words = misreading_words();
  const auto known = std::find_if(words.begin(), words.end(), [&](const Word& one) { return one.name == parts.word; });
  return "takes it that " + known->meaning + (parts.argument.empty() ? "" : ": " + std::string(parts.argument));
}

void add_loosening(Reading& reading, const toml::node& at, const std::string& name, Loosening fault) {
  const std::string word = TomlReader::string_of(at);
  if (fault.kind == Loosening::Kind::misread) {
    fault.misreading = parsed(at, parse_misreading);
  } else {
    fault.condition = parsed(at, parse_condition);
  }
  Mutant mutant;
  mutant.id = name + "/" + std::string(to_string(fault.kind)) + ":" + word;
  mutant.part = reading.catalogue[fault.rules.front()].title;
  mutant.meaning = name + " " + meaning_of(fault, word);
  mutant.rules = fault.rules;
  mutant.fault = std::move(fault);
  reading.add(at, std::move(mutant));
}

void read_fault(Reading& reading, const toml::table& table) {
  TomlReader reader(table);
  std::vector<Rule> rules;
  reader.required("rules");
  each_text(reader, "rules", [&](const toml::node& node) { rules.push_back(rule_at(node, reading.catalogue)); });
  // With a common name, several rules share one fault; otherwise each rule has its own.
  const std::string together = reader.text("together");
  std::vector<std::pair<std::string, std::vector<Rule>>> faulty;
  if (!together.empty()) {
    faulty.emplace_back(together, rules);
  } else {
    for (const Rule rule : rules) faulty.push_back({reading.catalogue[rule].id, {rule}});
  }
  for (const Loosening::Kind kind : {Loosening::Kind::unchecked, Loosening::Kind::misread, Loosening::Kind::refused}) {
    each_text(reader, to_string(kind), [&](const toml::node& node) {
      for (const auto& [name, of] : faulty) add_loosening(reading, node, name, {kind, of, {}, {}});
    });
  }
  reader.text("source");
  reader.done();
}

void add_graph_fault(Reading& reading, const toml::node& at, Rule edge, GraphFault::What what) {
  const RuleEntry& entry = reading.catalogue[edge];
  Mutant mutant;
  mutant.id = entry.id + "/graph:" + std::string(to_string(what));
  mutant.part = entry.title;
  mutant.meaning = entry.id + " " + std::string(meaning_of(what));
  mutant.rules = {edge};
  mutant.fault = GraphFault{edge, what};
  reading.add(at, std::move(mutant));
}

void read_graph(Reading& reading, const toml::table& table) {
  TomlReader reader(table);
  std::vector<Rule> edges;
  reader.required("edges");
  each_text(reader, "edges", [&](const toml::node& node) { edges.push_back(rule_at(node, reading.catalogue)); });
  reader.required("faults");
  each_text(reader, "faults", [&](const toml::node& node) {
    const std::string word = TomlReader::string_of(node);
    const auto what = std::find_if(std::begin(graph_faults), std::end(graph_faults),
                                   [&](GraphFault::What one) { return to_string(one) == word; });
    if (what == std::end(graph_faults)) throw TomlMistake(node, "there is no fault of the graph \"" + word + "\"");
    for (const Rule edge : edges) add_graph_fault(reading, node, edge, *what);
  });
  reader.text("source");
  reader.done();
}

void read_identity(Reading& reading, const toml::table& table) {
  TomlReader reader(table);
  reader.required("slips");
  each_text(reader, "slips", [&](const toml::node& node) {
    const std::string word = TomlReader::string_of(node);
    const auto slip = std::find_if(identity_slips().begin(), identity_slips().end(),
                                   [&](const IdentitySlipEntry& one) { return one.word.name == word; });
    if (slip == identity_slips().end()) throw TomlMistake(node, "there is no slip \"" + word + "\"");
    for (const bool authorizer : {true, false}) {
      Mutant mutant;
      const std::string layer = authorizer ? "authorizer" : "admission";
      mutant.id = std::string("identity/").append(layer).append(":").append(word);
      mutant.part = reading.catalogue[Rule::node_identity_prefix].title;
      mutant.meaning = "for " + layer + ", " + slip->word.meaning;
      mutant.rules = {Rule::node_identity_prefix, Rule::node_identity_group};
      mutant.fault = WrongIdentity{slip->slip, authorizer};
      reading.add(node, std::move(mutant));
    }
  });
  reader.text("source");
  reader.done();
}

void read_content(Reading& reading, const toml::table& table) {
  TomlReader reader(table);
  reader.required("faults");
  each_text(reader, "faults", [&](const toml::node& node) {
    const std::string word = TomlReader::string_of(node);
    const auto known = std::ranges::find(content_faults(), word, &ContentFaultWords::name);
    if (known == content_faults().end()) throw TomlMistake(node, "there is no fault of contents \"" + word + "\"");
    reading.add(
        node, {"content:" + word, "Contents of answers", std::string(known->meaning), {}, WrongContent{known->fault}});
  });
  reader.text("source");
  reader.done();
}

}  // namespace

Result<std::vector<Mutant>> parse_faults(std::string_view text, const std::string& file, const Catalogue& catalogue) {
  Reading reading{catalogue, {}, {}};
  try {
    const toml::table document = parse_toml(text, file);
    TomlReader reader(document);
    reader.tables("identity", [&](const toml::table& table) { read_identity(reading, table); });
    reader.tables("graph", [&](const toml::table& table) { read_graph(reading, table); });
    reader.tables("content", [&](const toml::table& table) { read_content(reading, table); });
    reader.tables("fault", [&](const toml::table& table) { read_fault(reading, table); });
    reader.done();
  } catch (const toml::parse_error& error) {
    return toml_error(file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(file, mistake);
  }
  return std::move(reading.mutants);
}

Result<std::vector<Mutant>> built_in_faults(const Catalogue& catalogue) {
  return parse_faults(data::faults_text(), "harness/mutants/faults/faults.toml", catalogue);
}

std::vector<Mutant> flips(const Catalogue& catalogue) {
  std::vector<Mutant> out;
  for (const bool on : {false, true}) {
    for (std::size_t i = 0; i < rule_count; ++i) {
      const RuleEntry& entry = catalogue.rules()[i];
      if (entry.layer == Layer::kubelet) continue;
      const Rule rule = static_cast<Rule>(i);
      const std::string id = (on ? "on:" : "off:") + entry.id;
      const std::string meaning = entry.id + (on ? " is in force where it should not be" : " is not in force");
      out.push_back({id, entry.title, meaning, {rule}, Flip{rule, on}});
    }
  }
  return out;
}

}  // namespace nodebound::mutants
