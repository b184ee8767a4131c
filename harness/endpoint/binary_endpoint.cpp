#include "harness/endpoint/binary_endpoint.h"

#include "harness/endpoint/control_plane.h"
#include "harness/endpoint/credentials/identity.h"
#include "harness/endpoint/observe.h"
#include "harness/endpoint/subject_session.h"
#include "harness/endpoint/webhook/webhook_server.h"

namespace nodebound {
namespace {

const Subject& our_administrator() {
  static const Subject subject{"nodebound:administrator", {"system:masters", "system:authenticated"}, {}, {}};
  return subject;
}

class BinaryEndpoint : public Endpoint {
 public:
  BinaryEndpoint(std::unique_ptr<ControlPlane> plane, Observation observed, const BinaryOptions& options)
      : plane_(std::move(plane)),
        observed_(std::move(observed)),
        options_(options),
        name_("binary:" +
              (options.directory.empty() ? plane_->apiserver_program().parent_path() : options.directory).string()),
        certificates_([this](const Subject& subject) { return plane_->authority().issue_client(subject); }) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Capabilities capabilities() const override { return can_; }
  Result<std::unique_ptr<Endpoint>> start_with(const ServerSettings& settings) override;
  [[nodiscard]] const Observation& observed() const override { return observed_; }
  [[nodiscard]] const Subject& administrator() const override { return our_administrator(); }
  [[nodiscard]] bool decides_on_latest_state() const override { return false; }
  [[nodiscard]] bool disposable() const override { return true; }
  std::unique_ptr<Session> open_session() override;

 private:
  Result<Credentials> credentials_for(const Subject& subject);

  std::unique_ptr<WebhookServer> webhook_;  ///< outlives the server that asks it
  std::unique_ptr<ControlPlane> plane_;
  Observation observed_;
  BinaryOptions options_;
  Capabilities can_ = of_api_server().with(Capability::own_server);
  std::string name_;
  CertificateStore certificates_;
};

Result<Credentials> BinaryEndpoint::credentials_for(const Subject& subject) {
  if (subject == our_administrator()) return plane_->administrator();
  if (is_anonymous(subject)) return Credentials{};
  if (!fits_certificate(subject)) return impersonating(plane_->administrator(), subject);
  auto certificate = certificates_.of(subject);
  if (!certificate) return tl::unexpected(certificate.error());
  return Credentials{std::move(certificate->certificate_pem), std::move(certificate->key_pem), {}};
}

std::unique_ptr<Session> BinaryEndpoint::open_session() {
  const auto connect = [this](const Subject& subject) -> Result<std::unique_ptr<HttpClient>> {
    const auto credentials = credentials_for(subject);
    if (!credentials) return tl::unexpected(credentials.error());
    return make_http_client(plane_->server(), *credentials, options_.limits);
  };
  return std::make_unique<SubjectSession>(connect, [this](Error error) { return plane_->explain(std::move(error)); });
}

Result<std::unique_ptr<BinaryEndpoint>> start(const BinaryOptions& options) {
  auto plane = ControlPlane::start(options, our_administrator());
  if (!plane) return tl::unexpected(plane.error());
  const auto client = make_http_client((*plane)->server(), (*plane)->administrator(), options.limits);
  if (!client) return tl::unexpected(client.error());
  auto seen = observe(**client, url_of((*plane)->server()));
  if (!seen) return tl::unexpected((*plane)->explain(seen.error()));
  return std::make_unique<BinaryEndpoint>(std::move(*plane), std::move(*seen), options);
}

Result<std::unique_ptr<Endpoint>> BinaryEndpoint::start_with(const ServerSettings& settings) {
  BinaryOptions options = options_;
  options.authorization_mode = to_text(settings.authorization_modes);
  options.abac_policy_file = settings.abac_policy_file();
  options.enable_admission_plugins = settings.enabled_plugins;
  options.admission_configuration = settings.admission_configuration;
  for (const std::string& plugin : settings.disabled_plugins) {
    if (plugin == "NodeRestriction") options.enable_node_restriction = false;
    options.disable_admission_plugins.push_back(plugin);
  }
  std::unique_ptr<WebhookServer> webhook;
  if (settings.has(AuthorizationMode::webhook)) {
    auto listening = WebhookServer::start(settings.authorization_webhook);
    if (!listening) return tl::unexpected(listening.error());
    webhook = std::move(*listening);
    options.webhook_kubeconfig = webhook->kubeconfig();
    options.webhook_configuration = settings.webhook_configuration;
  }
  auto started = start(options);
  if (!started) return tl::unexpected(started.error());
  (*started)->webhook_ = std::move(webhook);
  (*started)->can_ = of_api_server(settings);
  return std::move(*started);
}

}  // namespace

Result<std::unique_ptr<Endpoint>> start_binary(const BinaryOptions& options) {
  return start(options);
}

}  // namespace nodebound
