#include "reports/sarif/sarif.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "reports/json_object.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using SarifJson = nlohmann::ordered_json;

constexpr const char* sarif_schema = "https://json.schemastore.org/sarif-2.1.0.json";
constexpr std::size_t longest_sarif_message = 1000;
constexpr std::size_t longest_sarif_help = 4000;

SarifJson sarif_text(std::string_view text, std::size_t longest) {
  const std::string clean = clip(printable_lines(text), longest);
  return {{"text", clean.empty() ? "no text" : clean}};
}

std::string sarif_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

/// A reference after RFC 3986: everything but what may stand in a path is escaped.
std::string uri_of(std::string_view file) {
  static constexpr std::string_view unreserved = "-._~/";
  std::string out = file.starts_with("/") ? "file://" : "";
  for (const char c : file) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || unreserved.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    std::array<char, 4> escaped{};
    std::snprintf(escaped.data(), escaped.size(), "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += escaped.data();
  }
  return out;
}

/// The rules that results name, sorted by id, with their numbers.
class NumberedRules {
 public:
  NumberedRules(const SarifLog& log, std::size_t shown) {
    for (std::size_t i = 0; i < shown; ++i) rules_.try_emplace(log.results[i].rule, nullptr);
    for (const RuleNote& rule : log.rules) {
      const auto found = rules_.find(rule.id);
      if (found != rules_.end() && found->second == nullptr) found->second = &rule;
    }
  }

  [[nodiscard]] std::size_t number(const std::string& id) const {
    return static_cast<std::size_t>(std::distance(rules_.begin(), rules_.find(id)));
  }

  [[nodiscard]] SarifJson json() const {
    SarifJson out = SarifJson::array();
    for (const auto& [id, rule] : rules_) out.push_back(one(id, rule));
    return out;
  }

 private:
  static SarifJson one(const std::string& id, const RuleNote* rule) {
    SarifJson out;
    out["id"] = printable(id);
    if (rule == nullptr) return out;
    if (!rule->statement.empty()) out["shortDescription"] = sarif_text(rule->statement, longest_sarif_message);
    if (!rule->help.empty()) out["help"] = sarif_text(rule->help, longest_sarif_help);
    if (rule->link.starts_with("https://")) out["helpUri"] = rule->link;
    return out;
  }

  std::map<std::string, const RuleNote*> rules_;
};

SarifJson artifact_of(const std::string& file) {
  SarifJson out;
  out["uri"] = uri_of(printable(file));
  if (!file.starts_with("/")) out["uriBaseId"] = "SRCROOT";
  return out;
}

SarifJson location_of(const SarifResult& result) {
  SarifJson out;
  if (!result.place.file.empty()) {
    out["physicalLocation"]["artifactLocation"] = artifact_of(result.place.file);
    if (result.place.line > 0) out["physicalLocation"]["region"]["startLine"] = result.place.line;
  }
  if (!result.object.empty()) {
    const std::string name = clip(printable(result.object), longest_sarif_message);
    out["logicalLocations"] = SarifJson::array({SarifJson{{"fullyQualifiedName", name}, {"kind", "resource"}}});
  }
  return SarifJson::array({std::move(out)});
}

SarifJson replacement_of(const SarifResult::Fix::Edit& edit) {
  std::string text;
  for (const std::string& line : edit.lines) text += printable(line) + "\n";
  SarifJson out;
  out["deletedRegion"] = {{"startLine", edit.line},
                          {"startColumn", 1},
                          {"endLine", edit.replaces ? edit.line + 1 : edit.line},
                          {"endColumn", 1}};
  out["insertedContent"]["text"] = text;
  return out;
}

SarifJson fix_of(const SarifResult::Fix& fix, const std::string& file) {
  SarifJson change;
  change["artifactLocation"] = artifact_of(file);
  change["replacements"] = SarifJson::array();
  for (const SarifResult::Fix::Edit& edit : fix.edits) change["replacements"].push_back(replacement_of(edit));
  SarifJson out;
  out["description"] = sarif_text(fix.what, longest_sarif_message);
  out["artifactChanges"] = SarifJson::array({std::move(change)});
  return out;
}

SarifJson result_of(const SarifResult& result, const NumberedRules& rules) {
  SarifJson out;
  out["ruleId"] = printable(result.rule);
  out["ruleIndex"] = rules.number(result.rule);
  out["level"] = to_string(result.level);
  out["message"] = sarif_text(result.message, longest_sarif_message);
  if (!result.place.file.empty() || !result.object.empty()) out["locations"] = location_of(result);
  // GitHub tells results apart by the first of them. It takes the place of a hash of the line, which changes with
  // every edit and is the same for all checks of one step.
  const std::string hash = sarif_hash(result.rule + '\n' + result.fingerprint);
  out["partialFingerprints"] = {{"primaryLocationLineHash", hash + ":1"}, {"nodebound/v1", hash}};
  if (result.count > 0) out["occurrenceCount"] = result.count;
  for (const SarifResult::Fix& fix : result.fixes) out["fixes"].push_back(fix_of(fix, result.place.file));
  if (!result.suppressed.empty()) {
    const SarifJson why = {{"kind", "external"},
                           {"justification", clip(printable(result.suppressed), longest_sarif_message)}};
    out["suppressions"] = SarifJson::array({why});
  }
  return out;
}

SarifJson notification(const std::string& text) {
  return {{"level", "warning"}, {"message", sarif_text(text, longest_sarif_message)}};
}

SarifJson invocation_of(const SarifLog& log) {
  SarifJson out;
  out["executionSuccessful"] = log.complete;
  SarifJson told = SarifJson::array();
  if (!log.incomplete.empty()) told.push_back(notification(log.incomplete));
  if (log.results.size() > most_sarif_results) {
    told.push_back(notification(counted(log.results.size() - most_sarif_results, "more result") + " left out"));
  }
  if (!told.empty()) out["toolExecutionNotifications"] = std::move(told);
  return out;
}

}  // namespace

const char* to_string(SarifResult::Level level) {
  switch (level) {
    case SarifResult::Level::error:
      return "error";
    case SarifResult::Level::warning:
      return "warning";
    case SarifResult::Level::note:
      return "note";
  }
  return "note";
}

std::string to_sarif(const SarifLog& log) {
  const std::size_t shown = std::min(log.results.size(), most_sarif_results);
  const NumberedRules rules(log, shown);
  SarifJson driver;
  driver["name"] = "Nodebound";
  if (!log.tool_version.empty()) driver["version"] = printable(log.tool_version);
  driver["rules"] = rules.json();
  SarifJson run;
  run["tool"]["driver"] = std::move(driver);
  run["invocations"] = SarifJson::array({invocation_of(log)});
  run["columnKind"] = "unicodeCodePoints";
  run["results"] = SarifJson::array();
  for (std::size_t i = 0; i < shown; ++i) run["results"].push_back(result_of(log.results[i], rules));
  SarifJson document;
  document["$schema"] = sarif_schema;
  document["version"] = "2.1.0";
  document["runs"] = SarifJson::array({std::move(run)});
  return json_text(document);
}

}  // namespace nodebound
