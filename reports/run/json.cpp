#include "reports/run/json.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reports/json_object.h"
#include "reports/json_text.h"
#include "reports/place.h"
#include "reports/run/chain.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Json = nlohmann::ordered_json;

Json run_section(const Report::Run& run) {
  Json section;
  section["id"] = run.id;
  section["started"] = run.started;
  // JSON has no infinity, and a negative duration means nothing.
  section["seconds"] = std::isfinite(run.seconds) && run.seconds > 0 ? run.seconds : 0.0;
  section["host"] = run.host;
  section["tool_version"] = run.tool_version;
  section["requests"] = run.requests;
  section["request_seconds"] = std::isfinite(run.request_seconds) ? run.request_seconds : 0.0;
  if (run.settling) {
    section["settling"] = {{"writes", run.settling->writes},
                           {"median_seconds", run.settling->median_seconds},
                           {"worst_seconds", run.settling->worst_seconds}};
  }
  if (run.part) {
    Json scenarios = Json::array();
    for (const auto& [number, checks] : run.part->scenarios) scenarios.push_back({number, checks});
    section["part"] = {{"index", run.part->share.index},
                       {"of", run.part->share.of},
                       {"selection", run.part->selection},
                       {"scenarios", scenarios}};
  }
  return section;
}

Json target_section(const Report::Target& target) {
  Json section;
  section["name"] = target.name;
  section["version"] = target.version;
  // Two names can become equal once invalid UTF-8 is replaced, and an object must not have duplicate keys.
  std::map<std::string, bool> gates;
  for (const auto& [gate, enabled] : target.feature_gates) gates[valid_utf8(gate)] = enabled;
  section["feature_gates"] = gates;
  if (target.is_authorizer) section["authorizer"] = true;
  return section;
}

Json release_section(const Report::Release& release) {
  Json section;
  section["version"] = release.version;
  section["feature_gates"] = release.feature_gates;
  section["rules_in_force"] = release.rules_in_force;
  return section;
}

Json chain_section(const std::vector<CheckResult>& checks) {
  Json section = Json::array();
  for (const ChainFitness& fitness : chain_fitness(checks)) {
    Json each;
    each["place"] = to_string(fitness.place);
    each["safety"] = to_string(fitness.safety);
    each["against"] = fitness.against;
    section.push_back(std::move(each));
  }
  return section;
}

Json declared_section(const std::vector<DeclaredDeviation>& declared) {
  Json section = Json::array();
  for (const DeclaredDeviation& each : declared) {
    section.push_back({{"checks", each.checks},
                       {"observed", each.observed},
                       {"reason", each.reason},
                       {"issue", each.issue},
                       {"expires", each.expires},
                       {"met", each.met}});
  }
  return section;
}

Json summary_section(const Report& report) {
  Json section;
  section["conformant"] = is_conformant(report);
  section["checks"] = report.checks.size();
  for (const Verdict verdict :
       {Verdict::pass, Verdict::fail, Verdict::deviation, Verdict::skip, Verdict::inconclusive}) {
    section[to_string(verdict)] = report.count(verdict);
  }
  if (!report.declared.empty()) section["declared_deviation"] = report.count_declared();
  section["reason_differences"] = report.reason_differences();
  // Replacing invalid UTF-8 can change the order, so the names are sorted afterwards.
  std::set<std::string> broken;
  for (const std::string& rule : report.broken_rules()) broken.insert(valid_utf8(rule));
  section["broken_rules"] = broken;
  if (report.target.is_authorizer) section["chain"] = chain_section(report.checks);
  return section;
}

/// Texts or objects that many checks share: each is written once, and they name it by its number.
class Shared {
 public:
  /// `item` is JSON already.
  std::size_t number_of(const std::string& item) {
    const auto [found, is_new] = numbers_.try_emplace(item, items_.size());
    if (is_new) items_.push_back(&found->first);
    return found->second;
  }

  void append_to(std::string& out, const char* key) const {
    out += ",\n  \"" + std::string(key) + "\": [";
    for (std::size_t i = 0; i < items_.size(); ++i) {
      out += i == 0 ? "\n    " : ",\n    ";
      out += *items_[i];
    }
    out += items_.empty() ? "]" : "\n  ]";
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<const std::string*> items_;
};

void append_key(std::string& out, std::string_view key) {
  if (out.back() != '{') out += ',';
  out += '"';
  out += key;
  out += "\":";
}

void append_text(std::string& out, std::string_view key, std::string_view text) {
  append_key(out, key);
  append_json_text(out, text);
}

void append_text_unless_empty(std::string& out, std::string_view key, std::string_view text) {
  if (!text.empty()) append_text(out, key, text);
}

void append_number(std::string& out, std::string_view key, std::size_t number) {
  append_key(out, key);
  out += std::to_string(number);
}

void append_texts(std::string& out, std::string_view key, const std::vector<std::string>& texts) {
  append_key(out, key);
  out += '[';
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += ',';
    append_json_text(out, texts[i]);
  }
  out += ']';
}

/// Writes checks, each on a line, and collects what they share.
class CheckWriter {
 public:
  explicit CheckWriter(bool full_evidence) : full_evidence_(full_evidence) {}

  void add(const CheckResult& check) {
    lines_ += lines_.empty() ? "\n    {" : ",\n    {";
    append_text(lines_, "id", check.id);
    append_number(lines_, "step", step_of(check));
    append_texts(lines_, "rules", check.rules);
    append_text(lines_, "layer", check.layer);
    append_text(lines_, "verdict", to_string(check.verdict));
    if (says_all(check)) append_account(check);
    if (keeps_reason(check)) append_reason(check);
    append_evidence(check);
    lines_ += '}';
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    scenarios_.append_to(out, "scenarios");
    steps_.append_to(out, "steps");
    subjects_.append_to(out, "subjects");
    requests_.append_to(out, "requests");
    answers_.append_to(out, "answers");
    return out + ",\n  \"checks\": [" + lines_ + (lines_.empty() ? "]" : "\n  ]");
  }

 private:
  /// What a passed check says by its verdict alone is left out. The text of a refusal is kept where it is not the
  /// catalogue's.
  [[nodiscard]] bool says_all(const CheckResult& check) const {
    return full_evidence_ || check.verdict != Verdict::pass;
  }
  [[nodiscard]] bool keeps_reason(const CheckResult& check) const { return says_all(check) || check.is_reworded(); }

  std::size_t step_of(const CheckResult& check) {
    const SourcePlace place = source_place(check.where);
    std::string scenario = "{";
    append_text(scenario, "title", check.scenario);
    append_text(scenario, "profile", check.profile);
    append_text(scenario, "file", place.file);
    std::string step = "{";
    append_number(step, "scenario", scenarios_.number_of(scenario + "}"));
    if (place.line > 0) append_number(step, "line", place.line);
    append_text(step, "title", check.title);
    return steps_.number_of(step + "}");
  }

  void append_account(const CheckResult& check) {
    append_text(lines_, "expected", check.expected);
    append_text_unless_empty(lines_, "observed", check.observed);
    append_text_unless_empty(lines_, "why", check.why);
    append_text_unless_empty(lines_, "deviation", check.deviation);
    if (check.declared) {
      append_key(lines_, "declared");
      lines_ += "true";
    }
    if (!check.leaked.empty()) append_texts(lines_, "leaked", check.leaked);
  }

  void append_reason(const CheckResult& check) {
    if (check.reason_expected.empty() && !check.reason_match) return;
    append_key(lines_, "reason");
    lines_ += '{';
    append_text_unless_empty(lines_, "expected", check.reason_expected);
    if (check.reason_match) {
      append_key(lines_, "match");
      lines_ += *check.reason_match ? "true" : "false";
    }
    lines_ += '}';
  }

  void append_evidence(const CheckResult& check) {
    const Evidence& evidence = check.evidence;
    append_key(lines_, "evidence");
    lines_ += '{';
    append_shared(subjects_, "subject", evidence.subject);
    append_shared(requests_, "request", evidence.request);
    if (says_all(check)) {
      append_text_unless_empty(lines_, "body", evidence.body);
      append_text_unless_empty(lines_, "type", evidence.type);
    }
    if (const std::string answer = answer_of(evidence); answer != "{}") {
      append_number(lines_, "answer", answers_.number_of(answer));
    }
    if (keeps_reason(check)) append_text_unless_empty(lines_, "message", evidence.message);
    lines_ += '}';
  }

  void append_shared(Shared& among, const char* key, const std::string& text) {
    if (text.empty()) return;
    std::string item;
    append_json_text(item, text);
    append_number(lines_, key, among.number_of(item));
  }

  static std::string answer_of(const Evidence& evidence) {
    std::string out = "{";
    if (evidence.status > 0) append_number(out, "status", static_cast<std::size_t>(evidence.status));
    append_text_unless_empty(out, "decision", evidence.decision);
    append_text_unless_empty(out, "layer", evidence.layer);
    if (evidence.opinion) append_text(out, "opinion", to_string(*evidence.opinion));
    return out + "}";
  }

  Shared scenarios_;
  Shared steps_;
  Shared subjects_;
  Shared requests_;
  Shared answers_;
  std::string lines_;
  bool full_evidence_;
};

}  // namespace

std::string to_json(const Report& report) {
  Json head;
  head["schema"] = report_schema;
  head["run"] = run_section(report.run);
  head["target"] = target_section(report.target);
  head["release"] = release_section(report.release);
  head["summary"] = summary_section(report);
  if (!report.declared.empty()) head["declared_deviations"] = declared_section(report.declared);
  CheckWriter checks(report.full_evidence);
  for (const CheckResult& check : report.checks) checks.add(check);
  std::string out = json_text(head);
  out.resize(out.size() - std::string_view("\n}\n").size());
  return out + checks.text() + "\n}\n";
}

}  // namespace nodebound
