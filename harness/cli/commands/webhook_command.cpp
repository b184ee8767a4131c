#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <list>
#include <mutex>
#include <optional>
#include <thread>

#include "fakes/authentication/client_certificates.h"
#include "fakes/http/server.h"
#include "fakes/wire/certificates/pki.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/serve/admission_file.h"
#include "harness/cli/serve/listening.h"
#include "harness/cli/serve/serve_authorizers.h"
#include "harness/cli/target.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/endpoint/observe.h"
#include "harness/endpoint/signals.h"
#include "harness/objects/input_file.h"
#include "harness/reviewer/collection_follower.h"
#include "harness/reviewer/review_handler.h"
#include "reference/admission/default_plugins.h"
#include "reports/files.h"

namespace nodebound::cli {
namespace {

const std::vector<std::string> usual_plugins = {"NodeRestriction", "ServiceAccount", "CertificateApproval",
                                                "CertificateSigning", "CertificateSubjectRestriction"};

bool is_known_plugin(const std::string& name) {
  const auto among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return among(usual_plugins) || among(optional_plugins());
}

struct WebhookFlags {
  std::string kubeconfig;
  std::string release;
  std::string feature_gates;
  std::string listen = "127.0.0.1:8443";
  std::string tls_cert_file;
  std::string tls_key_file;
  std::string client_ca_file;
  std::string certificate_out;
  std::vector<std::string> modes = {"Node", "RBAC"};
  std::vector<std::string> plugins = {"NodeRestriction", "ServiceAccount", "CertificateSubjectRestriction"};
  std::string admission_file;
};

struct ListenAt {
  std::string address;
  std::uint16_t port = 0;
};

Result<ListenAt> listen_at(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool digits = !port.empty() && port.size() < 6 && port.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoul(port) > 65535)
    return input_error("--listen", "expected ADDRESS:PORT, not \"" + text + "\"");
  std::string address = text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  return ListenAt{address.empty() ? "0.0.0.0" : address, static_cast<std::uint16_t>(std::stoul(port))};
}

Result<std::string> pem_of(const std::string& flag, const std::string& file) {
  auto bytes = bytes_of_file(file, input_limit::credentials);
  if (!bytes) return input_error(flag, "cannot read " + file + ": " + bytes.error());
  return std::move(*bytes);
}

/// The server's own certificate, and whoever it trusts.
struct WebhookCredentials {
  IssuedCertificate own;
  std::string authority_pem;  ///< of a certificate that was made; empty for one of a file
  std::string client_ca_pem;
  std::unique_ptr<authentication::ClientCertificates> clients;
};

Result<WebhookCredentials> credentials_of(const WebhookFlags& flags, const std::string& address, const RuleSet& rules) {
  WebhookCredentials out;
  if (flags.tls_cert_file.empty() != flags.tls_key_file.empty()) {
    return input_error("--tls-cert", "a certificate needs its key, and a key its certificate",
                       "give both --tls-cert and --tls-key");
  }
  if (flags.tls_cert_file.empty()) {
    const auto authority = CertificateAuthority::create("nodebound webhook");
    if (!authority) return tl::unexpected<Error>(authority.error());
    std::vector<std::string> names = {"localhost", "127.0.0.1"};
    if (std::find(names.begin(), names.end(), address) == names.end()) names.push_back(address);
    auto issued = authority->issue_server(names);
    if (!issued) return tl::unexpected<Error>(issued.error());
    out.own = std::move(*issued);
    out.authority_pem = authority->certificate_pem();
  } else {
    auto certificate = pem_of("--tls-cert", flags.tls_cert_file);
    if (!certificate) return tl::unexpected<Error>(certificate.error());
    auto key = pem_of("--tls-key", flags.tls_key_file);
    if (!key) return tl::unexpected<Error>(key.error());
    out.own = {std::move(*certificate), std::move(*key)};
  }
  if (flags.client_ca_file.empty()) return out;
  auto authorities = pem_of("--client-ca", flags.client_ca_file);
  if (!authorities) return tl::unexpected<Error>(authorities.error());
  auto clients = authentication::ClientCertificates::trusting(
      *authorities, "--client-ca", authentication::AuthenticationFeatures::of(rules), [] {
        using namespace std::chrono;
        return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
      });
  if (!clients) return tl::unexpected<Error>(clients.error());
  out.client_ca_pem = std::move(*authorities);
  out.clients = std::move(*clients);
  return out;
}

/// What the cluster's API server is seen to be; waits until it answers.
Result<Observation> observed_cluster(const Kubeconfig& kubeconfig) {
  const auto credentials = credentials_of(kubeconfig);
  if (!credentials) return tl::unexpected<Error>(credentials.error());
  for (bool told = false;;) {
    auto client = make_http_client(kubeconfig.server, *credentials, {});
    if (!client) return tl::unexpected<Error>(client.error());
    Result<Observation> seen = observe(**client, url_of(kubeconfig.server));
    if (seen || interrupted()) return seen;
    if (!told) complain("the cluster does not answer yet: " + seen.error().text());
    told = true;
    for (int i = 0; i < 20 && !interrupted(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Result<Release> release_of(const WebhookFlags& flags, const Kubeconfig& kubeconfig) {
  const Catalogue& catalogue = Catalogue::built_in();
  if (!flags.release.empty()) return named_release(catalogue, flags.release, flags.feature_gates);
  const Result<Observation> seen = observed_cluster(kubeconfig);
  if (!seen) return tl::unexpected<Error>(seen.error());
  std::string version = seen->version.substr(0, seen->version.find_first_of("-+"));
  if (version.starts_with('v')) version.erase(0, 1);
  Result<Release> release = named_release(catalogue, version, flags.feature_gates);
  if (!release) return release;
  const Result<GateSettings> set = parse_feature_gates(flags.feature_gates);
  for (auto& [name, on] : release->gates) {
    const auto gate = seen->feature_gates.find(name);
    if (gate != seen->feature_gates.end() && !set->contains(name)) on = gate->second;
  }
  return release;
}

Result<reviewer::ReviewAnswers::Options> answer_options(const WebhookFlags& flags) {
  auto modes = read_authorization_modes(flags.modes);
  if (!modes) return tl::unexpected<Error>(modes.error());
  for (const AuthorizationMode mode : *modes) {
    if (mode != AuthorizationMode::node && mode != AuthorizationMode::rbac) {
      return input_error("--authorization-mode", "expected Node, RBAC or both", "others need no cluster to decide");
    }
  }
  reviewer::ReviewAnswers::Options out;
  out.modes = std::move(*modes);
  for (const std::string& plugin : flags.plugins) {
    if (!is_known_plugin(plugin)) {
      return input_error("--admission-plugins", "admission plugin \"" + plugin + "\" is unknown");
    }
    out.plugins.insert(plugin);
  }
  Result<PlacementSettings> placement = placement_of_file(flags.admission_file);
  if (!placement) return tl::unexpected<Error>(placement.error());
  out.placement = std::move(*placement);
  return out;
}

/// Follows all collections, a thread each, until the process is asked to end.
class Followers {
 public:
  Followers(const Kubeconfig& kubeconfig, reviewer::FollowedCluster& cluster) {
    for (const reviewer::FollowedCollection& collection : cluster.collections()) {
      reviewer::CollectionFollower& follower =
          followers_.emplace_back(kubeconfig, collection, cluster, [](const std::string& words) { complain(words); });
      threads_.emplace_back([&follower] { follower.run(); });
    }
  }
  ~Followers() {
    interrupted() = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Followers(const Followers&) = delete;
  Followers& operator=(const Followers&) = delete;

 private:
  std::list<reviewer::CollectionFollower> followers_;
  std::vector<std::thread> threads_;
};

void wait_for_the_end(const reviewer::FollowedCluster& cluster) {
  bool told = false;
  while (!interrupted()) {
    if (!told && cluster.missing().empty()) {
      std::cout << "Ready\n" << std::flush;
      told = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

int serve_webhook(const WebhookFlags& flags) {
  const Result<ListenAt> at = listen_at(flags.listen);
  if (!at) return fail(at.error());
  const Result<reviewer::ReviewAnswers::Options> options = answer_options(flags);
  if (!options) return fail(options.error());
  const Result<Kubeconfig> kubeconfig = load_kubeconfig(flags.kubeconfig);
  if (!kubeconfig) return fail(kubeconfig.error());
  install_signal_handlers();
  const Result<Release> release = release_of(flags, *kubeconfig);
  if (!release) return fail(release.error());
  const RuleSet rules(Catalogue::built_in(), *release);
  const Result<WebhookCredentials> credentials = credentials_of(flags, at->address, rules);
  if (!credentials) return fail(credentials.error());
  reviewer::FollowedCluster cluster(rules, reviewer::followed_collections(rules, options->plugins));
  const reviewer::ReviewAnswers answers(rules, cluster, *options);
  reviewer::ReviewHandler handler(answers, cluster, credentials->clients.get());
  HttpsServerOptions server;
  server.address = at->address;
  server.port = at->port;
  server.certificate_pem = credentials->own.certificate_pem;
  server.key_pem = credentials->own.key_pem;
  server.client_ca_pem = credentials->client_ca_pem;
  const Result<std::unique_ptr<HttpsServer>> listener = HttpsServer::start(server, handler);
  if (!listener) return fail(listener.error());
  if (!flags.certificate_out.empty()) {
    const std::string& shown =
        credentials->authority_pem.empty() ? credentials->own.certificate_pem : credentials->authority_pem;
    if (auto written = write_file(flags.certificate_out, shown); !written) return fail(written.error());
  }
  std::cout << "Answering reviews as Kubernetes " << release->version.text() << " at "
            << url_at(at->address, (*listener)->port()) << "/, by " << url_of(kubeconfig->server) << '\n'
            << std::flush;
  {
    const Followers followers(*kubeconfig, cluster);
    wait_for_the_end(cluster);
  }
  (*listener)->stop();
  return conforms;
}

}  // namespace

void add_webhook_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<WebhookFlags>();
  CLI::App* command = app.add_subcommand(
      "webhook", "Answer SubjectAccessReviews and AdmissionReviews from the reference, by a cluster that is watched");
  command->add_option("--kubeconfig", flags->kubeconfig, "The cluster to watch: FILE[#CONTEXT]")->required();
  command->add_option("--listen", flags->listen, "ADDRESS:PORT to listen on; port 0 picks one")->capture_default_str();
  command->add_option("--tls-cert", flags->tls_cert_file, "The webhook's certificate, PEM (default: one is made)");
  command->add_option("--tls-key", flags->tls_key_file, "Its key, PEM");
  command->add_option("--certificate-out", flags->certificate_out,
                      "File for the certificate that clients must trust, PEM");
  command->add_option("--client-ca", flags->client_ca_file,
                      "Authorities of the client certificates that may ask, PEM (default: everybody may)");
  command->add_option("--release", flags->release, "Kubernetes release to decide as (default: the cluster's)");
  command->add_option("--feature-gates", flags->feature_gates, "Gates set apart from the cluster's: A=true,B=false");
  command->add_option("--authorization-mode", flags->modes, "Authorizers that are asked about access: Node, RBAC")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--admission-plugins", flags->plugins,
                   "Plugins that are asked about admission: NodeRestriction, ServiceAccount, "
                   "CertificateApproval, CertificateSigning, CertificateSubjectRestriction, "
                   "OwnerReferencesPermissionEnforcement, PodNodeSelector, PodTolerationRestriction")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--admission-control-config-file", flags->admission_file,
                      "An AdmissionConfiguration, of which PodNodeSelector and PodTolerationRestriction read theirs");
  command->footer(
      "Reviews are taken by POST at any path. At one that ends in /mutate, an AdmissionReview is answered with the "
      "patch "
      "by which plugins complete the object: name it in a MutatingWebhookConfiguration. GET /readyz is 200 once all "
      "that decides was listed; until then reviews "
      "get 503.");
  command->callback([flags, &exit_code] { exit_code = serve_webhook(*flags); });
}

}  // namespace nodebound::cli
