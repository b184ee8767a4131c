#include "harness/mutants/faulty_endpoint.h"

#include "fakes/apiserver/api_server.h"

namespace nodebound {
namespace {

class FaultySession final : public Session {
 public:
  FaultySession(const RuleSet& rules, ApiServer::Options options, const FaultyEndpoint::MakeJudges& make_judges) {
    options.judges = make_judges(request_);
    server_ = std::make_unique<ApiServer>(rules, options);
  }

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    request_ = &request;
    return server_->handle(subject, request);
  }

 private:
  const HttpRequest* request_ = nullptr;
  std::unique_ptr<ApiServer> server_;
};

}  // namespace

FaultyEndpoint::FaultyEndpoint(const RuleSet& rules, std::set<std::string> disabled_plugins,
                               std::shared_ptr<const ApiResources> resources, MakeJudges make_judges)
    : rules_(rules),
      disabled_plugins_(std::move(disabled_plugins)),
      resources_(std::move(resources)),
      make_judges_(std::move(make_judges)),
      administrator_{"nodebound-administrator", {"system:masters"}, {}, {}} {
  observed_.version = "v" + rules.release().version.text();
  observed_.feature_gates = rules.release().gates;
  for (std::string& version : resources_->group_versions()) observed_.api_versions.insert(std::move(version));
}

std::unique_ptr<Session> FaultyEndpoint::open_session() {
  ApiServer::Options options;
  options.disabled_plugins = disabled_plugins_;
  options.resources = resources_;
  return std::make_unique<FaultySession>(rules_, std::move(options), make_judges_);
}

}  // namespace nodebound
