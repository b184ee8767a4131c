#include "harness/endpoint/reference_endpoint.h"

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/discovery/first_objects.h"
#include "fakes/apiserver/status.h"
#include "fakes/authorization/abac_policy_file.h"
#include "fakes/wire/admission_configuration.h"
#include "harness/endpoint/credentials/reference_tokens.h"

namespace nodebound {
namespace {

// Asks for JSON, as our client of a real API server does, unless the request says what it accepts.
class ReferenceSession final : public Session {
 public:
  ReferenceSession(const RuleSet& rules, apiserver::ApiServer::Options options,
                   const MakeAccessControl& make_access_control)
      : tokens_(rules) {
    if (make_access_control) options.access_control = make_access_control(answered_);
    options.token_issuer = [this](const apiserver::TokenOrder& order) { return tokens_.issue(order); };
    server_ = std::make_unique<apiserver::ApiServer>(rules, options);
  }

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    HttpRequest asked = request;
    if (asked.accept.empty()) asked.accept = "application/json";
    const auto token = asked.headers.find("authorization");
    if (token == asked.headers.end()) return answer(subject, asked);
    const std::optional<Subject> shown =
        tokens_.subject_of(token->second, [this](const ObjectKey& key) { return find(key); });
    if (!shown) return apiserver::failure(401, "Unauthorized", "Unauthorized");
    asked.headers.erase(token);
    return answer(*shown, asked);
  }

 private:
  std::optional<Object> find(const ObjectKey& key) {
    static const Subject own{"system:apiserver", {"system:masters", "system:authenticated"}, {}, {}};
    const std::string in = key.namespace_.empty() ? "" : "namespaces/" + key.namespace_ + "/";
    const HttpResponse found = server_->handle(own, {"GET", "/api/v1/" + in + key.resource + "/" + key.name, "", ""});
    if (found.status != 200) return std::nullopt;
    return Object::parse(found.body, nullptr, false);
  }

  HttpResponse answer(const Subject& subject, const HttpRequest& request) {
    answered_ = &request;
    return server_->handle(subject, request);
  }

  const HttpRequest* answered_ = nullptr;
  ReferenceTokens tokens_;
  std::unique_ptr<apiserver::ApiServer> server_;
};

class ReferenceEndpoint final : public Endpoint {
 public:
  ReferenceEndpoint(const RuleSet& rules, apiserver::ApiServer::Options options,
                    MakeAccessControl make_access_control = nullptr)
      : rules_(rules),
        options_(std::move(options)),
        make_access_control_(std::move(make_access_control)),
        administrator_{"nodebound-administrator", {"system:masters"}, {}, {}} {
    if (options_.namespaces_first) options_.first_objects = std::make_shared<apiserver::FirstObjects>();
    observed_.version = "v" + rules.release().version.text();
    observed_.feature_gates = rules.release().gates;
    for (std::string& version : options_.resources->group_versions()) observed_.api_versions.insert(std::move(version));
  }

  [[nodiscard]] Capabilities capabilities() const override { return can_; }
  Result<std::unique_ptr<Endpoint>> start_with(const ServerSettings& settings) override {
    apiserver::ApiServer::Options options = options_;
    options.authorization_modes = settings.authorization_modes;
    Result<authorization::AbacPolicyFile> policies =
        authorization::read_abac_policy_file(settings.abac_policy_file(), "abac-policy");
    if (!policies) return tl::unexpected<Error>(policies.error());
    options.abac_policies = std::move(policies->policies);
    options.enabled_plugins.insert(settings.enabled_plugins.begin(), settings.enabled_plugins.end());
    options.disabled_plugins.insert(settings.disabled_plugins.begin(), settings.disabled_plugins.end());
    Result<PlacementSettings> placement = read_pod_placement(
        settings.admission_configuration, "admission-configuration",
        [](const std::string& path) -> Result<std::string> {
          return input_error("admission-configuration", "it names the file " + path, "write it into the scenario");
        });
    if (!placement) return tl::unexpected<Error>(placement.error());
    options.placement = std::move(*placement);
    AuthorizationWebhook webhook;
    if (const auto& configuration = settings.webhook_configuration) {
      webhook.deny_on_failure = configuration->deny_on_failure;
      for (const std::string& expression : configuration->match_conditions) {
        auto condition = cel::MatchCondition::compile(expression, rules_.release());
        if (!condition) return input_error("match-conditions", expression + ": " + condition.error().what);
        webhook.conditions.push_back(std::move(*condition));
      }
    }
    webhook.ask = [script = settings.authorization_webhook](const Subject& subject, const Attributes& attributes) {
      return as_received(answer_of(script, subject, attributes));
    };
    options.authorization_webhooks = {std::make_shared<const AuthorizationWebhook>(std::move(webhook))};
    auto started = std::make_unique<ReferenceEndpoint>(rules_, std::move(options), make_access_control_);
    started->can_ = of_api_server(settings);
    return started;
  }

  [[nodiscard]] std::string name() const override { return "reference"; }
  [[nodiscard]] const Observation& observed() const override { return observed_; }
  [[nodiscard]] const Subject& administrator() const override { return administrator_; }
  [[nodiscard]] bool decides_on_latest_state() const override { return true; }
  [[nodiscard]] bool disposable() const override { return true; }
  std::unique_ptr<Session> open_session() override {
    return std::make_unique<ReferenceSession>(rules_, options_, make_access_control_);
  }

 private:
  const RuleSet& rules_;
  apiserver::ApiServer::Options options_;
  MakeAccessControl make_access_control_;
  Capabilities can_ = of_api_server().with(Capability::own_server);
  Subject administrator_;
  Observation observed_;
};

}  // namespace

std::unique_ptr<Endpoint> make_reference_endpoint(const RuleSet& rules, std::set<std::string> disabled_plugins) {
  auto resources = std::make_shared<const ApiResources>(rules.release(), RuntimeConfig::api_all);
  return make_judged_reference(rules, std::move(disabled_plugins), std::move(resources), nullptr);
}

std::unique_ptr<Endpoint> make_reference_cluster(const RuleSet& rules, std::set<std::string> disabled_plugins,
                                                 RuntimeConfig config) {
  apiserver::ApiServer::Options options;
  options.disabled_plugins = std::move(disabled_plugins);
  options.resources = std::make_shared<const ApiResources>(rules.release(), config);
  options.namespaces_first = true;
  return std::make_unique<ReferenceEndpoint>(rules, std::move(options));
}

std::unique_ptr<Endpoint> make_judged_reference(const RuleSet& rules, std::set<std::string> disabled_plugins,
                                                std::shared_ptr<const ApiResources> resources,
                                                MakeAccessControl make_access_control) {
  apiserver::ApiServer::Options options;
  options.disabled_plugins = std::move(disabled_plugins);
  options.resources = std::move(resources);
  return std::make_unique<ReferenceEndpoint>(rules, std::move(options), std::move(make_access_control));
}

}  // namespace nodebound
