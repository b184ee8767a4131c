#include "harness/kubelet/kubelet_run.h"

#include <algorithm>
#include <thread>

#include "harness/endpoint/signals.h"
#include "harness/kubelet/kubelet_callers.h"
#include "harness/kubelet/kubelet_process.h"
#include "harness/kubelet/review_server.h"
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
  ScenarioRun(const KubeletScenario& scenario, const RuleSet& rules, ReviewServer& reviews, KubeletCallers& callers,
              const KubeletProcess& kubelet)
      : scenario_(scenario), rules_(rules), reviews_(reviews), callers_(callers), kubelet_(kubelet) {
    for (const auto& [name, reviewed] : scenario.tokens) {
      ReviewedToken own = reviewed;
      if (own.verdict.subject) own.verdict.subject->name = scenario.id + "-" + own.verdict.subject->name;
      reviews_.say_of_token(token_text(scenario, name), own);
    }
  }

  CheckResult check(const KubeletStep& step) {
    CheckResult out = described(scenario_, step);
    Result<KubeletCallers::Caller> caller = callers_.caller(scenario_, step.as);
    if (!caller) return inconclusive(std::move(out), caller.error().text());
    reviews_.say(caller->user,
                 {{step.grants.begin(), step.grants.end()}, {step.denies.begin(), step.denies.end()}, step.fails});
    std::this_thread::sleep_for(step.wait);
    reviews_.take();
    Credentials credentials = caller->credentials;
    credentials.headers.insert(credentials.headers.end(), step.headers.begin(), step.headers.end());
    auto client = make_http_client(kubelet_.server(), credentials, {});
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
    const ReviewServer::Asked asked = reviews_.take();
    const Expectation expected = expectation_of(step, caller.user, rules_);
    out.expected = expected.status == 0 ? "it reaches the path" : "HTTP " + std::to_string(expected.status);
    out.observed = "HTTP " + std::to_string(response.status);
    out.evidence.status = response.status;
    out.evidence.message = response.body.substr(0, 200);
    out.evidence.decision = was_let_through(response) ? "allowed" : "refused";
    std::vector<std::string> wrong = asked.mistakes;
    const bool right = expected.status == 0 ? was_let_through(response) : response.status == expected.status;
    if (!right) wrong.push_back("expected " + out.expected + ", found " + out.observed);
    if (right && expected.exact_body && step.method != "HEAD" && response.body != expected.body) {
      wrong.push_back("expected the body \"" + expected.body + "\", found \"" + response.body.substr(0, 200) + "\"");
    }
    const auto location = response.headers.find("location");
    if (!step.location.empty() && (location == response.headers.end() || location->second != step.location)) {
      wrong.push_back("expected the location " + step.location);
    }
    if (step.access_reviews && asked.access != *step.access_reviews) {
      wrong.push_back("expected the access reviews [" + joined(*step.access_reviews) + "], found [" +
                      joined(asked.access) + "]");
    }
    if (step.token_reviews && asked.tokens.size() != *step.token_reviews) {
      wrong.push_back("expected " + std::to_string(*step.token_reviews) + " token reviews, found " +
                      std::to_string(asked.tokens.size()));
    }
    out.verdict = wrong.empty() ? Verdict::pass : Verdict::fail;
    out.why = joined(wrong);
  }

  const KubeletScenario& scenario_;
  const RuleSet& rules_;
  ReviewServer& reviews_;
  KubeletCallers& callers_;
  const KubeletProcess& kubelet_;
};

/// One kubelet after the other, each with a scenario's configuration.
class KubeletRun {
 public:
  KubeletRun(const KubeletTarget& target, const Catalogue& catalogue, const Release& release,
             const KubeletRunOptions& options, ReviewServer& reviews, KubeletCallers& callers,
             const KubeletFiles& files)
      : target_(target),
        catalogue_(catalogue),
        release_(release),
        options_(options),
        reviews_(reviews),
        callers_(callers),
        files_(files) {}

  void run(const KubeletScenario& scenario) {
    const auto own = Release::make(catalogue_, release_.version, scenario.gates);
    if (!own) return note_all(scenario, Verdict::skip, own.error().text());
    const RuleSet rules(catalogue_, *own);
    const auto kubelet = KubeletProcess::start(target_.command, scenario, files_, rules);
    if (!kubelet) return note_all(scenario, Verdict::inconclusive, kubelet.error().text());
    ScenarioRun checks(scenario, rules, reviews_, callers_, **kubelet);
    for (const KubeletStep& step : scenario.steps) {
      if (step.holds.contains(release_.version) && !interrupted()) note(checks.check(step));
    }
  }

  Report take() { return std::move(report_); }

 private:
  void note(CheckResult result) {
    if (options_.judged) options_.judged(result);
    report_.checks.push_back(std::move(result));
  }

  void note_all(const KubeletScenario& scenario, Verdict verdict, const std::string& why) {
    for (const KubeletStep& step : scenario.steps) {
      if (!step.holds.contains(release_.version)) continue;
      CheckResult result = described(scenario, step);
      result.verdict = verdict;
      result.why = why;
      note(std::move(result));
    }
  }

  const KubeletTarget& target_;
  const Catalogue& catalogue_;
  const Release& release_;
  const KubeletRunOptions& options_;
  ReviewServer& reviews_;
  KubeletCallers& callers_;
  const KubeletFiles& files_;
  Report report_;
};

}  // namespace

Result<Report> run_kubelet_scenarios(const std::vector<KubeletScenario>& scenarios, const KubeletTarget& target,
                                     const Catalogue& catalogue, const Release& release,
                                     const KubeletRunOptions& options) {
  const auto authority = CertificateAuthority::create("nodebound-clients");
  if (!authority) return tl::unexpected(authority.error());
  const auto reviews = ReviewServer::start(*authority, 0, kubelet_node);
  if (!reviews) return tl::unexpected(reviews.error());
  auto callers = KubeletCallers::create(*authority);
  if (!callers) return tl::unexpected(callers.error());
  const auto files = KubeletFiles::write(target.folder, *authority, (*reviews)->port());
  if (!files) return tl::unexpected(files.error());
  KubeletRun run(target, catalogue, release, options, **reviews, *callers, *files);
  for (const KubeletScenario& scenario : scenarios) {
    if (scenario.holds.contains(release.version) && !interrupted()) run.run(scenario);
  }
  return run.take();
}

}  // namespace nodebound
