#include "harness/scenario/names_in_use.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "harness/scenario/substitute.h"

namespace nodebound {
namespace {

using Names = std::set<std::string, std::less<>>;
using Visit = std::function<void(const toml::node& place, const std::string& text)>;

// Visits every string and key below the node; a key has the place of its value. Prose is left out.
void each_string(const toml::node& node, const Visit& visit) {
  static const Names prose = {"title", "about", "why", "name", "id"};
  if (node.is_string()) return visit(node, *node.value<std::string>());
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& item : *array) each_string(item, visit);
  }
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, child] : *table) {
      visit(child, std::string(key.str()));
      if (child.is_string() && prose.contains(key.str())) continue;
      each_string(child, visit);
    }
  }
}

struct Split {
  std::vector<std::string> placeholders;  ///< innermost ones
  std::vector<std::string> sorts;         ///< the first words of those with more than one, `csr` in `{csr node:{a}}`
  std::vector<std::string> words;         ///< outside of innermost ones
};

Split split(const std::string& text) {
  Split out;
  std::string outside;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t close = text.find('}', at);
    const std::size_t open = close == std::string::npos ? close : text.rfind('{', close);
    if (open == std::string::npos || open < at) {
      const std::size_t end = close == std::string::npos ? text.size() : close + 1;
      outside += text.substr(at, end - at);
      at = end;
      continue;
    }
    outside += text.substr(at, open - at) + " ";
    const std::string within = text.substr(open + 1, close - open - 1);
    if (is_placeholder(within)) out.placeholders.push_back(within);
    at = close + 1;
  }
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
    const std::size_t end = text.find_first_of(" {}", open + 1);
    if (end != std::string::npos && end > open + 1 && text[end] == ' ') {
      const std::string sort = text.substr(open + 1, end - open - 1);
      if (is_placeholder(sort)) out.sorts.push_back(sort);
    }
  }
  std::string word;
  for (const char c : outside + " ") {
    if (c != ' ' && c != '/' && c != '=' && c != ',' && c != '{') {
      word += c;
    } else if (!word.empty()) {
      out.words.push_back(std::exchange(word, {}));
    }
  }
  return out;
}

// The words that may begin a placeholder, as in Administrator. Numbers and the scenario's own prefix are whole
// placeholders.
const std::vector<std::string>& sorts() {
  static const std::vector<std::string> all = {"ns",     "uid",   "former-uid", "csr",   "csr-of",
                                               "pkcs10", "proof", "proof-key",  "base64"};
  return all;
}

Names names_in(const toml::table& file, const std::vector<std::string>& strangers) {
  Names names(strangers.begin(), strangers.end());
  names.insert({"n", "own"});
  each_string(file, [&](const toml::node&, const std::string& text) {
    const Split parts = split(text);
    names.insert(parts.words.begin(), parts.words.end());
  });
  // Subjects that are no nodes introduce their user names and groups.
  if (const toml::table* subjects = file["subjects"].as_table()) {
    each_string(*subjects, [&](const toml::node&, const std::string& text) {
      const Split parts = split(text);
      names.insert(parts.placeholders.begin(), parts.placeholders.end());
    });
  }
  return names;
}

bool is_made_elsewhere(const RequestText& target) {
  return target.name.empty() || target.name.starts_with('=') || target.name.starts_with("system:") ||
         target.namespace_.starts_with('=') || target.namespace_.starts_with("kube-") || target.namespace_ == "default";
}

std::string key_of(const RequestText& request) {
  return request.group + "/" + request.resource + "/" + request.namespace_ + "/" + request.name;
}

}  // namespace

std::vector<TomlMistake> unknown_placeholders(const toml::table& file, const std::vector<std::string>& strangers) {
  const Names names = names_in(file, strangers);
  std::vector<TomlMistake> out;
  const std::vector<std::string> known(names.begin(), names.end());
  each_string(file, [&](const toml::node& place, const std::string& text) {
    const Split parts = split(text);
    for (const std::string& sort : parts.sorts) {
      if (std::find(sorts().begin(), sorts().end(), sort) != sorts().end()) continue;
      out.emplace_back(place, "unknown placeholder {" + sort + " …}" + did_you_mean(sort, sorts()));
    }
    for (const std::string& name : parts.placeholders) {
      // `=` marks a name that stays the same in every run.
      if (name.find(' ') != std::string::npos || name.starts_with('=') || names.contains(name)) continue;
      out.emplace_back(place, "nothing here is called {" + name + "}" + did_you_mean(name, known) +
                                  "; what nothing is meant to be called is listed in \"strangers\"");
    }
  });
  return out;
}

std::vector<const Action*> vain_deletes(const Scenario& scenario) {
  std::set<std::string> made;
  for (const std::string& node : scenario.nodes) made.insert("/nodes//" + node);
  std::vector<const Action*> out;
  const auto follow = [&](const std::vector<Action>& actions) {
    for (const Action& action : actions) {
      if (action.kind == Action::Kind::create) made.insert(key_of(action.target));
      const bool removes = action.kind == Action::Kind::remove && !is_made_elsewhere(action.target);
      if (removes && !made.contains(key_of(action.target))) out.push_back(&action);
    }
  };
  follow(scenario.given);
  for (const Step& step : scenario.steps) {
    follow(step.actions);
    if (step.check && step.check->keep) made.insert(key_of(step.check->request));
  }
  return out;
}

}  // namespace nodebound
