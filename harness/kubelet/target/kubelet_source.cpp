#include "harness/kubelet/target/kubelet_source.h"

#include <algorithm>
#include <array>
#include <thread>

#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/kubelet/target/kubelet_process.h"

namespace nodebound::kubelet_conformance {
namespace {

using Settings = KubeletSettings;

// The callers that read the configuration: a kubelet may accept no certificates, or no tokens.
KubeletScenario asking_for_configuration() {
  KubeletScenario out;
  out.id = "configuration";
  out.tokens["reader"].verdict.subject = Subject{"reader", {}, "", {}};
  for (const auto shows : {CallerText::Shows::certificate, CallerText::Shows::token}) {
    KubeletStep& step = out.steps.emplace_back();
    step.as = {shows, "reader"};
    step.method = "GET";
    step.target = "/configz";
    step.grants = {"get configz", "get proxy"};
  }
  return out;
}

// The configuration in an answer of /configz, or why there is none.
tl::expected<Object, std::string> configuration_in(const Result<HttpResponse>& response) {
  if (!response) return tl::unexpected(response.error().text());
  const Object body = Object::parse(response->body, nullptr, false);
  const Object& found = body.is_object() ? member(body, "kubeletconfig") : Object();
  if (response->status == 200 && found.is_object()) return found;
  return tl::unexpected("HTTP " + std::to_string(response->status));
}

tl::expected<Object, std::string> ask(const ServerAddress& server, const RequestLimits& limits, KubeletCluster& cluster,
                                      const KubeletScenario& scenario, const KubeletStep& step) {
  if (const std::string why = cluster.cannot(scenario, step); !why.empty()) return tl::unexpected(why);
  const auto caller = cluster.caller(scenario, step.as);
  if (!caller) return tl::unexpected(caller.error().text());
  if (const auto said = cluster.say(*caller, step); !said) return tl::unexpected(said.error().text());
  auto client = make_http_client(server, caller->credentials, limits);
  if (!client) return tl::unexpected(client.error().text());
  auto found = configuration_in((*client)->send({step.method, step.target, "", ""}));
  if (const auto withdrawn = cluster.withdraw(*caller); !withdrawn) return tl::unexpected(withdrawn.error().text());
  return found;
}

Result<Object> configuration_of(const ServerAddress& server, const RequestLimits& limits, KubeletCluster& cluster,
                                const RuleSet& rules) {
  const KubeletScenario scenario = asking_for_configuration();
  cluster.begin(scenario, rules);
  std::string why;
  for (const KubeletStep& step : scenario.steps) {
    auto found = ask(server, limits, cluster, scenario, step);
    if (found) return std::move(*found);
    why += (why.empty() ? "" : "; ") + to_text(step.as) + ": " + found.error();
  }
  return unreachable_error(url_of(server), "does not say how it is configured on /configz: " + why,
                           "give its configuration with --kubelet-config; a kubelet asks the API server of its "
                           "kubeconfig, and believes the client CA that it was given");
}

/// A setting for which a scenario may need a kubelet of its own.
struct Setting {
  const char* name;
  std::string (*text)(const Settings&);
};

template <auto Member>
std::string text_of(const Settings& settings) {
  return Object(settings.*Member).dump();
}

constexpr std::array compared = {
    Setting{"authorization.mode", text_of<&Settings::authorization_mode>},
    Setting{"authentication.anonymous.enabled", text_of<&Settings::anonymous>},
    Setting{"authentication.webhook.enabled", text_of<&Settings::token_webhook>},
    Setting{"authentication.webhook.cacheTTL (ms)", text_of<&Settings::token_ttl>},
    Setting{"authorization.webhook.cacheAuthorizedTTL (ms)", text_of<&Settings::allowed_ttl>},
    Setting{"authorization.webhook.cacheUnauthorizedTTL (ms)", text_of<&Settings::denied_ttl>},
    Setting{"enableDebuggingHandlers", text_of<&Settings::debugging_handlers>},
    Setting{"enableSystemLogHandler", text_of<&Settings::system_log_handler>},
    Setting{"enableProfilingHandler", text_of<&Settings::profiling_handler>},
    Setting{"enableDebugFlagsHandler", text_of<&Settings::debug_flags_handler>},
};

/// A running kubelet. Requests go to its main port; of the read-only port only whether it is open is tested.
class KubeletAtAddress final : public KubeletUnderTest {
 public:
  KubeletAtAddress(ServerAddress server, const RequestLimits& limits, int read_only_port)
      : server_(std::move(server)), limits_(limits), read_only_port_(read_only_port) {}

  Result<std::unique_ptr<HttpClient>> connect(KubeletPort /*port*/, const Credentials& credentials) override {
    return make_http_client(server_, credentials, limits_);
  }
  bool listens(KubeletPort port) override {
    if (port != KubeletPort::read_only) return port == KubeletPort::main;
    return answers_http(server_.host,
                        read_only_port_ == 0 ? usual_read_only_port : static_cast<std::uint16_t>(read_only_port_));
  }
  void wait(std::chrono::milliseconds time) override { std::this_thread::sleep_for(time); }
  Result<void> trust(const std::string& /*authorities*/) override {
    return unreachable_error("the kubelet", "runs already, with client CAs of its own");
  }

 private:
  ServerAddress server_;
  RequestLimits limits_;
  int read_only_port_;
};

}  // namespace

Result<std::unique_ptr<KubeletUnderTest>> StartedKubelets::start(const KubeletStartup& startup, const RuleSet& rules) {
  return start_kubelet_process(command_, startup, files_, rules);
}

Result<std::unique_ptr<RunningKubelet>> RunningKubelet::connect(
    const std::string& url, const KubeletTrust& trust, KubeletCluster& cluster,
    const std::optional<kubelet_api::KubeletConfigurationFile>& configuration, const RuleSet& rules,
    const RequestLimits& limits) {
  auto server = parse_server(url, "--target");
  if (!server) return tl::unexpected(server.error());
  server->ca_pem = trust.authority;
  server->fingerprint = trust.fingerprint;
  server->skip_verification = trust.authority.empty() && trust.fingerprint.empty();
  if (Result<void> up = wait_for_kubelet(*server, limits, {}); !up) return tl::unexpected(up.error());
  std::unique_ptr<RunningKubelet> out(new RunningKubelet(std::move(*server), limits));
  if (configuration) {
    out->configuration_ = *configuration;
    return out;
  }
  auto object = configuration_of(out->server_, limits, cluster, rules);
  if (!object) return tl::unexpected(object.error());
  for (const auto& [gate, on] : member(*object, "featureGates").items()) {
    if (on.is_boolean()) out->configuration_.feature_gates[gate] = on.get<bool>();
  }
  out->configuration_.object = std::move(*object);
  return out;
}

std::string RunningKubelet::unsuitable(const KubeletScenario& scenario, const RuleSet& rules) const {
  if (scenario.any_configuration) return {};
  if (scenario.steps.empty()) return "it is about how a kubelet starts, and this one runs already";
  if (scenario.uses(KubeletPort::read_only) || scenario.uses(KubeletPort::healthz)) return "it asks at other ports";
  const auto changes_authorities = [](const KubeletStep& step) { return !step.client_ca.empty(); };
  if (std::any_of(scenario.steps.begin(), scenario.steps.end(), changes_authorities)) {
    return "it changes the file of client CAs, which is of somebody else";
  }
  if (scenario.flags_only || !scenario.flags.empty()) return "it is about flags, and this kubelet runs already";
  const GateSettings& gates = rules.release().gates;
  for (const auto& [gate, on] : scenario.gates) {
    const auto own = gates.find(gate);
    if (own != gates.end() && own->second != on) return "the feature gate " + gate + " is " + (on ? "off" : "on");
  }
  const Settings own = kubelet_api::KubeletConfiguration::of_file(configuration_, rules).settings;
  const Settings wanted = kubelet_api::KubeletConfiguration::of_file({scenario.config, {}, {}}, rules).settings;
  for (const Setting& setting : compared) {
    const std::string is = setting.text(own);
    if (is != setting.text(wanted)) return std::string(setting.name) + " is " + is;
  }
  return {};
}

Result<std::unique_ptr<KubeletUnderTest>> RunningKubelet::start(const KubeletStartup& /*startup*/,
                                                                const RuleSet& rules) {
  return std::make_unique<KubeletAtAddress>(
      server_, limits_, kubelet_api::KubeletConfiguration::of_file(configuration_, rules).settings.read_only_port);
}

}  // namespace nodebound::kubelet_conformance
