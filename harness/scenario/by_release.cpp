#include "harness/scenario/by_release.h"

#include <algorithm>

#include "harness/scenario/fixtures.h"
#include "harness/scenario/toml_json.h"
#include "reference/release/toml_reader.h"

namespace nodebound {
namespace {

/// A key of a body that names a range of versions: `since 1.31`, `until 1.31`, `since 1.31 until 1.34`.
struct RangeKey {
  bool is_one = false;
  std::optional<ReleaseRange> range;  ///< empty if the key begins like a range but is malformed
};

RangeKey read_range_key(std::string_view key) {
  RangeKey read;
  read.is_one = key.starts_with("since ") || key.starts_with("until ");
  if (!read.is_one) return read;
  read.range = ReleaseRange::parse(key);
  return read;
}

void choose(Object& body, const Version& version) {
  if (body.is_array()) {
    for (Object& item : body) choose(item, version);
  }
  if (!body.is_object()) return;
  std::vector<Object> chosen;
  for (auto child = body.begin(); child != body.end();) {
    const RangeKey key = read_range_key(child.key());
    if (!key.is_one) {
      ++child;
      continue;
    }
    if (key.range && key.range->contains(version)) chosen.push_back(std::move(*child));
    child = body.erase(child);
  }
  for (const Object& fragment : chosen) merge_fragment(body, fragment);
  for (Object& child : body) choose(child, version);
}

void choose(std::vector<Action>& actions, const Version& version) {
  for (Action& action : actions) choose(action.body, version);
}

// What is wrong with the ranges of a body; empty if nothing is.
std::string mistake_in_versions_of(const Object& body) {
  if (!body.is_structured()) return {};
  for (const auto& [key, child] : body.items()) {
    const RangeKey range = read_range_key(body.is_object() ? std::string_view(key) : std::string_view());
    for (const Version& named : range.range ? range.range->versions() : std::vector<Version>()) {
      const ReleaseRange& known = Catalogue::built_in().releases();
      if (!known.contains(named)) return "no release " + named.text() + " is known, in \"" + key + "\"";
    }
    if (range.is_one && !range.range) return "expected \"since VERSION\" or \"until VERSION\", not \"" + key + "\"";
    if (range.is_one && !child.is_object()) return "expected a table under \"" + key + "\"";
    if (std::string mistake = mistake_in_versions_of(child); !mistake.empty()) return mistake;
  }
  return {};
}

}  // namespace

Scenario at_version(Scenario scenario, const Version& version) {
  choose(scenario.given, version);
  std::erase_if(scenario.steps, [&](const Step& step) { return !step.holds.contains(version); });
  for (Step& step : scenario.steps) {
    choose(step.actions, version);
    if (!step.check) continue;
    choose(step.check->body, version);
    choose(step.check->attributes, version);
    std::vector<Expected>& others = step.check->elsewhere;
    const auto other =
        std::find_if(others.begin(), others.end(), [&](const Expected& e) { return e.holds.contains(version); });
    if (other == others.end()) continue;
    step.check->allow = other->allow;
    step.check->rules = other->rules;
  }
  return scenario;
}

Object at_version(Object body, const Version& version) {
  choose(body, version);
  return body;
}

Object read_body(const toml::node& node) {
  Object body = to_json(node);
  const std::string mistake = mistake_in_versions_of(body);
  if (!mistake.empty()) throw TomlMistake(node, mistake);
  return body;
}

}  // namespace nodebound
