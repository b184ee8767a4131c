#include "reports/findings/sarif.h"

#include <map>

#include "reports/json_object.h"

namespace nodebound {
namespace {

using Json = nlohmann::ordered_json;

// A relative path is relative to the root of the repository, as code scanning wants it.
std::string sarif_uri(const std::string& file) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string out = file.starts_with("/") ? "file://" : "";
  for (const char c : file.starts_with("./") ? file.substr(2) : file) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out += {'%', digits[byte >> 4U], digits[byte & 0xfU]};
    }
  }
  return out;
}

std::string help_text(const Finding& finding) {
  std::string out = finding.advice.empty() ? finding.statement : finding.advice;
  std::string seen;
  for (const std::string& issue : finding.seen_at) seen += (seen.empty() ? "" : ", ") + issue;
  if (!seen.empty()) out += "\nSeen at " + seen + ".";
  return out;
}

Json sarif_rule(const Finding& finding) {
  Json out;
  out["id"] = finding.id;
  out["shortDescription"]["text"] = finding.statement.empty() ? finding.id : finding.statement;
  const std::string help = help_text(finding);
  if (!help.empty()) out["help"]["text"] = help;
  for (const std::string& issue : finding.seen_at) {
    if (const std::string url = issue_url(issue); !url.empty()) {
      out["helpUri"] = url;
      break;
    }
  }
  out["defaultConfiguration"]["level"] = to_string(finding.level);
  if (!finding.rules.empty()) out["properties"]["rules"] = finding.rules;
  return out;
}

Json sarif_location(const Finding::Place& place) {
  Json out = Json::object();
  if (!place.file.empty() && place.file != "standard input") {
    out["physicalLocation"]["artifactLocation"]["uri"] = sarif_uri(place.file);
    if (place.line > 0) out["physicalLocation"]["region"]["startLine"] = place.line;
  }
  if (!place.object.empty()) {
    out["logicalLocations"] = Json::array({{{"fullyQualifiedName", place.object + place.field}, {"kind", "resource"}}});
  }
  return out;
}

Json sarif_replacement(const Finding::Fix::Edit& edit) {
  std::string text;
  for (const std::string& line : edit.lines) text += line + "\n";
  Json out;
  out["deletedRegion"] = {{"startLine", edit.line},
                          {"startColumn", 1},
                          {"endLine", edit.replaces ? edit.line + 1 : edit.line},
                          {"endColumn", 1}};
  out["insertedContent"]["text"] = text;
  return out;
}

void add_fix(Json& result, const Finding& finding) {
  for (const Finding::Fix& fix : finding.fixes) {
    if (fix.edits.empty() || finding.place.file.empty() || finding.place.file == "standard input") continue;
    Json replacements = Json::array();
    for (const Finding::Fix::Edit& edit : fix.edits) replacements.push_back(sarif_replacement(edit));
    Json change;
    change["artifactLocation"]["uri"] = sarif_uri(finding.place.file);
    change["replacements"] = replacements;
    result["fixes"] =
        Json::array({{{"description", {{"text", fix.what}}}, {"artifactChanges", Json::array({change})}}});
  }
}

Json sarif_result(const Finding& finding, std::size_t rule) {
  Json out;
  out["ruleId"] = finding.id;
  out["ruleIndex"] = rule;
  out["level"] = to_string(finding.level);
  std::string message = finding.who.empty() ? finding.what : finding.who + ": " + finding.what;
  if (!finding.since.empty()) message += " (from Kubernetes " + finding.since + " on)";
  out["message"]["text"] = message + "." + (finding.advice.empty() ? "" : " " + finding.advice);
  if (const Json location = sarif_location(finding.place); !location.empty()) {
    out["locations"] = Json::array({location});
  }
  // GitHub tells results apart by the first of them.
  out["partialFingerprints"] = {{"primaryLocationLineHash", fingerprint_of(finding) + ":1"},
                                {"nodebound/v1", fingerprint_of(finding)}};
  if (finding.count > 0) out["occurrenceCount"] = finding.count;
  add_fix(out, finding);
  if (!finding.accepted.empty()) {
    out["suppressions"] = Json::array({{{"kind", "external"}, {"justification", finding.accepted}}});
  }
  if (!finding.put_off_by.empty()) out["properties"]["putOffBy"] = finding.put_off_by;
  return out;
}

}  // namespace

std::string to_sarif(const std::vector<Finding>& findings, const std::string& tool_version) {
  std::map<std::string, std::size_t> index;
  Json rules = Json::array();
  Json results = Json::array();
  for (const Finding& finding : findings) {
    const auto [found, added] = index.try_emplace(finding.id, rules.size());
    if (added) rules.push_back(sarif_rule(finding));
    results.push_back(sarif_result(finding, found->second));
  }
  Json driver;
  driver["name"] = "nodebound";
  driver["version"] = tool_version;
  driver["rules"] = rules;
  Json run;
  run["tool"]["driver"] = driver;
  run["columnKind"] = "unicodeCodePoints";
  run["results"] = results;
  Json out;
  out["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  out["version"] = "2.1.0";
  out["runs"] = Json::array({run});
  return json_text(out);
}

}  // namespace nodebound
