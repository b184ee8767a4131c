#include "harness/endpoint/reference_endpoint.h"

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/api_server.h"

namespace nodebound {
namespace {

// Asks for what a client of a real API server asks for.
class ReferenceSession final : public Session {
 public:
  ReferenceSession(const RuleSet& rules, const ApiServer::Options& options) : server_(rules, options) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    if (!request.accept.empty()) return server_.handle(subject, request);
    HttpRequest asked = request;
    asked.accept = "application/json";
    return server_.handle(subject, asked);
  }

 private:
  ApiServer server_;
};

class ReferenceEndpoint final : public Endpoint {
 public:
  ReferenceEndpoint(const RuleSet& rules, std::set<std::string> disabled_plugins, RuntimeConfig config,
                    bool whole_cluster)
      : rules_(rules),
        options_{std::move(disabled_plugins), std::make_shared<const ApiResources>(rules.release(), config)},
        administrator_{"nodebound-administrator", {"system:masters"}, {}, {}} {
    options_.namespaces_first = whole_cluster;
    observed_.version = "v" + rules.release().version.text();
    observed_.feature_gates = rules.release().gates;
    for (std::string& version : options_.resources->group_versions()) observed_.api_versions.insert(std::move(version));
  }

  [[nodiscard]] std::string name() const override { return "reference"; }
  [[nodiscard]] const Observation& observed() const override { return observed_; }
  [[nodiscard]] const Subject& administrator() const override { return administrator_; }
  [[nodiscard]] bool decides_on_latest_state() const override { return true; }
  [[nodiscard]] bool disposable() const override { return true; }
  std::unique_ptr<Session> open_session() override { return std::make_unique<ReferenceSession>(rules_, options_); }

 private:
  const RuleSet& rules_;
  ApiServer::Options options_;
  Subject administrator_;
  Observation observed_;
};

}  // namespace

std::unique_ptr<Endpoint> make_reference_endpoint(const RuleSet& rules, std::set<std::string> disabled_plugins) {
  return std::make_unique<ReferenceEndpoint>(rules, std::move(disabled_plugins), RuntimeConfig::api_all, false);
}

std::unique_ptr<Endpoint> make_reference_cluster(const RuleSet& rules, std::set<std::string> disabled_plugins,
                                                 RuntimeConfig config) {
  return std::make_unique<ReferenceEndpoint>(rules, std::move(disabled_plugins), config, true);
}

}  // namespace nodebound
