#include "harness/endpoint/cluster_endpoint.h"

#include <optional>

#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/credentials/authority_file.h"
#include "harness/endpoint/credentials/cluster_csr.h"
#include "harness/endpoint/credentials/identity.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/endpoint/observe.h"
#include "harness/endpoint/subject_session.h"

namespace nodebound {
namespace {

class ClusterEndpoint : public Endpoint {
 public:
  ClusterEndpoint(Kubeconfig kubeconfig, const ClusterOptions& options, std::optional<CertificateAuthority> authority)
      : kubeconfig_(std::move(kubeconfig)),
        mode_(options.identity),
        limits_(options.limits),
        authority_(std::move(authority)),
        certificates_([this](const Subject& subject) { return issue(subject); }) {}

  /// Must succeed before anything else is asked of the endpoint.
  Result<void> look();

  [[nodiscard]] std::string name() const override {
    return "kubeconfig:" + kubeconfig_.file.string() + "#" + kubeconfig_.context;
  }
  [[nodiscard]] const Observation& observed() const override { return observed_; }
  [[nodiscard]] const Subject& administrator() const override { return administrator_; }
  [[nodiscard]] bool decides_on_latest_state() const override { return false; }
  [[nodiscard]] bool disposable() const override { return false; }
  [[nodiscard]] Address address() const override {
    return {url_of(kubeconfig_.server), fingerprint_of_certificates(kubeconfig_.server.ca_pem)};
  }
  void wrap_own_requests(WrapSession wrap) override { wrap_ = std::move(wrap); }
  std::unique_ptr<Session> open_session() override;
  [[nodiscard]] std::string context() const override { return kubeconfig_.context; }

 private:
  [[nodiscard]] Result<std::unique_ptr<HttpClient>> connect_administrator() const;
  Result<Credentials> credentials_for(const Subject& subject);
  Result<IssuedCertificate> issue(const Subject& subject);

  Kubeconfig kubeconfig_;
  IdentityMode mode_;
  RequestLimits limits_;
  std::optional<CertificateAuthority> authority_;
  CertificateStore certificates_;
  WrapSession wrap_ = [](std::unique_ptr<Session> session) { return session; };
  Observation observed_;
  Subject administrator_;
};

Result<std::unique_ptr<HttpClient>> ClusterEndpoint::connect_administrator() const {
  const auto credentials = credentials_of(kubeconfig_);
  if (!credentials) return tl::unexpected(credentials.error());
  return make_http_client(kubeconfig_.server, *credentials, limits_);
}

Result<void> ClusterEndpoint::look() {
  const auto client = connect_administrator();
  if (!client) return tl::unexpected(client.error());
  auto seen = observe(**client, url_of(kubeconfig_.server));
  if (!seen) return tl::unexpected(seen.error());
  auto self = who_am_i(**client, Subject{kubeconfig_.user, {"system:authenticated"}, {}, {}});
  if (!self) return tl::unexpected(self.error());
  observed_ = std::move(*seen);
  administrator_ = std::move(*self);
  return {};
}

Result<IssuedCertificate> ClusterEndpoint::issue(const Subject& subject) {
  // Each certificate is requested when its scenario begins, and is useless after it.
  if (authority_) return authority_->issue_client(subject, {.to = 3600});
  const std::unique_ptr<Session> session = wrap_(open_session());
  SubjectClient client(*session, administrator_);
  return request_certificate(client, subject);
}

Result<Credentials> ClusterEndpoint::credentials_for(const Subject& subject) {
  if (subject == administrator_) return credentials_of(kubeconfig_);
  if (is_anonymous(subject)) return Credentials{};
  if (mode_ == IdentityMode::impersonate || !fits_certificate(subject)) {
    auto own = credentials_of(kubeconfig_);
    if (!own) return own;
    return impersonating(std::move(*own), subject);
  }
  auto certificate = certificates_.of(subject);
  if (!certificate) return tl::unexpected(certificate.error());
  return Credentials{std::move(certificate->certificate_pem), std::move(certificate->key_pem), {}};
}

std::unique_ptr<Session> ClusterEndpoint::open_session() {
  const auto connect = [this](const Subject& subject) -> Result<std::unique_ptr<HttpClient>> {
    const auto credentials = credentials_for(subject);
    if (!credentials) return tl::unexpected(credentials.error());
    return make_http_client(kubeconfig_.server, *credentials, limits_);
  };
  return std::make_unique<SubjectSession>(connect, [](Error error) { return error; });
}

Result<std::optional<CertificateAuthority>> authority_for(const ClusterOptions& options) {
  if (options.identity != IdentityMode::ca) return std::optional<CertificateAuthority>();
  if (options.ca_certificate_file.empty() || options.ca_key_file.empty()) {
    return input_error("--identity=ca", "needs the certificate and the key of the cluster's authority of clients",
                       "on a kubeadm cluster: /etc/kubernetes/pki/ca.crt and ca.key");
  }
  auto authority = read_authority(options.ca_certificate_file, options.ca_key_file);
  if (!authority) return tl::unexpected(authority.error());
  return std::optional(std::move(*authority));
}

}  // namespace

Result<std::unique_ptr<Endpoint>> connect_kubeconfig(std::string_view spec, const ClusterOptions& options) {
  auto kubeconfig = load_kubeconfig(spec);
  if (!kubeconfig) return tl::unexpected(kubeconfig.error());
  if (const std::string warning = warning_of(*kubeconfig); options.warn && !warning.empty()) options.warn(warning);
  auto authority = authority_for(options);
  if (!authority) return tl::unexpected(authority.error());
  auto endpoint = std::make_unique<ClusterEndpoint>(std::move(*kubeconfig), options, std::move(*authority));
  if (const auto looked = endpoint->look(); !looked) return tl::unexpected(looked.error());
  return endpoint;
}

}  // namespace nodebound
