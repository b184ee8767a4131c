#include <chrono>
#include <iostream>
#include <thread>
#include <unistd.h>

#include "fakes/http/server.h"
#include "fakes/kubelet_api/kubelet_ports.h"
#include "fakes/kubelet_api/review_client.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/serve/listening.h"
#include "harness/cli/serve/request_log.h"
#include "harness/cli/serve/review_connections.h"
#include "harness/cli/serve/review_options.h"
#include "harness/cli/target.h"
#include "harness/endpoint/signals.h"
#include "harness/kubelet/target/client_ca_file.h"
#include "harness/kubelet/target/kubelet_flags.h"

namespace nodebound::cli {
namespace {

using Flags = kubelet_api::KubeletAnswers::Flags;

Result<std::optional<kubelet_api::KubeletConfigurationFile>> read_file(const kubelet_conformance::KubeletFlags& flags,
                                                                       const Version& version) {
  if (flags.config.empty()) return std::nullopt;
  const auto text = kubelet_conformance::file_text(flags.config);
  if (!text) {
    return input_error(flags.config,
                       "failed to read kubelet config file \"" + flags.config + "\", error: " + text.error().what);
  }
  auto file = kubelet_api::read_kubelet_configuration(*text, flags.config, version);
  if (!file) return tl::unexpected(file.error());
  for (const std::string& warning : file->warnings) {
    complain(flags.config + ": " + warning + " in " + version.text() + ": it is ignored");
  }
  return std::move(*file);
}

/// The feature gates of the file, most of which decide nothing here, overridden by those of the flag.
Result<Release> release_of(const kubelet_conformance::KubeletFlags& flags, const Version& version,
                           const std::optional<kubelet_api::KubeletConfigurationFile>& file) {
  const Catalogue& catalogue = Catalogue::built_in();
  GateSettings gates;
  if (file) gates = Release::taken(catalogue, version, file->feature_gates);
  const auto given = parse_feature_gates(flags.feature_gates);
  if (!given) return tl::unexpected(given.error());
  for (const auto& [gate, on] : *given) gates[gate] = on;
  return Release::make(catalogue, version, gates);
}

Result<std::string> node_name(const kubelet_conformance::KubeletFlags& flags) {
  if (!flags.hostname_override.empty()) return flags.hostname_override;
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) {
    return input_error("--hostname-override", "this host has no name", "give the node one");
  }
  std::string out = name;
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

Result<IssuedCertificate> serving_certificate(const kubelet_api::KubeletConfiguration& configuration,
                                              const std::string& node) {
  if (configuration.tls_cert_file.empty() && configuration.tls_private_key_file.empty()) {
    const auto authority = CertificateAuthority::create(node);
    if (!authority) return tl::unexpected(authority.error());
    return authority->issue_server({node, "localhost", "127.0.0.1"});
  }
  auto certificate = kubelet_conformance::file_text(configuration.tls_cert_file);
  if (!certificate) return tl::unexpected(certificate.error());
  auto key = kubelet_conformance::file_text(configuration.tls_private_key_file);
  if (!key) return tl::unexpected(key.error());
  return IssuedCertificate{std::move(*certificate), std::move(*key)};
}

Result<std::unique_ptr<kubelet_api::ReviewTransport>> transport_of(const kubelet_conformance::KubeletFlags& flags) {
  if (flags.kubeconfig.empty()) return std::make_unique<NoReviews>();
  auto kubeconfig = load_kubeconfig(flags.kubeconfig, CredentialNeed::none);
  if (!kubeconfig) return tl::unexpected(kubeconfig.error());
  if (const std::string warning = warning_of(*kubeconfig); !warning.empty()) {
    std::cerr << "nodebound: " << warning << '\n';
  }
  auto connections = std::make_unique<ReviewConnections>(std::move(*kubeconfig));
  if (auto right = connections->check(); !right) return tl::unexpected(right.error());
  return connections;
}

/// Everything that one kubelet consists of. Its parts refer to each other, so it must not move.
class ServedKubelet {
 public:
  ServedKubelet(const RuleSet& rules, kubelet_api::KubeletConfiguration configuration, std::string node, Flags flags,
                std::unique_ptr<kubelet_api::ReviewTransport> transport,
                std::unique_ptr<kubelet_conformance::ClientCaFile> authorities, bool verbose)
      : verbose_(verbose),
        configuration_(std::move(configuration)),
        node_(std::move(node)),
        transport_(std::move(transport)),
        authorities_(std::move(authorities)),
        reviews_(rules, configuration_.settings, *transport_, review_options(configuration_.content_type)),
        ports_(rules, configuration_, node_, std::move(flags),
               {reviews_, [this] { return authorities_ ? authorities_->current() : nullptr; }, seconds_now}) {}

  /// Listens on all ports, including the healthz port if one is set.
  Result<void> start(const std::string& address, bool with_health) {
    const auto certificate = serving_certificate(configuration_, node_);
    if (!certificate) return tl::unexpected(certificate.error());
    HttpsServerOptions options;
    options.address = address_ = address;
    options.port = static_cast<std::uint16_t>(configuration_.settings.port);
    options.certificate_pem = certificate->certificate_pem;
    options.key_pem = certificate->key_pem;
    if (authorities_) options.client_ca_pem = authorities_->pem();
    if (auto done = listen(options, ports_.main()); !done) return done;
    ports_.listens_on(servers_.front()->port());
    options.tls = false;
    if (const int port = configuration_.settings.read_only_port; port != 0) {
      options.port = static_cast<std::uint16_t>(port);
      if (auto done = listen(options, ports_.read_only()); !done) return done;
    }
    if (!with_health || configuration_.healthz_port == 0) return {};
    options.address = configuration_.healthz_address;
    options.port = static_cast<std::uint16_t>(configuration_.healthz_port);
    return listen(options, ports_.health());
  }

  [[nodiscard]] std::string url() const { return url_at(address_, servers_.front()->port()); }

  void stop() {
    for (const auto& server : servers_) server->stop();
  }

 private:
  Result<void> listen(const HttpsServerOptions& options, HttpHandler& handler) {
    if (verbose_) logged_.push_back(std::make_unique<LoggedHandler>(handler));
    auto server = HttpsServer::start(options, verbose_ ? *logged_.back() : handler);
    if (!server) return tl::unexpected(server.error());
    servers_.push_back(std::move(*server));
    return {};
  }

  bool verbose_;
  kubelet_api::KubeletConfiguration configuration_;
  std::string address_;  ///< where it listens, even if /configz reports something else
  std::string node_;
  std::unique_ptr<kubelet_api::ReviewTransport> transport_;
  std::unique_ptr<kubelet_conformance::ClientCaFile> authorities_;
  kubelet_api::ReviewClient reviews_;
  kubelet_api::KubeletPorts ports_;
  std::vector<std::unique_ptr<LoggedHandler>> logged_;
  std::vector<std::unique_ptr<HttpsServer>> servers_;
};

/// A real kubelet always opens its healthz port. Several fake kubelets on one machine would conflict, so here it is
/// opt-in.
bool asks_for_healthz_port(const kubelet_conformance::KubeletFlags& flags,
                           const std::optional<kubelet_api::KubeletConfigurationFile>& file) {
  return flags.healthz_port || (file && member(file->object, "healthzPort").is_number());
}

/// A real kubelet listens on all addresses of its node by default. This one listens only where it is told, because it
/// runs beside other programs and may let everybody in.
std::string address_to_listen_at(const kubelet_conformance::KubeletFlags& flags,
                                 const std::optional<kubelet_api::KubeletConfigurationFile>& file,
                                 const kubelet_api::KubeletConfiguration& configuration) {
  const bool told = flags.address || (file && !text(file->object, "address").empty());
  return told ? configuration.address : "127.0.0.1";
}

void say_who_may_ask(const KubeletSettings& settings) {
  const bool allows_all = settings.authorization_mode == "AlwaysAllow";
  std::string who = settings.anonymous ? "everybody, also without credentials" : "";
  if (!settings.anonymous && settings.client_ca) who = "who has a certificate of --client-ca-file";
  if (!settings.anonymous && settings.token_webhook) {
    who += (who.empty() ? "who has a token" : ", or a token") + std::string(" that the API server knows");
  }
  if (who.empty()) who = "nobody";
  std::cerr << "nodebound: may ask: " << who << '\n'
            << "nodebound: may do: "
            << (allows_all ? "everything, such as to run commands in its pods (authorization mode AlwaysAllow)"
                           : "what the API server allows them (authorization mode Webhook)")
            << '\n';
  if (settings.read_only_port != 0) {
    std::cerr << "nodebound: at port " << settings.read_only_port << " everybody may read, over HTTP\n";
  }
}

Result<void> serve(const kubelet_conformance::KubeletFlags& flags, const Flags& given) {
  const auto version = parse_version("--release", flags.release);
  if (!version) return tl::unexpected(version.error());
  const auto file = read_file(flags, *version);
  if (!file) return tl::unexpected(file.error());
  const auto release = release_of(flags, *version, *file);
  if (!release) return tl::unexpected(release.error());
  const RuleSet rules(Catalogue::built_in(), *release);
  auto configuration = kubelet_conformance::configured_kubelet(flags, *file, rules);
  if (!configuration) return tl::unexpected(configuration.error());
  auto node = node_name(flags);
  if (!node) return tl::unexpected(node.error());
  auto transport = transport_of(flags);
  if (!transport) return tl::unexpected(transport.error());
  auto authorities = kubelet_conformance::ClientCaFile::open(configuration->client_ca_file, rules);
  if (!authorities) return tl::unexpected(authorities.error());
  say_who_may_ask(configuration->settings);
  const std::string address = address_to_listen_at(flags, *file, *configuration);
  warn_unless_loopback(address);

  install_signal_handlers();
  allow_many_connections();
  ServedKubelet kubelet(rules, std::move(*configuration), std::move(*node), given, std::move(*transport),
                        std::move(*authorities), flags.verbose);
  if (auto started = kubelet.start(address, asks_for_healthz_port(flags, *file)); !started) return started;
  std::cout << "listening on " << kubelet.url() << std::endl;
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  kubelet.stop();
  return {};
}

}  // namespace

void add_kubelet_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<kubelet_conformance::KubeletFlags>();
  flags->release = reference_release;
  CLI::App* command = app.add_subcommand("kubelet", "Serve a kubelet's own API, over HTTPS");
  flags->add_to(*command);
  command->callback([flags, command, &exit_code] {
    const auto served = serve(*flags, kubelet_conformance::given_flags(*command));
    exit_code = served ? conforms : fail(served.error());
  });
}

}  // namespace nodebound::cli
