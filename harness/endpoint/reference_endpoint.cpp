#include "harness/endpoint/reference_endpoint.h"

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/api_server.h"

namespace nodebound {
namespace {

class ReferenceSession final : public Session {
 public:
  ReferenceSession(const RuleSet& rules, const std::set<std::string>& disabled_plugins)
      : server_(rules, {disabled_plugins}) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    return server_.handle(subject, request);
  }

 private:
  ApiServer server_;
};

class ReferenceEndpoint final : public Endpoint {
 public:
  ReferenceEndpoint(const RuleSet& rules, std::set<std::string> disabled_plugins)
      : rules_(rules),
        disabled_plugins_(std::move(disabled_plugins)),
        administrator_{"nodebound-administrator", {"system:masters"}, {}, {}} {
    observed_.version = "v" + rules.release().version.text();
    observed_.feature_gates = rules.release().gates;
    for (const ApiResource& resource : api_resources()) {
      if (find_resource(rules, resource.group, resource.version, resource.resource) != nullptr) {
        observed_.api_versions.insert(resource.api_version());
      }
    }
  }

  [[nodiscard]] std::string name() const override { return "reference"; }
  [[nodiscard]] const Observation& observed() const override { return observed_; }
  [[nodiscard]] const Subject& administrator() const override { return administrator_; }
  [[nodiscard]] bool decides_on_latest_state() const override { return true; }
  [[nodiscard]] bool disposable() const override { return true; }
  std::unique_ptr<Session> open_session() override {
    return std::make_unique<ReferenceSession>(rules_, disabled_plugins_);
  }

 private:
  const RuleSet& rules_;
  std::set<std::string> disabled_plugins_;
  Subject administrator_;
  Observation observed_;
};

}  // namespace

std::unique_ptr<Endpoint> make_reference_endpoint(const RuleSet& rules, std::set<std::string> disabled_plugins) {
  return std::make_unique<ReferenceEndpoint>(rules, std::move(disabled_plugins));
}

}  // namespace nodebound
