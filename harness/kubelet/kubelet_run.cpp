#include "harness/kubelet/kubelet_run.h"

#include <algorithm>
#include <thread>

#include "harness/endpoint/signals.h"
#include "reference/kubelet/attributes.h"

namespace nodebound {
namespace {

using Expect = KubeletStep::Expect;

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

// What a step must come to, in a kubelet's own words at the release.
struct Expectation {
  int status = 0;  ///< 0: any but those of who is not let through
  std::string body;
  bool exact_body = false;
};

Expectation expectation_of(const KubeletStep& step, const std::string& user, const RuleSet& rules) {
  const std::string path = step.target.substr(0, step.target.find('?'));
  const std::vector<Attributes> asked = kubelet_attributes(step.method, path, kubelet_node, rules);
  const auto text = [&](Rule rule, const std::string& subresources) {
    return rules.refusal(rule).render({{"user", user}, {"verb", asked.front().verb}, {"subresources", subresources}});
  };
  switch (step.expect) {
    case Expect::allowed:
      return {};
    case Expect::unauthorized:
      return {401, text(Rule::kubelet_authentication, ""), true};
    case Expect::forbidden: {
      std::string subresources;
      for (const Attributes& one : asked) subresources += (subresources.empty() ? "" : " ") + one.subresource;
      return {403, text(Rule::kubelet_authorization, subresources), true};
    }
    case Expect::error: {
      // The one that failed was asked about last.
      const std::string last = step.access_reviews && !step.access_reviews->empty() ? step.access_reviews->back() : "";
      const std::size_t blank = last.find(' ');
      return {500,
              text(Rule::kubelet_review_error,
                   blank == std::string::npos ? asked.front().subresource : last.substr(blank + 1)),
              true};
    }
    case Expect::status:
      return {step.status, step.body, !step.body.empty()};
  }
  return {};
}

bool was_let_through(const HttpResponse& response) {
  if (response.status == 500) return !response.body.starts_with("Authorization error");
  return response.status != 401 && response.status != 403;
}

CheckResult described(const KubeletScenario& scenario, const KubeletStep& step) {
  CheckResult out;
  out.id = "kubelet/" + scenario.id + "/" + step.name;
  out.scenario = scenario.title;
  out.title = step.name;
  out.profile = scenario.profile;
  for (const Rule rule : step.rules) out.rules.push_back(Catalogue::built_in()[rule].id);
  out.layer = "kubelet";
  out.where = step.where;
  out.evidence.subject = step.as;
  out.evidence.request = step.method + " " + step.target;
  return out;
}

class ScenarioRun {
 public:
  ScenarioRun(const KubeletScenario& scenario, const RuleSet& rules, KubeletCluster& cluster, ServerAddress kubelet)
      : scenario_(scenario), rules_(rules), cluster_(cluster), kubelet_(std::move(kubelet)) {
    cluster_.begin(scenario);
  }

  CheckResult check(const KubeletStep& step) {
    CheckResult out = described(scenario_, step);
    if (const std::string why = cluster_.cannot(scenario_, step); !why.empty()) {
      out.verdict = Verdict::skip;
      out.why = why;
      return out;
    }
    Result<KubeletCallers::Caller> caller = cluster_.caller(scenario_, step.as);
    if (!caller) return inconclusive(std::move(out), caller.error().text());
    if (auto said = cluster_.say(*caller, step); !said) return inconclusive(std::move(out), said.error().text());
    std::this_thread::sleep_for(step.wait);
    cluster_.take();
    Credentials credentials = caller->credentials;
    credentials.headers.insert(credentials.headers.end(), step.headers.begin(), step.headers.end());
    auto client = make_http_client(kubelet_, credentials, {});
    if (!client) return inconclusive(std::move(out), client.error().text());
    HttpRequest request{step.method, step.target + std::string(step.pad, 'x'), "", ""};
    request.watch = true;  // an upgrade or a log may go on
    const Result<HttpResponse> response = (*client)->send(request);
    if (!response) return inconclusive(std::move(out), response.error().text());
    judge(step, *caller, *response, out);
    return out;
  }

 private:
  static CheckResult inconclusive(CheckResult out, std::string why) {
    out.verdict = Verdict::inconclusive;
    out.why = std::move(why);
    return out;
  }

  void judge(const KubeletStep& step, const KubeletCallers::Caller& caller, const HttpResponse& response,
             CheckResult& out) {
    const auto asked = cluster_.take();
    const Expectation expected = expectation_of(step, caller.user, rules_);
    out.expected = expected.status == 0 ? "it reaches the path" : "HTTP " + std::to_string(expected.status);
    out.observed = "HTTP " + std::to_string(response.status);
    out.evidence.status = response.status;
    out.evidence.message = response.body.substr(0, 200);
    out.evidence.decision = was_let_through(response) ? "allowed" : "refused";
    std::vector<std::string> wrong = asked ? asked->mistakes : std::vector<std::string>();
    const bool right = expected.status == 0 ? was_let_through(response) : response.status == expected.status;
    if (!right) wrong.push_back("expected " + out.expected + ", found " + out.observed);
    if (right && expected.exact_body && step.method != "HEAD" && response.body != expected.body) {
      wrong.push_back("expected the body \"" + expected.body + "\", found \"" + response.body.substr(0, 200) + "\"");
    }
    const auto location = response.headers.find("location");
    if (!step.location.empty() && (location == response.headers.end() || location->second != step.location)) {
      wrong.push_back("expected the location " + step.location);
    }
    if (asked) judge_reviews(step, *asked, wrong);
    out.verdict = wrong.empty() ? Verdict::pass : Verdict::fail;
    out.why = joined(wrong);
  }

  static void judge_reviews(const KubeletStep& step, const ReviewServer::Asked& asked,
                            std::vector<std::string>& wrong) {
    if (step.access_reviews && asked.access != *step.access_reviews) {
      wrong.push_back("expected the access reviews [" + joined(*step.access_reviews) + "], found [" +
                      joined(asked.access) + "]");
    }
    if (step.token_reviews && asked.tokens.size() != *step.token_reviews) {
      wrong.push_back("expected " + std::to_string(*step.token_reviews) + " token reviews, found " +
                      std::to_string(asked.tokens.size()));
    }
  }

  const KubeletScenario& scenario_;
  const RuleSet& rules_;
  KubeletCluster& cluster_;
  ServerAddress kubelet_;
};

/// One scenario after the other, each with the kubelet that it wants.
class KubeletRun {
 public:
  KubeletRun(Kubelets& kubelets, KubeletCluster& cluster, const Catalogue& catalogue, const Version& version,
             const KubeletRunOptions& options)
      : kubelets_(kubelets), cluster_(cluster), catalogue_(catalogue), version_(version), options_(options) {}

  [[nodiscard]] bool ended() const { return interrupted() || (options_.fail_fast && failed_); }

  void run(const KubeletScenario& scenario) {
    GateSettings gates = Release::taken(catalogue_, version_, kubelets_.gates());
    const auto known = Release::make(catalogue_, version_, gates);
    if (!known) return note_all(scenario, Verdict::skip, known.error().text());
    if (const std::string why = kubelets_.unsuitable(scenario, RuleSet(catalogue_, *known)); !why.empty()) {
      return note_all(scenario, Verdict::skip, why);
    }
    gates.insert(scenario.gates.begin(), scenario.gates.end());
    const auto own = Release::make(catalogue_, version_, gates);
    if (!own) return note_all(scenario, Verdict::skip, own.error().text());
    const RuleSet rules(catalogue_, *own);
    const auto kubelet = kubelets_.kubelet_for(scenario, rules);
    if (!kubelet) return note_all(scenario, Verdict::inconclusive, kubelet.error().text());
    ScenarioRun checks(scenario, rules, cluster_, *kubelet);
    for (const KubeletStep& step : scenario.steps) {
      if (step.holds.contains(version_) && !ended()) note(checks.check(step));
    }
  }

  Report take() { return std::move(report_); }

 private:
  void note(CheckResult result) {
    if (options_.judged) options_.judged(result);
    failed_ = failed_ || result.verdict == Verdict::fail;
    report_.checks.push_back(std::move(result));
  }

  void note_all(const KubeletScenario& scenario, Verdict verdict, const std::string& why) {
    for (const KubeletStep& step : scenario.steps) {
      if (!step.holds.contains(version_)) continue;
      CheckResult result = described(scenario, step);
      result.verdict = verdict;
      result.why = why;
      note(std::move(result));
    }
  }

  Kubelets& kubelets_;
  KubeletCluster& cluster_;
  const Catalogue& catalogue_;
  const Version& version_;
  const KubeletRunOptions& options_;
  Report report_;
  bool failed_ = false;
};

}  // namespace

Report run_kubelet_scenarios(const std::vector<KubeletScenario>& scenarios, Kubelets& kubelets, KubeletCluster& cluster,
                             const Catalogue& catalogue, const Version& version, const KubeletRunOptions& options) {
  KubeletRun run(kubelets, cluster, catalogue, version, options);
  for (const KubeletScenario& scenario : scenarios) {
    if (scenario.holds.contains(version) && !run.ended()) run.run(scenario);
  }
  return run.take();
}

}  // namespace nodebound
