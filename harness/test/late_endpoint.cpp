#include "harness/test/late_endpoint.h"

#include <chrono>

#include "fakes/apiserver/api_server.h"

namespace nodebound {
namespace {

class LateEndpoint final : public Endpoint {
 public:
  using Answers = std::function<bool(const Subject&, const HttpRequest&)>;

  LateEndpoint(const RuleSet& rules, Answers answers) : LateEndpoint(rules, std::move(answers), nullptr) {
    server_.set_lag([](const ObjectKey&) { return std::chrono::milliseconds(8); });
  }

  using Answer = std::function<HttpResponse(apiserver::ApiServer&, const Subject&, const HttpRequest&)>;
  LateEndpoint(const RuleSet& rules, Answers answers, Answer answer, bool said_to_be_prompt = false)
      : answers_(std::move(answers)),
        answer_(std::move(answer)),
        said_to_be_prompt_(said_to_be_prompt),
        server_(rules, options_of(rules)) {
    observed_.version = "v" + rules.release().version.text();
    for (std::string& version : ApiResources(rules.release()).group_versions()) {
      observed_.api_versions.insert(std::move(version));
    }
  }

  [[nodiscard]] Capabilities capabilities() const override {
    return of_api_server().without(Capability::own_tokens, "it knows no tokens");
  }
  [[nodiscard]] std::string name() const override { return "late"; }
  [[nodiscard]] const Observation& observed() const override { return observed_; }
  [[nodiscard]] const Subject& administrator() const override { return administrator_; }
  [[nodiscard]] bool decides_on_latest_state() const override { return said_to_be_prompt_; }
  [[nodiscard]] bool disposable() const override { return answers_ == nullptr && answer_ == nullptr; }
  std::unique_ptr<Session> open_session() override { return std::make_unique<Line>(*this); }

 private:
  struct Line final : Session {
    explicit Line(LateEndpoint& to) : endpoint(to) {}
    Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
      if (endpoint.answers_ && !endpoint.answers_(subject, request)) return unreachable_error("", "no answer");
      if (endpoint.answer_) return endpoint.answer_(endpoint.server_, subject, request);
      return endpoint.server_.handle(subject, request);
    }
    LateEndpoint& endpoint;
  };

  static apiserver::ApiServer::Options options_of(const RuleSet& rules) {
    apiserver::ApiServer::Options options;
    options.namespaces_first = true;
    options.clock = [] { return std::chrono::system_clock::now(); };
    options.resources = std::make_shared<const ApiResources>(rules.release());
    return options;
  }

  Answers answers_;
  Answer answer_;
  bool said_to_be_prompt_;
  apiserver::ApiServer server_;
  Observation observed_;
  Subject administrator_{"admin", {"system:masters"}, "", {}};
};

}  // namespace

std::unique_ptr<Endpoint> make_late_endpoint(const RuleSet& rules) {
  return std::make_unique<LateEndpoint>(rules, nullptr);
}

std::unique_ptr<Endpoint> make_shared_endpoint(const RuleSet& rules,
                                               std::function<bool(const Subject&, const HttpRequest&)> answers) {
  return std::make_unique<LateEndpoint>(rules, std::move(answers));
}

std::unique_ptr<Endpoint> make_prompt_shared_endpoint(
    const RuleSet& rules,
    std::function<HttpResponse(apiserver::ApiServer&, const Subject&, const HttpRequest&)> answer) {
  return std::make_unique<LateEndpoint>(rules, nullptr, std::move(answer), true);
}

std::unique_ptr<Endpoint> make_awaited_shared_endpoint(
    const RuleSet& rules,
    std::function<HttpResponse(apiserver::ApiServer&, const Subject&, const HttpRequest&)> answer) {
  return std::make_unique<LateEndpoint>(rules, nullptr, std::move(answer));
}

}  // namespace nodebound
