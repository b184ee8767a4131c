#include <atomic>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <optional>
#include <thread>

#include "fakes/authentication/issuer_documents.h"
#include "fakes/http/server.h"
#include "fakes/proxy/kubelet_proxy.h"
#include "fakes/serving/api_handler.h"
#include "fakes/storage/sqlite_journal.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/serve/admission_webhooks.h"
#include "harness/cli/serve/authorization_file.h"
#include "harness/cli/serve/listening.h"
#include "harness/cli/serve/request_log.h"
#include "harness/cli/serve/serve_controllers.h"
#include "harness/cli/serve/serve_credentials.h"
#include "harness/cli/serve/serve_flags.h"
#include "harness/cli/serve/serve_kubelets.h"
#include "harness/cli/target.h"
#include "harness/endpoint/signals.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::cli {
namespace {

constexpr unsigned durable_threads = 16;

Result<std::unique_ptr<HttpsServer>> listen(const ServeFlags& flags, const ServeCredentials& credentials,
                                            HttpHandler& handler) {
  HttpsServerOptions options;
  options.address = flags.bind_address;
  options.port = flags.secure_port;
  options.certificate_pem = credentials.server.certificate_pem;
  options.key_pem = credentials.server.key_pem;
  options.client_ca_pem = credentials.client_ca_pem;
  // With enough threads, several writers share one sync of the disk.
  if (!flags.data_dir.empty()) options.threads = durable_threads;
  return HttpsServer::start(options, handler);
}

/// Ends the APIs of the kubelets before the API server that they ask.
struct KubeletsEnd {
  ServeKubelets& kubelets;

  explicit KubeletsEnd(ServeKubelets& own) : kubelets(own) {}
  ~KubeletsEnd() { kubelets.stop(); }
  KubeletsEnd(const KubeletsEnd&) = delete;
  KubeletsEnd& operator=(const KubeletsEnd&) = delete;
};

void serve_until_interrupted(apiserver::ApiServer& server, ServeControllers& controllers, ServeKubelets& kubelets,
                             AuthorizationFile* authorization) {
  auto next = std::chrono::steady_clock::now();
  while (!interrupted()) {
    server.tick();
    controllers.act();
    if (std::chrono::steady_clock::now() >= next) {
      if (authorization != nullptr) follow(*authorization, server);
      next += std::chrono::seconds(1);
    }
    if (kubelets.act()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

int serve(const ServeFlags& flags) {
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<Release> release = named_release(catalogue, flags.release, flags.feature_gates);
  if (!release) return fail(release.error());
  Result<apiserver::ApiServer::Options> options = flags.server_options();
  if (!options) return fail(options.error());
  Result<std::vector<faults::Fault>> faults = flags.parsed_faults();
  if (!faults) return fail(faults.error());
  Result<ServeKubelets> kubelets = ServeKubelets::make(flags, release->version);
  if (!kubelets) return fail(kubelets.error());
  const RuleSet rules(catalogue, *release);
  std::optional<AuthorizationFile> authorization;
  if (!flags.authorization_config.empty()) authorization.emplace(flags.authorization_config, rules.release());
  AuthorizationFile* const file = authorization ? &*authorization : nullptr;
  if (auto added = flags.add_authorizers(file, rules.release(), *options); !added) return fail(added.error());
  if (!flags.data_dir.empty()) {
    Result<std::shared_ptr<storage::SqliteJournal>> journal = storage::SqliteJournal::open(flags.data_dir);
    if (!journal) return fail(journal.error());
    options->journal = std::move(*journal);
  }
  const Result<ServeCredentials> credentials = make_credentials(flags, rules);
  if (!credentials) return fail(credentials.error());
  serving::ApiHandler::Options handler_options{authentication::AuthenticationFeatures::of(rules), nullptr,
                                               serving::random_uuid,
                                               std::make_shared<faults::Faults>(std::move(*faults))};
  if (!flags.audit_log_path.empty()) {
    Result<std::unique_ptr<serving::AuditLog>> log = serving::AuditLog::open(flags.audit_log_path);
    if (!log) return fail(log.error());
    handler_options.audit = std::move(*log);
  }
  options->namespaces_first = true;
  options->tracks_updates = true;
  options->admission_webhooks = admission_webhooks();
  options->compaction = std::chrono::minutes(5);
  options->keeps_text = true;
  options->token_issuer = [&](const apiserver::TokenOrder& order) { return credentials->tokens->issue(order); };
  options->token_reviewer = [&](const Object& spec, const apiserver::FindObject& find) {
    return credentials->authenticator->review(spec, find);
  };

  std::atomic<std::uint16_t> port = 0;
  if (rules.release().does(Behaviour::service_account_issuer_discovery)) {
    options->other_documents = [&](std::string_view path) {
      port.wait(0);
      return authentication::issuer_document(*credentials->tokens, url_at(flags.bind_address, port), path);
    };
  }
  options->clock = [] { return std::chrono::system_clock::now(); };
  options->resources = std::make_shared<const ApiResources>(*release, RuntimeConfig::defaults);
  Result<proxy::Backends::Options> shown = kubelet_credentials(flags, *credentials);
  if (!shown) return fail(shown.error());
  const Result<std::unique_ptr<proxy::Backends>> backends = proxy::Backends::make(std::move(*shown));
  if (!backends) return fail(backends.error());
  if (flags.verbose) handler_options.answered = request_log();
  install_signal_handlers();
  allow_many_connections();
  apiserver::ApiServer server(rules, *options);
  publish_client_authority(server, *credentials);
  Result<ServeControllers> controllers = ServeControllers::make(flags, *credentials, rules.release(), server);
  if (!controllers) return fail(controllers.error());
  if (auto started = kubelets->start(server, *credentials); !started) return fail(started.error());
  const KubeletsEnd end{*kubelets};
  proxy::KubeletProxy proxy(**backends, {flags.address_types(), kubelets->addresses(), flags.proxy_to_any_address});
  handler_options.forward = [&proxy](const IncomingRequest& request, const Onward& to, HttpResponse own) {
    return proxy.forward(request, to, std::move(own));
  };
  serving::ApiHandler handler(server, *credentials->authenticator, std::move(handler_options));
  Result<std::unique_ptr<HttpsServer>> listener = listen(flags, *credentials, handler);
  if (!listener) return fail(listener.error());
  port = (*listener)->port();
  port.notify_all();
  const std::string url = url_at(flags.bind_address, port);
  const Result<std::vector<std::string>> kubeconfigs = write_kubeconfigs(flags, *credentials, url);
  if (!kubeconfigs) return fail(kubeconfigs.error());
  warn_unless_loopback(flags.bind_address);
  std::cout << "Serving Kubernetes " << release->version.text() << " at " << url << '\n';
  for (const std::string& path : *kubeconfigs) std::cout << "  " << path << '\n';
  if (const std::string summary = kubelets->summary(); !summary.empty()) std::cout << "  " << summary << '\n';
  std::cout << std::flush;
  serve_until_interrupted(server, *controllers, *kubelets, file);
  (*listener)->stop();
  return conforms;
}

}  // namespace

void add_serve_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ServeFlags>();
  CLI::App* command = app.add_subcommand("serve", "Serve the reference as an API server, over HTTPS");
  flags->add_to(*command);
  command->callback([flags, &exit_code] { exit_code = serve(*flags); });
}

}  // namespace nodebound::cli
