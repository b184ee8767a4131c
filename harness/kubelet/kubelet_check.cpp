#include "harness/kubelet/kubelet_check.h"

#include <thread>

namespace nodebound {
namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

std::vector<std::string> ids_of(const std::vector<Rule>& rules) {
  std::vector<std::string> out;
  for (const Rule rule : rules) out.push_back(Catalogue::built_in()[rule].id);
  return out;
}

template <typename Step>
CheckResult described_by(const KubeletScenario& scenario, const Step& step) {
  CheckResult out;
  out.id = "kubelet/" + scenario.id + "/" + step.name;
  out.scenario = scenario.title;
  out.title = step.name;
  out.profile = scenario.profile;
  out.rules = ids_of(step.rules);
  out.layer = "kubelet";
  out.where = step.where;
  return out;
}

CheckResult inconclusive(CheckResult out, std::string why) {
  out.verdict = Verdict::inconclusive;
  out.why = std::move(why);
  return out;
}

std::string header_of(const HttpResponse& response, std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto found = response.headers.find(name);
  return found == response.headers.end() ? "" : found->second;
}

void compare_headers(const KubeletStep& step, const HttpResponse& response, std::vector<std::string>& wrong) {
  const auto compare = [&](const std::string& name, const std::string& expected) {
    const std::string found = header_of(response, name);
    if (found != expected) wrong.push_back("expected " + name + " \"" + expected + "\", found \"" + found + "\"");
  };
  if (!step.location.empty()) compare("Location", step.location);
  for (const auto& [name, value] : step.answered) compare(name, value);
}

void compare_reviews(const KubeletStep& step, const ReviewServer::Asked& asked, std::vector<std::string>& wrong) {
  for (const ReviewServer::Mistake& mistake : asked.mistakes) {
    wrong.push_back(Catalogue::built_in()[mistake.rule].id + ": " + mistake.what);
  }
  if (step.access_reviews && asked.access != *step.access_reviews) {
    wrong.push_back("expected the access reviews [" + joined(*step.access_reviews) + "], found [" +
                    joined(asked.access) + "]");
  }
  if (step.token_reviews && asked.tokens.size() != *step.token_reviews) {
    wrong.push_back("expected " + std::to_string(*step.token_reviews) + " token reviews, found " +
                    std::to_string(asked.tokens.size()));
  }
}

}  // namespace

CheckResult described(const KubeletScenario& scenario, const KubeletStep& step) {
  CheckResult out = described_by(scenario, step);
  out.evidence.subject = step.as;
  out.evidence.request = step.method + " " + step.target;
  return out;
}

CheckResult described(const KubeletScenario& scenario, const KubeletStart& start) {
  return described_by(scenario, start);
}

KubeletCheck::KubeletCheck(const KubeletScenario& scenario, const RuleSet& rules, KubeletSurroundings around,
                           KubeletUnderTest& kubelet)
    : scenario_(scenario), rules_(rules), around_(around), kubelet_(kubelet) {
  around_.reviews.expect(rules);
  for (const auto& [name, reviewed] : scenario.tokens) {
    ReviewedToken own = reviewed;
    if (own.verdict.subject) own.verdict.subject->name = user_of_token(scenario, *own.verdict.subject);
    around_.reviews.say_of_token(token_text(scenario, name), own);
  }
}

CheckResult KubeletCheck::check(const KubeletStep& step) {
  CheckResult out = described(scenario_, step);
  const auto caller = around_.callers.caller(scenario_, step.as, rules_);
  if (!caller) return inconclusive(std::move(out), caller.error().text());
  if (const auto ready = prepare(step, *caller); !ready) return inconclusive(std::move(out), ready.error().text());
  const KubeletExpectation expected = KubeletExpectation::of(step, caller->subject.name, rules_);
  around_.reviews.take();
  const auto response = step.at_once > 1 ? ask_at_once(step, *caller, expected) : ask(step, *caller);
  if (!response) return inconclusive(std::move(out), response.error().text());
  judge(step, expected, *response, out);
  return out;
}

Result<void> KubeletCheck::prepare(const KubeletStep& step, const KubeletCallers::Caller& caller) {
  around_.reviews.say({caller.subject,
                       caller.known_by,
                       {step.grants.begin(), step.grants.end()},
                       {step.denies.begin(), step.denies.end()},
                       step.group_grants,
                       step.fails});
  if (!step.client_ca.empty()) {
    if (const auto done = around_.files.trust(&around_.callers.other()); !done) return done;
  }
  if (step.wait.count() > 0) kubelet_.wait(step.wait);
  return step.crowd > 0 ? send_crowd(step) : Result<void>();
}

// Over one connection; whether they may is not what is asked.
Result<void> KubeletCheck::send_crowd(const KubeletStep& step) {
  const std::string prefix = scenario_.id + "-crowd-";
  around_.reviews.say_of_crowd(prefix, {step.grants.begin(), step.grants.end()});
  auto client = kubelet_.connect(step.port, {});
  if (!client) return tl::unexpected(client.error());
  for (std::size_t i = 0; i < step.crowd; ++i) {
    HttpRequest request{step.method, step.target, "", ""};
    request.headers["authorization"] = "Bearer " + prefix + std::to_string(crowd_++);
    if (const auto response = (*client)->send(request); !response) return tl::unexpected(response.error());
  }
  return {};
}

Result<HttpResponse> KubeletCheck::ask(const KubeletStep& step, const KubeletCallers::Caller& caller) {
  auto client = kubelet_.connect(step.port, caller.credentials);
  if (!client) return tl::unexpected(client.error());
  HttpRequest request{step.method, step.target + std::string(step.pad, 'x'), "", ""};
  request.headers = {step.headers.begin(), step.headers.end()};
  request.watch = step.body.empty();  // an upgrade or a log may go on
  return (*client)->send(request);
}

Result<HttpResponse> KubeletCheck::ask_at_once(const KubeletStep& step, const KubeletCallers::Caller& caller,
                                               const KubeletExpectation& expected) {
  std::vector<Result<HttpResponse>> answers(step.at_once);
  std::vector<std::thread> senders;
  senders.reserve(step.at_once);
  for (Result<HttpResponse>& answer : answers) senders.emplace_back([&] { answer = ask(step, caller); });
  for (std::thread& sender : senders) sender.join();
  for (const Result<HttpResponse>& answer : answers) {
    if (!answer || !expected.met_by(*answer)) return answer;
  }
  return answers.front();
}

void KubeletCheck::judge(const KubeletStep& step, const KubeletExpectation& expected, const HttpResponse& response,
                         CheckResult& out) {
  out.expected = expected.text();
  out.observed = "HTTP " + std::to_string(response.status);
  out.evidence.status = response.status;
  out.evidence.message = response.body.substr(0, 200);
  out.evidence.decision = was_let_through(response) ? "allowed" : "refused";
  std::vector<std::string> wrong;
  const bool right = expected.met_by(response);
  if (!right) wrong.push_back("expected " + out.expected + ", found " + out.observed);
  if (right && expected.exact_body && step.method != "HEAD" && response.body != expected.body) {
    wrong.push_back("expected the body \"" + expected.body + "\", found \"" + out.evidence.message + "\"");
  }
  compare_headers(step, response, wrong);
  compare_reviews(step, around_.reviews.take(), wrong);
  out.verdict = wrong.empty() ? Verdict::pass : Verdict::fail;
  out.why = joined(wrong);
}

}  // namespace nodebound
