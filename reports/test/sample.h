#pragma once

#include <string>
#include <utility>

#include "reports/run/report.h"

namespace nodebound::test {

inline CheckResult check(std::string id, Verdict verdict) {
  CheckResult result;
  result.id = std::move(id);
  result.scenario = "Labels a node may set";
  result.title = "a restricted label is refused";
  result.profile = "labels";
  result.rules = {"node-labels"};
  result.layer = "request";
  result.where = "scenarios/labels/restricted.toml:12";
  result.verdict = verdict;
  result.expected = "deny by admission: node-labels";
  return result;
}

/// One check of each verdict, in two scenarios and two profiles.
inline Report sample() {
  Report report;
  report.run = {"r1", "2026-01-02T03:04:05Z", 1.5, "host", "0.1.0", 7};
  report.target = {"reference", "v1.36.2", {{"AuthorizeNodeWithSelectors", false}}};
  report.release = {"1.36.2", {"AuthorizeNodeWithSelectors=false"}, 87};

  CheckResult pass = check("restricted/put", Verdict::pass);
  pass.observed = pass.expected;
  pass.reason_match = true;
  pass.reason_expected = "is not allowed to modify labels";
  CheckResult fail = check("restricted/patch[merge]", Verdict::fail);
  fail.rules = {"node-labels", "node-self"};
  fail.observed = "allow";
  fail.evidence = {
      "system:node:a (system:nodes)", "PATCH /api/v1/nodes/a", R"({"metadata":{}})", 200, "", "", "allowed"};
  CheckResult deviation = check("restricted/apply", Verdict::deviation);
  deviation.deviation = "kubernetes-12345";
  deviation.why = "apply skips the label check";
  deviation.reason_match = false;
  CheckResult skip = check("pods/secret", Verdict::skip);
  skip.scenario = "Secrets of bound pods";
  skip.profile = "graph";
  skip.where = "scenarios/conformance/secrets.toml:3";
  skip.why = "the endpoint has no admission";
  CheckResult inconclusive = skip;
  inconclusive.id = "pods/configmap";
  inconclusive.verdict = Verdict::inconclusive;
  inconclusive.why = "HTTP 503";
  inconclusive.evidence.status = 503;
  report.checks = {pass, fail, deviation, skip, inconclusive};
  return report;
}

/// The sample without its failure, and with a check that deviates as its implementer has declared.
inline Report declared_sample() {
  Report report = sample();
  CheckResult& declared = report.checks[1];
  declared.verdict = Verdict::deviation;
  declared.declared = true;
  declared.deviation = "restricted/patch*";
  declared.why = "mended by <March>";
  report.checks.pop_back();
  report.declared = {{"restricted/patch*", "allow", "mended by <March>", "https://example.com/7", "2026-03-31", 1}};
  return report;
}

}  // namespace nodebound::test
