#include "harness/kubelet/kubelet_check.h"

#include <thread>

#include "harness/check/contained.h"
#include "reports/text.h"

namespace nodebound::kubelet_conformance {
namespace {

std::vector<std::string> ids_of(const std::vector<Rule>& rules) {
  std::vector<std::string> out;
  out.reserve(rules.size());
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

Judgement inconclusive(const Error& error) {
  return {{Reason::Kind::stopped, {error.text()}}, {}};
}

// A kubelet asks for client certificates and can do without; one that cannot refuses before it answers.
Judgement unanswered(const Error& error, const KubeletExpectation& expected, CheckResult& out) {
  if (error.connection != Error::Connection::certificate_wanted) return inconclusive(error);
  out.expected = expected.text();
  const std::string observed = "the end of the TLS handshake, for want of a client certificate";
  return {
      {Reason::Kind::differs, {"expected " + out.expected + ", found " + observed}}, observed, Answer::Kind::refused};
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
    wrong.push_back("expected the access reviews [" + comma_separated(*step.access_reviews) + "], found [" +
                    comma_separated(asked.access) + "]");
  }
  if (step.token_reviews && asked.tokens.size() != *step.token_reviews) {
    wrong.push_back("expected " + std::to_string(*step.token_reviews) + " token reviews, found " +
                    std::to_string(asked.tokens.size()));
  }
}

}  // namespace

CheckResult described(const KubeletScenario& scenario, const KubeletStep& step) {
  CheckResult out = described_by(scenario, step);
  out.evidence.subject = to_text(step.as);
  out.evidence.request = step.method + " " + step.target;
  return out;
}

CheckResult described(const KubeletScenario& scenario, const KubeletStart& start) {
  return described_by(scenario, start);
}

KubeletCheck::KubeletCheck(const KubeletScenario& scenario, const RuleSet& rules, KubeletCluster& cluster,
                           KubeletUnderTest& kubelet)
    : scenario_(scenario), rules_(rules), cluster_(cluster), kubelet_(kubelet) {
  cluster_.begin(scenario, rules);
}

Judgement KubeletCheck::ask(const KubeletStep& step, CheckResult& out) {
  if (step.expect == KubeletStep::Expect::closed) return ask_closed(step, out);
  const auto caller = cluster_.caller(scenario_, step.as);
  if (!caller) return inconclusive(caller.error());
  const KubeletExpectation expected = KubeletExpectation::of(step, caller->subject.name, rules_);
  if (const auto ready = prepare(step, *caller); !ready) return unanswered(ready.error(), expected, out);
  cluster_.take();
  const auto response = step.at_once > 1 ? ask_at_once(step, *caller, expected) : ask(step, *caller);
  const auto withdrawn = cluster_.withdraw(*caller);
  if (!withdrawn) return inconclusive(withdrawn.error());
  if (!response) return unanswered(response.error(), expected, out);
  return judge(step, expected, *response, out);
}

Judgement KubeletCheck::ask_closed(const KubeletStep& step, CheckResult& out) {
  out.expected = "nobody listens";
  if (!kubelet_.listens(step.port)) return {{Reason::Kind::met, {}}, "nobody listens"};
  return {{Reason::Kind::differs, {"somebody answers at the port, without asking who asks"}}, "somebody answers"};
}

Result<void> KubeletCheck::prepare(const KubeletStep& step, const KubeletCallers::Caller& caller) {
  if (auto said = cluster_.say(caller, step); !said) return said;
  if (!step.client_ca.empty()) {
    if (auto done = kubelet_.trust(cluster_.other_authority()); !done) return done;
  }
  if (step.wait.count() > 0) kubelet_.wait(step.wait);
  return step.crowd > 0 ? send_crowd(step) : Result<void>();
}

// Requests over one connection; whether they are allowed does not matter here.
Result<void> KubeletCheck::send_crowd(const KubeletStep& step) {
  auto client = kubelet_.connect(step.port, {});
  if (!client) return tl::unexpected(client.error());
  for (std::size_t i = 0; i < step.crowd; ++i) {
    const auto one = cluster_.caller(scenario_, {CallerText::Shows::token, kubelet_crowd + std::to_string(crowd_++)});
    if (!one) return tl::unexpected(one.error());
    HttpRequest request{step.method, step.target, "", ""};
    request.headers = {one->credentials.headers.begin(), one->credentials.headers.end()};
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
  for (Result<HttpResponse>& answer : answers)
    senders.emplace_back([&] { answer = contained([&] { return ask(step, caller); }); });
  for (std::thread& sender : senders) sender.join();
  for (const Result<HttpResponse>& answer : answers) {
    if (!answer || !expected.met_by(*answer)) return answer;
  }
  return answers.front();
}

Judgement KubeletCheck::judge(const KubeletStep& step, const KubeletExpectation& expected, const HttpResponse& response,
                              CheckResult& out) {
  out.expected = expected.text();
  out.evidence.status = response.status;
  out.evidence.message = response.body.substr(0, 200);
  const std::string observed = "HTTP " + std::to_string(response.status);
  std::vector<std::string> wrong;
  const bool right = expected.met_by(response);
  if (!right) wrong.push_back("expected " + out.expected + ", found " + observed);
  if (right && expected.exact_body && step.method != "HEAD" && response.body != expected.body) {
    wrong.push_back("expected the body \"" + expected.body + "\", found \"" + out.evidence.message + "\"");
  }
  compare_headers(step, response, wrong);
  if (const auto asked = cluster_.take()) compare_reviews(step, *asked, wrong);
  const auto decision = was_let_through(response) ? Answer::Kind::allowed : Answer::Kind::refused;
  if (wrong.empty()) return {{Reason::Kind::met, {}}, observed, decision};
  return {{Reason::Kind::differs, {comma_separated(wrong)}}, observed, decision};
}

}  // namespace nodebound::kubelet_conformance
