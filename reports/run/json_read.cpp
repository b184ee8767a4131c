#include <algorithm>
#include <limits>
#include <optional>

#include "reports/json_object.h"
#include "reports/place.h"
#include "reports/run/chain.h"
#include "reports/run/json.h"
#include "reports/text.h"

namespace nodebound {
namespace {

double read_seconds(JsonObject& section, const char* key) {
  const nlohmann::json& seconds = section.required(key);
  if (seconds.is_number() && seconds.get<double>() >= 0) return seconds.get<double>();
  section.problem().expected(section.path(key), "a number that is not negative", seconds);
  return 0.0;
}

Settling read_settling(JsonObject section) {
  Settling out;
  out.writes = section.number("writes");
  out.median_seconds = read_seconds(section, "median_seconds");
  out.worst_seconds = read_seconds(section, "worst_seconds");
  section.close();
  return out;
}

Report::Run::Part read_part(JsonObject section) {
  Report::Run::Part out;
  out.share = {section.number("index"), section.number("of")};
  if (out.share.index == 0 || out.share.index > out.share.of) {
    section.problem().add(section.path("index"), "must be from 1 to `of`, found " + std::to_string(out.share.index));
  }
  out.selection = section.text("selection");
  section.each("scenarios", [&](const nlohmann::json& item, const std::string& path) {
    const bool right =
        item.is_array() && item.size() == 2 && item[0].is_number_unsigned() && item[1].is_number_unsigned();
    if (!right) return section.problem().expected(path, "the number of a scenario and of its checks", item);
    out.scenarios.emplace_back(item[0].get<std::size_t>(), item[1].get<std::size_t>());
  });
  section.close();
  return out;
}

Report::Run read_run(JsonObject section) {
  Report::Run run;
  run.id = section.text("id");
  run.started = section.text("started");
  run.seconds = read_seconds(section, "seconds");
  run.host = section.text("host");
  run.tool_version = section.text("tool_version");
  run.requests = section.number("requests");
  run.request_seconds = read_seconds(section, "request_seconds");
  if (const nlohmann::json* settling = section.optional("settling")) {
    run.settling = read_settling(JsonObject(*settling, section.path("settling"), section.problem()));
  }
  if (const nlohmann::json* part = section.optional("part")) {
    run.part = read_part(JsonObject(*part, section.path("part"), section.problem()));
  }
  section.close();
  return run;
}

Report::Target read_target(JsonObject section) {
  Report::Target target;
  target.name = section.text("name");
  target.version = section.text("version");
  const nlohmann::json& gates = section.required("feature_gates");
  const std::string path = section.path("feature_gates");
  if (gates.is_object()) {
    for (const auto& gate : gates.items()) {
      target.feature_gates[gate.key()] = section.as_boolean(gate.value(), path + "." + gate.key());
    }
  } else {
    section.problem().expected(path, "an object", gates);
  }
  if (section.optional("authorizer") != nullptr) target.is_authorizer = section.boolean("authorizer");
  section.close();
  return target;
}

Report::Release read_release(JsonObject section) {
  Report::Release release;
  release.version = section.text("version");
  release.feature_gates = section.texts("feature_gates");
  release.rules_in_force = section.number("rules_in_force");
  section.close();
  return release;
}

/// What checks share, by number.
struct SharedParts {
  struct Scenario {
    std::string title;
    std::string profile;
    std::string file;
  };
  struct Step {
    std::size_t scenario = 0;
    std::size_t line = 0;
    std::string title;
  };

  std::vector<Scenario> scenarios;
  std::vector<Step> steps;
  std::vector<std::string> subjects;
  std::vector<std::string> requests;
  std::vector<Evidence> answers;  ///< only what an answer says
};

SharedParts::Scenario read_shared_scenario(JsonObject object) {
  SharedParts::Scenario out{object.text("title"), object.text("profile"), object.text("file")};
  object.close();
  return out;
}

SharedParts::Step read_step(JsonObject object, std::size_t scenarios) {
  SharedParts::Step out;
  out.scenario = object.number_below("scenario", scenarios);
  if (object.optional("line") != nullptr) out.line = object.number("line");
  out.title = object.text("title");
  object.close();
  return out;
}

Evidence read_answer(JsonObject object) {
  Evidence out;
  if (const nlohmann::json* status = object.optional("status")) {
    if (status->is_number_integer() && *status >= 0 && *status <= std::numeric_limits<int>::max()) {
      out.status = status->get<int>();
    } else {
      object.problem().expected(object.path("status"), "an HTTP status", *status);
    }
  }
  out.decision = object.optional_text("decision");
  out.layer = object.optional_text("layer");
  if (object.optional("opinion") != nullptr) out.opinion = object.one_of("opinion", all_opinions);
  object.close();
  return out;
}

SharedParts read_shared(JsonObject& document) {
  SharedParts out;
  JsonProblem& problem = document.problem();
  document.each("scenarios", [&](const nlohmann::json& item, const std::string& path) {
    out.scenarios.push_back(read_shared_scenario({item, path, problem}));
  });
  document.each("steps", [&](const nlohmann::json& item, const std::string& path) {
    out.steps.push_back(read_step({item, path, problem}, out.scenarios.size()));
  });
  out.subjects = document.texts("subjects");
  out.requests = document.texts("requests");
  document.each("answers", [&](const nlohmann::json& item, const std::string& path) {
    out.answers.push_back(read_answer({item, path, problem}));
  });
  return out;
}

Evidence read_evidence(JsonObject object, const SharedParts& shared) {
  Evidence evidence;
  const auto number = [&](const char* key, std::size_t many) -> std::optional<std::size_t> {
    if (object.optional(key) == nullptr) return std::nullopt;
    const std::size_t out = object.number_below(key, many);
    return out < many ? std::optional(out) : std::nullopt;
  };
  if (const auto answer = number("answer", shared.answers.size())) evidence = shared.answers[*answer];
  if (const auto subject = number("subject", shared.subjects.size())) evidence.subject = shared.subjects[*subject];
  if (const auto request = number("request", shared.requests.size())) evidence.request = shared.requests[*request];
  evidence.body = object.optional_text("body");
  evidence.type = object.optional_text("type");
  evidence.message = object.optional_text("message");
  object.close();
  return evidence;
}

void read_place(JsonObject& object, const SharedParts& shared, CheckResult& check) {
  const std::size_t number = object.number_below("step", shared.steps.size());
  if (number >= shared.steps.size()) return;
  const SharedParts::Step& step = shared.steps[number];
  check.title = step.title;
  if (step.scenario >= shared.scenarios.size()) return;
  const SharedParts::Scenario& scenario = shared.scenarios[step.scenario];
  check.scenario = scenario.title;
  check.profile = scenario.profile;
  check.where = SourcePlace{scenario.file, step.line}.text();
}

CheckResult read_check(JsonObject object, const SharedParts& shared) {
  CheckResult check;
  check.id = object.text("id");
  read_place(object, shared, check);
  check.rules = object.texts("rules");
  check.layer = object.text("layer");
  check.verdict = object.one_of("verdict", all_verdicts);
  // What a passed check was to give is what it gave.
  check.expected = check.verdict == Verdict::pass ? object.optional_text("expected") : object.text("expected");
  check.observed = object.optional_text("observed");
  check.why = object.optional_text("why");
  check.deviation = object.optional_text("deviation");
  if (object.optional("declared") != nullptr) check.declared = object.boolean("declared");
  if (object.optional("reason") != nullptr) {
    JsonObject reason = object.object("reason");
    check.reason_expected = reason.optional_text("expected");
    if (const nlohmann::json* match = reason.optional("match")) {
      check.reason_match = reason.as_boolean(*match, reason.path("match"));
    }
    reason.close();
  }
  if (object.optional("leaked") != nullptr) check.leaked = object.texts("leaked");
  check.evidence = read_evidence(object.object("evidence"), shared);
  object.close();
  return check;
}

DeclaredDeviation read_declared(JsonObject object) {
  DeclaredDeviation out;
  out.checks = object.text("checks");
  out.observed = object.text("observed");
  out.reason = object.text("reason");
  out.issue = object.text("issue");
  out.expires = object.text("expires");
  out.met = object.number("met");
  object.close();
  return out;
}

void compare_chain(JsonObject& section, const Report& report) {
  const nlohmann::json* stated = section.optional("chain");
  if ((stated != nullptr) != report.target.is_authorizer) {
    return section.problem().add(section.path("chain"), "belongs to reports on authorizers, and to no others");
  }
  if (stated == nullptr) return;
  nlohmann::json expected = nlohmann::json::array();
  for (const ChainFitness& fitness : chain_fitness(report.checks)) {
    expected.push_back(
        {{"place", to_string(fitness.place)}, {"safety", to_string(fitness.safety)}, {"against", fitness.against}});
  }
  if (*stated != expected) section.problem().add(section.path("chain"), "is not what its checks give");
}

void compare_summary(JsonObject section, const Report& report) {
  const auto agree = [&section](const std::string& key, std::size_t stated, std::size_t counted_here) {
    if (stated == counted_here) return;
    section.problem().add(section.path(key),
                          "is " + std::to_string(stated) + ", but its checks give " + std::to_string(counted_here));
  };
  agree("checks", section.number("checks"), report.checks.size());
  for (const Verdict verdict : all_verdicts)
    agree(to_string(verdict), section.number(to_string(verdict)), report.count(verdict));
  if (!report.declared.empty()) {
    agree("declared_deviation", section.number("declared_deviation"), report.count_declared());
  }
  agree("reason_differences", section.number("reason_differences"), report.reason_differences());
  if (section.boolean("conformant") != is_conformant(report)) {
    section.problem().add(section.path("conformant"), "is not what its checks give");
  }
  if (section.texts("broken_rules") != report.broken_rules()) {
    section.problem().add(section.path("broken_rules"), "is not what its checks give");
  }
  compare_chain(section, report);
  section.close();
}

}  // namespace

Result<Report> report_from_json(std::string_view text, const std::string& where) {
  const Result<nlohmann::json> parsed = parsed_json(text, where);
  if (!parsed) return tl::unexpected<Error>(parsed.error());

  JsonProblem problem{where, {}};
  JsonObject document(*parsed, "", problem);
  document.must_be_of(report_schema);
  if (problem.first) return tl::unexpected<Error>(*problem.first);
  Report report;
  report.run = read_run(document.object("run"));
  report.target = read_target(document.object("target"));
  report.release = read_release(document.object("release"));
  if (document.optional("declared_deviations") != nullptr) {
    document.each("declared_deviations", [&](const nlohmann::json& item, const std::string& path) {
      report.declared.push_back(read_declared(JsonObject(item, path, problem)));
    });
  }
  const SharedParts shared = read_shared(document);
  document.each("checks", [&](const nlohmann::json& item, const std::string& path) {
    report.checks.push_back(read_check(JsonObject(item, path, problem), shared));
    const CheckResult& check = report.checks.back();
    if (check.verdict == Verdict::pass && !check.expected.empty()) report.full_evidence = true;
  });
  compare_summary(document.object("summary"), report);
  document.close();
  if (problem.first) return tl::unexpected<Error>(*problem.first);
  return report;
}

}  // namespace nodebound
